enum LinkHintsStrings {
  static let prompt = "Open the link with these letters: "
  static let shortPrompt = "Letters: "
  static func noLink(_ letters: String) -> String { "No link has the letters “\(letters)”." }
}
