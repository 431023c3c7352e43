internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// What feeds belong to.
@Suite struct AccountTests {
  private static let kind = AccountKind(rawValue: "test")
  /// A server that keeps everything.
  private static let whole = AccountService(
    kind, [.pages, .takesMarks, .subscriptions])
  /// One that feeds are read from by their addresses.
  private static let simple = AccountService(kind, [.pages, .stableIDs])

  @Test func `A new store has the local account, and feeds that are added belong to it`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.store.view { view throws in
      #expect(try view.accounts.all() == [.local])
      #expect(try view.accounts.account(.local) == .local)
      #expect(try view.feeds.feed(feed)?.account == .local)
    }
  }

  @Test func `An account is known by kind, base and user`() async throws {
    let test = try TestStore()
    let other = AccountService(AccountKind(rawValue: "other"), .pages)
    let ids = try await test.store.edit { edit in
      [
        try edit.accounts.save(Self.whole, base: "https://e.org", user: "ada", now: noon),
        try edit.accounts.save(Self.whole, base: "https://e.org", user: "bob", now: noon),
        try edit.accounts.save(Self.whole, base: "https://e.org/2", user: "ada", now: noon),
        try edit.accounts.save(other, base: "https://e.org", user: "ada", now: noon),
        try edit.accounts.save(
          Self.simple, base: "https://e.org", user: "ada", name: "Mine", now: noon),
      ]
    }
    #expect(Set(ids).count == 4 && ids[4] == ids[0])
    let accounts = try await test.store.view { try $0.accounts.all() }
    #expect(accounts.map(\.id) == [.local] + ids.dropLast())
    #expect(accounts[1].service == Self.simple && accounts[1].name == "Mine")
    #expect(accounts[1].base == "https://e.org" && accounts[1].user == "ada")
  }

  @Test func `An address is a feed of each account that has it`() async throws {
    let test = try TestStore()
    let url = "http://example.org/a"
    let mine = try await test.subscribe()
    let (account, theirs) = try await test.store.edit { edit in
      let account = try edit.accounts.save(
        Self.whole, base: "https://e.org", user: "ada", now: noon)
      let first = try edit.feeds.subscribe(url: url, of: account, isUserEntered: false, now: noon)
      let again = try edit.feeds.subscribe(url: url, of: account, isUserEntered: false, now: noon)
      #expect(first.isNew && !again.isNew && first.feed == again.feed)
      return (account, first.feed)
    }
    #expect(mine != theirs)
    try await test.store.view { view throws in
      #expect(try view.feeds.feed(theirs)?.account.id == account)
      #expect(try view.feeds.all(url: url).map(\.id) == [mine, theirs])
      // By its address the user means the one that is subscribed to here.
      #expect(try view.feeds.feed(url: url)?.id == mine)
    }
    try await test.store.edit { edit in
      try edit.feeds.unsubscribe(mine)
      #expect(try edit.view.feeds.feed(url: url) == nil)
      #expect(try edit.feeds.subscribe(url: url, isUserEntered: true, now: noon).isNew)
    }
  }

  @Test func `The same article of two accounts is two, and marked for itself`() async throws {
    let test = try TestStore()
    let mine = try await test.subscribe("a")
    let also = try await test.subscribe("b")
    let theirs = try await test.store.edit { edit in
      let account = try edit.accounts.save(
        Self.whole, base: "https://e.org", user: "ada", now: noon)
      return try edit.feeds.subscribe(
        url: "http://example.org/a", of: account, isUserEntered: false, now: noon
      )
      .feed
    }
    for feed in [mine, theirs, also] {
      try await test.merge([linked("x", "https://example.org/x", title: "X", at: 0)], into: feed)
    }
    let id = try #require(try await test.articles(mine).first).id
    try await test.store.edit { try $0.marks.set(.read(true), of: [id], now: noon) }
    #expect(try await test.articles(also).map(\.status.isRead) == [true])
    #expect(try await test.articles(theirs).map(\.status.isRead) == [false])
    let rows = try await test.rows(TimelineQuery(.all, mergesDuplicates: true))
    #expect(rows.count == 2)
  }

  @Test func `Folders of the same name in two accounts are two`() async throws {
    let test = try TestStore()
    let mine = try await test.subscribe("a", folders: ["News"])
    let (account, theirs) = try await test.store.edit { edit in
      let account = try edit.accounts.save(
        Self.whole, base: "https://e.org", user: "ada", now: noon)
      let feed = try edit.feeds.subscribe(
        url: "http://example.org/b", of: account, folders: ["News", "News/In"],
        isUserEntered: false,
        now: noon
      ).feed
      return (account, feed)
    }
    for (feed, name) in [(mine, "m"), (theirs, "t")] {
      try await test.merge([entry(name)], into: feed)
    }
    func titles(_ source: ArticlePredicate.Source) async throws -> [String] {
      try await test.store.view { view throws in
        guard let selection = try ArticleSelection(ArticlePredicate(source), in: view) else {
          return []
        }
        return try String.fetchAll(
          view.db,
          sql: "SELECT title FROM article WHERE id IN (\(selection.ids)) ORDER BY title",
          arguments: selection.scopeArguments)
      }
    }
    #expect(try await titles(.folder(FolderID("News"))) == ["m"])
    #expect(try await titles(.folder(FolderID("News", of: account))) == ["t"])
    #expect(try await titles(.folder(FolderID("News/In", of: account))) == ["t"])
    // As a folder around its own.
    #expect(try await titles(.folder(FolderID("", of: account))) == ["t"])
    #expect(try await titles(.account(account)) == ["t"])
    #expect(try await titles(.account(.local)) == ["m"])
    #expect(try await titles(.all) == ["m", "t"])
    // What a list says of a folder is said of the local one.
    try await test.store.edit { edit in
      try edit.outlines.keep([OutlineAttribute("a", value: "1")], ofFolder: "News")
      #expect(try edit.view.outlines.ofFolders().count == 1)
    }
  }

  @Test func `A feed that comes from a service moves to an account there, with all that it has`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe("api", folders: ["News"])
    var page = Page(entries: [entry("a")])
    page.service = Self.simple
    let prepared = PreparedPage(page)
    try await test.store.edit { edit in
      for _ in 0..<2 { try edit.articles.merge(prepared, into: feed, at: .newest, now: noon) }
    }
    let found = try #require(try await test.store.view { try $0.feeds.feed(feed) })
    #expect(found.account.service == Self.simple && found.account.user.isEmpty)
    #expect(found.account.base == found.url && found.folders == ["News"])
    #expect(try await test.store.view { try $0.feeds.feed(url: found.url)?.id } == feed)
    // The folders of a server that keeps none are those of here.
    #expect(try await test.rows(TimelineQuery(.folder("News"))).count == 1)
    // Whoever signs in there has it from then on.
    let account = try await test.store.edit { edit in
      try edit.accounts.save(Self.simple, base: "http://example.org/api/", user: "ada", now: noon)
    }
    try await test.store.view { view throws in
      #expect(try view.feeds.feed(feed)?.account.id == account)
      #expect(try view.accounts.all().map(\.id) == [.local, account])
    }
    let another = try await test.subscribe("api2")
    try await test.store.edit {
      try $0.articles.merge(prepared, into: another, at: .newest, now: noon)
    }
    #expect(try await test.store.view { try $0.feeds.feed(another)?.account.id } == account)
  }

  @Test func `An account that is removed leaves nothing to be sent, and its feeds to nobody`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe("a")
    try await test.merge([entry("a")], into: feed)
    let account = try await test.takeMarks(of: "http://example.org")
    let id = try #require(try await test.articles(feed).first).id
    try await test.store.edit { edit in
      try edit.marks.set(.starred(true), of: [id], now: noon)
      try edit.outbox.queueComment("text", on: id, now: noon)
      #expect(try edit.view.outbox.items().map(\.account) == [account, account])
      try edit.accounts.remove(account)
      #expect(try edit.view.outbox.items() == [])
      let left = try #require(try edit.view.feeds.feed(feed))
      #expect(left.account.id != account && left.account.user.isEmpty)
      #expect(left.account.kind == Self.kind)
      try edit.feeds.unsubscribe(feed)
      #expect(try edit.view.accounts.all() == [.local])
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What waits to be sent goes with its feed to another account`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("api")
    var page = Page(entries: [entry("a")])
    page.service = Self.simple
    let prepared = PreparedPage(page)
    try await test.store.edit { edit in
      try edit.articles.merge(prepared, into: feed, at: .newest, now: noon)
      try edit.outbox.queueComment("text", on: ArticleID(1), now: noon)
      let account = try edit.accounts.save(
        Self.simple, base: "http://example.org", user: "ada", now: noon)
      #expect(try edit.view.outbox.items().map(\.account) == [account])
      // Signed out, nobody sends it in another name.
      try edit.accounts.remove(account)
      #expect(try edit.view.outbox.items() == [])
      #expect(try edit.view.feeds.feed(feed)?.account.user == "")
    }
  }

  @Test func `Who signs out and leaves the feeds finds them again, and nobody else does`()
    async throws
  {
    let test = try TestStore()
    let (ada, feed) = try await test.store.edit { edit in
      let ada = try edit.accounts.save(Self.whole, base: "https://e.org", user: "ada", now: noon)
      let feed = try edit.feeds.subscribe(
        url: "http://example.org/a", of: ada, folders: ["News"], isUserEntered: false, now: noon
      ).feed
      return (ada, feed)
    }
    try await test.merge([entry("a")], into: feed)
    let article = try #require(try await test.articles(feed).first).id
    try await test.store.edit { edit in
      try edit.marks.set(.starred(true), of: [article], now: noon)
      try edit.accounts.signOut(ada)
      #expect(try edit.view.outbox.items() == [])
      #expect(try edit.view.accounts.account(ada)?.isSignedOut == true)
      let bob = try edit.accounts.save(Self.whole, base: "https://e.org", user: "bob", now: noon)
      #expect(try edit.view.feeds.feed(feed)?.account.id == ada && bob != ada)
      let again = try edit.accounts.save(Self.whole, base: "https://e.org", user: "ada", now: noon)
      #expect(try again == ada && edit.view.accounts.account(ada)?.isSignedOut == false)
      // Without a feed there is nothing to be found again.
      try edit.accounts.signOut(bob)
      #expect(try edit.view.accounts.account(bob) == nil)
      try edit.accounts.signOut(ada)
      try edit.feeds.unsubscribe(feed)
      #expect(try edit.view.accounts.all() == [.local])
      try edit.accounts.signOut(.local)
      #expect(try edit.view.accounts.all() == [.local])
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What waits in one account stays when a feed of another goes`() async throws {
    let test = try TestStore()
    let feeds = try await test.store.edit { edit in
      try ["ada", "bob"].map { user in
        let id = try edit.accounts.save(Self.whole, base: "https://e.org", user: user, now: noon)
        return try edit.feeds.subscribe(
          url: "http://example.org/\(user)", of: id, isUserEntered: false, now: noon
        ).feed
      }
    }
    for feed in feeds { try await test.merge([entry("a")], into: feed) }
    try await test.store.edit { edit in
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      #expect(try edit.view.outbox.items().count == 2)
      try edit.feeds.unsubscribe(feeds[0])
      #expect(try edit.view.outbox.items().count == 1)
    }
  }

  @Test func `The local account stays`() async throws {
    let test = try TestStore()
    try await test.store.edit { try $0.accounts.remove(.local) }
    #expect(try await test.store.view { try $0.accounts.all() } == [.local])
    try await test.subscribe()
  }
}
