enum HelpStrings {
  static let allKeys = "all keys"
  static func title(_ page: String) -> String { "Help: \(page)" }
}
