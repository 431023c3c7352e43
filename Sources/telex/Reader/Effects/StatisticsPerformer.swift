internal import News
internal import Reader
internal import TelexKit

/// Computes statistics.
struct StatisticsPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func count(over span: Int64) {
    start(.statistics, { .statistics(.failed($0)) }) {
      let report = ReadingReport(composition)
      let numbers = try await report.numbers(over: span)
      try Task.checkCancellation()
      inbox.send(.statistics(.counted(numbers, nil)))
      let whole = try await report.addingRoom(to: numbers)
      return .statistics(.counted(whole.statistics, whole.room))
    }
  }
}
