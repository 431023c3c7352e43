package import Foundation

/// The list of articles with the tag `later`.
///
/// A waiting article also has a tag with its due time in UTC, as in
/// `later-until-2026-12-05T17:00:00Z`, so that the time goes wherever tags go.
package enum Later {
  package static let tag = "later"
  package static let dueTagPrefix = "later-until-"

  package static func isTag(_ name: String) -> Bool { name.lowercased() == tag }

  /// In the order of time, compared as text.
  package static func dueTag(_ date: Date) -> String { dueTagPrefix + date.formatted(.iso8601) }

  package static func isDueTag(_ name: String) -> Bool { name.hasPrefix(dueTagPrefix) }

  /// Nil for any other tag.
  package static func dueTime(ofTag name: String) -> Date? {
    guard isDueTag(name) else { return nil }
    return try? Date(String(name.dropFirst(dueTagPrefix.count)), strategy: .iso8601)
  }

  /// Result of adding articles to Later, or of removing them.
  package struct Change: Hashable, Sendable {
    package var isAdded: Bool
    package var articles: [ArticleID]
    /// Articles that go to the reading lists of their servers, where undo does not reach.
    package var atServers = 0

    package init(isAdded: Bool, articles: [ArticleID], atServers: Int = 0) {
      self.isAdded = isAdded
      self.articles = articles
      self.atServers = atServers
    }
  }
}

extension Timeline {
  /// Articles of Later that do not wait for a time.
  package static let later = Timeline.matching(ArticleQuery(.later), in: .all)

  /// Articles of Later whose time has come.
  package static let due = Timeline.matching(ArticleQuery(.due), in: .all)
}

// MARK: - Times

extension Later {
  /// The time that a text such as `friday`, `in 3d`, `tomorrow at 18:00` or `2026-12-24` means. A
  /// day begins at midnight.
  ///
  /// - Throws: `SourceError` for any other text, and for a time that is over.
  package static func time(_ text: String, now: Date, calendar: Calendar) throws -> Date {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { !["until", "on", "at", "in"].contains($0) }
    // Years of four digits keep the order of the tags.
    guard let time = time(words, now, calendar), time.timeIntervalSince1970 < 253_402_300_800
    else { throw mistake(text, "this time is not understood") }
    guard time > now else { throw mistake(text, "this time has passed") }
    return time
  }

  private static func mistake(_ text: String, _ message: String) -> SourceError {
    SourceError(
      .address, stage: .arguments, subject: text, message: message,
      next: "write “friday”, “in 3d” or “2026-12-24 18:00”")
  }

  private static func time(_ words: [String], _ now: Date, _ calendar: Calendar) -> Date? {
    let clock = words.last.map { numbers($0, ":") }.flatMap {
      $0.count == 2 && $0[0] < 24 && $0[1] < 60 ? (hour: $0[0], minute: $0[1]) : nil
    }
    let day = (clock == nil ? words : words.dropLast()).joined()
    let weekday = weekday(day)
    if weekday != nil || day.isEmpty && clock != nil {
      return calendar.nextDate(
        after: now,
        matching: DateComponents(
          hour: clock?.hour ?? 0, minute: clock?.minute ?? 0, second: 0, weekday: weekday),
        matchingPolicy: .nextTime)
    }
    guard let date = date(day, now, calendar) else {
      guard clock == nil else { return nil }
      return ArticleQuery.seconds(of: day).map { now.addingTimeInterval(Double($0)) }
    }
    guard let clock else { return date }
    return calendar.date(bySettingHour: clock.hour, minute: clock.minute, second: 0, of: date)
  }

  /// From 1 for Sunday.
  private static func weekday(_ word: String) -> Int? {
    let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    return word.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
  }

  private static func date(_ word: String, _ now: Date, _ calendar: Calendar) -> Date? {
    let today = calendar.startOfDay(for: now)
    if word == "today" { return today }
    if word == "tomorrow" { return calendar.date(byAdding: .day, value: 1, to: today) }
    let parts = numbers(word, "-")
    guard parts.count == 3 else { return nil }
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    let day = DateComponents(year: parts[0], month: parts[1], day: parts[2])
    guard let date = gregorian.date(from: day) else { return nil }
    let found = gregorian.dateComponents([.month, .day], from: date)
    // 30 February is no day.
    return (found.month, found.day) == (parts[1], parts[2]) ? date : nil
  }

  private static func numbers(_ word: String, _ separator: Character) -> [Int] {
    let parts = word.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { $0.isASCII && $0.isNumber } && part.count < 6 ? Int(part) : nil
    }
    return numbers.count == parts.count ? numbers : []
  }
}
