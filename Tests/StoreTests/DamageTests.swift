internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Pages of a database that are overwritten, each kind of them, and what is there afterwards.
@Suite struct DamageTests {
  /// Six hundred articles of two feeds, every third read and every fifth starred, with gaps, a folder
  /// and a comment to be sent.
  private func makeStore(in folder: String) async throws {
    let store = try Store(folder: folder)
    try await store.edit { edit in
      for name in ["a", "b"] {
        let url = "http://example.org/\(name)"
        let feed = try edit.feeds.subscribe(
          url: url, folders: ["f"], isUserEntered: true, now: noon
        ).feed
        let page = PreparedPage(Page(entries: entries(of: name)))
        try edit.articles.merge(page, into: feed, at: .newest, now: noon)
      }
      let ids = (1...600).map { ArticleID($0) }
      try edit.marks.set(.read(true), of: ids.filter { $0.rawValue % 3 == 0 }, now: noon)
      try edit.marks.set(.starred(true), of: ids.filter { $0.rawValue % 5 == 0 }, now: noon)
      try edit.outbox.queueComment("a comment", on: ArticleID(1), now: noon)
    }
    try RawDatabase(folder).execute("UPDATE feedState SET etag = 'known'")
    try await store.tidy()
  }

  private func entries(of name: String) -> [Entry] {
    (0..<300).map { index in
      entry(
        "\(name)\(index)", title: "Title \(index) of \(name)", at: -index,
        content: "<p>word\(index) " + String(repeating: "\(index &* 7_919) ", count: 60))
    }
  }

  /// Reads all that there is, as a user who reads on and on.
  private func readEverything(_ store: Store) async throws -> (articles: [Article], words: Int) {
    var articles: [Article] = []
    for number in 1...600 {
      let id = ArticleID(Int64(number))
      if let article = try await store.view({ try $0.articles.article(id) }) {
        articles.append(article)
      }
    }
    for timeline in [Timeline.all, .unread, .starred, .folder("f")] {
      let query = TimelineQuery(timeline, olderCount: 1_000)
      _ = try await store.view {
        (try $0.timeline.slice(query), try $0.timeline.counts(of: timeline))
      }
    }
    let found = TimelineQuery(.search("word*"), olderCount: 1_000)
    let words = try await store.view { try $0.timeline.slice(found).rows.count }
    _ = try await store.view { try $0.outbox.items() }
    let now = noon
    try await store.edit { edit in
      try edit.feeds.subscribe(url: "http://example.org/b", isUserEntered: true, now: now)
      let entries = [entry("new", at: 10, content: "<p>word</p>")]
      try edit.articles.merge(
        PreparedPage(Page(entries: entries)), into: FeedID(1), at: .newest, now: now)
    }
    return (articles, words)
  }

  private func isMarkedRightly(_ article: Article) -> Bool {
    article.status.isRead == (article.id.rawValue % 3 == 0)
      && article.status.isStarred == (article.id.rawValue % 5 == 0)
  }

  private struct Kind: CustomTestStringConvertible {
    let object: String
    let page: DatabasePages.Kind
    /// Articles of which only the marks are left, and those that are there without their text.
    var losses = 0...0
    /// What cannot be said to be whole.
    var incomplete: [String] = []
    var withoutText = 0...0
    var testDescription: String { "\(page) of \(object)" }
  }

  private static let kinds = [
    Kind(object: "article", page: .leaf, losses: 1...120),
    Kind(object: "article", page: .interior, losses: 600...600),
    Kind(object: "articleBody", page: .leaf, withoutText: 1...300),
    Kind(object: "articleBody", page: .interior, withoutText: 600...600),
    Kind(object: "articleStatus", page: .leaf),
    Kind(object: "feed", page: .leaf),
    Kind(object: "feedState", page: .leaf, incomplete: ["what is known of the fetches"]),
    Kind(object: "feedCount", page: .leaf),
    Kind(object: "outbox", page: .leaf, incomplete: ["what waits to be sent"]),
    Kind(object: "account", page: .leaf, incomplete: ["accounts"]),
    Kind(object: "statusUnread", page: .leaf),
    Kind(object: "statusByDate", page: .leaf),
    Kind(object: "articleEntry", page: .leaf),
    Kind(object: "sqlite_autoindex_feed_1", page: .leaf),
    Kind(object: "search_data", page: .leaf),
    Kind(object: "search_idx", page: .leaf),
  ]

