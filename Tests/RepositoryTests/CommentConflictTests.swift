internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Comments that are changed here and at their server.
@Suite struct CommentConflictTests {
  /// The user decides about it as it was written, line by line.
  fileprivate static let theirs = "theirs\n\nand more"

  /// How a conflict becomes known.
  enum Way: CaseIterable {
    /// A 409 that says what the server has.
    case answer
    /// A 412 that does not.
    case bareAnswer
    /// A list of comments with a newer version than the one that was changed.
    case list
  }

  private struct Talk {
    let server: FeedServer
    let store: Store
    let repository: FeedRepository
    let article: ArticleID

    var texts: [String] { server.comments(on: "a").map(\.text) }
    var changes: [WireRequest] { server.requests.filter { $0.method == "PUT" } }
    func waiting() async throws -> [WaitingChange] {
      try await store.view { try $0.outbox.snapshot().changes }
    }

    func resolve(
      _ change: WaitingChange.ID, _ answer: ConflictAnswer, seeing conflict: CommentConflict
    ) async throws -> Bool {
      try await store.edit { try $0.outbox.resolve(change, answer, seeing: conflict) }
    }

    /// Changes the comment here, without sending it.
    func changeOffline(to text: String) async throws {
      try await store.edit { edit in
        try edit.outbox.queueEdit(
          CommentEdit(comment: "comment-1", version: "1", text: text), on: article, now: Date())
      }
    }

    /// Changes the comment there and here, so that each has a text of its own.
    func change(_ way: Way) async throws -> WaitingChange {
      let path = "/api/articles/a/comments/comment-1"
      switch way {
      case .answer: break
      case .bareAnswer: server.inject(.bareConflict, on: path)
      case .list: try await changeOffline(to: "mine")
      }
      server.editComment("comment-1", on: "a", to: CommentConflictTests.theirs)
      if way == .list {
        #expect(try await waiting().first?.conflict == nil)
        _ = try await repository.threads.comments(on: article, after: nil, from: 0)
        // It is known before anything is sent.
        #expect(changes.isEmpty)
      } else {
        try await repository.threads.edit("comment-1", on: article, to: "mine", from: "1")
      }
      let waiting = try await waiting()
      #expect(waiting.count == 1)
      return try #require(waiting.first)
    }
  }

