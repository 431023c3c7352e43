internal import News
internal import Text

/// Converter from RSS in JSON (https://github.com/scripting/Scripting-News/tree/master/rss-in-json)
/// to XML.
///
/// An element is a member of its parent, or a list of several. Its attributes are members too, and
/// `#value` is its text. The conventions of general converters from XML are accepted as well.
struct RSSInJSON {
  /// In UTF-8. Entries have the line numbers of the JSON text.
  private(set) var xml: [UInt8] = []
  private(set) var hasStrangeItems = false
  /// Line number at the end of the output.
  private var line: Int
  private var lines: LineCounter

  /// Fails for another format.
  init?(_ document: JSONValue.Document, in bytes: ByteBuffer, firstLine: Int) {
    guard case .object(let root, _) = document.value else { return nil }
    let rss = Self.object(root["rss"])
    guard let channel = Self.object(rss?["channel"] ?? root["channel"]),
      rss != nil || channel["item"] != nil,
      ["title", "link", "description", "item"].contains(where: { channel[$0] != nil })
    else { return nil }
    line = firstLine
    lines = LineCounter(firstLine: firstLine)
    var attributes = rss ?? [:]
    attributes["channel"] = nil
    openTag("rss", Self.attributes(of: attributes, in: "rss"))
    openTag("channel", [])
    // Elements of the feed precede its items, as they apply to them.
    var head = channel
    head["item"] = nil
    writeMembers(head, in: "channel")
    let items = Self.values(channel["item"])
    for (place, item) in items.enumerated() {
      guard case .object(let members, let start) = item else {
        hasStrangeItems = true
        continue
      }
      let target = lines.line(of: start, in: bytes)
      while line < target {
        xml.append(0x0A)
        line += 1
      }
      openTag("item", Self.attributes(of: members, in: "item"))
      writeMembers(members, in: "item")
      // A truncated item stays without its end tag, as in truncated XML.
      if document.isComplete || place < items.count - 1 { closeTag("item") }
    }
    guard document.isComplete else { return }
    closeTag("channel")
    closeTag("rss")
  }

  /// An object, or the only object of a list.
  private static func object(_ value: JSONValue?) -> [String: JSONValue]? {
    switch value {
    case .object(let members, _)?: members
    case .array(let values)?: values.count == 1 ? object(values[0]) : nil
    default: nil
    }
  }

  private static func values(_ value: JSONValue?) -> [JSONValue] {
    switch value {
    case .array(let values)?: values
    case let value?: [value]
    case nil: []
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }

  private static let containers: Set<String> = [
    "rss", "channel", "item", "image", "textInput", "textinput", "skipHours", "skipDays",
  ]

  /// Members with the text of an element.
  private static let texts = ["#value", "#text", "#cdata-section", "__cdata", "__text", "_", "$t"]

  private enum Role {
    case attribute(String)
    case attributes
    case text
    case element
  }

  private static func role(
    of name: String, _ value: JSONValue, in element: String
  ) -> Role {
    if texts.contains(name) { return .text }
    if name == "@attributes" || name == "$" { return .attributes }
    let isMarked = name.hasPrefix("@") || name.hasPrefix("-")
    let plain = isMarked ? String(name.dropFirst()) : name
    if isMarked || plain == "xmlns" || plain.hasPrefix("xmlns:") { return .attribute(plain) }
    guard text(value) != nil, !plain.contains(":"),
      element == "rss" || !containers.contains(element)
    else { return .element }
    return .attribute(plain)
  }

  /// Sorted by name, because members have no order.
  private static func attributes(
    of members: [String: JSONValue], in element: String
  ) -> [(name: String, value: String)] {
    var found: [String: String] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch role(of: name, value, in: element) {
      case .attribute(let name): if found[name] == nil { found[name] = text(value) }
      case .attributes:
        for (name, value) in object(value) ?? [:] where found[name] == nil {
          found[name] = text(value)
        }
      case .text, .element: break
      }
    }
    return found.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  private mutating func writeMembers(_ members: [String: JSONValue], in element: String) {
    for name in Self.texts {
      for value in Self.values(members[name]) { append(escaped: Self.text(value) ?? "") }
    }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if case .element = Self.role(of: name, value, in: element) { write(name, value) }
    }
  }

  private mutating func write(_ name: String, _ value: JSONValue) {
    guard Self.isName(name) else { return }
    switch value {
    case .null: break
    case .array(let values): for value in values { write(name, value) }
    case .object(let members, _):
      openTag(name, Self.attributes(of: members, in: name))
      writeMembers(members, in: name)
      closeTag(name)
    case .string, .number, .bool:
      openTag(name, [])
      append(escaped: Self.text(value) ?? "")
      closeTag(name)
    }
  }

  private mutating func openTag(_ name: String, _ attributes: [(name: String, value: String)]) {
    xml.append(0x3C)
    xml.append(contentsOf: name.utf8)
    for (name, value) in attributes where Self.isName(name) {
      xml.append(0x20)
      xml.append(contentsOf: name.utf8)
      xml.append(contentsOf: "=\"".utf8)
      append(escaped: value)
      xml.append(0x22)
    }
    xml.append(0x3E)
  }

  private mutating func closeTag(_ name: String) { xml.append(contentsOf: "</\(name)>".utf8) }

  private mutating func append(escaped text: String) {
    for byte in text.utf8 {
      switch byte {
      // As references, to keep the line numbers of the JSON text.
      case 0x22, 0x09, 0x0A, 0x0D: xml.append(contentsOf: "&#\(byte);".utf8)
      default: BodyText.appendEscaped(byte, to: &xml)
      }
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.withBytes { bytes in
      guard let first = bytes.first, bytes.count <= 128, bytes.last != 0x3A else { return false }
      return XMLNames.starts(first) && bytes.allSatisfy(XMLNames.contains)
    }
  }
}
