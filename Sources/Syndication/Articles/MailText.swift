internal import Foundation
internal import News
internal import Text

/// Headers (RFC 5322, RFC 2047) and bodies (RFC 2045) of mail in ASCII, with "\n" as line end.
package enum MailText {
  /// A phrase (RFC 5322 §3.2.5) behind `used` columns of its line.
  static func phrase(_ text: String, after used: Int) -> String {
    let text = PlainText.sanitized(text)
    guard isPlain(text), used + text.utf8.count < 70 else { return words(of: text, after: used) }
    let quoted = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(quoted))\""
  }

  /// Unstructured text (RFC 5322 §3.2.5) behind `used` columns of its line.
  static func line(_ text: String, after used: Int) -> String {
    let text = PlainText.sanitized(text)
    return isPlain(text) && used + text.utf8.count <= 76 ? text : words(of: text, after: used)
  }

  /// Whether a header can hold an address as it is: letters, digits and a few signs around an @.
  package static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return text.utf8.count < 255 && parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".") && !part.hasSuffix(".") && !part.contains("..")
          && part.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "._+-".utf8.contains($0)
          }
      }
  }

  /// The two alternative texts of a message (RFC 2046 §5.1.4) with its end. Pictures are related to
  /// the HTML (RFC 2387) by `cid:` addresses (RFC 2392). The boundary must not occur in the texts.
  static func alternatives(
    plain: String, html: String, pictures: [MailPicture] = [], boundary: String
  ) -> String {
    var text = part("text/plain", plain, boundary)
    guard !pictures.isEmpty else {
      return text + part("text/html", html, boundary) + "--\(boundary)--\n"
    }
    // A boundary must not be the beginning of another.
    let inner = "=_r\(boundary.dropFirst(2))"
    text += "--\(boundary)\nContent-Type: multipart/related; type=\"text/html\";\n"
    text += " boundary=\"\(inner)\"\n\n"
    text += part("text/html", html, inner)
    for picture in pictures {
      text += "--\(inner)\nContent-Type: \(picture.type)\nContent-Transfer-Encoding: base64\n"
      text += "Content-ID: <\(picture.id)>\nContent-Disposition: inline\n\n"
      // Lines of 76 characters (RFC 2045 §6.8).
      text += Data(picture.bytes).base64EncodedString(
        options: [.lineLength76Characters, .endLineWithLineFeed])
      text += "\n"
    }
    return text + "--\(inner)--\n--\(boundary)--\n"
  }

  static func alternativeHeaders(boundary: String) -> String {
    "MIME-Version: 1.0\nContent-Type: multipart/alternative;\n boundary=\"\(boundary)\"\n"
  }

  /// Quoted-printable text never contains `=_`.
  static func boundary(_ key: String) -> String { "=_\(key)" }

  private static func part(_ type: String, _ text: String, _ boundary: String) -> String {
    "--\(boundary)\nContent-Type: \(type); charset=utf-8\n"
      + "Content-Transfer-Encoding: quoted-printable\n\n\(quotedPrintable(text))\n"
  }

  /// Whether a text needs no encoding: ASCII without anything that looks like an encoded word.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
  }

  /// Encoded words (RFC 2047 §2: 75 characters at most, 76 in a line), each of whole characters.
  private static func words(of text: String, after used: Int) -> String {
    var words: [String] = []
    var bytes: [UInt8] = []
    // 45 bytes are 60 characters of base64; the first word shares its line with the header's name.
    var room = max(9, 45 - (used * 3 + 3) / 4)
    func word() -> String { "=?utf-8?B?\(Data(bytes).base64EncodedString())?=" }
    for scalar in text.unicodeScalars {
      let more = Array(String(scalar).utf8)
      if bytes.count + more.count > room {
        words.append(word())
        bytes = []
        room = 45
      }
      bytes += more
    }
    if !bytes.isEmpty { words.append(word()) }
    return words.joined(separator: "\n ")
  }

  /// Quoted-printable (RFC 2045 §6.7), without lines that begin with `From ` or a dot.
  static func quotedPrintable(_ text: String) -> String {
    var output: [UInt8] = []
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      var column = 0
      let bytes = Array(line)
      let isLikeMessage = bytes.starts(with: "From ".utf8)
      for (index, byte) in bytes.enumerated() {
        let isLast = index == bytes.count - 1
        let isSpace = byte == 0x20 || byte == 0x09
        let isText = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "=")
        let isDot = byte == UInt8(ascii: ".")
        let staysPlain =
          (isText || isSpace && !isLast) && !(index == 0 && (isLikeMessage || isDot))
        let length = staysPlain ? 1 : 3
        // One column is kept for the mark of a soft line end.
        if column + length > 75 {
          output += "=\n".utf8
          column = 0
          // The byte after a soft line break begins a line of the file.
        }
        if staysPlain, !(column == 0 && (isDot || bytes[index...].starts(with: "From ".utf8))) {
          output.append(byte)
          column += 1
        } else {
          output += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
          column += 3
        }
      }
      output.append(0x0A)
    }
    output.removeLast()
    return String(decoding: output, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
