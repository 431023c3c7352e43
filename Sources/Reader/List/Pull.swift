/// The gesture of pulling the list past its top: the second pull refreshes.
struct Pull: Hashable, Sendable {
  /// The time of the first pull in milliseconds of a monotonic clock; nil while there is none.
  var since: Int64?
  /// The time of the last pull, with the repeats of a held key.
  private var last: Int64 = 0

  /// The pause in milliseconds after which a second pull counts…
  static let pause: Int64 = 300
  /// …and the time after the first until which it does.
  static let patience: Int64 = 3_000

  enum Outcome: Hashable { case first, repeated, second }

  /// Notes a pull. The first shows what a second one will do; the second counts when it is one of its own,
  /// not the repeat of a held key or of one flick of the wheel.
  mutating func pull(at milliseconds: Int64) -> Outcome {
    defer { last = milliseconds }
    guard let since, milliseconds - since <= Self.patience else {
      self.since = milliseconds
      return .first
    }
    return milliseconds - last >= Self.pause ? .second : .repeated
  }
}
