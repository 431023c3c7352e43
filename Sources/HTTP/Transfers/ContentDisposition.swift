internal import Foundation

/// File name in a `Content-Disposition` header (RFC 6266).
package enum ContentDisposition {
  /// The name as the server gives it, not safe to be used as one; nil where there is none.
  package static func fileName(_ headers: HTTPHeaders) -> String? {
    guard let value = headers["Content-Disposition"] else { return nil }
    var plain: String?
    for (name, text) in parameters(of: value) {
      switch name {
      case "filename*":
        if let decoded = extended(text), !decoded.isEmpty { return decoded }
      case "filename": if plain == nil, !text.isEmpty { plain = text }
      default: break
      }
    }
    return plain
  }

  /// The parameters with their values out of quotes, the names in lower case.
  private static func parameters(of value: String) -> [(name: String, value: String)] {
    headerParts(of: value, separator: ";", keepsQuotes: false).dropFirst().compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let name = part[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      return (name, part[part.index(after: equals)...].trimmingCharacters(in: .whitespaces))
    }
  }

  /// `UTF-8''a%20b` (RFC 8187).
  private static func extended(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return String(parts[2]).removingPercentEncoding
  }
}
