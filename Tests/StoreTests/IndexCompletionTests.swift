internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// A new form of the search index that is filled while the store is used.
struct IndexCompletionTests {
  /// A store whose index has nothing of its 500 articles yet, as after an upgrade.
  private func emptied(_ test: borrowing TestStore) async throws -> FeedID {
    let feed = try await test.subscribe()
    try await test.merge(
      (0..<500).map { number in
        Entry(
          id: "\(number)", title: "number\(number)", authors: [Author("Writer\(number % 3)")],
          contentHTML: "<p>word 東京\(number % 10)</p>")
      }, into: feed)
    try await test.store.writing { db in
      try Schema.renewSearchIndex(in: db)
      try db.execute(sql: "INSERT INTO unindexed (lastID) SELECT max(id) FROM article")
    }
    return feed
  }

  private func found(_ test: borrowing TestStore, _ words: String) async throws -> Int {
    try await test.store.view { try $0.timeline.counts(of: .search(words)).total }
  }

  private func progress(_ test: borrowing TestStore) async throws -> Int? {
    try await test.store.view { try $0.search.indexProgress()?.percent }
  }

  @Test func `It is filled with the newest first, and says how far it is`() async throws {
    let test = try TestStore()
    _ = try await emptied(test)
    #expect(try await (progress(test), found(test, "word")) == (0, 0))
    #expect(try await test.store.indexSlice())
    #expect(try await (progress(test), found(test, "word")) == (40, 200))
    #expect(try await (found(test, "number0 "), found(test, "number499 ")) == (1, 0))
    try await test.store.completeIndex()
    #expect(try await (progress(test), found(test, "word")) == (nil, 500))
    #expect(try RawDatabase(test.folder).problems() == [])
    // And once it is whole, there is nothing to do.
    #expect(try await !test.store.indexSlice())
  }

