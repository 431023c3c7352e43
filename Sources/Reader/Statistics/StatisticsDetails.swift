internal import Foundation
internal import News
internal import Screen

extension StatisticsState {
  func details(of row: StatisticsRow, width: Int, in state: ReaderState) -> [DetailLine] {
    guard let statistics else { return [] }
    return switch row {
    case .total: totalDetails(statistics, width: width, in: state)
    case .advice(let suggestion): adviceDetails(suggestion, statistics, width: width, in: state)
    case .feed(let feed): feedDetails(feed, statistics, width: width, in: state)
    }
  }

  // MARK: All feeds

  private func totalDetails(
    _ statistics: ReadingStatistics, width: Int, in state: ReaderState
  ) -> [DetailLine] {
    var details = DetailLines(width: width)
    let lines = Lines(width: width, state)
    let total = statistics.total
    let unopened = statistics.feeds.count { $0.articles > 0 && $0.read == 0 && $0.opened == 0 }
    details.add(
      "Articles",
      StatisticsStrings.articles(
        total.articles, in: StatisticsStrings.time(span), perDay: statistics.perDay(total.articles))
    )
    details.add("Days", lines.sparkline(total.days))
    details.add("Weeks", lines.sparkline(total.weeks))
    details.add("Read", lines.share(total.readShare, "\(total.read) of \(total.articles)"))
    details.add(
      "",
      StatisticsStrings.marks(
        unread: total.unread, starred: total.starred, neverRead: unopened), .dim)
    if let start = statistics.journalStart {
      details.add("Opened", lines.sparkline(statistics.opened))
      details.add("", StatisticsStrings.opened(total.opened, since: state.clock.long(start)), .dim)
    }
    guard let room else {
      details.add("Cache", isCounting ? StatisticsStrings.noteSizes : "unknown", .dim)
      return details.lines
    }
    details.add("Cache", TransferWords.bytes(room.all))
    let parts: [(String, Int64)] = [
      ("Texts", room.texts), ("Pages", room.fullTexts), ("Pictures", room.pictures),
      ("Versions", room.former), ("Removed", room.removed), ("Search", room.indexes),
      ("Free", room.free),
    ]
    let most = parts.map(\.1).max() ?? 0
    for (name, bytes) in parts where bytes > 0 {
      details.add(name, lines.bar(bytes, of: most, TransferWords.bytes(bytes)))
    }
    return details.lines
  }

  // MARK: Suggestions

  private func adviceDetails(
    _ suggestion: FeedSuggestion, _ statistics: ReadingStatistics, width: Int,
    in state: ReaderState
  ) -> [DetailLine] {
    var details = DetailLines(width: width)
    let lines = Lines(width: width, state)
    let key = state.key
    details.add("", suggestion.words, .warning)
    details.add(key(.followAdvice), StatisticsStrings.explained(suggestion.group, undo: key(.undo)))
    details.add(key(.open), StatisticsStrings.selectThem)
    let known = Dictionary(
      statistics.feeds.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for id in suggestion.feeds {
      guard let feed = known[id] else { continue }
      details.add(
        "", "\(feed.feed.displayTitle): \(lines.reason(suggestion.group, feed, statistics))", .dim)
    }
    return details.lines
  }

  // MARK: A feed

  private func feedDetails(
    _ feed: FeedStatistics, _ statistics: ReadingStatistics, width: Int, in state: ReaderState
  ) -> [DetailLine] {
    var details = DetailLines(width: width)
    let lines = Lines(width: width, state)
    let groups = statistics.groups(of: feed)
    for group in FeedGroup.allCases where groups.contains(group) {
      details.add("", "\(group.rawValue): \(lines.reason(group, feed, statistics))", .warning)
    }
    details.add(
      "Articles",
      StatisticsStrings.articles(
        feed.articles, in: StatisticsStrings.time(span), perDay: statistics.perDay(feed.articles)))
    details.add("Days", lines.sparkline(feed.days))
    details.add("Weeks", lines.sparkline(feed.weeks))
    details.add("Read", lines.share(feed.readShare, "\(feed.read) of \(feed.articles)"))
    details.add(
      "", StatisticsStrings.marks(unread: feed.unread, starred: feed.starred, opened: feed.opened),
      .dim)
    details.add("Newest", feed.newest.map { state.clock.long($0) } ?? "none")
    if let bytes = feed.bytes {
      let most = statistics.feeds.compactMap(\.bytes).max() ?? bytes
      details.add("Texts", lines.bar(bytes, of: most, TransferWords.bytes(bytes)))
    }
    return details.lines
  }
}

/// Parts of lines that several rows share.
private struct Lines {
  let width: Int
  let clock: WallClock
  let isASCII: Bool

  init(width: Int, _ state: ReaderState) {
    self.width = width
    clock = state.clock
    isASCII = state.settings.usesAsciiSigns
  }

  private var room: Int { max(1, width - DetailLine.labelWidth(width: width)) }

  func sparkline(_ numbers: [Int]) -> String {
    Sparkline.text(numbers, columns: min(53, room), isASCII: isASCII)
  }

  func bar(_ number: Int64, of most: Int64, _ words: String) -> String {
    guard room >= 20 else { return words }
    let cells = min(30, room - 12)
    let filled = most > 0 ? Int(Double(number) / Double(most) * Double(cells) + 0.5) : 0
    return String.bar(filled, of: cells)
      + " " + words
  }

  func share(_ percent: Int?, _ words: String) -> String {
    guard let percent else { return StatisticsStrings.noArticles }
    guard room >= 50 else { return "\(percent) %, \(words)" }
    return bar(Int64(percent), of: 100, "\(percent) %, \(words)")
  }

  /// Why a feed is in a group.
  func reason(
    _ group: FeedGroup, _ feed: FeedStatistics, _ statistics: ReadingStatistics
  ) -> String {
    let state = feed.feed.state
    switch group {
    case .silent:
      if state.isGone { return StatisticsStrings.goneForGood }
      if let newest = feed.newest, statistics.now - newest >= ReadingStatistics.silence {
        return StatisticsStrings.nothingSince(clock.long(newest))
      }
      return StatisticsStrings.failing(
        for: state.failing.map { clock.duration(since: $0.since.seconds) })
    case .unopened: return StatisticsStrings.noneOpened(of: feed.articles)
    case .noisy: return StatisticsStrings.perDay(statistics.perDay(feed.articles))
    case .failing:
      return StatisticsStrings.failing(
        for: state.failing.map { clock.duration(since: $0.since.seconds) })
    case .slow: return StatisticsStrings.answered(state.exchange?.attempts ?? 1)
    }
  }
}
