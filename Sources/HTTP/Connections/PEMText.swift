internal import Foundation

/// Certificates as text (RFC 7468), as far as telling a file of them from something else.
enum PEMText {
  /// Whether there is at least one certificate, and nothing that begins like one and is not.
  static func holdsCertificates(_ bytes: [UInt8]) -> Bool {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    var count = 0
    var body: String?
    for line in lines {
      if begins.contains(where: { line.hasPrefix("-----BEGIN \($0)-----") }) {
        body = ""
      } else if line.hasPrefix("-----END"), let text = body {
        guard isSequence(text) else { return false }
        count += 1
        body = nil
      } else {
        body? += line.filter { !$0.isWhitespace }
      }
    }
    return count > 0 && body == nil
  }

  private static let begins = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

  /// DER of a certificate begins with the tag of a sequence.
  private static func isSequence(_ text: String) -> Bool {
    Data(base64Encoded: text)?.first == 0x30
  }

  /// The contents of a file; nil where it cannot be read.
  static func bytes(ofFile path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }
}
