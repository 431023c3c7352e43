internal import Text

/// Internal entities of a document, with bounded expansion. Others stand for their own spelling.
struct EntityTable {
  /// For all expansions of a document, in bytes.
  private static let expansionLimit = 1 << 16
  private static let depthLimit = 16
  private static let countLimit = 4096

  private(set) var isOverLimit = false
  private var declared: [String: String] = [:]
  private var expanded = 0

  mutating func declare(_ name: String, _ content: String) {
    // XML 1.0 §4.2.
    guard declared[name] == nil else { return }
    guard declared.count < Self.countLimit else {
      isOverLimit = true
      return
    }
    declared[name] = content
  }

  mutating func expansion(of name: String) -> String { expansion(of: name, depth: 0) }

  private mutating func expansion(of name: String, depth: Int) -> String {
    guard let text = declared[name] else { return "&\(name);" }
    guard depth < Self.depthLimit, !isOverLimit else {
      isOverLimit = true
      return ""
    }
    expanded += text.utf8.count
    guard expanded <= Self.expansionLimit else {
      isOverLimit = true
      return ""
    }
    guard text.utf8.contains(0x26) else { return text }
    return replacingReferences(in: text, depth: depth)
  }

  private mutating func replacingReferences(in text: String, depth: Int) -> String {
    var output = ""
    var rest = text[...]
    while !isOverLimit, let start = rest.firstIndex(of: "&") {
      output += rest[..<start]
      rest = rest[start...]
      guard let end = rest.firstIndex(of: ";") else { break }
      let name = String(rest[rest.index(after: start)..<end])
      let reference = String(rest[...end])
      let decoded = CharacterReference.decoded(reference)
      output += decoded == reference ? expansion(of: name, depth: depth + 1) : decoded
      rest = rest[rest.index(after: end)...]
    }
    return isOverLimit ? "" : output + rest
  }
}