  @Test(arguments: kinds)
  private func `All that can be read is there after a page was damaged`(_ kind: Kind) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let file = try DatabasePages(folder + "/telex.sqlite")
    let root = try #require(
      Int(
        try RawDatabase(folder).strings(
          "SELECT rootpage FROM sqlite_master WHERE name = '\(kind.object)'")[0]))
    let page = try #require(file.pages(from: root).last { $0.kind == kind.page })
    try file.overwrite(page.number)
    let damaged = try Data(contentsOf: URL(filePath: folder + "/telex.sqlite"))

    let store = try Store(folder: folder)
    let (articles, words) = try await readEverything(store)
    let recovery = try #require(store.untoldRecovery)
    guard case .carried(let carried) = recovery.outcome else {
      Issue.record("\(recovery)")
      return
    }
    let lost = articles.count { $0.entry.id.isEmpty }
    #expect(articles.count == 600 && kind.losses.contains(lost), "\(articles.count), \(lost)")
    #expect(carried.lostArticles == lost && carried.keptPlaces == lost, "\(carried)")
    #expect(carried.feeds == 2 && carried.articles == 600 - lost && carried.lostFeeds == 0)
    #expect(kind.withoutText.contains(carried.withoutText), "\(carried)")
    #expect(carried.incomplete == kind.incomplete && carried.lostMarks == 0, "\(carried)")
    #expect(carried.bareFeeds == (kind.object == "feed" ? 2 : 0))
    let saysNothing = recovery.message.contains("nothing is known to be missing")
    #expect(
      saysNothing
        == (lost == 0 && carried.withoutText == 0 && carried.bareFeeds == 0
          && kind.incomplete.isEmpty),
      "\(recovery.message)")
    #expect(articles.allSatisfy(isMarkedRightly))
    #expect(articles.count { $0.entry.contentHTML == nil } == carried.withoutText)
    #expect(words == 600 - carried.withoutText)
    let feeds = try await store.view { try $0.feeds.all() }
    #expect(feeds.map(\.url) == ["http://example.org/a", "http://example.org/b"])
    #expect(feeds.map(\.folders) == [["f"], ["f"]])
    #expect(
      try await store.view { try $0.outbox.items().count } == (kind.object == "outbox" ? 0 : 1))
    #expect(try RawDatabase(folder).problems() == [])
    // What is missing is asked for, and nothing else.
    let isComplete = lost == 0 && carried.withoutText == 0
    if !["feed", "feedState"].contains(kind.object) {
      #expect(
        try RawDatabase(folder).strings("SELECT etag FROM feedState WHERE feedID = 2")
          == [isComplete ? "known" : "-"])
    }
    // What the feeds still have is whole again with the next refresh, and marked as before.
    for (number, name) in [(1, "a"), (2, "b")] {
      let page = PreparedPage(Page(entries: entries(of: name)))
      try await store.edit {
        try $0.articles.merge(page, into: FeedID(Int64(number)), at: .newest, now: noon)
      }
    }
    let (whole, allWords) = try await readEverything(store)
    #expect(whole.count == 600 && allWords == 601 && whole.allSatisfy(isMarkedRightly))
    #expect(whole.allSatisfy { $0.entry.title?.hasPrefix("Title ") == true })
    // The damaged copy is as it was.
    let aside = try #require(recovery.setAside)
    #expect(try Data(contentsOf: URL(filePath: aside)) == damaged)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.allSatisfy { $0.hasPrefix("telex.sqlite") && !$0.contains(".new") })
    #expect(!files.contains { $0.contains("repaired") || $0.contains("replacing") })
  }

  @Test(arguments: ["comment", "outbox"])
  func `Comments that were lost are asked for whole, others whether they have changed`(
    _ damaged: String
  ) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let known = KnownPage(validators: Validators(etag: "\"1\""), bodyDigest: 1)
    let article = ArticleID(1)
    do {
      let store = try Store(folder: folder)
      try await store.edit {
        try $0.comments.keep([Comment(id: "c", text: "words")], from: 0, on: article, arrival: 1)
        try $0.comments.finishFetch(of: article, gone: [], isCut: false, known: known, now: noon)
      }
      try await store.tidy()
    }
    let file = try DatabasePages(folder + "/telex.sqlite")
    let root = try RawDatabase(folder).strings(
      "SELECT rootpage FROM sqlite_master WHERE name = '\(damaged)'")
    try file.overwrite(#require(Int(root[0])))
    let store = try Store(folder: folder)
    _ = try await readEverything(store)
    let isLost = damaged == "comment"
    #expect(try await store.view { try $0.comments.all(on: article).count } == (isLost ? 0 : 1))
    let left = try await store.view { try $0.comments.known(on: article) }
    #expect(left == (isLost ? KnownPage() : known))
  }

  @Test(arguments: [0..<16, 16..<100, 0..<100])
  func `A damaged header loses nothing`(_ bytes: Range<Int>) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    // The log has the header too: it would be read instead.
    for suffix in ["-wal", "-shm"] { unlink(folder + "/telex.sqlite" + suffix) }
    try DatabasePages(folder + "/telex.sqlite").overwrite(1, bytes: bytes)
    let store = try Store(folder: folder)
    let (articles, words) = try await readEverything(store)
    #expect(articles.count == 600 && words == 600 && articles.allSatisfy(isMarkedRightly))
    #expect(store.untoldRecovery?.setAside != nil)
    #expect(try RawDatabase(folder).problems() == [])
  }

  /// The tenth block says which others there are.
  /// The first page also says where each table begins.
  @Test(arguments: [0..<4_096, 0..<16_384, 100..<600])
  func `A damaged first page loses nothing`(_ bytes: Range<Int>) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    // What is erased leads to other first pages of all tables.
    do {
      let store = try Store(folder: folder)
      try await store.edit { try $0.noteErasure() }
      try await store.erase()
    }
    for suffix in ["-wal", "-shm"] { unlink(folder + "/telex.sqlite" + suffix) }
    try DatabasePages(folder + "/telex.sqlite").overwrite(1, bytes: bytes)
    let store = try Store(folder: folder)
    let (articles, words) = try await readEverything(store)
    #expect(articles.count == 600 && words == 600 && articles.allSatisfy(isMarkedRightly))
    #expect(store.untoldRecovery?.message.contains("nothing is known to be missing") == true)
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `A first page of which nothing is known is told as a loss`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    for suffix in ["-wal", "-shm", ".schema"] { unlink(folder + "/telex.sqlite" + suffix) }
    try DatabasePages(folder + "/telex.sqlite").overwrite(1)
    let store = try Store(folder: folder)
    #expect(store.untoldRecovery?.message.contains("nothing of it could be read") == true)
    #expect(store.untoldRecovery?.setAside != nil)
  }

  @Test func `A file that was emptied gives what its log has, and both are kept`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let store = try Store(folder: folder)
      try await store.edit {
        try $0.feeds.subscribe(url: "http://a.example/", isUserEntered: true, now: noon)
      }
    }
    let path = folder + "/telex.sqlite"
    try #require(StoreFolder.size(of: path + "-wal") > 10_000)
    #expect(truncate(path, 0) == 0)
    let store = try Store(folder: folder)
    #expect(try await store.view { try $0.feeds.all().map(\.url) } == ["http://a.example/"])
    let aside = try #require(store.untoldRecovery?.setAside)
    #expect(StoreFolder.size(of: aside + "-wal") > 10_000)
  }

  @Test func `What another process is writing is waited for, and not left behind`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let file = try DatabasePages(folder + "/telex.sqlite")
    let raw = try RawDatabase(folder)
    let root = try #require(
      Int(try raw.strings("SELECT rootpage FROM sqlite_master WHERE name = 'articleBody'")[0]))
    try file.overwrite(try #require(file.pages(from: root).last { $0.kind == .leaf }).number)
    let store = try Store(folder: folder, deadline: .now + .milliseconds(300))
    try await raw.whileWriting("UPDATE articleStatus SET isStarred = 1 WHERE articleID = 1") {
      let error = await #expect(throws: SourceError.self) { _ = try await readEverything(store) }
      #expect(error?.message.contains("has been writing") == true, "\(error as Any)")
    }
    let other = try Store(folder: folder)
    _ = try await readEverything(other)
    #expect(other.untoldRecovery?.setAside != nil)
    #expect(
      try await other.view { try $0.articles.article(ArticleID(1))?.status.isStarred } == true)
  }

  @Test func `Rows that belong to nothing are no dead end for a repair`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    try RawDatabase(folder, checksForeignKeys: false).execute(
      "INSERT INTO gap (feedID, newerDate, newerID, olderDate, olderID) VALUES (77, 1, 1, 0, 0)")
    let store = try Store(folder: folder)
    #expect(try await store.repair()?.setAside != nil)
    #expect(try await store.repair() == nil)
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `A command's deadline ends a healing, and leaves all as it was`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    for suffix in ["-wal", "-shm"] { unlink(folder + "/telex.sqlite" + suffix) }
    try DatabasePages(folder + "/telex.sqlite").overwrite(1, bytes: 16..<100)
    let damaged = try Data(contentsOf: URL(filePath: folder + "/telex.sqlite"))
    let error = #expect(throws: SourceError.self) { try Store(folder: folder, deadline: .now) }
    #expect(error?.message.contains("longer than allowed") == true, "\(error as Any)")
    #expect(try Data(contentsOf: URL(filePath: folder + "/telex.sqlite")) == damaged)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!files.contains { $0.contains(".new") || $0.contains("damaged") }, "\(files)")
    #expect(try await readEverything(Store(folder: folder)).articles.count == 600)
  }

  @Test func `A database that cannot be moved stays together with its log`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let path = folder + "/telex.sqlite"
    try await Store(folder: folder).edit {
      try $0.marks.set(.starred(true), of: [ArticleID(1)], now: noon)
    }
    try Data("draft".utf8).write(to: URL(filePath: Replacement.draft(of: path)))
    // Nothing can be renamed to the name of a folder that has something in it.
    let aside = path + ".damaged-1"
    try Data((aside as NSString).lastPathComponent.utf8)
      .write(to: URL(filePath: path + ".replacing"))
    try FileManager.default.createDirectory(
      atPath: aside + "/full", withIntermediateDirectories: true)
    #expect(throws: SourceError.self) { try Replacement.finish(path) }
    let store = try Store(folder: folder)
    #expect(
      try await store.view { try $0.articles.article(ArticleID(1))?.status.isStarred } == true)
    #expect(store.untoldRecovery == nil)
  }

  @Test(arguments: ["id <> 10", "id = 10", "id > 0"])
  func `Words that do not fit their articles are made anew in their place`(
    _ blocks: String
  ) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    // Blocks of the search index that are no such, in pages that are whole.
    try RawDatabase(folder).execute(
      "UPDATE search_data SET block = zeroblob(length(block)) WHERE \(blocks)")
    let store = try Store(folder: folder)
    _ = try await readEverything(store)
    // With what the first look has written itself.
    let (articles, words) = try await readEverything(store)
    #expect(articles.count == 600 && words == 601)
    #expect(store.untoldRecovery == StoreRecovery(outcome: .rebuilt))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!files.contains { $0.contains("damaged") })
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `Damage that nobody has met is found and healed by a repair`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let store = try Store(folder: folder)
    #expect(try await store.repair() == nil)
    try RawDatabase(folder).execute("UPDATE search_data SET block = zeroblob(9) WHERE id <> 10")
    #expect(try await store.repair() == StoreRecovery(outcome: .rebuilt))
    #expect(try await store.repair() == nil)
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `A database that does not fit together after a repair in its place is not kept`()
    async throws
  {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    // The last one who closes it takes the log into the file.
    #expect(try RawDatabase(folder).problems() == [])
    // All rows and indexes are whole; a page belongs to nothing.
    try DatabasePages(folder + "/telex.sqlite").appendUnusedPage()
    let store = try Store(folder: folder)
    #expect(try await store.repair()?.setAside != nil)
    #expect(try await store.repair() == nil)
    #expect(try RawDatabase(folder).problems() == [])
    #expect(try await readEverything(store).articles.count == 600)
  }

  @Test(arguments: ["account", "feed"])
  func `A feed whose account or row is lost keeps its articles, and is not asked by itself`(
    _ table: String
  ) async throws {
    let test = try TestStore()
    let mine = try await test.subscribe("a")
    let service = AccountService(AccountKind(rawValue: "test"), [.pages, .takesMarks])
    let (account, theirs) = try await test.store.edit { edit in
      let account = try edit.accounts.save(service, base: "https://e.org", user: "ada", now: noon)
      let url = "http://example.org/b"
      return (
        account,
        try edit.feeds.subscribe(url: url, of: account, isUserEntered: false, now: noon).feed
      )
    }
    for feed in [mine, theirs] { try await test.merge([entry("1"), entry("2")], into: feed) }
    try await test.store.tidy()
    let file = try DatabasePages(test.folder + "/telex.sqlite")
    let root = try #require(
      Int(
        try RawDatabase(test.folder).strings(
          "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")[0]))
    try file.overwrite(root)

    let again = try Store(folder: test.folder)
    let feeds = try await again.view { try $0.feeds.all() }
    #expect(feeds.map(\.id) == [mine, theirs] && feeds.map(\.counts.total) == [2, 2])
    #expect(feeds[1].state.isGone)
    if table == "account" {
      // The local account is always there; of the other nothing is known.
      #expect(feeds.map(\.account) == [.local, .local] && !feeds[0].state.isGone)
      #expect(feeds[1].state.error?.message.contains("account") == true)
    } else {
      #expect(feeds.map(\.account.id) == [.local, account])
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Feeds of two accounts at one address both stay where their accounts are lost`()
    async throws
  {
    let test = try TestStore()
    let service = AccountService(AccountKind(rawValue: "test"), [.pages, .takesMarks])
    let url = "http://example.org/b"
    let feeds = try await test.store.edit { edit in
      try ["ada", "bob"].map { user in
        let account = try edit.accounts.save(service, base: "https://e.org", user: user, now: noon)
        return try edit.feeds.subscribe(
          url: url, of: account, folders: ["Work"], isUserEntered: false, now: noon
        ).feed
      }
    }
    for feed in feeds { try await test.merge([entry("1"), entry("2")], into: feed) }
    let article = try #require(try await test.articles(feeds[1]).first)
    try await test.store.edit { try $0.marks.set(.starred(true), of: [article.id], now: noon) }
    try await test.store.tidy()
    let file = try DatabasePages(test.folder + "/telex.sqlite")
    let root = try RawDatabase(test.folder).strings(
      "SELECT rootpage FROM sqlite_master WHERE name = 'account'")
    try file.overwrite(try #require(Int(root[0])))

    let again = try Store(folder: test.folder)
    let found = try await again.view { try $0.feeds.all() }
    #expect(found.map(\.id) == feeds && found.map(\.counts.total) == [2, 2])
    #expect(found.map(\.counts.starred) == [0, 1] && found.map(\.folders) == [["Work"], ["Work"]])
    #expect(found[0].account == .local && found[1].account.id != .local)
    #expect(found.map(\.state.isGone) == [true, true])
    let waiting = try await again.view { try $0.outbox.items() }
    #expect(waiting.map(\.account) == [found[1].account.id])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A log that is damaged is read up to there`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    do {
      let store = try Store(folder: folder)
      for index in 0..<4 {
        try await store.edit {
          try $0.marks.set(.read(index % 2 == 0), of: [ArticleID(Int64(index + 1))], now: noon)
        }
      }
    }
    let log = folder + "/telex.sqlite-wal"
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    let handle = try FileHandle(forUpdating: URL(filePath: log))
    try handle.seek(toOffset: UInt64(size - 5_000))
    try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_000))
    try handle.close()
    unlink(folder + "/telex.sqlite-shm")
    let store = try Store(folder: folder)
    let (articles, _) = try await readEverything(store)
    #expect(articles.count == 600)
    #expect(articles.dropFirst(4).allSatisfy(isMarkedRightly))
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `A file that was cut keeps what is in front`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let path = folder + "/telex.sqlite"
    let size = StoreFolder.size(of: path)
    #expect(truncate(path, off_t(size / 2 / 16_384 * 16_384)) == 0)
    let store = try Store(folder: folder)
    let (articles, _) = try await readEverything(store)
    #expect(articles.count == 600 && articles.allSatisfy(isMarkedRightly))
    #expect(try await store.view { try $0.feeds.all().count } == 2)
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `Another reader follows to the new file, and no mark stays behind in the old one`()
    async throws
  {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let other = try Store(folder: folder)
    #expect(try await other.view { try $0.articles.counts().total } == 600)
    let file = try DatabasePages(folder + "/telex.sqlite")
    let raw = try RawDatabase(folder)
    let root = try #require(
      Int(try raw.strings("SELECT rootpage FROM sqlite_master WHERE name = 'articleBody'")[0]))
    let page = try #require(file.pages(from: root).last { $0.kind == .leaf })
    try file.overwrite(page.number)
    let store = try Store(folder: folder)
    _ = try await readEverything(store)
    #expect(store.untoldRecovery?.setAside != nil)
    try await other.edit { try $0.marks.set(.read(true), of: [ArticleID(1)], now: noon) }
    #expect(other.untoldRecovery?.outcome == .followed)
    #expect(
      try await store.view { try $0.articles.article(ArticleID(1))?.status.isRead } == true)
    #expect(try RawDatabase(folder).problems() == [])
  }

  @Test func `A file that is replaced inside a transaction takes nothing of it`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    let aside = test.folder + "/elsewhere"
    try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.moveItem(
        atPath: test.folder + "/telex.sqlite" + suffix, toPath: aside + "/telex.sqlite" + suffix)
    }
    _ = try Store(folder: test.folder)
    // As in a process that was about to write.
    try await test.store.edit { try $0.feeds.subscribe(url: "new", isUserEntered: true, now: noon) }
    #expect(try RawDatabase(test.folder).strings("SELECT url FROM feed") == ["new"])
    #expect(try RawDatabase(aside).strings("SELECT url FROM feed") == ["http://example.org/a"])
  }

  @Test func `A store that is taken away is an error, and is not made anew`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inner = folder + "/store"
    let store = try Store(folder: inner)
    try await store.edit { try $0.feeds.subscribe(url: "a", isUserEntered: true, now: noon) }
    try FileManager.default.moveItem(atPath: inner, toPath: folder + "/away")
    let marking = await #expect(throws: SourceError.self) {
      try await store.edit { try $0.feeds.subscribe(url: "b", isUserEntered: true, now: noon) }
    }
    #expect(marking?.message.contains("no longer there") == true)
    await #expect(throws: SourceError.self) { try await store.view { try $0.feeds.all() } }
    #expect(throws: SourceError.self) { try store.viewNow { try $0.feeds.all() } }
    #expect(!FileManager.default.fileExists(atPath: inner))
    // Put back, it goes on.
    try FileManager.default.moveItem(atPath: folder + "/away", toPath: inner)
    #expect(try await store.view { try $0.feeds.all().map(\.url) } == ["a"])
  }

  @Test func `An empty file is told`() async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(filePath: folder + "/telex.sqlite"))
    let store = try Store(folder: folder)
    #expect(store.untoldRecovery == StoreRecovery(outcome: .empty))
    #expect(try await store.view { try $0.feeds.all() } == [])
  }

  @Test(arguments: ["delete", "wal"])
  func `A database of another program is refused and not touched`(_ mode: String) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/telex.sqlite"
    do {
      let raw = try RawDatabase(folder)
      try raw.set(mode: mode)
      try raw.execute("CREATE TABLE feed (name TEXT)")
      try raw.execute("PRAGMA user_version = 42")
    }
    let before = try Data(contentsOf: URL(filePath: path))
    let error = try #require(throws: SourceError.self) { try Store(folder: folder) }
    #expect(error.message.contains("another program"), "\(error)")
    // A log is moved into its file by whoever closes it.
    if mode == "delete" { #expect(try Data(contentsOf: URL(filePath: path)) == before) }
    #expect(try RawDatabase(folder).strings("PRAGMA user_version") == ["42"])
    #expect(try RawDatabase(folder).strings("SELECT name FROM sqlite_master") == ["feed"])
  }

  /// A kill at each step of putting the new file in the old one's place.
  @Test(arguments: 0...4)
  func `A replacement that was cut off is finished, or begun anew`(_ step: Int) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await makeStore(in: folder)
    let path = folder + "/telex.sqlite"
    let other = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: other) }
    let draft = try Store(folder: other)
    try await draft.edit { try $0.feeds.subscribe(url: "carried", isUserEntered: true, now: noon) }
    try await draft.tidy()
    try FileManager.default.copyItem(
      atPath: other + "/telex.sqlite", toPath: Replacement.draft(of: path))
    let name = "telex.sqlite.damaged-1"
    if step >= 1 { try Data(name.utf8).write(to: URL(filePath: path + ".replacing")) }
    for suffix in ["-shm", "-wal", ""].prefix(max(0, step - 1)) {
      try FileManager.default.moveItem(
        atPath: path + suffix, toPath: folder + "/" + name + suffix)
    }
    let store = try Store(folder: folder)
    let feeds = try await store.view { try $0.feeds.all().map(\.url) }
    // Without the note the draft may be anything.
    #expect(step == 0 ? feeds.count == 2 : feeds == ["carried"])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains(name) == (step > 0))
    #expect(!files.contains { $0.hasSuffix(".new") || $0.hasSuffix(".replacing") })
    #expect(try RawDatabase(folder).problems() == [])
  }
}

