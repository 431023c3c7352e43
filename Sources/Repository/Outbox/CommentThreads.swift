package import News
internal import Store
internal import Synchronization

/// The comments on articles: stored, fetched from their servers, and written through the outbox.
package final class CommentThreads: Sendable {
  let context: RepositoryContext
  let outbox: OutboxDelivery
  private let open = Mutex<[ArticleID: Int]>([:])

  /// Comments that are stored at once while others are being fetched.
  private static let batch = 1_000

  init(_ context: RepositoryContext, _ outbox: OutboxDelivery) {
    self.context = context
    self.outbox = outbox
  }

  var store: Store { context.store }

  // MARK: Stored comments

  /// The comments on an article, now and after each change of them or of what waits to be sent.
  package func conversations(on article: ArticleID) -> Snapshots<ConversationStamp> {
    Snapshots(of: store) { view in
      ConversationStamp(
        changes: try view.comments.changes(on: article),
        error: try view.comments.record(of: article)?.error,
        waiting: try view.outbox.waitingComments(on: article).map(\.waitingText))
    }
  }

  /// The comments on an article as they are stored; nil where there is no such article.
  package func conversation(on article: ArticleID) async throws -> Conversation? {
    let sources = context.sources
    return try await store.view { view in
      guard let found = try view.articles.article(article),
        let feed = try view.feeds.feed(found.feedID)
      else {
        return nil
      }
      let links = found.entry.comments
      let source: Conversation.Source =
        if let server = sources.source(of: feed.account).discussion(of: feed) {
          server.takesComments ? .server : .feed
        } else if let url = links?.feed, sources.comments(at: url, of: feed) != nil {
          .feed
        } else {
          .none
        }
      let stored = try view.comments.all(on: article)
      return Conversation(
        article: article, title: found.entry.title ?? found.feedTitle, source: source,
        page: links?.page, announced: links?.count, comments: stored.map(\.comment),
        arrivals: Dictionary(stored.map { ($0.comment.id, $0.arrival) }) { first, _ in first },
        waiting: try view.outbox.waitingComments(on: article).map(\.waitingText),
        record: try view.comments.record(of: article) ?? ConversationRecord())
    }
  }

  // MARK: Open threads

  /// Keeps the comments on an article fresh while the body runs: they are fetched when their server
  /// announces a new one.
  package func whileOpen(
    _ article: ArticleID, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    open.withLock { $0[article, default: 0] += 1 }
    defer {
      open.withLock { open in
        let count = (open[article] ?? 1) - 1
        open[article] = count > 0 ? count : nil
      }
    }
    try await body()
  }

  /// Fetches the open threads of a feed after a live event. Failures are noted with the thread.
  ///
  /// - Parameter entries: the ids of the articles with new comments (`Entry.id`); nil where they are unknown.
  func refresh(_ entries: Set<String>?, of feed: FeedID) async throws {
    let open = open.withLock { Array($0.keys) }
    guard !open.isEmpty, entries?.isEmpty != true else { return }
    let told = try await store.view { view in
      try open.filter { article in
        guard let found = try view.articles.article(article) else { return false }
        return found.feedID == feed && entries?.contains(found.entry.id) != false
      }
    }
    for article in told {
      // The failure shows with the thread.
      do { try await fetch(article) } catch is SourceError {}
    }
  }

  // MARK: Fetching

  /// Fetches the comments on an article and keeps them, also those before a failure.
  ///
  /// - Returns: how many there are at their server, as far as they were fetched; nil where nothing has changed.
  /// - Throws: `SourceError`, which is noted as the reason; `CancellationError`.
  @discardableResult
  package func fetch(_ article: ArticleID) async throws -> Int? {
    let found = try await discussion(of: article)
    // What the user writes while this fetch is under way is on none of its pages.
    let (before, record, former) = try await store.view {
      (
        try $0.comments.ids(on: article), try $0.comments.record(of: article),
        try $0.comments.known(on: article)
      )
    }
    let arrival = (record?.arrival ?? 0) + 1
    var walk = CommentWalk(mostComments: Conversation.mostComments)
    var batch: [Comment] = []
    var (isExcerpt, kept, isSame) = (false, 0, false)
    var first: KnownPage?
    func keep() async throws {
      guard !batch.isEmpty else { return }
      let (start, comments) = (isExcerpt ? nil : kept, batch)
      try await store.edit {
        try $0.comments.keep(comments, from: start, on: article, arrival: arrival)
      }
      kept += batch.count
      batch = []
    }
    do {
      repeat {
        guard
          let page = try await found.discussion.comments(
            on: found.entry, after: walk.cursor, known: walk.cursor == nil ? former : KnownPage())
        else {
          isSame = true
          break
        }
        if walk.cursor == nil { first = page.known }
        isExcerpt = page.isExcerpt
        batch += walk.take(page)
        if kept == 0 || batch.count >= Self.batch || walk.isOver { try await keep() }
      } while !walk.isOver
    } catch let error as SourceError where error.kind != .cancelled {
      try await store.edit { try $0.comments.noteFailure(ofFetch: error, of: article) }
      throw error
    }
    let gone = isExcerpt || walk.isCut || isSame ? [] : before.subtracting(walk.known)
    let (now, cut) = (context.now(), isSame ? record?.isCut ?? false : walk.isCut)
    let page = isSame ? former : first ?? KnownPage()
    try await store.edit {
      try $0.comments.finishFetch(of: article, gone: gone, isCut: cut, known: page, now: now)
    }
    return isSame ? nil : walk.known.count
  }
}

/// A digest of the comments on an article, which is cheap to read however many there are.
package struct ConversationStamp: Equatable, Sendable {
  var changes: Int
  var error: SourceError?
  var waiting: [WaitingText]
}

extension OutboxItem {
  fileprivate var waitingText: WaitingText {
    var changed: String?
    if case .edit(_, let edit) = change { changed = edit.comment }
    return WaitingText(
      id: id, changed: changed, parent: parent, text: change.text ?? "", created: created,
      error: error)
  }
}
