package import News
internal import Store

/// The comments on articles as they are stored, and their fetches.
extension FeedRepository {
  /// The comments on an article, now and after each change of them or of what waits to be sent.
  package func conversations(on article: ArticleID) -> Snapshots<ConversationStamp> {
    Snapshots(store: store) { [store] _ in
      try await store.view { view in
        ConversationStamp(
          changes: try view.changesOfComments(on: article),
          error: try view.conversationRecord(of: article)?.error,
          waiting: try view.waitingComments(on: article).map(\.waitingText))
      }
    }
  }

  /// The comments on an article as they are stored; nil where there is no such article.
  package func conversation(on article: ArticleID) async throws -> Conversation? {
    let sources = context.sources
    return try await store.view { view in
      guard let found = try view.article(article), let feed = try view.feed(found.feedID) else {
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
      let stored = try view.comments(on: article)
      return Conversation(
        article: article, title: found.entry.title ?? found.feedTitle, source: source,
        page: links?.page, announced: links?.count, comments: stored.map(\.comment),
        arrivals: Dictionary(stored.map { ($0.comment.id, $0.arrival) }) { first, _ in first },
        waiting: try view.waitingComments(on: article).compactMap { item in
          if case .comment = item.change { item.waitingText } else { nil }
        },
        record: try view.conversationRecord(of: article) ?? ConversationRecord())
    }
  }

  /// The comments that are stored together, at most, while others are still on their way.
  private static let batch = 1_000

  /// Fetches the comments on an article and keeps them. What came before a failure is kept, too.
  ///
  /// - Returns: how many there are at their server, as far as they were fetched.
  /// - Throws: `SourceError`, which is noted as the reason; `CancellationError`.
  @discardableResult
  package func fetchConversation(on article: ArticleID) async throws -> Int {
    let found = try await discussion(of: article)
    // What the user writes while this fetch is under way is on none of its pages.
    let (before, last) = try await store.view {
      (try $0.idsOfComments(on: article), try $0.conversationRecord(of: article)?.arrival ?? 0)
    }
    let arrival = last + 1
    var (cursor, walked): (Cursor?, Set<Cursor>) = (nil, [])
    var (known, batch): (Set<String>, [Comment]) = ([], [])
    var (isExcerpt, isCut, kept) = (false, false, 0)
    func keep() async throws {
      let (start, comments) = (isExcerpt ? nil : kept, batch)
      try await store.edit {
        try $0.keep(comments, from: start, on: article, arrival: arrival)
      }
      kept += batch.count
      batch = []
    }
    do {
      repeat {
        let page = try await found.discussion.comments(on: found.entry, after: cursor)
        isExcerpt = page.isExcerpt
        for comment in page.comments where known.insert(comment.id).inserted {
          batch.append(comment)
        }
        // A cursor that repeats would lead round for ever.
        cursor = page.nextCursor.flatMap { walked.insert($0).inserted ? $0 : nil }
        isCut = cursor != nil && known.count >= Conversation.mostComments
        if kept == 0 || batch.count >= Self.batch || cursor == nil || isCut { try await keep() }
      } while cursor != nil && !isCut
    } catch let error as SourceError where error.kind != .cancelled {
      try await store.edit { try $0.noteFailure(ofFetch: error, of: article) }
      throw error
    }
    let gone = isExcerpt || isCut ? [] : before.subtracting(known)
    let (now, cut) = (context.now(), isCut)
    try await store.edit {
      try $0.finishFetch(of: article, gone: gone, isCut: cut, now: now)
    }
    return known.count
  }

  /// The user has looked at the comments on an article, up to those of a fetch.
  package func noteVisit(of article: ArticleID, upTo arrival: Int) async throws {
    try await store.edit { try $0.noteVisit(of: article, upTo: arrival) }
  }
}

/// What changes with the comments on an article. Cheap to read, however many there are.
package struct ConversationStamp: Equatable, Sendable {
  var changes: Int
  var error: SourceError?
  var waiting: [WaitingText]
}

extension OutboxItem {
  fileprivate var waitingText: WaitingText {
    WaitingText(
      id: id, parent: parent, text: change.text ?? "", created: created, error: error)
  }
}
