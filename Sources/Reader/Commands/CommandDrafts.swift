internal import News
internal import Screen

enum CommandDrafts {
  /// Offers the verb with the feed of the selected article, or what the list shows; the rest is typed.
  ///
  /// - Parameter query: the articles in the place of those.
  static func askForRule(about query: String? = nil, in state: inout ReaderState) -> [Effect] {
    var scope = state.subscriptions.queryText(of: state.shownTimeline.unlimited)
    if state.focus != .sidebar, let row = state.list.selectedArticle {
      scope = state.subscriptions.queryText(of: .feed(row.feedID))
    }
    if state.focus == .article, let article = state.article?.page?.article {
      scope = state.subscriptions.queryText(of: .feed(article.feedID))
    }
    let words = (query ?? scope).map { TypedWords.quoted("(\($0))") + " " } ?? ""
    return state.openCommandLine(with: "rules add --hide \(words)title:")
  }

  /// Imports from another reader on this machine; where there is none and nothing is here yet, begins with a
  /// few feeds.
  static func importLibrary(in state: inout ReaderState) -> [Effect] {
    if let library = state.libraries.first {
      guard state.libraries.count == 1, state.subscriptions.feeds.isEmpty else {
        return state.openCommandLine(with: "import --from \(library.reader)")
      }
      return ProgramRuns.run(verb: ["import", "--from", library.reader], in: &state)
    }
    guard state.subscriptions.feeds.isEmpty else {
      return state.notify(CommandsStrings.noOtherReader)
    }
    return ProgramRuns.run(verb: ["import", "--starter"], in: &state)
  }

  /// Offers the verb with the list that shows; the time can be changed before it is done.
  ///
  /// - Parameter query: the articles in the place of that list.
  static func askToMarkOlderRead(
    within query: String? = nil, in state: inout ReaderState
  ) -> [Effect] {
    let scope =
      (query ?? state.subscriptions.queryText(of: state.shownTimeline)).map {
        TypedWords.quoted("(\($0))") + " "
      } ?? ""
    return state.openCommandLine(with: "read \(scope)before:1w")
  }
}
