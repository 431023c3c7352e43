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
    var found: [(String, String)] = []
    var piece = ""
    var isQuoted = false
    var isEscaped = false
    var pieces: [String] = []
    for character in value {
      if isEscaped {
        piece.append(character)
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == ";", !isQuoted {
        pieces.append(piece)
        piece = ""
      } else {
        piece.append(character)
      }
    }
    pieces.append(piece)
    for piece in pieces.dropFirst() {
      guard let equals = piece.firstIndex(of: "=") else { continue }
      let name = piece[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
      let text = piece[piece.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      found.append((name, text))
    }
    return found
  }

  /// `UTF-8''a%20b` (RFC 8187).
  private static func extended(_ text: String) -> String? {
    let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
    return String(parts[2]).removingPercentEncoding
  }
}
