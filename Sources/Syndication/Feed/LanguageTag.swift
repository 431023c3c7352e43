internal import News

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
