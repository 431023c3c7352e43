internal import Text

/// A message of mail: its headers (RFC 5322 §2.2) and its parts (RFC 2046 §5.1). Its bytes are read as UTF-8.
package struct MailMessage: Sendable {
  /// One of several parts, or the whole of a message that has none.
  package struct Part: Hashable, Sendable {
    /// Values by names in lower case, as they are written; of several of a name, the first.
    package let headers: [String: String]
    /// As it is written: a transfer encoding (RFC 2045 §6) is not decoded.
    package let body: String

    init(_ text: Substring) {
      let head = text.firstRange(of: "\n\n")
      headers = Self.headers(text[..<(head?.lowerBound ?? text.endIndex)])
      body = head.map { String(text[$0.upperBound...]) } ?? ""
    }

    fileprivate init(headers: [String: String], body: String) {
      self.headers = headers
      self.body = body
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

  /// - Parameter bytes: the message, its headers first. The line before it in a mailbox may stand there too.
  package init(_ bytes: some Collection<UInt8>) {
    let part = Part(String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")[...])
    // Mailboxes quote lines of texts that begin like the line before a message.
    whole = Part(headers: part.headers, body: part.body.replacing("\n>From ", with: "\nFrom "))
  }

  /// The value of a header, with its encoded words as text; nil where it is missing.
  package func header(_ name: String) -> String? {
    whole.headers[name.lowercased()].map(EncodedWords.decoded)
  }

  /// `Message-ID` without its brackets; nil where there is none.
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
