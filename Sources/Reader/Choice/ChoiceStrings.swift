enum ChoiceStrings {
  static func title(_ host: String) -> String { "Feeds of \(host)" }
}
