internal import Foundation
internal import News
internal import Store

/// Fetches one feed, prepares its page off the writer, and waits until it is stored.
///
/// - Returns: nil when it was cancelled.
func fetch(
  _ feed: Feed, from source: any NewsSource, into writer: PageWriter,
  now: @escaping @Sendable () -> Date
) async -> RefreshReport.Outcome? {
  var outcome = RefreshReport.Outcome(
    feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
  do {
    let known = try await writer.store.view { try $0.knownPage(of: feed.id) }
    let answer = try await source.page(after: nil, known: known)
    let movedTo = answer.movedTo
    switch answer.body {
    case .unchanged(let validators):
      outcome.isUnchanged = true
      _ = try await writer.write { edit in
        if let movedTo { try edit.move(feed.id, to: movedTo) }
        try edit.recordUnchanged(feed.id, validators, now: now())
        return MergeResult()
      }
    case .page(let page):
      outcome.warnings = page.warnings
      let prepared = PreparedPage(page)
      let result = try await writer.write { edit in
        if let movedTo { try edit.move(feed.id, to: movedTo) }
        return try edit.merge(prepared, into: feed.id, at: .newest, now: now())
      }
      outcome.inserted = result.inserted
      outcome.updated = result.updated
    }
    return outcome
  } catch is CancellationError {
    return nil
  } catch {
    let problem = SourceError.describing(error, subject: feed.url)
    if problem.kind == .cancelled || Task.isCancelled { return nil }
    outcome.error = problem
    // An error of the store itself cannot be stored; it is reported all the same.
    _ = try? await writer.write { edit in
      try edit.recordFailure(feed.id, problem, now: now())
      return MergeResult()
    }
    return outcome
  }
}

extension SourceError {
  /// What any error comes to for the reader.
  static func describing(_ error: any Error, subject: String) -> SourceError {
    if let error = error as? SourceError { return error }
    if error is CancellationError {
      return SourceError(.cancelled, stage: .fetch, subject: subject, message: "cancelled")
    }
    return SourceError(.store, stage: .store, subject: subject, message: "\(error)")
  }
}
