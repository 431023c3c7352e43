package import News

extension Action {
  package enum Trip: Hashable, Sendable {
    /// The articles that are packed, by whatever process.
    case packedFound(PackedArticles)
    case progressed(PackingReport)
    case ended(PackingReport)
    case failed(SourceError)
  }
}

extension Effect {
  package enum Trip: Hashable, Sendable {
    /// Fetch what is likely to be read next, and report after each article.
    case pack(PackingBounds)
  }
}

extension Action.Trip {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .packedFound(let packed):
      state.packed = packed
      return []
    case .progressed(let report): return Packing.progress(report, in: &state)
    case .ended(let report):
      return Packing.end(report, isShown: state.stack.contains(TripState.self), in: &state)
    case .failed(let error): return Packing.fail(error, in: &state)
    }
  }
}
