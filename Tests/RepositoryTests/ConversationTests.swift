internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import TestSupport
internal import Testing

@testable internal import Repository

/// The comments on articles as they are fetched, kept, and written: of a Feed API, and of feeds of comments.
@Suite struct ConversationTests {
  private struct Talk {
    let server: FeedServer
    let store: Store
    let repository: FeedRepository
    let article: ArticleID

    func conversation() async throws -> Conversation {
      try #require(try await repository.threads.conversation(on: article))
    }

    func texts() async throws -> [String] {
      try await conversation().thread.rows.map {
        String(repeating: "  ", count: $0.depth) + ($0.comment.html ?? $0.comment.text)
      }
    }
  }

  /// Runs the body with an article that nobody has commented on yet.
  private func withTalk(
    _ path: String = "/api", _ body: (Talk) async throws -> Void
  ) async throws {
    let server = try FeedServer(
      archive: Archive(
        title: "T",
        articles: [
          Archive.Article(
            entry: Entry(id: "a", url: "/read/a", title: "a", contentHTML: "<p>a</p>"),
            section: "",
            published: Date(timeIntervalSince1970: 1_773_039_000))
        ]))
    let reader = try TestReader()
    try await server.whileServing { base in
      try await reader.add(base + path)
      _ = try await reader.repository.refresh(.all)
      let article = try #require(
        try await reader.store.view { view in
          try view.timeline.slice(TimelineQuery(.all)).rows.compactMap { row -> ArticleID? in
            if case .article(let row) = row { row.id } else { nil }
          }.first
        })
      try await body(
        Talk(
          server: server, store: reader.store, repository: reader.repository, article: article))
    }
  }

  @Test func `Comments are fetched, kept with their paragraphs, and read without the server`()
    async throws
  {
    try await withTalk { talk in
      try await talk.repository.threads.comment("One.\n\nTwo.", on: talk.article)
      #expect(talk.server.answerComment("comment-1", on: "a", with: "An answer"))
      try await talk.repository.threads.fetch(talk.article)
      talk.server.inject(.status(500), on: "/api", times: nil)
      #expect(try await talk.texts() == ["One.\n\nTwo.", "  An answer"])
      let talked = try await talk.conversation()
      #expect(
        talked.source == .server && talked.record.fetched != nil && talked.record.arrival == 1)
    }
  }

  @Test func `What has come since the last fetch has a higher number`() async throws {
    try await withTalk { talk in
      try await talk.repository.threads.comment("first", on: talk.article)
      try await talk.repository.threads.fetch(talk.article)
      let seen = try await talk.conversation().record.arrival
      try await talk.store.edit {
        try $0.comments.noteVisit(of: talk.article, upTo: seen)
      }
      #expect(talk.server.answerComment("comment-1", on: "a", with: "later"))
      try await talk.repository.threads.fetch(talk.article)
      let talked = try await talk.conversation()
      let later = try #require(talked.thread.rows.last?.comment)
      #expect(later.text == "later")
      // The user's own is no news.
      #expect(talked.arrivals["comment-1"] == 0)
      #expect(talked.arrivals[later.id] == talked.record.arrival)
      #expect(talked.record.seen.map { $0 < talked.record.arrival } == true)
    }
  }

  @Test func `A comment that its server takes away goes, and one whose text changes changes`()
    async throws
  {
    try await withTalk { talk in
      try await talk.repository.threads.comment("first", on: talk.article)
      try await talk.repository.threads.comment("second", on: talk.article)
      try await talk.repository.threads.fetch(talk.article)
      #expect(talk.server.deleteComment("comment-1", on: "a"))
      #expect(talk.server.editComment("comment-2", on: "a", to: "other"))
      try await talk.repository.threads.fetch(talk.article)
      #expect(try await talk.texts() == ["other"])
    }
  }

  @Test func `More comments than fit a page come in the order of their server`() async throws {
    try await withTalk { talk in
      try await talk.repository.threads.comment("first", on: talk.article)
      for number in 1...250 {
        #expect(talk.server.answerComment("comment-1", on: "a", with: "\(number)"))
      }
      #expect(try await talk.repository.threads.fetch(talk.article) == 251)
      #expect(try await talk.texts() == ["first"] + (1...250).map { "  \($0)" })
      #expect(
        talk.server.requests.count { $0.path.hasSuffix("/comments") && $0.method == "GET" } == 3)
    }
  }

  /// A feed of comments whose every page names a next one, and a Feed API that does, with and without comments.
  @Test(arguments: [true, false], [1, 0])
  func `A server that leads further and further without anything new is left`(
    isFeed: Bool, ofEach count: Int
  ) async throws {
    try await withAnswers({ request in
      let cursor = request.query("page") ?? request.query("cursor")
      let number = (cursor.flatMap { Int($0) } ?? 0) + 1
      // Where nobody stops, the test does.
      guard number <= 50 else { return .reply(WireReply(status: 500)) }
      guard isFeed else {
        let items = Array(repeating: #"{"id": "1", "text": "one"}"#, count: count)
          .joined()
        return .reply(
          WireReply(
            type: "application/json", text: #"{"items": [\#(items)], "nextCursor": "\#(number)"}"#))
      }
      let entries = Array(repeating: "<entry><id>1</id><title>one</title></entry>", count: count)
        .joined()
      return .reply(
        WireReply(
          type: "application/atom+xml",
          text: "<feed xmlns='http://www.w3.org/2005/Atom'><id>f</id><title>T</title>"
            + "<link rel='next' href='/comments?page=\(number)'/>\(entries)</feed>"))
    }) { base, server in
      let reader = try TestReader()
      let (store, now) = (reader.store, reader.clock.now)
      let article = try await store.edit { edit in
        let url = base + (isFeed ? "/feed" : "/api")
        let feed = try edit.feeds.subscribe(url: url, isUserEntered: true, now: now).feed
        var entry = Entry(id: "a", title: "a")
        var page = Page.api([entry])
        if isFeed {
          entry.comments = CommentLinks(feed: base + "/comments?page=0")
          page = Page(description: FeedDescription(format: .atom), entries: [entry])
        }
        try edit.articles.merge(PreparedPage(page), into: feed, at: .newest, now: now)
        return try #require(
          try edit.view.timeline.slice(TimelineQuery(.feed(feed))).rows.compactMap {
            row -> ArticleID? in
            if case .article(let row) = row { row.id } else { nil }
          }.first)
      }
      let found = try await reader.repository.threads.fetch(article)
      #expect(found == count)
      #expect(server.requests.count == count + 3)
      let conversation = try #require(try await reader.repository.threads.conversation(on: article))
      #expect(conversation.arrivals.count == count && conversation.record.isCut)
    }
  }

  @Test func `A walk over comments has an end, however many pages bring new ones`() {
    var walk = CommentWalk()
    var pages = 0
    while !walk.isOver, pages < 2 * CommentWalk.mostPages {
      pages += 1
      let comment = Comment(id: "\(pages)", text: "")
      #expect(
        walk.take(CommentPage(comments: [comment, comment], nextCursor: Cursor("\(pages)")))
          == [comment])
    }
    #expect(pages == CommentWalk.mostPages && walk.isCut)
  }

  @Test func `An answer waits in the thread while its server is away, and is there once then`()
    async throws
  {
    try await withTalk { talk in
      try await talk.repository.threads.comment("first", on: talk.article)
      try await talk.repository.threads.fetch(talk.article)
      talk.server.inject(.status(503), on: "/api", times: nil)
      try await talk.repository.threads.comment("answer", answering: "comment-1", on: talk.article)
      var talked = try await talk.conversation()
      #expect(try await talk.texts() == ["first", "  answer"])
      #expect(talked.waiting.values.map(\.parent) == ["comment-1"])
      #expect(talked.waiting.values.first?.error != nil)
      talk.server.clearFaults()
      _ = try await talk.repository.sendWaiting()
      talked = try await talk.conversation()
      // Before anything is fetched again.
      #expect(talked.waiting.isEmpty)
      #expect(try await talk.texts() == ["first", "  answer"])
      #expect(talk.server.comments(on: "a").map(\.parent) == [nil, "comment-1"])
      try await talk.repository.threads.fetch(talk.article)
      #expect(try await talk.texts() == ["first", "  answer"])
    }
  }

  @Test func `An answer to a comment that is gone is refused, and stays with its text`()
    async throws
  {
    try await withTalk { talk in
      try await talk.repository.threads.comment("answer", answering: "no-such", on: talk.article)
      let waiting = try await talk.conversation().waiting
      #expect(waiting.values.map(\.text) == ["answer"])
      #expect(waiting.values.first?.isRefused == true)
      #expect(talk.server.comments(on: "a").isEmpty)
    }
  }

  @Test func `A failed fetch keeps what is there and says why`() async throws {
    try await withTalk { talk in
      try await talk.repository.threads.comment("first", on: talk.article)
      try await talk.repository.threads.fetch(talk.article)
      talk.server.inject(.status(503), on: "/api", times: nil)
      await #expect(throws: SourceError.self) {
        try await talk.repository.threads.fetch(talk.article)
      }
      let talked = try await talk.conversation()
      #expect(talked.record.error?.status == 503 && talked.record.fetched != nil)
      #expect(try await talk.texts() == ["first"])
      talk.server.clearFaults()
      try await talk.repository.threads.fetch(talk.article)
      #expect(try await talk.conversation().record.error == nil)
    }
  }

  @Test func `A feed of comments that names what each answers is a thread`() async throws {
    try await withTalk("/atom.xml") { talk in
      #expect(talk.server.addComment("One & two.", on: "a"))
      #expect(talk.server.answerComment("a-r1", on: "a", with: "An answer"))
      #expect(talk.server.answerComment("a-r2", on: "a", with: "To that"))
      try await talk.repository.threads.fetch(talk.article)
      #expect(
        try await talk.texts() == [
          "<p>One &amp; two.</p>", "  <p>An answer</p>", "    <p>To that</p>",
        ])
      let talked = try await talk.conversation()
      #expect(talked.source == .feed)
      #expect(talked.thread.rows[0].comment.url?.hasSuffix("/read/a#comment-a-r1") == true)
      await #expect(throws: SourceError.self) {
        try await talk.repository.threads.comment("mine", on: talk.article)
      }
      #expect(try await talk.conversation().waiting.isEmpty)
    }
  }

  @Test func `A feed of comments that has not changed is not read again`() async throws {
    try await withTalk("/atom.xml") { talk in
      #expect(talk.server.addComment("first", on: "a"))
      let count = try await talk.repository.threads.fetch(talk.article)
      #expect(count == 1)
      let again = try await talk.repository.threads.fetch(talk.article)
      #expect(again == nil)
      let asked = talk.server.requests.filter { $0.path.contains("comments-atom") }
      let tag = asked.last?.header("If-None-Match")
      #expect(asked.count == 2 && asked[0].header("If-None-Match") == nil && tag != nil)
      #expect(try await talk.conversation().record.fetched != nil)
      #expect(try await talk.texts() == ["<p>first</p>"])
      #expect(talk.server.addComment("second", on: "a"))
      let more = try await talk.repository.threads.fetch(talk.article)
      #expect(more == 2)
      #expect(try await talk.texts().count == 2)
      // Another reader of the store asks whether there is something new.
      let store = talk.store
      let next = makeRepository(store, TestClock())
      let nothing = try await next.threads.fetch(talk.article)
      #expect(nothing == nil)
      // A subscription that was ended and comes back has its comments.
      let article = talk.article
      let found = try await store.view { try $0.articles.article(article) }
      let feed = try #require(found).feedID
      try await talk.repository.unsubscribe(feed)
      _ = try await talk.repository.apply(.undo)
      let last = try await talk.repository.threads.fetch(article)
      #expect(last == nil)
      #expect(try await talk.texts().count == 2)
    }
  }

  @Test func `A Feed API tells how many comments there are`() async throws {
    try await withTalk { talk in
      #expect(talk.server.addComment("first", on: "a"))
      _ = try await talk.repository.refresh(.all)
      let article = talk.article
      let found = try await talk.store.view { try $0.articles.article(article) }
      #expect(found?.entry.comments?.count == 1)
      #expect(try await talk.conversation().announced == 1)
    }
  }

  @Test func `A feed that lists the newest comments only adds to those that were read before`()
    async throws
  {
    try await withTalk("/wp/feed/") { talk in
      #expect(talk.server.addComment("0", on: "a"))
      for number in 1...8 {
        #expect(talk.server.answerComment("a-r1", on: "a", with: "\(number)"))
      }
      try await talk.repository.threads.fetch(talk.article)
      for number in 9...15 {
        #expect(talk.server.answerComment("a-r1", on: "a", with: "\(number)"))
      }
      try await talk.repository.threads.fetch(talk.article)
      let talked = try await talk.conversation()
      #expect(try await talk.texts() == (0...15).map { "<p>\($0)</p>" })
      #expect(talked.page?.hasSuffix("/read/a#comments") == true && talked.announced == 0)
      #expect(talked.arrivals.values.count { $0 == 2 } == 7)
    }
  }

  @Test func `An observer is told of what is fetched and of what waits, not of a visit`()
    async throws
  {
    try await withTalk { talk in
      var stamps = talk.repository.threads.conversations(on: talk.article).makeAsyncIterator()
      let first = try #require(try await stamps.next())
      try await talk.repository.threads.fetch(talk.article)
      let second = try #require(try await stamps.next())
      #expect(first != second)
      try await talk.store.edit {
        try $0.comments.noteVisit(of: talk.article, upTo: 1)
      }
      // Between two looks it waits and is sent.
      try await talk.repository.threads.comment("sent", on: talk.article)
      let sent = try #require(try await stamps.next())
      #expect(sent.waiting.isEmpty && sent != second)
      talk.server.inject(.status(503), on: "/api", times: nil)
      try await talk.repository.threads.comment("waits", on: talk.article)
      let third = try #require(try await stamps.next())
      #expect(third.waiting.map(\.text) == ["waits"])
    }
  }
}
