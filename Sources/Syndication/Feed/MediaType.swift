internal import Text

/// A media type and its charset (RFC 9110 §8.3.1).
struct MediaType {
  /// In lower case.
  var name: String
  /// In lower case.
  var charset: String?

  init(_ text: String) {
    let parts = text.lowercased().split(separator: ";").map { PlainText.sanitized(String($0)) }
    name = parts.first ?? ""
    for part in parts.dropFirst() where charset == nil && part.hasPrefix("charset") {
      let value = part.dropFirst(7).filter { $0 != "\"" && $0 != "'" && $0 != " " }
      if value.hasPrefix("="), value.count > 1 { charset = String(value.dropFirst()) }
    }
  }
}

enum LanguageTag {
  /// BCP 47 form of a language: software writes `en_US`, or the locale of its server,
  /// `en_US.UTF-8`.
  ///
  /// - Parameter text: sanitised, of one line.
  static func normalized(_ text: String?) -> String? {
    guard let text, text.utf8.contains(0x5F) else { return text }
    let tag = String(text.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
    return tag.isEmpty ? nil : tag
  }
}
