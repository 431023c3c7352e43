internal import Reader

/// Stores history and layout in files beside the store.
struct PreferencePerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Preferences) {
    // Earlier searches are written before the searches are read.
    change {
      switch effect {
      case .keepCommand(let line): place.commands.add(line)
      case .keepSearch(let words): place.searches.add(words)
      case .recallSearches: return .preferences(.searchesRemembered(place.searches.lines()))
      case .keepListHabits(let habits): place.listHabits.write(habits)
      case .keepDividers(let dividers): place.dividers.write(dividers)
      case .keepFolds(let folds): place.folds.write(folds)
      case .keepPlace(let last): place.last.write(last)
      }
      return nil
    }
  }
}
