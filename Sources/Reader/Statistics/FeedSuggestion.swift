package import News

/// Suggestion for the feeds of a group.
package struct FeedSuggestion: Hashable, Sendable {
  package let group: FeedGroup
  /// The noisiest first. Never empty.
  package let feeds: [FeedID]

  /// The feeds with their numbers: `3 feeds: 0 of 64 articles opened in 8 weeks`.
  package let words: String

  /// The command for them, or for the first where it has one subject.
  package var command: String {
    let first = feeds.first?.rawValue ?? 0
    let several = feeds.prefix(Self.named).map { " \($0.rawValue)" }.joined()
    return switch group {
    case .silent: "telex remove\(several)"
    case .unopened: "telex set \(first) --paused yes"
    case .noisy: "telex set \(first) --hidden yes"
    case .failing, .slow: "telex doctor \(first)"
    }
  }

  /// The command that lists them all.
  package var listing: String { "telex stats --group \(group.rawValue)" }

  /// Feeds in a command, at most.
  private static let named = 5
}

extension ReadingStatistics {
  /// Suggestions, the most useful first. A paused feed is not suggested to be paused.
  package var suggestions: [FeedSuggestion] {
    FeedGroup.allCases.compactMap { group in
      let found = feeds.filter { feed in
        let settings = feed.feed.settings
        guard groups(of: feed).contains(group) else { return false }
        return switch group {
        case .silent: true
        case .unopened, .failing, .slow: !settings.isPaused
        case .noisy: !settings.isHidden && !settings.isPaused
        }
      }.sorted { ($0.articles, $1.id) > ($1.articles, $0.id) }
      guard !found.isEmpty else { return nil }
      return FeedSuggestion(
        group: group, feeds: found.map(\.id),
        words: StatisticsStrings.suggestion(group, found, in: self))
    }
  }
}
