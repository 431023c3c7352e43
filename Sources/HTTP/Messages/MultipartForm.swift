internal import Text

/// Body of a form with files (`multipart/form-data`, RFC 7578).
package struct MultipartForm: Sendable {
  private let boundary: String
  private var bytes: [UInt8] = []

  /// - Parameter boundary: the line between the parts, which none of them may contain; nil for 128 random
  ///   bits.
  package init(boundary: String? = nil) {
    self.boundary =
      boundary
      ?? "telex-" + String(UInt64.random(in: .min ... .max), radix: 16)
      + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  package mutating func add(_ name: String, _ value: String) {
    begin(#"form-data; name="\#(Self.escaped(name))""#)
    bytes += Array("\r\n".utf8) + Array(value.utf8) + Array("\r\n".utf8)
  }

  /// Adds a file. A `type` that is no media type becomes `application/octet-stream`.
  package mutating func add(_ name: String, fileName: String, type: String, _ contents: [UInt8]) {
    begin(#"form-data; name="\#(Self.escaped(name))"; filename="\#(Self.escaped(fileName))""#)
    bytes += Array("Content-Type: \(Self.checked(type))\r\n\r\n".utf8)
    bytes += contents
    bytes += Array("\r\n".utf8)
  }

  package var body: HTTPBody {
    HTTPBody(
      bytes + Array("--\(boundary)--\r\n".utf8),
      contentType: "multipart/form-data; boundary=\(boundary)")
  }

  private mutating func begin(_ disposition: String) {
    bytes += Array("--\(boundary)\r\nContent-Disposition: \(disposition)\r\n".utf8)
  }

  /// A name in quotes: what would end it or its line is percent-encoded, as browsers do it (HTML, "multipart
  /// form data"). RFC 7578 §4.2 forbids `filename*`.
  private static func escaped(_ name: String) -> String {
    name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }.joined()
  }

  private static func checked(_ type: String) -> String {
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    let isType =
      parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || ".+-_".utf8.contains($0)
          }
      }
    return isType ? type : "application/octet-stream"
  }
}
