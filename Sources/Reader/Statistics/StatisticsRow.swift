internal import News

/// A row of the statistics: all feeds, something that could be done, or a feed.
enum StatisticsRow: Hashable {
  case total
  case advice(FeedSuggestion)
  case feed(FeedStatistics)

  enum ID: Hashable {
    case total
    case advice(FeedGroup)
    case feed(FeedID)
  }

  /// All feeds, then what could be done about some, then each feed, the one with the most articles first.
  static func rows(of statistics: ReadingStatistics) -> [StatisticsRow] {
    guard !statistics.feeds.isEmpty else { return [] }
    return [.total] + statistics.suggestions.map { .advice($0) }
      + statistics.feeds.sorted { ($0.articles, $1.id) > ($1.articles, $0.id) }.map { .feed($0) }
  }

  /// The feeds that it is about; none for all of them.
  var feeds: [FeedID] {
    switch self {
    case .total: []
    case .advice(let suggestion): suggestion.feeds
    case .feed(let feed): [feed.id]
    }
  }
}

extension StatisticsRow: SelectableRow {
  var selectionID: ID {
    switch self {
    case .total: .total
    case .advice(let suggestion): .advice(suggestion.group)
    case .feed(let feed): .feed(feed.id)
    }
  }
}

extension FeedGroup {
  /// In one column.
  var mark: String {
    switch self {
    case .silent: "×"
    case .unopened: "·"
    case .noisy: "+"
    case .failing: "!"
    case .slow: "↻"
    }
  }
}
