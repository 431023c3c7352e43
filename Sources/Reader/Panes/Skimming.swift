internal import News
internal import Screen

extension Command {
  static let skim = Command("skim")
}

extension KeyBinding {
  static let skim = KeyBinding(
    .skim, [.character("P")], "go through what is unread here as cards", .read)
}

extension ReaderState {
  /// Goes through what is unread in the list that shows as cards.
  mutating func skim() -> [Effect] {
    stack.push(DeckState(name: name(of: shownTimeline)))
    return [.collectDeck(shownTimeline, list.query.order, most: DeckState.most)]
  }
}
