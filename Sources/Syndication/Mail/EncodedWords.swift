internal import Foundation
internal import Text

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
