internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Tags belong to accounts, and are on articles.
@Suite struct TagTests {
  private static let service = AccountService(
    AccountKind(rawValue: "test"), [.pages, .takesMarks, .subscriptions])

  /// A store with a feed of three articles in the local account and in two others, at one address.
  private func withFeeds(
    _ body: (
      borrowing TestStore, _ accounts: [AccountID], _ feeds: [FeedID], _ articles: [[ArticleID]]
    ) async throws -> Void
  ) async throws {
    let test = try TestStore()
    let (accounts, feeds) = try await test.store.edit { edit in
      let others = try ["ada", "bob"].map {
        try edit.accounts.save(Self.service, base: "https://e.org", user: $0, now: noon)
      }
      let accounts = [.local] + others
      let feeds = try accounts.map {
        try edit.feeds.subscribe(url: "http://e.org/a", of: $0, isUserEntered: false, now: noon)
          .feed
      }
      return (accounts, feeds)
    }
    var articles: [[ArticleID]] = []
    for feed in feeds {
      try await test.merge([entry("a"), entry("b"), entry("c")], into: feed)
      articles.append(try await test.articles(feed).map(\.id))
    }
    try await body(test, accounts, feeds, articles)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  /// The tags of an account, those on no article included.
  private func names(of account: AccountID, in db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT name FROM tag WHERE account = ? ORDER BY name",
      arguments: [account.rawValue])
  }

  @Test func `Tags of the same name in two accounts are two`() async throws {
    try await withFeeds { test, accounts, _, articles in
      let tags = try await test.store.edit { edit in
        let tags = try accounts.map { try edit.tags.save("Later", of: $0) }
        #expect(try edit.tags.save("Later", of: accounts[1]) == tags[1])
        for (tag, articles) in zip(tags, articles) {
          #expect(try edit.tags.set(tag, true, on: [articles[0]]) == 1)
          #expect(try edit.tags.set(tag, true, on: [articles[0]]) == 0)
        }
        return tags
      }
      #expect(Set(tags).count == 3)
      try await test.store.view { view throws in
        for (index, account) in accounts.enumerated() {
          let tag = Tag(id: tags[index], account: account, name: "Later")
          #expect(try names(of: account, in: view.db) == ["Later"])
          #expect(try view.tags.all(on: articles[index][0]) == [tag])
          #expect(try view.tags.all(on: articles[index][1]) == [])
        }
      }
      // Taken off one article, it is on the others, and there still.
      try await test.store.edit { edit throws in
        #expect(try edit.tags.set(tags[1], false, on: [articles[1][0]]) == 1)
        #expect(try edit.view.tags.all(on: articles[1][0]) == [])
        #expect(try edit.view.tags.all(on: articles[2][0]).map(\.id) == [tags[2]])
        #expect(try names(of: accounts[1], in: edit.db) == ["Later"])
      }
    }
  }

