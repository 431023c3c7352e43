import Foundation
import HTTP
import Testing
import Text

struct DateTests {
  /// 2026-03-01 12:00:00 UTC
  static let now = Date(timeIntervalSince1970: 1_772_366_400)

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0 as Double?),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_199),
    ("Wed, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
    ("Sat, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ("Thu, 29 Feb 2023 00:00:00 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
    ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
    ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil), ("", nil),
    ("0", nil), ("-1", nil), ("Sun, +6 Nov 1994 08:49:37 GMT", nil),
  ])
  func `The three formats of RFC 9110 are read`(text: String, expected: Double?) {
    let date = HTTPDate.date(from: text, now: DateTests.now)
    #expect(date?.timeIntervalSince1970 == expected)
  }

  @Test(arguments: [
    (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
  ])
  func `A date that is written as RFC 9110 wants it reads back`(seconds: Double, text: String) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(CivilTime(seconds: Int(seconds)).rfc5322 + " GMT" == text)
    #expect(HTTPDate.date(from: text, now: DateTests.now) == date)
  }

  @Test(arguments: [
    ("120", 120.0 as Double?), ("0", 0), ("86400", 86_400), ("86401", 86_400),
    ("99999999999999999999999", 86_400), ("Sun, 01 Mar 2026 12:02:00 GMT", 120),
    ("Sun, 01 Mar 2026 11:00:00 GMT", 0), ("Sun, 01 Mar 2027 12:00:00 GMT", 86_400),
    ("1.5", 1.5), ("0.25", 0.25), ("-5", nil), ("soon", nil), ("1.", nil), (".5", nil),
    ("1e3", nil), ("1.5.5", nil), ("", nil),
  ])
  func `Retry-After is seconds or a date, at most a day`(value: String, expected: Double?) {
    let wait = RetryAfter.wait(["Retry-After": value], now: DateTests.now)
    #expect(wait.map { $0 / .seconds(1) } == expected)
  }
}
