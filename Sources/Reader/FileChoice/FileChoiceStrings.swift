enum FileChoiceStrings {
  static func title(_ article: String) -> String { "Files of \(article)" }
}
