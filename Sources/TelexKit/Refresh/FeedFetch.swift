internal import Foundation
package import News
internal import Repository
internal import Store
internal import Text

/// Use case: fetch one feed within a time limit, whether it is subscribed to or not.
package struct FeedFetch: Sendable {
  package struct Outcome: Sendable {
    /// The subscription with its stored state; nil where there is none.
    package var feed: Feed?
    /// What came from an address that is not subscribed to. Nothing of it is stored.
    package var description: FeedDescription?
    package var entries: [Entry] = []
    package var error: SourceError?
    /// What the parser had to repair in the document, as sentences.
    package var warnings: [String] = []
  }

  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// - Parameters:
  ///   - name: the number of a feed, or an address.
  ///   - deadline: nil for none.
  /// - Throws: `SourceError` for an unknown number, or `CancellationError`.
  package func run(
    _ name: String, deadline: ContinuousClock.Instant? = nil
  ) async throws -> Outcome {
    let subscriptions = Subscriptions(composition)
    // A number names a feed that is there, and so does an address that several have; any other may be new.
    let isNew = try Int64(name) == nil && subscriptions.feeds(named: name).isEmpty
    let known = isNew ? nil : try subscriptions.feed(named: name)
    let fetched = try await bounded(by: deadline, subject: name) { await refresh(known, or: name) }
    let feed = try fetched.id.flatMap { id in
      try composition.store.viewNow { try $0.feeds.feed(id) }
    }
    return Outcome(
      feed: feed ?? known, description: fetched.page?.description,
      entries: fetched.page?.entries ?? [], error: fetched.error, warnings: fetched.warnings)
  }

  private struct Fetched: Sendable {
    var id: FeedID?
    /// Of a feed that is not subscribed to.
    var page: Page?
    var error: SourceError?
    var warnings: [String] = []
  }

  private func refresh(_ known: Feed?, or url: String) async -> Fetched {
    do {
      guard let known else {
        let located = try await composition.repository.look(at: url)
        // The path of a file, or a page, may lead to a feed that is subscribed to.
        if try await composition.store.view({ try $0.feeds.feed(url: located.url) }) != nil {
          let (feed, _) = try await composition.repository.subscribe(located, at: url)
          return Fetched(id: feed.id)
        }
        let page = located.page
        return Fetched(page: page, error: page.problem, warnings: page.warnings)
      }
      // A name and password in the address are tried, and kept where they open it.
      guard (try? WebAddress.normalized(url)).flatMap(WebAddress.user(in:)) == nil else {
        let (feed, _) = try await composition.repository.subscribe(url)
        return Fetched(id: feed.id)
      }
      let report = try await composition.repository.refresh(.feeds([known.id]))
      let outcome = report.outcomes.first
      return Fetched(id: known.id, error: outcome?.error, warnings: outcome?.warnings ?? [])
    } catch {
      return Fetched(id: known?.id, error: SourceError(describing: error))
    }
  }

  /// Gives up at the deadline; cached articles stay.
  private func bounded(
    by deadline: ContinuousClock.Instant?, subject: String,
    _ work: @escaping @Sendable () async -> Fetched
  ) async throws -> Fetched {
    guard let deadline else { return await work() }
    return try await withThrowingTaskGroup { group in
      group.addTask { await work() }
      group.addTask {
        try await Task.sleep(until: deadline + .milliseconds(200))
        return Fetched(
          error: SourceError(
            .timeout, stage: .fetch, subject: WebAddress.redacted(subject),
            message: "the time limit of the command was reached", next: "give it more --timeout"))
      }
      let first = try await group.next()
      group.cancelAll()
      return first ?? Fetched()
    }
  }
}