/// The pages of a database file, as SQLite's document on its file format has them.
struct DatabasePages {
  enum Kind { case interior, leaf }

  private let path: String
  private let bytes: Data
  private let size: Int

  init(_ path: String) throws {
    self.path = path
    bytes = try Data(contentsOf: URL(filePath: path))
    size = Int(bytes[16]) << 8 | Int(bytes[17])
  }

  /// The pages of the tree below a root, each after those before it; the root first.
  func pages(from root: Int) -> [(number: Int, kind: Kind)] {
    let start = (root - 1) * size + (root == 1 ? 100 : 0)
    guard [0x02, 0x05].contains(bytes[start]) else { return [(root, .leaf)] }
    var children: [Int] = []
    for cell in 0..<number(start + 3, 2) {
      children.append(number((root - 1) * size + number(start + 12 + 2 * cell, 2), 4))
    }
    children.append(number(start + 8, 4))
    return [(root, .interior)] + children.flatMap { pages(from: $0) }
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Adds a page that neither a table, an index nor the list of free pages names.
  func appendUnusedPage() throws {
    var bytes = bytes
    let pages = number(28, 4) + 1
    bytes.replaceSubrange(28..<32, with: (0..<4).map { UInt8(pages >> (24 - 8 * $0) & 0xFF) })
    try (bytes + Data(count: size)).write(to: URL(filePath: path))
  }

  /// Fills a page, or some bytes of it, with what means nothing.
  func overwrite(_ page: Int, bytes: Range<Int>? = nil) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    let bytes = bytes ?? 0..<size
    try file.seek(toOffset: UInt64((page - 1) * size + bytes.lowerBound))
    try file.write(contentsOf: Data(repeating: 0xA5, count: bytes.count))
    try file.close()
  }
}
