enum HelpStrings {
  static let allKeys = "all keys"
  static let close = "close"
  static let downUp = "Down, up"
  static func title(_ page: String) -> String { "Help: \(page)" }
}
