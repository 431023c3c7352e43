internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

private typealias Comment = News.Comment

/// The comments on articles, kept for reading without a network.
@Suite struct CommentTests {
  private func comment(_ id: String, _ text: String = "T", parent: String? = nil) -> Comment {
    Comment(id: id, parent: parent, author: "A", published: noon, text: text)
  }

  private func article(_ test: borrowing TestStore) async throws -> (FeedID, ArticleID) {
    let feed = try await test.subscribe()
    try await test.merge([entry("a", content: "<p>a</p>")], into: feed)
    return (feed, try #require(try await test.articles(feed).first).id)
  }

  private func stored(_ test: borrowing TestStore, _ id: ArticleID) async throws -> [Comment] {
    try await test.store.view { try $0.comments.all(on: id).map(\.comment) }
  }

  private func record(
    _ test: borrowing TestStore, _ id: ArticleID
  ) async throws -> ConversationRecord? {
    try await test.store.view { try $0.comments.record(of: id) }
  }

  @Test func `Comments come back as they were, in the order of their server`() async throws {
    let test = try TestStore()
    let (_, id) = try await article(test)
    var whole = comment("b", "First.\n\nSecond \u{1F44B}.", parent: "a")
    (whole.updated, whole.version, whole.url) = (noon + 5, "2", "http://example.org/c")
    whole.attachments = [Attachment(id: "1", name: "n", type: "image/png", length: 5)]
    let html = Comment(id: "h", author: nil, text: "", html: "<p>In <b>bold</b></p>")
    let all = [comment("z"), whole, html, comment("a")]
    try await test.store.edit {
      try $0.comments.keep(Array(all[..<2]), from: 0, on: id, arrival: 1)
      try $0.comments.keep(Array(all[2...]), from: 2, on: id, arrival: 1)
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
    }
    #expect(try await stored(test, id) == all)
    #expect(
      try await record(test, id) == ConversationRecord(fetched: noon, arrival: 1))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `An article knows how many comments are here beside what its feed has told`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    var told = entry("a")
    told.comments = CommentLinks(count: 1)
    try await test.merge([told, entry("b")], into: feed)
    let ids = try await test.articles(feed).map(\.id)
    func counts() async throws -> [[Int?]] {
      try await test.store.view { view in
        try ids.map { id in
          let article = try view.articles.article(id)
          return [article?.entry.comments?.count, article?.keptComments]
        }
      }
    }
    #expect(Set(try await counts()) == [[1, 0], [nil, 0]])
    try await test.store.edit { edit in
      for id in ids {
        try edit.comments.keep([comment("theirs")], from: 0, on: id, arrival: 1)
        try edit.comments.keepOwn(comment("mine"), of: id)
      }
    }
    #expect(Set(try await counts()) == [[1, 2], [nil, 0]])
  }

