internal import Screen

extension Command {
  static let jumpBack = Command("jump-back")
}

extension KeyBinding {
  static let jumpBack = KeyBinding(
    .jumpBack, [.backspace], "back to where a footnote was", .read)
}

// Links to places of the article itself: footnotes and the ways back from them, tables of contents.

extension LinkOpening {
  /// Opens a link of the open article, or goes to the place in it that the link leads to.
  static func follow(_ link: Int, in state: inout ReaderState) -> [Effect] {
    guard link < 0 else { return state.article?.open(link) ?? [] }
    guard state.article?.jump(link) == true else {
      return state.notify("that place of the article is empty")
    }
    return state.notify("\(state.key(.jumpBack)) goes back")
  }

  static func jumpBack(in state: inout ReaderState) -> [Effect] {
    guard state.article?.jumpBack() != true else {
      state.notice = nil
      return []
    }
    return state.notify("there is no jump to go back from")
  }
}
