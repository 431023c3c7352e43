package import News
internal import Store

extension CommentThreads {
  /// Comments on an article. The comment is in the outbox, with its idempotency key, before it is
  /// sent.
  ///
  /// - Parameters:
  ///   - parent: the id of the comment that it answers; nil for the article.
  ///   - noteKept: called as soon as it is stored.
  /// - Throws: `SourceError` where the article's feed takes no comments.
  package func comment(
    _ text: String, answering parent: String? = nil, on article: ArticleID,
    noteKept: @Sendable () -> Void = {}
  ) async throws {
    let time = context.now()
    let found = try await discussion(of: article)
    guard found.discussion.takesComments else {
      throw SourceError(
        .address, stage: .arguments, subject: found.feed.displayTitle,
        message: "this feed takes no comments", next: "write it on the page of the comments")
    }
    try await store.edit {
      try $0.outbox.queueComment(text, answering: parent, on: article, now: time)
      try $0.journal.note(.comment, of: [article], now: time)
    }
    noteKept()
    try await outbox.deliver(to: found.feed.account.id)
  }

  /// Changes the text of a comment of the user's. The change is in the outbox before it is sent.
  ///
  /// - Parameters:
  ///   - version: the changed one; nil for the one that was shown last, else the server's newest.
  ///     If that cannot be had, the user decides once the server can be reached.
  ///   - noteKept: called as soon as it is stored.
  /// - Throws: `SourceError` where the comment cannot be changed.
  package func edit(
    _ comment: String, on article: ArticleID, to text: String, from version: String?,
    noteKept: @Sendable () -> Void = {}
  ) async throws {
    let time = context.now()
    let found = try await discussion(of: article)
    var edit = CommentEdit(comment: comment, version: version, text: text)
    if version == nil {
      edit.version = try await store.view {
        try $0.comments.version(ofComment: comment, on: article)
      }
    }
    if edit.version == nil {
      do {
        edit.version = try await found.discussion.comment(comment, on: found.entry).version
        guard edit.version != nil else { throw cannotBeChanged(at: found.feed) }
      } catch let error as SourceError where error.isConnectivity && found.discussion.takesComments
      {
        // The server's text of that time shows beside it before anything is overwritten.
      }
    }
    try await store.edit { [edit] in
      try $0.outbox.queueEdit(edit, on: article, now: time)
      try $0.journal.note(.changeComment, of: [article], now: time)
    }
    noteKept()
    try await outbox.deliver(to: found.feed.account.id)
  }

  private func cannotBeChanged(at feed: Feed) -> SourceError {
    SourceError(
      .address, stage: .arguments, subject: feed.displayTitle,
      message: "this comment cannot be changed")
  }

  /// Changes the text of a waiting comment, and tries to send it.
  ///
  /// - Parameter noteKept: called as soon as it is stored.
  /// - Returns: false where it waits no more; nothing is changed then.
  package func rewrite(
    _ change: WaitingChange.ID, _ text: String, noteKept: @Sendable () -> Void = {}
  ) async throws -> Bool {
    guard try await store.edit({ try $0.outbox.rewrite(change, text) }) else { return false }
    noteKept()
    try await outbox.deliver()
    return true
  }

  /// A page of the comments on an article from its server, oldest first. Waiting changes of older
  /// versions are in conflict from then on.
  ///
  /// - Parameter start: the number of comments before this page.
  package func comments(
    on article: ArticleID, after cursor: Cursor?, from start: Int
  ) async throws -> CommentPage {
    let found = try await discussion(of: article)
    let page =
      try await found.discussion.comments(on: found.entry, after: cursor, known: KnownPage())
      ?? CommentPage(comments: [], isExcerpt: true)
    if try await store.view({ try !$0.outbox.waitingComments().isEmpty }) {
      let error = SourceError(.changed(Comment(id: "", text: "")), at: found.feed)
      try await store.edit { try $0.outbox.noteVersions(of: page.comments, on: article, error) }
    }
    // A change without a version is one of what was shown last. Where the store cannot be written, they show all the same.
    try? await store.edit { edit in
      let arrival = try edit.view.comments.record(of: article)?.arrival ?? 0
      try edit.comments.keep(
        page.comments, from: page.isExcerpt ? nil : start, on: article, arrival: arrival + 1)
    }
    return page
  }

  /// The source of the comments on an article.
  ///
  /// - Throws: `SourceError` where there is none.
  func discussion(
    of article: ArticleID
  ) async throws -> (feed: Feed, entry: String, discussion: any DiscussionSource) {
    let found = try await store.view { view in
      try view.articles.article(article).flatMap { article in
        try view.feeds.feed(article.feedID).map {
          ($0, article.entry.id, article.entry.comments?.feed)
        }
      }
    }
    guard let (feed, entry, url) = found,
      let discussion = context.sources.source(of: feed.account).discussion(of: feed)
        ?? url.flatMap({ context.sources.comments(at: $0, of: feed) })
    else {
      throw SourceError(
        .address, stage: .arguments,
        subject: found?.0.displayTitle ?? "article \(article.rawValue)",
        message: found == nil ? "there is no such article" : "this feed has no comments")
    }
    return (feed, entry, discussion)
  }
}
