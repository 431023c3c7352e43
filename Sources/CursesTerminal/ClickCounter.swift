internal import Screen

/// Detects double clicks.
struct ClickCounter {
  private var last: (x: Int, y: Int, time: ContinuousClock.Instant)?

  /// The longest time between the clicks of a double click, as on most desktops.
  private static let longest = Duration.milliseconds(400)

  /// The event, a click turned into a double click when it is the second on its cell.
  mutating func count(_ event: MouseEvent, at time: ContinuousClock.Instant) -> MouseEvent {
    guard event.kind == .click else { return event }
    if let last, (last.x, last.y) == (event.x, event.y), time - last.time <= Self.longest {
      // A third click begins anew.
      self.last = nil
      return MouseEvent(.doubleClick, x: event.x, y: event.y)
    }
    last = (event.x, event.y, time)
    return event
  }
}
