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
      "\(total.articles) in \(lines.days(span)), \(statistics.perDay(total.articles)) a day")
    details.add("Days", lines.sparkline(total.days))
    details.add("Weeks", lines.sparkline(total.weeks))
    details.add("Read", lines.share(total.readShare, "\(total.read) of \(total.articles)"))
    var marks = ["\(total.unread) unread", "\(total.starred) starred"]
    if unopened > 0 {
      marks.append("\(unopened == 1 ? "1 feed was" : "\(unopened) feeds were") never read")
    }
    details.add("", marks.joined(separator: ", "), .dim)
    if let start = statistics.journalStart {
      details.add("Opened", lines.sparkline(statistics.opened))
      details.add("", "\(total.opened) here since \(state.clock.long(start))", .dim)
    }
    guard let room else {
      details.add("Cache", isCounting ? "adding up …" : "not known", .dim)
      return details.lines
    }
    details.add("Cache", TransferWords.bytes(room.all))
    let parts: [(String, Int64)] = [
      ("Texts", room.texts), ("Pages", room.fullTexts), ("Pictures", room.pictures),
      ("Changes", room.former), ("Removed", room.removed), ("Search", room.indexes),
      ("Free", room.free),
    ]
    let most = parts.map(\.1).max() ?? 0
    for (name, bytes) in parts where bytes > 0 {
      details.add(name, lines.bar(bytes, of: most, TransferWords.bytes(bytes)))
    }
    return details.lines
  }

  // MARK: What could be done

  private func adviceDetails(
    _ suggestion: FeedSuggestion, _ statistics: ReadingStatistics, width: Int,
    in state: ReaderState
  ) -> [DetailLine] {
    var details = DetailLines(width: width)
    let lines = Lines(width: width, state)
    let key = state.key
    let them = suggestion.them
    let asks = suggestion.group == .slow ? "now" : "after a question; \(key(.undo)) takes it back"
    details.add("", suggestion.words, .warning)
    let lists = suggestion.group == .noisy ? " from All and Unread" : ""
    details.add(key(.followAdvice), "\(suggestion.group.remedy) \(them)\(lists) \(asks)")
    details.add(key(.open), "picks \(them) in the sidebar")
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
      "\(feed.articles) in \(lines.days(span)), \(statistics.perDay(feed.articles)) a day")
    details.add("Days", lines.sparkline(feed.days))
    details.add("Weeks", lines.sparkline(feed.weeks))
    details.add("Read", lines.share(feed.readShare, "\(feed.read) of \(feed.articles)"))
    details.add(
      "", "\(feed.unread) unread, \(feed.starred) starred, \(feed.opened) opened here", .dim)
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

  func days(_ span: Int64) -> String {
    switch span / ReadingStatistics.day {
    case 365: "a year"
    case let days where days % 365 == 0: "\(days / 365) years"
    case let days: "\(days) days"
    }
  }

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
    guard let percent else { return "nothing to read" }
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
      if state.isGone { return "gone for good" }
      if let newest = feed.newest, statistics.now - newest >= ReadingStatistics.silence {
        return "nothing new since \(clock.long(newest))"
      }
      return state.failing.map { "fails for \(clock.duration(since: $0.since.seconds))" } ?? "fails"
    case .unopened: return "none of \(feed.articles) articles was read"
    case .noisy: return "\(statistics.perDay(feed.articles)) articles a day"
    case .slow:
      if let failing = state.failing {
        return "fails for \(clock.duration(since: failing.since.seconds))"
      }
      return "answered after \(state.exchange?.attempts ?? 1) attempts"
    }
  }
}
