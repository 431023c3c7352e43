internal import News
internal import Reader
internal import TelexKit

/// Packs for a trip.
struct TripPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func pack(_ bounds: PackingBounds) {
    start(.trip, { .trip(.failed($0)) }) {
      let report = try await TripPacking(composition).run(bounds) {
        inbox.send(.trip(.progressed($0)))
      }
      return .trip(.ended(report))
    }
  }
}
