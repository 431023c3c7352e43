package import News

extension Action {
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

extension Action.List {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let snapshot):
      state.newsSeen = state.newsSeen ?? snapshot.arrivals.lastID
      state.lastArticle = max(state.lastArticle ?? 0, snapshot.arrivals.lastID)
      guard let effects = state.list.receive(snapshot, with: &state.pendingMarks) else { return [] }
      Marking.updateArticle(in: &state)
      return effects
    case .nextUnreadFound(let timeline, let position):
      return Stepping.goToUnread(position, of: timeline, in: &state)
    case .stepFound(let step, let timeline, let position):
      return Stepping.receive(step, to: position, of: timeline, in: &state)
    case .searchSettled: return state.offer(.list(self)) ?? []
    }
  }
}
