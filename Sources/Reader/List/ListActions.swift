package import News

extension Action {
  /// Events of the list of articles.
  package enum List: Hashable, Sendable {
    case arrived(TimelineSnapshot)
    /// The next unread article, in the timeline that has it; nil where nothing is unread.
    case nextUnreadFound(Timeline, TimelinePosition?)
    /// Where a step has led; nil for nowhere.
    case stepFound(ArticleStep, Timeline, TimelinePosition?)
    case searchSettled(String)
  }
}

extension Effect {
  /// Reading lists of articles.
  package enum List: Hashable, Sendable {
    /// Send snapshots of this part of a timeline, now and after each change.
    case observe(TimelineQuery)
    case loadOlder(Timeline)
    case fill(Gap)
    case findNextUnread(Timeline, ListOrder = .newest, after: TimelinePosition?)
    /// Find the article that a step from a position leads to.
    case find(ArticleStep, in: Timeline, ListOrder = .newest, from: TimelinePosition?)
    /// Report the words of a search back 300 ms after the last change of them.
    case settleSearch(String)

    package enum ID: Hashable, Sendable { case rows, older, nextUnread, search }

    package var id: EffectID? {
      switch self {
      case .observe: .list(.rows)
      case .loadOlder, .fill: .list(.older)
      case .findNextUnread, .find: .list(.nextUnread)
      case .settleSearch: .list(.search)
      }
    }
  }
}

extension ReaderState {
  mutating func receive(_ action: Action.List) -> [Effect] {
    switch action {
    case .arrived(let snapshot):
      newsSeen = newsSeen ?? snapshot.arrivals.lastID
      lastArticle = max(lastArticle ?? 0, snapshot.arrivals.lastID)
      guard let effects = list.receive(snapshot, with: &pendingMarks) else { return [] }
      article?.updateStatus(from: list.rows)
      return effects
    case .nextUnreadFound(let timeline, let position): return goToUnread(position, of: timeline)
    case .stepFound(let step, let timeline, let position):
      return receive(step, to: position, of: timeline)
    case .searchSettled: return offer(.list(action)) ?? []
    }
  }
}
