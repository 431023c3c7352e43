import Foundation
import GRDB
import News
import Testing

@testable import Store

/// Names and passwords that older versions stored in addresses.
struct AddressUserTests {
  private static let password = "s3cr%65t-pw"
  private static let old = "https://ada:\(password)@example.org/feed?a=1"
  private static let bare = "https://example.org/feed?a=1"
  private static let signIn = FeedSignIn(origin: "https://example.org", user: "ada", key: "k1")

  private func entry(_ id: String, _ html: String = "", url: String? = nil) -> Entry {
    Entry(
      id: id, url: url ?? "https://example.org/\(id)", title: "Entry \(id)", published: noon,
      contentHTML: html)
  }

  private func subscribe(
    _ url: String, folder: String, _ test: borrowing TestStore
  ) async throws -> FeedID {
    try await test.store.edit {
      try $0.feeds.subscribe(url: url, folders: [folder], isUserEntered: true, now: noon).feed
    }
  }

  @Test func `Where an address has to keep its password, nothing that is named after it shows it`()
    async throws
  {
    let test = try TestStore()
    let feed = try await subscribe(Self.old, folder: "News", test)
    let other = try await subscribe("https://example.com/feed", folder: "News", test)
    let link = "https://ada:\(Self.password)@example.org/read/1"
    for id in [feed, other] {
      try await test.merge([Entry(id: link, url: link, published: noon)], into: id)
    }
    try await test.store.edit { edit in
      let error = SourceError(
        .status, stage: .fetch, subject: "example.org", message: "no", feedURL: link)
      try edit.fetches.recordFailure(
        feed, error, ExchangeSummary(status: 500, redirectedTo: link), now: noon)
      try edit.db.execute(
        sql: "UPDATE feed SET link = ?1, movedTo = ?1, image = ?1, icon = ?1 WHERE id = ?2",
        arguments: [link, feed.rawValue])
    }
    let rows = try await test.rows(TimelineQuery(.all, olderCount: 9)).compactMap { row in
      if case .article(let row) = row { row } else { nil }
    }
    #expect(
      rows.map(\.feedTitle).sorted() == [
        "https://example.com/feed", "https://example.org/feed?a=1",
      ])
    #expect(rows.allSatisfy { $0.title == "https://example.org/read/1" })
    let articles = try await test.articles(feed) + test.articles(other)
    #expect(articles.allSatisfy { !$0.feedTitle.contains("@") })
    #expect(Set(articles.flatMap(\.otherFeeds)).count == 2)
    #expect(articles.allSatisfy { $0.otherFeeds.allSatisfy { !$0.contains("@") } })
    let stored = try #require(try await test.store.view { try $0.feeds.feed(feed) })
    let shown = [
      stored.link, stored.details.image, stored.details.icon, stored.movedTo,
      stored.state.exchange?.redirectedTo, stored.state.error?.feedURL,
    ]
    #expect(shown.allSatisfy { $0 == "https://example.org/read/1" }, "\(shown)")
    // What is fetched is the address as it is, and a title may hold what it likes.
    #expect(stored.url == Self.old)
    try await test.store.edit {
      try $0.db.execute(sql: "UPDATE feed SET title = ?", arguments: [Self.old])
    }
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.title } == Self.bare)
    for title in ["//me@home", "a@b", "see https://me@example.org"] {
      try await test.store.edit {
        try $0.db.execute(sql: "UPDATE feed SET title = ?", arguments: [title])
      }
      #expect(try await test.store.view { try $0.feeds.feed(feed)?.title } == title)
    }
  }

  @Test func `Addresses from documents that were stored with a user are read without it`()
    async throws
  {
    let test = try TestStore()
    let feed = try await subscribe(Self.bare, folder: "News", test)
    let link = "https://ada:\(Self.password)@example.org/read/1"
    var stored = entry("1", "<p><a href=\"\(link)\">there</a> a@b</p>", url: link)
    stored.authors = [Author("Ada", url: link)]
    stored.enclosures = [Enclosure(url: link, type: "audio/mpeg")]
    stored.image = link
    stored.comments = CommentLinks(page: link, feed: link)
    stored.source = EntrySource(title: "S", url: link, feedURL: link)
    try await test.merge([stored], into: feed)
    let article = try #require(try await test.articles(feed).first)
    #expect(article.entry.url == "https://example.org/read/1")
    #expect(
      article.entry.contentHTML == "<p><a href=\"https://example.org/read/1\">there</a> a@b</p>")
    #expect(!"\(article.entry)".contains(Self.password))
  }

  @Test func `Two rows that become one address are one feed with the marks of both`()
    async throws
  {
    let test = try TestStore()
    let kept = try await subscribe(Self.bare, folder: "A", test)
    let other = try await subscribe(Self.old, folder: "B", test)
    try await test.merge(["1", "2", "3"].map { entry($0) }, into: kept)
    try await test.merge(["2", "3", "4"].map { entry($0) }, into: other)
    func id(_ entry: String, of feed: FeedID) async throws -> ArticleID {
      try #require(try await test.articles(feed).first { $0.entry.id == entry }).id
    }
    try await test.store.edit {
      [read = try await id("2", of: other), star = try await id("3", of: other)] in
      try $0.marks.set(.read(true), of: [read], now: noon)
      try $0.marks.set(.starred(true), of: [star], now: noon)
    }
    try await test.store.edit { [star = try await id("1", of: kept)] in
      try $0.marks.set(.starred(true), of: [star], now: noon)
    }
    try await test.store.edit { edit in
      try edit.signIns.set(Self.signIn, of: other)
      try edit.feeds.unite(other, into: kept, now: noon)
    }
    let feeds = try await test.store.view { try $0.feeds.all() }
    #expect(feeds.map(\.url) == [Self.bare])
    #expect(feeds[0].folders == ["A", "B"] && feeds[0].signIn == Self.signIn)
    let articles = try await test.articles(kept)
    #expect(Set(articles.map(\.entry.id)) == ["1", "2", "3", "4"])
    func marked(_ mark: (Article) -> Bool) -> Set<String> {
      Set(articles.filter(mark).map(\.entry.id))
    }
    #expect(marked(\.status.isRead) == ["2"])
    #expect(marked(\.status.isStarred) == ["1", "3"])
    #expect(feeds[0].counts == ArticleCounts(total: 4, unread: 3, starred: 2))
    // The password goes on being needed.
    #expect(try await test.store.view { try $0.signIns.discarded() } == [])
    try await test.store.writing { db in
      try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
    #expect(try await test.rows(TimelineQuery(.search("entry"), olderCount: 9)).count == 4)
  }

  @Test func `The password of a feed that goes, or moves to another server, is to be taken away`()
    async throws
  {
    let test = try TestStore()
    let second = FeedSignIn(origin: "https://example.org", user: "bob", key: "k2")
    let first = try await subscribe("https://example.org/1", folder: "", test)
    let other = try await subscribe("https://example.org/2", folder: "", test)
    try await test.store.edit { edit in
      try edit.signIns.set(Self.signIn, of: first)
      try edit.signIns.set(second, of: other)
      try edit.feeds.move(first, to: "https://example.org/moved")
    }
    #expect(try await test.store.view { try $0.signIns.discarded() } == [])
    #expect(try await test.store.view { try $0.feeds.feed(first)?.signIn } == Self.signIn)
    try await test.store.edit { try $0.feeds.move(first, to: "https://example.org:8443/moved") }
    #expect(try await test.store.view { try $0.feeds.feed(first)?.signIn } == nil)
    try await test.store.edit { try $0.feeds.unsubscribe(other) }
    #expect(
      Set(try await test.store.view { try $0.signIns.discarded() }) == [Self.signIn, second])
    try await test.store.edit { try $0.signIns.removeDiscarded(second) }
    #expect(try await test.store.view { try $0.signIns.discarded() } == [Self.signIn])
  }
}
