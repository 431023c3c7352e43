package import News

extension Action {
  /// Events of packing for a trip.
  package enum Trip: Hashable, Sendable {
    /// The articles that are packed, by whatever process.
    case packedFound(PackedArticles)
    /// How far the packing is.
    case progressed(PackingReport)
    case ended(PackingReport)
    case failed(SourceError)
  }
}

extension Effect {
  /// Packing for a trip.
  package enum Trip: Hashable, Sendable {
    /// Fetch what is likely to be read next, and report after each article.
    case pack(PackingBounds)
  }
}

extension ReaderState {
  mutating func receive(_ action: Action.Trip) -> [Effect] {
    switch action {
    case .packedFound(let packed):
      self.packed = packed
      return []
    case .progressed(let report): return progress(report)
    case .ended(let report): return end(report, isShown: stack.contains(TripState.self))
    case .failed(let error): return fail(error)
    }
  }
}
