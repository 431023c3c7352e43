internal import Text

/// Message with headers (RFC 5322 §2.2) and parts (RFC 2046 §5.1), read as UTF-8.
package struct MailMessage: Sendable {
  /// Body part, or the whole of a simple message.
  package struct Part: Hashable, Sendable {
    /// Raw values by lower-case names; the first of several.
    package let headers: [String: String]
    /// Raw: transfer encodings (RFC 2045 §6) are not decoded.
    package fileprivate(set) var body: String

    init(_ text: Substring) {
      let head = text.firstRange(of: "\n\n")
      headers = Self.headers(text[..<(head?.lowerBound ?? text.endIndex)])
      body = head.map { String(text[$0.upperBound...]) } ?? ""
    }

    private static func headers(_ text: Substring) -> [String: String] {
      var headers: [String: String] = [:]
      var name = ""
      for line in text.split(separator: "\n") {
        if line.first == " " || line.first == "\t" {
          headers[name]? += " " + line.trimmed
          continue
        }
        guard let colon = line.firstIndex(of: ":") else { continue }
        name = line[..<colon].lowercased()
        if headers[name] == nil { headers[name] = line[line.index(after: colon)...].trimmed }
      }
      return headers
    }
  }

  private let whole: Part

  /// - Parameter bytes: the message, with or without the `From ` line of a mailbox.
  package init(_ bytes: some Collection<UInt8>) {
    var whole = Part(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")[...])
    // Mailboxes quote lines of text that begin with `From `.
    whole.body = whole.body.replacing("\n>From ", with: "\nFrom ")
    self.whole = whole
  }

  /// The value with its encoded words decoded.
  package func header(_ name: String) -> String? {
    whole.headers[name.lowercased()].map(EncodedWords.decoded)
  }

  /// `Message-ID` without brackets.
  package var id: String? {
    guard var id = whole.headers["message-id"] else { return nil }
    if id.hasPrefix("<") { id.removeFirst() }
    if id.hasSuffix(">") { id.removeLast() }
    return id.isEmpty ? nil : id
  }

  package var parts: [Part] {
    let type = whole.headers["content-type"] ?? ""
    guard type.lowercased().hasPrefix("multipart/"),
      let boundary = type.firstMatch(of: #/boundary="?([^";]+)"?/#)?.1
    else { return [whole] }
    // The text before the first boundary is no part (RFC 2046 §5.1.1).
    return ("\n" + whole.body).split(separator: "\n--\(boundary)", omittingEmptySubsequences: false)
      .dropFirst().filter { !$0.hasPrefix("--") }.map { part in Part(part.drop { $0 == "\n" }) }
  }
}
