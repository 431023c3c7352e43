internal import News

/// Languages as feeds name them.
enum LanguageTag {
  /// A language with the separator of BCP 47: software writes `en_US`, or the locale of its server,
  /// `en_US.UTF-8`. Nothing else is checked; nil where it says nothing.
  ///
  /// - Parameter text: sanitised, of one line.
  static func normalized(_ text: String?) -> String? {
    guard let text, text.utf8.contains(0x5F) else { return text }
    let tag = String(text.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
    return tag.isEmpty ? nil : tag
  }
}
