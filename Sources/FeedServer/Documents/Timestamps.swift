internal import Text

internal import struct Foundation.Date

/// The three spellings of a moment that feeds and HTTP use, always in UTC and to the second.
extension Date {
  /// `2026-03-09T07:05:00Z` (RFC 3339).
  var iso8601: String { Timestamp.text(of: timeIntervalSince1970) }

  /// `Mon, 09 Mar 2026 07:05:00 GMT` (RFC 9110 §5.6.7).
  var httpDate: String { civil.rfc5322 + " GMT" }

  /// `Mon, 09 Mar 2026 07:05:00 +0000` (RFC 822 with the year in four digits, as RSS 2.0 asks).
  var rssDate: String { civil.rfc5322 + " +0000" }

  /// Without the part of a second that none of the spellings shows.
  var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }

  private var civil: CivilTime { CivilTime(seconds: Int(wholeSeconds.timeIntervalSince1970)) }
}