  /// Runs the body where the server has one comment of the user's, "first".
  private func withComment(_ body: (Talk) async throws -> Void) async throws {
    let entry = Entry(id: "a", title: "a", contentHTML: "<p>a</p>")
    let server = try FeedServer(
      archive: Archive(
        title: "T",
        articles: [
          Archive.Article(
            entry: entry, section: "", published: Date(timeIntervalSince1970: 1_773_039_000))
        ]))
    let reader = try TestReader()
    let (store, repository, now) = (reader.store, reader.repository, reader.clock.now)
    try await server.whileServing { base in
      let article = try await store.edit { edit in
        let feed = try edit.feeds.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
        try edit.articles.merge(PreparedPage(Page.api([entry])), into: feed, at: .newest, now: now)
        let rows = try edit.view.timeline.slice(TimelineQuery(.feed(feed))).rows
        return try #require(
          rows.compactMap { if case .article(let row) = $0 { row.id } else { nil } }.first)
      }
      try await repository.threads.comment("first", on: article)
      let talk = Talk(server: server, store: store, repository: repository, article: article)
      #expect(talk.texts == ["first"])
      try await body(talk)
    }
  }

  @Test func `A change of the version that the server has is made, and nothing waits`() async throws
  {
    try await withComment { talk in
      try await talk.repository.threads.edit("comment-1", on: talk.article, to: "mine", from: nil)
      #expect(talk.texts == ["mine"])
      #expect(talk.changes.map { $0.header("If-Match") } == ["\"1\""])
      #expect(try await talk.waiting() == [])
    }
  }

  @Test func `A change is one of the version that was shown last`() async throws {
    try await withComment { talk in
      talk.server.editComment("comment-1", on: "a", to: Self.theirs)
      // Nobody has seen that yet.
      try await talk.repository.threads.edit("comment-1", on: talk.article, to: "mine", from: nil)
      #expect(talk.texts == [Self.theirs])
      let conflict = try #require(try await talk.waiting().first)
      #expect(conflict.conflict != nil)
      #expect(try await talk.store.edit { try $0.outbox.drop([conflict.id]) } == 1)
      _ = try await talk.repository.threads.comments(on: talk.article, after: nil, from: 0)
      try await talk.repository.threads.edit("comment-1", on: talk.article, to: "mine", from: nil)
      #expect(talk.texts == ["mine"])
    }
  }

  @Test(arguments: Way.allCases, ConflictAnswer.allCases)
  func `However a conflict becomes known, the server and this machine agree after any decision`(
    _ way: Way, _ answer: ConflictAnswer
  ) async throws {
    try await withComment { talk in
      let change = try await talk.change(way)
      let conflict = try #require(change.conflict)
      #expect(conflict.comment?.text == Self.theirs && conflict.comment?.version == "2")
      guard case .edit(let edit) = change.kind else { return #expect(Bool(false)) }
      #expect(edit.text == "mine")
      #expect(change.error?.status == 409)
      #expect(try await talk.store.view { try $0.outbox.conflicts() } == [change])

      // Nothing is sent, and nothing lost, before the user has decided.
      let sent = talk.changes.count
      #expect(try await talk.repository.sendWaiting() == 1)
      #expect(talk.changes.count == sent && talk.texts == [Self.theirs])

      #expect(try await talk.resolve(change.id, answer, seeing: conflict))
      try await talk.repository.deliverOutbox()
      switch answer {
      case .mine: #expect(talk.texts == ["mine"])
      case .theirs: #expect(talk.texts == [Self.theirs])
      case .both: #expect(talk.texts == [Self.theirs, "mine"])
      }
      #expect(try await talk.waiting() == [])
    }
  }

  @Test func `Where both have written the same there is nothing to decide`() async throws {
    try await withComment { talk in
      try await talk.changeOffline(to: "the same")
      talk.server.editComment("comment-1", on: "a", to: "the same")
      _ = try await talk.repository.threads.comments(on: talk.article, after: nil, from: 0)
      #expect(try await talk.waiting() == [])
      try await talk.repository.deliverOutbox()
      #expect(talk.changes.isEmpty && talk.texts == ["the same"])
    }
  }

  @Test(arguments: ConflictAnswer.allCases)
  func `A comment that was deleted there is written anew or stays deleted`(
    _ answer: ConflictAnswer
  ) async throws {
    try await withComment { talk in
      talk.server.deleteComment("comment-1", on: "a")
      try await talk.repository.threads.edit("comment-1", on: talk.article, to: "mine", from: "1")
      let change = try #require(try await talk.waiting().first)
      #expect(change.conflict == .deleted)
      #expect(try await talk.resolve(change.id, answer, seeing: .deleted))
      try await talk.repository.deliverOutbox()
      #expect(talk.texts == (answer == .theirs ? [] : ["mine"]))
      #expect(try await talk.waiting() == [])
    }
  }

  @Test func `A decision about what the user has not seen does nothing`() async throws {
    try await withComment { talk in
      let change = try await talk.change(.answer)
      let seen = try #require(change.conflict)
      talk.server.editComment("comment-1", on: "a", to: "theirs again")
      _ = try await talk.repository.threads.comments(on: talk.article, after: nil, from: 0)
      #expect(try await !talk.resolve(change.id, .theirs, seeing: seen))
      #expect(try await !talk.resolve(change.id, .mine, seeing: seen))
      let now = try #require(try await talk.waiting().first?.conflict)
      #expect(now.comment?.text == "theirs again")
      #expect(try await talk.resolve(change.id, .mine, seeing: now))
      try await talk.repository.deliverOutbox()
      #expect(talk.texts == ["mine"])
    }
  }

  @Test func `A server that changes the comment once more is another question`() async throws {
    try await withComment { talk in
      let change = try await talk.change(.answer)
      talk.server.inject(.editComment, on: "/api/articles/a/comments/comment-1")
      #expect(
        try await talk.resolve(change.id, .mine, seeing: #require(change.conflict)))
      try await talk.repository.deliverOutbox()
      let again = try #require(try await talk.waiting().first?.conflict)
      #expect(again.comment?.text == "This was changed elsewhere." && again != change.conflict)
    }
  }

  @Test func `A change whose answer is lost is not taken for somebody else's`() async throws {
    try await withComment { talk in
      talk.server.inject(.cut(afterBytes: 3), on: "/api/articles/a/comments/comment-1")
      try await talk.repository.threads.edit("comment-1", on: talk.article, to: "mine", from: "1")
      #expect(talk.texts == ["mine"])
      #expect(try await talk.waiting().first?.error?.kind == .cutShort)
      try await talk.repository.deliverOutbox()
      #expect(talk.changes.count == 2)
      #expect(try await talk.waiting() == [])
    }
  }

  @Test(arguments: ConflictAnswer.allCases)
  func
    `A draft that is changed after its first text has arrived is a question, not a second comment`(
      _ answer: ConflictAnswer
    ) async throws
  {
    try await withComment { talk in
      talk.server.inject(.cut(afterBytes: 3), on: "/api/articles/a/comments")
      try await talk.repository.threads.comment("draft", on: talk.article)
      #expect(talk.texts == ["first", "draft"])
      let waiting = try #require(try await talk.waiting().first)
      #expect(try await talk.repository.threads.rewrite(waiting.id, "better"))
      let change = try #require(try await talk.waiting().first)
      let conflict = try #require(change.conflict)
      #expect(conflict.comment?.text == "draft")
      #expect(try await talk.resolve(change.id, answer, seeing: conflict))
      try await talk.repository.deliverOutbox()
      switch answer {
      case .mine: #expect(talk.texts == ["first", "better"])
      case .theirs: #expect(talk.texts == ["first", "draft"])
      case .both: #expect(talk.texts == ["first", "draft", "better"])
      }
      #expect(try await talk.waiting() == [])
    }
  }

  @Test func `A draft that is changed while it is on its way is not lost`() async throws {
    try await withComment { talk in
      // Sent by hand, so that the new text comes between the answer and its being noted.
      let (item, comment) = try await talk.store.edit { edit in
        try edit.outbox.queueComment("draft", on: talk.article, now: Date())
        let item = try #require(try edit.view.outbox.waitingComments().first)
        #expect(try edit.outbox.rewrite(item.id, "better"))
        return (item, Comment(id: "comment-1", text: "draft", version: "1"))
      }
      try await talk.store.edit { try $0.outbox.finishSending(item, as: comment) }
      let change = try #require(try await talk.waiting().first)
      #expect(
        change.kind == .edit(CommentEdit(comment: "comment-1", version: "1", text: "better")))
      try await talk.repository.deliverOutbox()
      #expect(talk.texts == ["better"])
      #expect(try await talk.waiting() == [])
    }
  }

  @Test func `A second change of a comment that waits takes the place of the first`() async throws {
    try await withComment { talk in
      try await talk.changeOffline(to: "mine")
      try await talk.repository.threads.edit(
        "comment-1", on: talk.article, to: "mine too", from: "1")
      #expect(talk.changes.count == 1)
      #expect(talk.texts == ["mine too"])
      #expect(try await talk.waiting() == [])
    }
  }
}
