enum DrawingStrings {
  static let escape = "Esc cancel"
  static let readingAloud = "reading aloud"
  static func waiting(for name: String) -> String { "waiting for \(name)" }
  static func retries(_ count: Int, in wait: String) -> String {
    "\(quantity(count, "feed")) to retry, first in \(wait)"
  }
  static func theme(_ name: String, colors: Int?) -> String {
    "Theme \(name). Set screen.theme = \"\(name)\" to keep it."
      + (colors.map { " With \($0) colours themes look alike." } ?? "")
  }
}
