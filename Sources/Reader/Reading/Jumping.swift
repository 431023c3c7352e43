internal import Screen

extension Command {
  static let jumpBack = Command("jump-back")
}

extension KeyBinding {
  static let jumpBack = KeyBinding(
    .jumpBack, [.backspace], "back to where a footnote was", .read)
}

// Links to places of the article itself: footnotes and the ways back from them, tables of contents.

extension ReaderState {
  /// Opens a link of the open article, or goes to the place in it that the link leads to.
  mutating func follow(_ link: Int) -> [Effect] {
    guard link < 0 else { return article?.open(link) ?? [] }
    guard article?.jump(link) == true else { return notify("that place of the article is empty") }
    return notify("\(key(.jumpBack)) goes back")
  }

  mutating func jumpBack() -> [Effect] {
    guard article?.jumpBack() != true else {
      notice = nil
      return []
    }
    return notify("there is no jump to go back from")
  }
}