  @Test func `What changes on the way is in it once`() async throws {
    let test = try TestStore()
    let feed = try await emptied(test)
    let other = try await test.subscribe("other")
    _ = try await test.store.indexSlice()
    func change(_ number: Int) -> Entry {
      Entry(id: "\(number)", title: "changed\(number)", contentHTML: "<p>word</p>")
    }
    // On both sides of where it is, and new ones.
    try await test.merge([change(10), change(450)], into: feed)
    try await test.merge((0..<20).map { entry("new\($0)", title: "word fresh\($0)") }, into: other)
    #expect(try await (found(test, "changed10"), found(test, "changed450")) == (1, 0))
    #expect(try await found(test, "fresh7") == 1)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      // The first and the last of the feed's list.
      try edit.actions.delete([ids.first, ids.last].compactMap(\.self), now: noon)
    }
    _ = try await test.store.indexSlice()
    try await test.store.edit { _ = try $0.journal.undo(now: noon) }
    try await test.store.completeIndex()
    #expect(try await found(test, "word") == 520)
    #expect(try await (found(test, "changed450"), found(test, "changed10")) == (1, 1))
    #expect(try await (found(test, "number10 "), found(test, "number450 ")) == (0, 0))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A feed that is removed on the way leaves nothing in it`() async throws {
    let test = try TestStore()
    let feed = try await emptied(test)
    _ = try await test.store.indexSlice()
    try await test.store.edit { try $0.feeds.unsubscribe(feed) }
    #expect(try await found(test, "word") == 0)
    try await test.store.completeIndex()
    #expect(try await progress(test) == nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A repair makes the whole of it`() async throws {
    let test = try TestStore()
    _ = try await emptied(test)
    _ = try await test.store.indexSlice()
    try RawDatabase(test.folder).execute("UPDATE search_data SET block = x'0000' WHERE id > 10")
    _ = try await test.store.repair()
    #expect(try await (progress(test), found(test, "word")) == (nil, 500))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `An article is found by its author`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [
        Entry(
          id: "1", title: "One", authors: [Author("Ada Lovelace", email: "ada@example.org")],
          contentHTML: "<p>text</p>"),
        Entry(id: "2", title: "Two", authors: [Author("Grace")], contentHTML: "<p>text</p>"),
      ], into: feed)
    #expect(try await found(test, "lovelace") == 1)
    #expect(try await found(test, "\"ada lovelace\" text") == 1)
    // One that leaves, and one that comes.
    try await test.merge(
      [Entry(id: "1", title: "One", authors: [Author("Grace")], contentHTML: "<p>text</p>")],
      into: feed)
    #expect(try await (found(test, "lovelace"), found(test, "grace")) == (0, 2))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What fits best comes first, page by page`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let filler = String(repeating: "other text ", count: 60)
    try await test.merge(
      [
        Entry(id: "far", title: "far", published: noon, contentHTML: "<p>needle \(filler)</p>"),
        Entry(
          id: "near", title: "near", published: noon.addingTimeInterval(-10),
          contentHTML: "<p>needle needle needle</p>"),
        Entry(
          id: "title", title: "needle", published: noon.addingTimeInterval(-20),
          contentHTML: "<p>a few words</p>"),
      ]
        + (0..<60).map {
          Entry(id: "none\($0)", title: "none", published: noon, contentHTML: "<p>\(filler)</p>")
        }
        + (0..<30).map {
          Entry(
            id: "\($0)", title: "x", published: noon.addingTimeInterval(Double(-100 - $0)),
            contentHTML: "<p>needle \(String(repeating: "more ", count: 200 + $0))</p>")
        }, into: feed)
    let words = try ArticleQuery("needle sort:relevance")
    for timeline in [
      Timeline.search("needle"), .matching(words, in: .all), .matching(words, in: .feed(feed)),
    ] {
      var query = TimelineQuery(timeline, olderCount: 1_000)
      query.order = .relevance
      let all = try await test.rows(query).compactMap(\.article)
      #expect(all.count == 33)
      #expect(all.prefix(3).map(\.title) == ["needle", "near", "far"])
      // The same pages from every place.
      for place in [0, 5, 20, 32] {
        query.anchor = .around(all[place].position)
        (query.newerCount, query.olderCount) = (4, 4)
        let page = try await test.rows(query).compactMap(\.article)
        #expect(page.map(\.id) == all[max(0, place - 4)..<min(33, place + 4)].map(\.id))
        query.anchor = .article(all[place].id)
        #expect(try await test.rows(query).compactMap(\.article).map(\.id) == page.map(\.id))
      }
    }
    // Without words a list is newest first.
    var query = TimelineQuery(.all, olderCount: 1_000)
    query.order = .relevance
    #expect(try await test.rows(query).count == 93)
    // What one of several conditions finds stands in front of what others do.
    let either = try ArticleQuery("(needle OR unread) sort:relevance")
    query = TimelineQuery(.matching(either, in: .all), olderCount: 1_000)
    query.order = .relevance
    let rows = try await test.rows(query).compactMap(\.article)
    #expect(rows.count == 93)
    #expect(rows.prefix(33).allSatisfy { $0.title != "none" })
    #expect(rows.last?.title == "none")
  }

  @Test func `A word that very many articles have stands for itself`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      (0..<3_100).map { Entry(id: "\($0)", title: $0 < 3_050 ? "the" : "theory go") }, into: feed)
    #expect(try await found(test, "the") == 3_050)
    #expect(try await found(test, "theo") == 50)
    // A short word that is one, and one that is none.
    #expect(try await (found(test, "go"), found(test, "g")) == (50, 50))
    let page = try await test.rows(TimelineQuery(.search("the"), olderCount: 10))
    #expect(page.count == 10)
    let here = try await test.rows(
      TimelineQuery(.matching(try ArticleQuery("the"), in: .feed(feed)), olderCount: 10))
    #expect(here.count == 10)
  }
}

extension TimelineRow {
  fileprivate var article: ArticleRow? { if case .article(let row) = self { row } else { nil } }
}
