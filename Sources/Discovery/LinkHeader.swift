internal import Text

/// Link in the head of a response (RFC 8288 §3).
package struct HeaderLink: Hashable, Sendable {
  /// Reference relative to the requested address.
  package var target: String
  /// In lower case.
  package var relations: [String]
  /// In lower case, without parameters.
  package var type: String?
  package var title: String?
  /// Whether the link is not about the page (`anchor`).
  package var hasAnchor: Bool

  package init(
    target: String, relations: [String] = [], type: String? = nil, title: String? = nil,
    hasAnchor: Bool = false
  ) {
    self.target = target
    self.relations = relations
    self.type = type
    self.title = title
    self.hasAnchor = hasAnchor
  }

  /// The links of all `Link` fields, 100 at most. Malformed ones are skipped up to the next comma.
  package static func links(in values: [String]) -> [HeaderLink] {
    var links: [HeaderLink] = []
    for value in values {
      value.withBytes { bytes in
        var scanner = LinkScanner(bytes)
        while links.count < 100, let link = scanner.next() { links.append(link) }
      }
    }
    return links
  }
}

/// Reads `<target>; name=value; name="value", <…>`.
private struct LinkScanner {
  private let bytes: ByteBuffer
  private var index = 0

  init(_ bytes: ByteBuffer) { self.bytes = bytes }

  mutating func next() -> HeaderLink? {
    while let open = bytes.firstIndex(of: 0x3C, from: index) {
      guard let close = bytes.firstIndex(of: 0x3E, from: open) else { return nil }
      let target = bytes.string(bytes.trimmed(open + 1..<close))
      index = close + 1
      var link = HeaderLink(target: target)
      var hasLanguageTitle = false
      while let (name, value) = parameter() {
        switch name {
        // Only the first one counts (§3.3).
        case "rel" where link.relations.isEmpty: link.relations = value.lowercasedWords
        case "type" where link.type == nil: link.type = value.mediaType
        case "title*":
          if let title = Self.extended(value) {
            link.title = title
            hasLanguageTitle = true
          }
        case "title" where link.title == nil && !hasLanguageTitle:
          let title = PlainText.sanitized(value)
          link.title = title.isEmpty ? nil : title
        case "anchor": link.hasAnchor = true
        default: break
        }
      }
      return link
    }
    return nil
  }

  /// Nil at the end of the link.
  private mutating func parameter() -> (name: String, value: String)? {
    skipSpaces()
    while index < bytes.count, bytes[index] != 0x3B, bytes[index] != 0x2C { index += 1 }
    guard index < bytes.count, bytes[index] == 0x3B else { return nil }
    index += 1
    skipSpaces()
    let start = index
    while index < bytes.count, !Self.endsName(bytes[index]) { index += 1 }
    let name = bytes.string(start..<index).lowercased()
    skipSpaces()
    guard index < bytes.count, bytes[index] == 0x3D else { return (name, "") }
    index += 1
    skipSpaces()
    return (name, value())
  }

  private mutating func value() -> String {
    guard index < bytes.count, bytes[index] == 0x22 else {
      let start = index
      while index < bytes.count, bytes[index] != 0x3B, bytes[index] != 0x2C { index += 1 }
      return bytes.string(bytes.trimmed(start..<index))
    }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count, bytes[index] != 0x22 {
      if bytes[index] == 0x5C, index + 1 < bytes.count { index += 1 }
      text.append(bytes[index])
      index += 1
    }
    index = min(index + 1, bytes.count)
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte == 0x3D || byte == 0x3B || byte == 0x2C || byte.isASCIISpace
  }

  /// RFC 8187: `UTF-8'en'caf%C3%A9`.
  private static func extended(_ value: String) -> String? {
    let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    let text = PlainText.sanitized(percentDecoded(String(parts[2])))
    return text.isEmpty ? nil : text
  }
}
