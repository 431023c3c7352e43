package import struct Foundation.Date

extension HTTPResponseHead {
  /// How far this machine's clock is ahead of the server's; negative where it is behind, nil where the
  /// server names no time.
  ///
  /// A cache says how long ago the server wrote its `Date` (`Age`, RFC 9111 §5.1).
  ///
  /// - Parameter now: when the head arrived.
  package func clockSkew(now: Date) -> Duration? {
    guard let text = headers["Date"], let date = HTTPDate.date(from: text, now: now) else {
      return nil
    }
    let age = headers["Age"].flatMap { digits($0) } ?? 0
    let seconds = now.timeIntervalSince(date) - Double(min(age, 1 << 31))
    return .seconds(Int64(seconds.rounded()))
  }
}
