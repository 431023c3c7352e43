enum PlayQueueStrings {
  static let empty = "The queue is empty."
  static func addHere(_ key: String) -> String { "\(key) on an article adds its episode." }
  static func changed(isAdded: Bool, count: Int, show key: String) -> String {
    "\(isAdded ? "Added the episode to" : "Removed the episode from") the queue, now \(quantity(count, "episode")). \(key) shows the queue."
  }
  static func clear(_ count: Int) -> String { "Empty the queue of \(quantity(count, "episode"))" }
  static func atLeast(_ time: String) -> String { "\(time) and more" }
  static let toTheEnd = "to the end"
  static let notYet = "not yet"
}
