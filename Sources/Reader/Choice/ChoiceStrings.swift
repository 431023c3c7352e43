enum ChoiceStrings {
  static let subscribe = "subscribe"
  static func title(_ host: String) -> String { "Feeds of \(host)" }
}