  @Test func `A local tag may be on any article, an account's on its own only`() async throws {
    try await withFeeds { test, accounts, _, articles in
      try await test.store.edit { edit in
        let local = try edit.tags.save("Mine", of: .local)
        let ada = try edit.tags.save("Ada's", of: accounts[1])
        let firsts = articles.map { $0[0] }
        #expect(try edit.tags.set(local, true, on: firsts) == 3)
        #expect(try edit.tags.set(ada, true, on: firsts) == 1)
        #expect(
          try firsts.map { try edit.view.tags.all(on: $0).map(\.name) }
            == [["Mine"], ["Ada's", "Mine"], ["Mine"]])
      }
    }
  }

  @Test func `A list of a tag holds what has the tag, with every other filter`() async throws {
    try await withFeeds { test, accounts, feeds, articles in
      let (mine, ada) = try await test.store.edit { edit in
        let mine = try edit.tags.save("Later", of: .local)
        let ada = try edit.tags.save("Later", of: accounts[1])
        try edit.tags.set(mine, true, on: [articles[0][0], articles[1][1], articles[2][2]])
        try edit.tags.set(ada, true, on: [articles[1][0]])
        try edit.marks.set(.read(true), of: [articles[1][1]], now: noon)
        return (mine, ada)
      }
      let store = test.store
      func found(_ predicate: ArticlePredicate) async throws -> Set<ArticleID> {
        try await store.view { view in
          guard let selection = try ArticleSelection(predicate, in: view) else { return [] }
          let sql = """
            SELECT articleID FROM \(selection.from)
            WHERE \(selection.scope) AND \(selection.filter) ORDER BY sortDate DESC, articleID DESC
            """
          let ids = try Int64.fetchAll(view.db, sql: sql, arguments: selection.scopeArguments)
          return Set(ids.map { ArticleID($0) })
        }
      }
      #expect(
        try await found(ArticlePredicate(tag: mine))
          == [articles[0][0], articles[1][1], articles[2][2]])
      #expect(try await found(ArticlePredicate(tag: ada)) == [articles[1][0]])
      #expect(try await found(ArticlePredicate(.feed(feeds[0]), tag: mine)) == [articles[0][0]])
      #expect(
        try await found(ArticlePredicate(.account(accounts[1]), tag: mine)) == [articles[1][1]])
      #expect(
        try await found(ArticlePredicate(isUnread: true, tag: mine))
          == [articles[0][0], articles[2][2]])
      #expect(try await found(ArticlePredicate(isStarred: true, tag: mine)) == [])
      #expect(try await found(ArticlePredicate(tag: TagID(4_711))) == [])
    }
  }

  @Test func `Tags go with their article and their account`() async throws {
    try await withFeeds { test, accounts, feeds, articles in
      try await test.store.edit { edit in
        let local = try edit.tags.save("Mine", of: .local)
        let other = try edit.tags.save("Other", of: .local)
        let bob = try edit.tags.save("Bob's", of: accounts[2])
        try edit.tags.set(local, true, on: articles.flatMap(\.self))
        try edit.tags.set(other, true, on: articles[0])
        try edit.tags.set(bob, true, on: articles[2])
        func count() throws -> Int? {
          try Int.fetchOne(edit.db, sql: "SELECT count(*) FROM articleTag")
        }
        #expect(try count() == 15)
        try edit.tags.set(other, false, on: articles[0])
        #expect(try count() == 12)
        try edit.feeds.unsubscribe(feeds[1])
        #expect(try count() == 9)
        try edit.feeds.unsubscribe(feeds[2])
        try edit.accounts.remove(accounts[2])
        #expect(try count() == 3)
        #expect(try Int.fetchOne(edit.db, sql: "SELECT count(*) FROM tag") == 2)
      }
    }
  }

  @Test func `Tags go with a feed that moves to another account, by their names`() async throws {
    try await withFeeds { test, accounts, feeds, articles in
      try await test.store.edit { edit in
        let (ada, bob) = (accounts[1], accounts[2])
        try edit.feeds.unsubscribe(feeds[2])
        let mine = try edit.tags.save("Mine", of: .local)
        let later = try edit.tags.save("Later", of: ada)
        let work = try edit.tags.save("Work", of: ada)
        let theirs = try edit.tags.save("Later", of: bob)
        for tag in [mine, later, work] { try edit.tags.set(tag, true, on: [articles[1][0]]) }
        try edit.accounts.move(feeds[1], into: bob, now: noon)
        let tags = try edit.view.tags.all(on: articles[1][0])
        #expect(tags.map(\.name) == ["Later", "Mine", "Work"])
        #expect(tags.map(\.account) == [bob, .local, bob])
        #expect(tags[0].id == theirs && tags[1].id == mine)
        #expect(try names(of: ada, in: edit.db) == ["Later", "Work"])
      }
    }
  }

  @Test func `An article that two feeds of one address have keeps the tags of both`() async throws {
    try await withFeeds { test, accounts, feeds, articles in
      try await test.store.edit { edit in
        let mine = try edit.tags.save("Mine", of: .local)
        let ada = try edit.tags.save("Later", of: accounts[1])
        let bob = try edit.tags.save("Work", of: accounts[2])
        try edit.tags.set(mine, true, on: [articles[1][0]])
        try edit.tags.set(ada, true, on: [articles[1][0]])
        try edit.tags.set(bob, true, on: [articles[2][0]])
        try edit.accounts.move(feeds[1], into: accounts[2], now: noon)
        let tags = try edit.view.tags.all(on: articles[2][0])
        #expect(tags.map(\.name) == ["Later", "Mine", "Work"])
        #expect(tags.map(\.account) == [accounts[2], .local, accounts[2]])
      }
    }
  }

  @Test(arguments: ["", " ", "\u{1B}\u{7}"])
  func `A tag without anything to read in its name is refused`(_ name: String) async throws {
    let test = try TestStore()
    await #expect(throws: SourceError.self) {
      try await test.store.edit { try $0.tags.save(name, of: .local) }
    }
    await #expect(throws: SourceError.self) {
      try await test.store.edit { try $0.tags.save("Later", of: AccountID(4_711)) }
    }
    #expect(try await test.store.view { try names(of: .local, in: $0.db) } == [])
  }

  @Test func `The names of tags in use are listed once, with what is unread`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge((0..<4).map { entry("\($0)", at: -$0) }, into: feed)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      _ = try edit.tags.set(named: "two words", true, on: [ids[0], ids[1]], now: noon)
      _ = try edit.tags.set(named: "Later", true, on: [ids[1]], now: noon)
      _ = try edit.tags.set(named: "gone", true, on: [ids[2]], now: noon)
      _ = try edit.tags.set(named: "gone", false, on: [ids[2]], now: noon)
      try edit.marks.set(.read(true), of: [ids[1]], now: noon)
    }
    #expect(try await test.store.view { try $0.tags.names() } == ["Later", "two words"])
    #expect(try await test.store.view { try $0.tags.unread() } == ["two words": 1])
    let query = try #require(ArticleQuery.tag(named: "two words"))
    let rows = try await test.rows(TimelineQuery(.matching(query, in: .all)))
    #expect(rows.count == 2)
    #expect(ArticleQuery.tag(named: "a\"b") == nil)
  }
}
