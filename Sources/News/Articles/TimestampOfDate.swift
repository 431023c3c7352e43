package import Text

package import struct Foundation.Date

extension Timestamp {
  /// In UTC and whole seconds, as RFC 3339 writes it: `2024-05-01T12:00:00Z`.
  package static func text(of date: Date) -> String { text(of: date.timeIntervalSince1970) }
}
