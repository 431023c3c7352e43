internal import News
internal import Store

/// Writes pages as they come in, all that wait in one transaction.
///
/// A page and its cursor are in the same transaction by construction; several pages share one
/// because a commit costs more than a page does.
actor PageWriter {
  typealias Work = @Sendable (StoreEdit) throws -> MergeResult

  nonisolated let store: Store
  private enum Turn {
    case done(Result<MergeResult, any Error>)
    /// Nobody is writing any more: write yourself, and take along what waits.
    case takeOver
  }

  private var waiting: [(work: Work, turn: CheckedContinuation<Turn, Never>)] = []
  private var isWriting = false

  init(store: Store) { self.store = store }

  /// Returns once the work is committed, with what it came to.
  func write(_ work: @escaping Work) async throws -> MergeResult {
    if isWriting {
      let turn = await withCheckedContinuation { waiting.append((work, $0)) }
      if case .done(let result) = turn { return try result.get() }
    }
    isWriting = true
    let others = waiting
    waiting = []
    let results = await commit([work] + others.map(\.work))
    for (other, result) in zip(others, results.dropFirst()) {
      other.turn.resume(returning: .done(result))
    }
    if waiting.isEmpty {
      isWriting = false
    } else {
      waiting.removeFirst().turn.resume(returning: .takeOver)
    }
    return try results[0].get()
  }

  /// One transaction for all; if that fails, one for each, so that the fault of one is not theirs.
  private func commit(_ works: [Work]) async -> [Result<MergeResult, any Error>] {
    do {
      return try await store.edit { edit in try works.map { .success(try $0(edit)) } }
    } catch {
      guard works.count > 1 else { return [.failure(error)] }
    }
    var results: [Result<MergeResult, any Error>] = []
    for work in works {
      do { results.append(.success(try await store.edit(work))) } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}
