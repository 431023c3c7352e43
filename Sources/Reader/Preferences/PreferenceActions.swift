extension Action {
  package enum Preferences: Hashable, Sendable {
    /// The lines after `:` of earlier processes, the latest last.
    case commandsRemembered([String])
    /// The words of searches of earlier processes, the latest last.
    case searchesRemembered([String])
  }
}

extension Effect {
  package enum Preferences: Hashable, Sendable {
    case keepCommand(String)
    case keepSearch(String)
    /// Read the words of searches again, which other readers write too.
    case recallSearches
    case keepListHabits(ListHabits)
    case keepDividers(Dividers)
    case keepFolds(Folds)
    case keepPlace(LastPlace)
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
