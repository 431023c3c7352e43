/// Playing times as a clock shows them.
package enum PlayingTime {
  /// Of seconds: 4:07, 1:02:03.
  package static func text(of seconds: Int) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let end = padded(seconds % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(end)" : "\(minutes):\(end)"
  }
}
