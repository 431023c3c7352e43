internal import News
internal import Screen

extension Command {
  static let skim = Command("skim")
}

extension KeyBinding {
  static let skim = KeyBinding(
    .skim, [.character("P")], "go through what is unread here as cards", .read)
}

/// Lists that were gone through as cards.
struct Skimming: Hashable, Sendable {
  /// Where to go on in each.
  var places: [Timeline: DeckState.Place] = [:]
  /// The cards from which an article was opened.
  var deck: DeckState?
}

extension ReaderState {
  /// Goes through what is unread in the list that shows as cards, on from where that was left.
  mutating func skim() -> [Effect] {
    stack.push(
      DeckState(
        name: name(of: shownTimeline), timeline: shownTimeline,
        goingOnFrom: skimming.places[shownTimeline] ?? DeckState.Place()))
    return [.deck(.collect(shownTimeline, list.query.order, most: DeckState.most))]
  }

  /// Goes back to the card from which an article was opened that is left now.
  mutating func returnToDeck(from id: ArticleID?) -> [Effect] {
    guard var deck = skimming.deck, deck.opened == id else { return [] }
    skimming.deck = nil
    let effects = deck.resume(size)
    stack.push(deck)
    return effects
  }
}
