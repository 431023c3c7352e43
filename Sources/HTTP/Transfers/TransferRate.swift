internal import Foundation

/// Smoothed rate of a transfer, and the time that is left. Pure: time is a parameter.
package struct TransferMeter: Sendable {
  /// A sample is taken when this has passed since the last one.
  private static let sampling: Duration = .milliseconds(250)
  /// The time after which a change of the rate is told by about two thirds.
  private static let smoothing = 4.0

  /// The size of what is there, in bytes.
  package private(set) var bytes: Int64
  /// Bytes a second; nil before the first sample.
  package private(set) var rate: Double?
  private var sampled: (bytes: Int64, at: ContinuousClock.Instant)

  package init(bytes: Int64, at now: ContinuousClock.Instant) {
    self.bytes = bytes
    sampled = (bytes, now)
  }

  /// Sets the current size. A smaller one is a new beginning.
  package mutating func note(_ bytes: Int64, at now: ContinuousClock.Instant) {
    if bytes < self.bytes { sampled = (bytes, now) }
    self.bytes = bytes
    let time = sampled.at.duration(to: now)
    guard time >= Self.sampling else { return }
    let seconds = time / .seconds(1)
    let current = Double(bytes - sampled.bytes) / seconds
    let weight = rate == nil ? 1 : 1 - exp(-seconds / Self.smoothing)
    rate = (rate ?? 0) * (1 - weight) + current * weight
    sampled = (bytes, now)
  }
}

/// Bound on the bytes a second of all transfers together. Pure: time is a parameter.
package struct TransferPace: Sendable, Hashable {
  /// Bytes a second.
  private let rate: Double
  /// When the bytes so far may have been transferred.
  private var due: ContinuousClock.Instant?

  /// - Parameter bytesPerSecond: above 0.
  package init(bytesPerSecond: Int) { rate = Double(max(1, bytesPerSecond)) }

  /// How long to wait after this many bytes, before the next.
  package mutating func wait(after bytes: Int, at now: ContinuousClock.Instant) -> Duration {
    let end = max(due ?? now, now) + .seconds(Double(bytes) / rate)
    due = end
    return now.duration(to: end)
  }
}
