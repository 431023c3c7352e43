import Testing
import Text

struct TimestampTests {
  @Test(arguments: [
    ("2024-05-01T12:30:00Z", 1_714_566_600.0 as Double?),
    ("2024-05-01T12:30:00.250Z", 1_714_566_600.25), ("2024-05-01T14:30:00+02:00", 1_714_566_600),
    ("2024-05-01T14:30:00+0200", 1_714_566_600), ("2024-05-01T10:30:00.5-02", 1_714_566_600.5),
    ("2024-05-01 12:30:00z", 1_714_566_600), ("1969-12-31T23:59:59Z", -1),
    ("2024-05-01T12:30:00", nil), ("2024-05-01", nil), ("2024-13-01T00:00:00Z", nil),
    ("2024-02-30T00:00:00Z", nil), ("2024-05-01T25:00:00Z", nil), ("2024-05-01T12:30:00.Z", nil),
    ("2024-05-01T12:30:00Zx", nil), ("2024-05-01T12:30:00+99:00", nil), ("yesterday", nil),
    ("", nil),
  ])
  func `A date of RFC 3339 is read or refused, never made up`(text: String, expected: Double?) {
    #expect(Timestamp.moment(of: text) == expected)
  }

  @Test(arguments: [
    (1_714_566_600.0, "2024-05-01T12:30:00Z"), (1_714_566_600.25, "2024-05-01T12:30:00.250Z"),
    (-0.5, "1969-12-31T23:59:59.500Z"),
    // As a server may write them.
    (1e18, "9999-12-31T23:59:59Z"), (.infinity, "9999-12-31T23:59:59Z"),
    (253_402_300_799.9996, "9999-12-31T23:59:59Z"), (-1e300, "0001-01-01T00:00:00Z"),
  ])
  func `A date of RFC 3339 is written in UTC`(seconds: Double, text: String) {
    #expect(Timestamp.text(toMilliseconds: seconds) == text)
    #expect(Timestamp.moment(of: text) != nil)
  }
}
