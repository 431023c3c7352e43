/// Whether a document is well-formed, as far as tags, attributes and references go.
enum XMLCheck {
  /// Nil for a well-formed document.
  static func problem(in bytes: [UInt8]) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return "not UTF-8" }
    var open: [Substring] = []
    var rest = text[...]
    while let angle = rest.firstIndex(of: "<") {
      if let problem = badReference(in: rest[..<angle]) { return problem }
      guard let end = rest[angle...].firstIndex(of: ">") else { return "unclosed tag" }
      let tag = rest[rest.index(after: angle)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") { continue }
      if let problem = badReference(in: tag) { return problem }
      if tag.hasPrefix("/") {
        guard let name = open.popLast() else { return "nothing to close with \(tag)" }
        if name != tag.dropFirst() { return "\(name) closed by \(tag)" }
      } else {
        let quotes = tag.utf8.count { $0 == UInt8(ascii: "\"") }
        if tag.contains("<") || !quotes.isMultiple(of: 2) { return "bad tag \(tag)" }
        if !tag.hasSuffix("/") { open.append(tag.prefix { !$0.isWhitespace }) }
      }
    }
    if let name = open.last { return "\(name) is never closed" }
    return text.unicodeScalars.contains { $0.value < 32 && !"\t\n\r".unicodeScalars.contains($0) }
      ? "control character" : nil
  }

  private static func badReference(in text: Substring) -> String? {
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      let name = part.prefix { $0 != ";" }
      if !["lt", "gt", "amp", "quot", "apos"].contains(name) || name.endIndex == part.endIndex {
        return "bad reference &\(part.prefix(12))"
      }
    }
    return nil
  }
}
