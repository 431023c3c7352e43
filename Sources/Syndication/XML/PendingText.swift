internal import Foundation
internal import Text

struct PendingText {
  struct Capture {
    enum Style {
      case plain
      /// HTML. Unescaped elements in it are written back as markup.
      case html
      /// XHTML. Text in its elements is escaped again.
      case xhtml
    }
    var tag: FeedTag
    var style: Style
    /// Number of open elements, including the field.
    var depth: Int
    /// Effective `xml:base`.
    var base: Int?
    var isPermalink = false
    /// Whether an attribute declares the guid an address.
    var isSaidToBePermalink = false
    var isPlainText = false
    /// Whether Atom's type is missing.
    var isUntyped = false
    /// Whether the field is dropped if it contains elements.
    var endsAtElement = false
    /// Whether the type is one of files, which are in base64 (RFC 4287 §4.1.3.3).
    var mayBeFile = false
    /// Atom 0.3.
    var isBase64 = false
    /// Whether the `div` around XHTML (RFC 4287 §3.1.1.3) has been skipped.
    var hasSkippedWrapper = false
  }

  /// Separator of list items, which XML does not allow in text.
  static let listMark: UInt8 = 0x1F

  var capture: Capture?
  var bytes: [UInt8] = []
  /// Attributes of a category, and a source's address.
  var scheme: String?
  var label: String?
  var url: String?
  /// Names of open elements; empty for skipped ones.
  private var openElements: [String] = []

  mutating func begin(_ capture: Capture) {
    self.capture = capture
    bytes.removeAll(keepingCapacity: true)
    openElements.removeAll(keepingCapacity: true)
    (scheme, label, url) = (nil, nil, nil)
  }

  /// Removes the marks of an escaped CDATA section.
  mutating func unwrapSection() {
    let inside = bytes.withUnsafeBufferPointer { bytes -> Range<Int>? in
      let range = bytes.trimmed(0..<bytes.count)
      guard range.count >= 12, bytes.hasWord("<![cdata[", at: range.lowerBound),
        bytes.hasWord("]]>", at: range.upperBound - 3)
      else { return nil }
      return range.lowerBound + 9..<range.upperBound - 3
    }
    if let inside { bytes = Array(bytes[inside]) }
  }

  mutating func decodeTwice() {
    if let decoded = bytes.withUnsafeBufferPointer(DoubleUTF8.mended) { bytes = decoded }
  }

  mutating func unescapeTwice() {
    if let decoded = bytes.withUnsafeBufferPointer(EscapedMarkup.unescaped) { bytes = decoded }
  }

  /// RFC 4648 §4. Keeps a text that is no base64 or no UTF-8.
  mutating func decodeBase64() {
    guard let data = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters),
      String(validating: data, as: UTF8.self) != nil
    else { return }
    bytes = Array(data)
  }

  /// Removes scripts and styles with their content. An unclosed one is a mention, and stays.
  mutating func dropScripts() {
    let kept = bytes.withUnsafeBufferPointer { bytes -> [UInt8]? in
      var tokenizer = MarkupTokenizer(bytes)
      var kept: [UInt8] = []
      var copied = 0
      var open: (start: Int, name: PackedName)?
      while let tag = tokenizer.nextTag() {
        let name = PackedName(bytes, tag.name, lowercased: true)
        if tag.kind == .close, let open, open.name == name {
          kept.append(contentsOf: bytes[copied..<open.start])
          copied = tag.end
        }
        open = tag.kind == .open && scriptElements.contains(name) ? (tag.start, name) : nil
      }
      return copied == 0 ? nil : kept + bytes[copied...]
    }
    if let kept { bytes = kept }
  }

  mutating func append(_ piece: ByteBuffer) {
    guard let style = capture?.style else { return }
    if style == .xhtml {
      for byte in piece { BodyText.appendEscaped(byte, to: &bytes) }
    } else {
      bytes.append(contentsOf: piece)
    }
  }

  mutating func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]? {
    guard let style = capture?.style, style != .xhtml, length <= bytes.count else { return nil }
    let start = bytes.count - length
    let found = bytes.withUnsafeBufferPointer { place(ByteBuffer(rebasing: $0[start...])) }
    guard let found else { return nil }
    let rest = Array(bytes[(start + found)...])
    bytes.removeSubrange((start + found)...)
    return rest
  }

  /// Separates words at an element such as `br` or `p`.
  mutating func part(by element: XMLElement) {
    if element.space != XMLNamespaces.none || element.hasPrefix, element.isNamed("li") {
      bytes.append(Self.listMark)
    }
    if partingElements.contains(element.localName.lowercased()), bytes.last != 0x20 {
      bytes.append(0x20)
    }
  }

  /// Writes an element within the text as HTML.
  ///
  /// - Parameters:
  ///   - isTop: whether it is directly in the field.
  ///   - base: its own base if it differs from the field's: HTML cannot express that later.
  mutating func writeStart(_ element: XMLElement, isTop: Bool, base: AddressBase?) {
    if let open = capture, open.style == .xhtml, isTop, open.tag != .xhtmlBody,
      !open.hasSkippedWrapper, element.isNamed("div")
    {
      capture?.hasSkippedWrapper = true
      openElements.append("")
      return
    }
    let name = element.localName.lowercased()
    openElements.append(name)
    bytes.append(0x3C)
    bytes.append(contentsOf: name.utf8)
    for index in 0..<element.attributeCount where !element.attributeHasPrefix(index) {
      writeAttribute(element.attributeName(index), element.attributeValue(index), base)
    }
    bytes.append(0x3E)
  }

  mutating func writeEnd() {
    guard let name = openElements.popLast(), !name.isEmpty,
      !HTMLElements.void.contains(PackedName(name))
    else { return }
    bytes.append(contentsOf: "</".utf8)
    bytes.append(contentsOf: name.utf8)
    bytes.append(0x3E)
  }

  private mutating func writeAttribute(_ name: String, _ value: String, _ base: AddressBase?) {
    var value = value
    if let base {
      value =
        name.withBytes { name in
          value.withBytes { MarkupLinks.absolute(attribute: name, value: $0, base: base) }
        } ?? value
    }
    bytes.append(0x20)
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "=\"".utf8)
    for byte in value.utf8 {
      if byte == 0x22 {
        bytes.append(contentsOf: "&quot;".utf8)
      } else {
        BodyText.appendEscaped(byte, to: &bytes)
      }
    }
    bytes.append(0x22)
  }
}

/// Elements that separate words, in HTML and in persons of RSS with Atom's elements.
private let partingElements: Set<String> = [
  "br", "div", "email", "length", "type", "h1", "h2", "h3", "h4", "hr", "li", "name", "p", "td",
  "tr", "uri", "url",
]

private let scriptElements = [PackedName("script"), PackedName("style")]
