internal import News
internal import Store
internal import Synchronization

/// The fetches of comments, and the threads that are open.
final class CommentThreads: Sendable {
  private let context: RepositoryContext
  /// How often each is open.
  private let open = Mutex<[ArticleID: Int]>([:])

  /// The comments that are stored together, at most, while others are still on their way.
  private static let batch = 1_000

  init(_ context: RepositoryContext) { self.context = context }

  private var store: Store { context.store }

  // MARK: Open threads

  func open(_ article: ArticleID) { open.withLock { $0[article, default: 0] += 1 } }

  func close(_ article: ArticleID) {
    open.withLock { open in
      let count = (open[article] ?? 1) - 1
      open[article] = count > 0 ? count : nil
    }
  }

  /// Somebody has commented on articles of a feed: the threads of those that are open are fetched. What fails is noted.
  ///
  /// - Parameter entries: the ids of the articles (`Entry.id`); nil where it is not known which.
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
      do { try await fetch(article) } catch is SourceError {
        // It shows with the thread.
      }
    }
  }

  // MARK: Fetching

  /// Fetches the comments on an article and keeps them.
  ///
  /// - Returns: how many there are at their server; nil where it says that nothing has changed.
  @discardableResult
  func fetch(_ article: ArticleID) async throws -> Int? {
    let found = try await context.discussion(of: article)
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
