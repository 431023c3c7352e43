internal import Foundation
internal import News
internal import Testing

@Suite struct LaterTests {
  /// Saturday 28 November 2026, 20:00 in Berlin.
  private static let now = Date(timeIntervalSince1970: 1_795_892_400)

  private static var berlin: Calendar {
    get throws {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
      return calendar
    }
  }

  @Test(arguments: [
    ("friday", "2026-12-03T23:00:00Z"), ("until Fri", "2026-12-03T23:00:00Z"),
    ("saturday", "2026-12-04T23:00:00Z"), ("saturday 21:00", "2026-11-28T20:00:00Z"),
    ("on friday at 18:00", "2026-12-04T17:00:00Z"), ("tomorrow", "2026-11-28T23:00:00Z"),
    ("tomorrow at 9:00", "2026-11-29T08:00:00Z"), ("at 18:00", "2026-11-29T17:00:00Z"),
    ("21:30", "2026-11-28T20:30:00Z"), ("today 21:00", "2026-11-28T20:00:00Z"),
    ("in 3d", "2026-12-01T19:00:00Z"), ("3 d", "2026-12-01T19:00:00Z"),
    ("in 90 min", "2026-11-28T20:30:00Z"), ("1m", "2026-12-28T19:00:00Z"),
    ("2026-12-24", "2026-12-23T23:00:00Z"), ("2026-12-24 18:00", "2026-12-24T17:00:00Z"),
    // In summer the offset is another.
    ("2027-07-01", "2027-06-30T22:00:00Z"),
  ])
  func `A time is that of the user's calendar`(_ text: String, _ time: String) throws {
    let found = try Later.time(text, now: Self.now, calendar: Self.berlin)
    #expect(found.formatted(.iso8601) == time)
  }

  @Test(arguments: [
    "", "soon", "13", "in 3", "friday 25:00", "2026-02-30", "2026-13-01", "3d 18:00", "a b c",
    "99999y", "-", "1:2:3", "x-2026-12-24",
  ])
  func `What is no time is refused with three examples`(_ text: String) throws {
    let error = #expect(throws: SourceError.self) {
      try Later.time(text, now: Self.now, calendar: Self.berlin)
    }
    #expect(error?.message == "This time is not understood." && error?.subject == text)
    #expect(error?.next?.filter { $0 == "“" }.count == 3)
  }

  @Test(arguments: ["today", "2020-01-01", "2026-11-28 19:59", "in 0 h"])
  func `A time that is over is refused`(_ text: String) throws {
    let error = #expect(throws: SourceError.self) {
      try Later.time(text, now: Self.now, calendar: Self.berlin)
    }
    #expect(error?.message == "This time has passed.")
  }

  @Test func `Tags with due times are in the order of time`() {
    let times = [0, 999, 86_400, 2_000_000_000].map { Self.now.addingTimeInterval($0) }
    let tags = times.map(Later.dueTag)
    #expect(tags[0] == "later-until-2026-11-28T19:00:00Z" && tags == tags.sorted())
    #expect(tags.map(Later.dueTime(ofTag:)) == times)
    #expect(Later.dueTime(ofTag: "later") == nil && Later.dueTime(ofTag: "later-until-soon") == nil)
  }
}
