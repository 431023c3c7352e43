import Foundation
import Testing
import Text

struct CalendarDayTests {
  @Test(arguments: [
    (-719_162, 1, 1, 1), (-1, 1969, 12, 31), (0, 1970, 1, 1), (10_956, 1999, 12, 31),
    (11_016, 2000, 2, 29), (19_782, 2024, 2, 29), (20_778, 2026, 11, 21), (47_540, 2100, 2, 28),
    (47_541, 2100, 3, 1), (2_932_896, 9999, 12, 31),
  ])
  func `A number is a day, and a day its number`(number: Int, year: Int, month: Int, day: Int) {
    let found = CalendarDay(number: number)
    #expect(found == CalendarDay(year: year, month: month, day: day))
    #expect(found.number == number)
    #expect(found.exists)
  }

  /// A few days of each season until the year 3970.
  @Test func `Foundation's calendar agrees`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    for number in stride(from: 0, to: 365 * 2_000, by: 37) {
      let day = CalendarDay(number: number)
      let date = Date(timeIntervalSince1970: Double(number) * 86_400)
      let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
      let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
      #expect([day.year, day.month, day.day] == [parts.year, parts.month, parts.day])
      #expect(day.weekdayName == names[(parts.weekday ?? 1) - 1])
    }
  }

  @Test(arguments: [
    (2025, 2, 29), (2100, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0),
  ])
  func `What the calendar lacks does not exist`(year: Int, month: Int, day: Int) {
    #expect(!CalendarDay(year: year, month: month, day: day).exists)
  }
}
