enum LinkHintsStrings {
  static let prompt = "Open the link with these letters: "
  static func noLink(_ letters: String) -> String { "No link has the letters “\(letters)”." }
}
