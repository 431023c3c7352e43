internal import Text

extension HTTPBody {
  /// A form with one file (`multipart/form-data`, RFC 7578). A `type` that is no media type becomes
  /// `application/octet-stream`.
  ///
  /// - Parameter boundary: the line around the file, which may not contain it; nil for 128 random bits.
  package static func form(
    _ name: String, fileName: String, type: String, _ contents: [UInt8], boundary: String? = nil
  ) -> HTTPBody {
    let boundary =
      boundary
      ?? "telex-" + String(UInt64.random(in: .min ... .max), radix: 16)
      + String(UInt64.random(in: .min ... .max), radix: 16)
    let head =
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(name))\"; "
      + "filename=\"\(escaped(fileName))\"\r\nContent-Type: \(checked(type))\r\n\r\n"
    return HTTPBody(
      Array(head.utf8) + contents + Array("\r\n--\(boundary)--\r\n".utf8),
      contentType: "multipart/form-data; boundary=\(boundary)")
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