  @Test func `A later fetch brings new ones, changes texts, and takes away what is gone`()
    async throws
  {
    let test = try TestStore()
    let (_, id) = try await article(test)
    try await test.store.edit {
      try $0.comments.keep([comment("a"), comment("b")], from: 0, on: id, arrival: 1)
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
      try $0.comments.noteVisit(of: id, upTo: 1)
      try $0.comments.keep([comment("b", "Other"), comment("c")], from: 0, on: id, arrival: 2)
      try $0.comments.finishFetch(of: id, gone: ["a"], isCut: true, now: noon + 60)
    }
    let found = try await test.store.view { try $0.comments.all(on: id) }
    #expect(found.map(\.comment) == [comment("b", "Other"), comment("c")])
    #expect(found.map(\.arrival) == [1, 2])
    #expect(
      try await record(test, id)
        == ConversationRecord(fetched: noon + 60, arrival: 2, seen: 1, isCut: true))
  }

  @Test func `A fetch that brings nothing new counts as none, and a visit is not taken back`()
    async throws
  {
    let test = try TestStore()
    let (_, id) = try await article(test)
    try await test.store.edit {
      try $0.comments.keep([comment("a")], from: 0, on: id, arrival: 1)
      try $0.comments.noteVisit(of: id, upTo: 1)
      try $0.comments.keep([comment("a")], from: 0, on: id, arrival: 2)
      try $0.comments.noteVisit(of: id, upTo: 0)
    }
    #expect(try await record(test, id) == ConversationRecord(arrival: 1, seen: 1))
  }

  @Test func `A feed of comments lists the newest: older ones stay, in the order of their dates`()
    async throws
  {
    let test = try TestStore()
    let (_, id) = try await article(test)
    @Sendable func dated(_ number: Int) -> Comment {
      Comment(id: "\(number)", published: noon + Double(number), text: "\(number)")
    }
    try await test.store.edit {
      try $0.comments.keep([dated(3), dated(2)], from: nil, on: id, arrival: 1)
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
      try $0.comments.keep([dated(5), dated(4)], from: nil, on: id, arrival: 2)
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
    }
    #expect(try await stored(test, id).map(\.id) == ["2", "3", "4", "5"])
  }

  @Test func `No more comments are kept than there may be, the newest, and no longer ones`()
    async throws
  {
    let test = try TestStore()
    let (_, id) = try await article(test)
    let many = (0..<Conversation.mostComments + 50).map { number in
      Comment(id: "\(number)", published: noon + Double(number), text: "t")
    }
    let long = String(repeating: "a", count: Conversation.longestText + 5)
    try await test.store.edit { [long] in
      try $0.comments.keep(many, from: nil, on: id, arrival: 1)
      try $0.comments.keep(
        [Comment(id: "long", published: noon + 1e6, text: long)], from: nil, on: id, arrival: 1)
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
    }
    let kept = try await stored(test, id)
    #expect(kept.count == Conversation.mostComments && kept.first?.id == "51")
    #expect(kept.last?.text.count == Conversation.longestText)
  }

  @Test func `A failure keeps what is stored, and the next fetch forgets it`() async throws {
    let test = try TestStore()
    let (_, id) = try await article(test)
    let error = SourceError(.offline, stage: .fetch, subject: "s", message: "there is no network")
    try await test.store.edit {
      try $0.comments.noteFailure(ofFetch: error, of: id)
      try $0.comments.keep([comment("a")], from: 0, on: id, arrival: 1)
    }
    #expect(try await record(test, id)?.error == error)
    #expect(try await stored(test, id).count == 1)
    try await test.store.edit {
      try $0.comments.finishFetch(of: id, gone: [], isCut: false, now: noon)
    }
    #expect(try await record(test, id)?.error == nil)
  }

  @Test func `A comment of the user's own is not new, and one that has a place keeps it`()
    async throws
  {
    let test = try TestStore()
    let (_, id) = try await article(test)
    try await test.store.edit {
      try $0.comments.keep([comment("a"), comment("b")], from: 0, on: id, arrival: 1)
      try $0.comments.keepOwn(comment("mine", parent: "a"), of: id)
      try $0.comments.keepOwn(comment("a", "changed"), of: id)
    }
    let found = try await test.store.view { try $0.comments.all(on: id) }
    #expect(try await test.store.view { try $0.comments.changes(on: id) } == 3)
    #expect(found.map(\.comment.id) == ["a", "b", "mine"])
    #expect(found.map(\.arrival) == [0, 1, 0])
    #expect(found[0].comment.text == "changed")
  }

  @Test func `Comments go with their article, and come back with its feed`() async throws {
    let test = try TestStore()
    let (feed, id) = try await article(test)
    try await test.store.edit {
      try $0.comments.keep([comment("a")], from: 0, on: id, arrival: 1)
      try $0.comments.noteVisit(of: id, upTo: 1)
    }
    try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT count(*) FROM comment") == ["0"])
    #expect(try raw.strings("SELECT count(*) FROM conversation") == ["0"])
    try await test.store.edit { _ = try $0.journal.undo(now: noon) }
    #expect(try raw.strings("SELECT commentID FROM comment") == ["a"])
    #expect(try raw.strings("SELECT seen FROM conversation") == ["1"])
    #expect(try raw.problems() == [])
  }

  @Test func `Comments on an article that is gone are not kept`() async throws {
    let test = try TestStore()
    try await test.store.edit {
      try $0.comments.keep([comment("a")], from: 0, on: ArticleID(99), arrival: 1)
      try $0.comments.finishFetch(of: ArticleID(99), gone: [], isCut: false, now: noon)
      try $0.comments.noteFailure(
        ofFetch: SourceError(.offline, stage: .fetch, subject: "s", message: "m"),
        of: ArticleID(99))
    }
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT count(*) FROM comment") == ["0"])
    #expect(try raw.problems() == [])
  }

  @Test func `An answer waits with what it answers`() async throws {
    let test = try TestStore()
    let (_, id) = try await article(test)
    try await test.store.edit {
      try $0.outbox.queueComment("One.\n\nTwo.", answering: "c1", on: id, now: noon)
      try $0.outbox.queueComment("Plain", on: id, now: noon)
    }
    let waiting = try await test.store.view { try $0.outbox.waitingComments(on: id) }
    #expect(waiting.map(\.parent) == ["c1", nil])
    #expect(waiting.map(\.change.text) == ["One.\n\nTwo.", "Plain"])
    #expect(try await test.store.view { try $0.outbox.waitingComments(on: ArticleID(9)) } == [])
  }
}
