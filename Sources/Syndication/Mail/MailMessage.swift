internal import Foundation
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

/// Non-ASCII words of headers (RFC 2047).
enum EncodedWords {
  /// Character sets other than UTF-8 are read as ISO 8859-1.
  static func decoded(_ text: String) -> String {
    guard text.contains("=?") else { return text }
    return text.replacing(#/\?=\s+=\?/#, with: "?==?").replacing(
      #/=\?([^?]+)\?([BbQq])\?([^?]*)\?=/#
    ) { match in
      let isBase64 = match.2.lowercased() == "b"
      let bytes =
        isBase64
        ? Data(base64Encoded: String(match.3)).map(Array.init) ?? [] : quotedPrintable(match.3)
      let isUTF8 = match.1.lowercased() == "utf-8"
      return isUTF8
        ? String(decoding: bytes, as: UTF8.self)
        : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }

  private static func quotedPrintable(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.replacing("_", with: " ").utf8.map { $0 }[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), rest.count >= 2, let high = rest.first?.hexValue,
        let low = rest.dropFirst().first?.hexValue
      {
        bytes.append(UInt8(truncatingIfNeeded: high << 4 | low))
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
