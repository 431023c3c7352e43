enum FileChoiceStrings {
  static let download = "download"
  static let queue = "queue"
  static func title(_ article: String) -> String { "Files of \(article)" }
}
