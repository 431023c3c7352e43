internal import News
internal import Screen

/// The places of the columns in a row of the list.
///
/// A title keeps `titleRoom` columns as long as the other columns can give way: the names of feeds shorten first and are
/// then left out, and last a date format of the user's own gives way to the short form.
struct ListColumns {
  private static let titleRoom = 45
  private static let marks = 3
  private static let shortDate = 6
  private static let shortestFeed = 8

  /// Columns of a list that has room for such a title, its date, and the beginning of its feed's name.
  static let fullWidth = marks + shortDate + 1 + shortestFeed + 1 + titleRoom + 1

  private(set) var places: [(column: ListColumn, x: Int, width: Int)] = []
  let usesOwnDates: Bool

  /// - Parameters:
  ///   - ownDate: the columns of dates in the user's own format; nil without one.
  ///   - showsFeeds: whether the articles are of several feeds.
  init(_ columns: [ListColumn], in line: Rect, ownDate: Int?, showsFeeds: Bool) {
    // On a very narrow screen the title is all there is room for.
    let hasMarks = line.width >= 12
    var x = line.x + (hasMarks ? Self.marks : 0)
    let room = line.maxX - x - (hasMarks ? 1 : 0)
    let spare = room - Self.titleRoom
    let own = ownDate.flatMap { $0 <= Self.shortDate || $0 < spare ? $0 : nil }
    usesOwnDates = own != nil
    let date = columns.contains(.date) && line.width >= 30 ? own ?? Self.shortDate : nil
    let feed = min(20, line.width / 5, spare - 1 - (date.map { $0 + 1 } ?? 0))
    let hasFeed = showsFeeds && columns.contains(.feed) && feed >= Self.shortestFeed
    let others = [date, hasFeed ? feed : nil].compactMap { $0 }
    for column in columns {
      let width: Int? =
        switch column {
        case .date: date
        case .feed: hasFeed ? feed : nil
        case .title: max(0, others.reduce(room) { $0 - $1 - 1 })
        }
      guard let width else { continue }
      places.append((column, x, width))
      x += width + 1
    }
  }
}
