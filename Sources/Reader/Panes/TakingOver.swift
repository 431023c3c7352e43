internal import News
internal import Screen

extension Command {
  static let takeOver = Command("take-over")
}

extension KeyBinding {
  static let takeOver = KeyBinding(
    .takeOver, [.character("I")], "take over another reader's feeds and articles", .feeds)
}

extension CommandDrafts {
  /// Takes over what another reader has on this machine; where there is none and nothing is here yet, begins with a
  /// few feeds.
  static func takeOver(in state: inout ReaderState) -> [Effect] {
    if let library = state.libraries.first {
      guard state.libraries.count == 1, state.subscriptions.feeds.isEmpty else {
        return state.openCommandLine(with: "import --from \(library.reader)")
      }
      return ProgramRuns.run(verb: ["import", "--from", library.reader], in: &state)
    }
    guard state.subscriptions.feeds.isEmpty else {
      return state.notify(
        "no other reader's files are here; :import FILE takes a list of feeds (OPML)")
    }
    return ProgramRuns.run(verb: ["import", "--starter"], in: &state)
  }
}
