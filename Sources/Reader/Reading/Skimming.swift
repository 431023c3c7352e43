internal import News
internal import Screen

/// Lists that were gone through as cards.
struct Skimming: Hashable, Sendable {
  var places: [Timeline: DeckState.Place] = [:]
  /// The cards from which an article was opened.
  var deck: DeckState?
}

extension Skimming {
  /// Goes through what is unread in the list that shows as cards, on from where that was left.
  static func skim(in state: inout ReaderState) -> [Effect] {
    state.stack.push(
      DeckState(
        name: state.name(of: state.shownTimeline), timeline: state.shownTimeline,
        goingOnFrom: state.skimming.places[state.shownTimeline] ?? DeckState.Place()))
    return [.deck(.collect(state.shownTimeline, state.list.query.order, most: DeckState.most))]
  }

  /// Returns to the card from which the article was opened.
  static func returnToDeck(from id: ArticleID?, in state: inout ReaderState) -> [Effect] {
    guard var deck = state.skimming.deck, deck.opened == id else { return [] }
    state.skimming.deck = nil
    let effects = deck.resume(state.size)
    state.stack.push(deck)
    return effects
  }
}
