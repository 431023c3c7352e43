package import Foundation

extension Date {
  /// The next full minute in the local zone, as messages name the time of an attempt: `10:16`.
  package var timeOfDay: String {
    let parts = Calendar.current.dateComponents(
      [.hour, .minute], from: addingTimeInterval(59))
    let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
