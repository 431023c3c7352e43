extension Action {
  /// Events of what the reader keeps from one process to the next.
  package enum Preferences: Hashable, Sendable {
    /// The lines after `:` of earlier processes, the latest last.
    case commandsRemembered([String])
    /// The words of searches of earlier processes, the latest last.
    case searchesRemembered([String])
  }
}

extension Effect {
  /// Keeping what the user has typed and arranged for the next process.
  package enum Preferences: Hashable, Sendable {
    /// Keep a line that was typed after `:`.
    case keepCommand(String)
    /// Keep the words of a search.
    case keepSearch(String)
    /// Read the words of searches again, which other readers write too.
    case recallSearches
    /// Keep how lists are shown.
    case keepListHabits(ListHabits)
    /// Keep where the lines between the panes are.
    case keepDividers(Dividers)
    /// Keep which folders are closed in the sidebar.
    case keepFolds(Folds)
  }
}

extension Action.Preferences {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .commandsRemembered(let lines): state.commandHistory.prepend(lines)
    case .searchesRemembered(let lines): state.searchHistory.renew(lines)
    }
    return []
  }
}
