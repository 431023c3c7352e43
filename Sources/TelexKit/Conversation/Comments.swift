package import News
internal import Repository
internal import Store
internal import Synchronization

/// The comments under articles: read from the server, written through the outbox.
package struct Comments: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Reads the comments under an article, oldest first, page by page.
  package func forEach(
    on article: ArticleID, _ body: @Sendable (Comment) -> Void
  ) async throws {
    var walk = CommentWalk()
    repeat {
      let page = try await composition.repository.threads.comments(
        on: article, after: walk.cursor, from: walk.known.count)
      for comment in walk.take(page) { body(comment) }
    } while !walk.isOver
  }

  /// All comments on an article, as a conversation.
  package func thread(on article: ArticleID) async throws -> CommentThread {
    let comments = Mutex<[Comment]>([])
    try await forEach(on: article) { comment in comments.withLock { $0.append(comment) } }
    return CommentThread(comments.withLock { $0 })
  }

  /// Stores a comment, then sends it.
  ///
  /// - Parameters:
  ///   - parent: the id of the comment that it answers; nil for the article.
  ///   - noteKept: called as soon as it is stored.
  /// - Returns: the comment while it waits to be sent; nil once the server has it.
  package func send(
    _ text: String, answering parent: String? = nil, on article: ArticleID,
    noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    let before = try await composition.store.view { try $0.outbox.lastNumber() }
    try await composition.repository.threads.comment(
      text, answering: parent, on: article, noteKept: noteKept)
    return try await waiting().first { $0.id > before && $0.article == article && $0.text == text }
  }

  /// Changes the text of a comment on the server, through the outbox.
  ///
  /// - Parameters:
  ///   - version: the changed one; nil for the one shown last, else the newest.
  ///   - noteKept: called as soon as it is stored.
  /// - Returns: the change while it waits; nil once the server has it.
  package func edit(
    _ comment: String, on article: ArticleID, to text: String, from version: String? = nil,
    noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    try await composition.repository.threads.edit(
      comment, on: article, to: text, from: version, noteKept: noteKept)
    return try await waiting().first { $0.article == article && $0.text == text }
  }

  /// Changes the text of a waiting comment, then sends it.
  ///
  /// - Parameter noteKept: called as soon as it is stored.
  /// - Returns: the comment while it waits; nil once the server has it.
  /// - Throws: `SourceError` of stage `.arguments` where no comment of this number waits.
  package func rewrite(
    _ number: WaitingChange.ID, to text: String, noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    guard try await composition.repository.threads.rewrite(number, text, noteKept: noteKept) else {
      throw SourceError.argument(
        "\(number)", "no comment with this number is waiting", next: "telex outbox lists them")
    }
    return try await waiting().first { $0.id == number }
  }

  private func waiting() async throws -> [WaitingComment] {
    try await composition.store.view { try $0.outbox.waitingComments() }.compactMap(
      WaitingComment.init)
  }
}

/// Comment in the outbox, or a new text for one that its server has.
package struct WaitingComment: Sendable {
  package let id: Int64
  package let article: ArticleID
  package let text: String
  package let error: SourceError?
  /// Whether the server refused it, so that it is not sent again automatically.
  package let isRefused: Bool

  /// Nil for any other change.
  init?(_ item: OutboxItem) {
    switch item.change {
    case .comment(let article, let text): (self.article, self.text) = (article, text)
    case .edit(let article, let edit): (self.article, text) = (article, edit.text)
    case .mark, .readBatch, .tag, .later, .subscription: return nil
    }
    id = item.id
    error = item.error
    isRefused = item.isRefused
  }
}

/// Use case: the comments on an article as a conversation, stored for reading without a network.
package struct Conversations: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The comments on an article as they are stored; nil where there is no such article.
  package func find(_ article: ArticleID) async throws -> Conversation? {
    try await composition.repository.threads.conversation(on: article)
  }

  /// The stored comments on an article, now and after each change. Live events of new ones fetch
  /// them.
  ///
  /// - Parameter body: called in order. The sequence ends with its task, or with the article.
  package func follow(
    _ article: ArticleID, _ body: @Sendable (Conversation) -> Void
  ) async throws {
    try await composition.repository.threads.whileOpen(article) {
      for try await _ in composition.repository.threads.conversations(on: article) {
        guard let conversation = try await find(article) else { return }
        body(conversation)
      }
    }
  }

  /// Fetches the comments on an article.
  ///
  /// - Throws: `SourceError`; what is stored stays. `CancellationError`.
  package func fetch(_ article: ArticleID) async throws {
    try await composition.repository.threads.fetch(article)
  }

  /// Notes that the user has seen the comments up to those of a fetch.
  package func noteVisit(of article: ArticleID, upTo arrival: Int) async throws {
    try await composition.store.edit { try $0.comments.noteVisit(of: article, upTo: arrival) }
  }
}
