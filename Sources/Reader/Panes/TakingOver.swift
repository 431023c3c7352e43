internal import News
internal import Screen

extension Command {
  static let takeOver = Command("take-over")
}

extension KeyBinding {
  static let takeOver = KeyBinding(
    .takeOver, [.character("I")], "take over another reader's feeds and articles", .feeds)
}

extension ReaderState {
  /// Takes over what another reader has on this machine; where there is none and nothing is here yet, begins with a
  /// few feeds.
  mutating func takeOver() -> [Effect] {
    if let library = libraries.first {
      guard libraries.count == 1, subscriptions.feeds.isEmpty else {
        return openCommandLine(with: "import --from \(library.reader)")
      }
      return run(verb: ["import", "--from", library.reader])
    }
    guard subscriptions.feeds.isEmpty else {
      return notify("no other reader's files are here; :import FILE takes a list of feeds (OPML)")
    }
    return run(verb: ["import", "--starter"])
  }
}
