internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

@Suite struct OpeningTests {
  @Test func `An empty folder becomes a store, and opening it again changes nothing`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("one")], into: feed)
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    let tables = try raw.strings("SELECT sql FROM sqlite_master ORDER BY name")
    #expect(tables.count > 20)

    let again = try Store(folder: test.folder)
    #expect(again.untoldRecovery == nil)
    #expect(try await again.view { try $0.counts().total } == 1)
    #expect(try raw.strings("SELECT sql FROM sqlite_master ORDER BY name") == tables)
    #expect(try raw.problems() == [])
  }

  @Test func `A migration that a kill cut off before its version was noted is taken up again`()
    async throws
  {
    let test = try TestStore()
    try await test.subscribe()
    try RawDatabase(test.folder).execute("PRAGMA user_version = 0")
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.feeds().count } == 1)
    #expect(try RawDatabase(test.folder).strings("PRAGMA user_version") == ["\(Schema.version)"])
  }

  @Test func `A store of the first schema keeps all it has`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("one")], into: feed)
    let raw = try RawDatabase(test.folder)
    try raw.takeBack(toSchema: 1)
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.counts().total } == 1)
    let state = try #require(try await again.view { try $0.feed(feed) }).state
    #expect(state.exchange == nil && state.failing == nil && state.lastSuccess != nil)
    #expect(try raw.problems() == [])
  }

  @Test func `A store of the fourth schema keeps its feeds and folders, and learns of them`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let page = PreparedPage(
      Page(
        description: FeedDescription(
          format: .rss, title: "Before", link: "https://example.org/", description: "Of before"),
        entries: [entry("one")]))
    try await test.store.edit { edit in
      try edit.merge(page, into: feed, at: .newest, now: noon)
      try edit.keepOutline([OutlineAttribute("a", value: "1")], ofFolder: "Work")
    }
    let raw = try RawDatabase(test.folder)
    try raw.takeBack(toSchema: 4)

    var told: [Int] = []
    let again = try Store(folder: test.folder) { told.append($0) }
    _ = try Store(folder: test.folder) { told.append($0) }
    #expect(told == [1])
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    let (before, folders) = try await again.view {
      (try #require(try $0.feed(feed)), try $0.folderOutlines())
    }
    #expect(before.title == "Before" && before.link == "https://example.org/")
    #expect(before.description == "Of before" && before.details == FeedDetails())
    #expect(before.counts.total == 1)
    #expect(folders.map(\.path) == ["Work"] && folders.map(\.isKept) == [false])
    #expect(folders.map(\.attributes) == [[OutlineAttribute("a", value: "1")]])
    let details = FeedDetails(image: "https://example.org/i.png", authors: [Author("Ada")])
    let next = PreparedPage(
      Page(
        description: FeedDescription(
          format: .rss, image: details.image, authors: details.authors)))
    try await again.edit { edit in
      try edit.merge(next, into: feed, at: .newest, now: noon)
      try edit.keepOutline([], ofFolder: "Work", isKept: true)
      try edit.keepOutline([], ofFolder: "Empty", isKept: true)
    }
    let (after, kept) = try await again.view {
      (try #require(try $0.feed(feed)), try $0.folderOutlines())
    }
    #expect(after.title == "Before" && after.details == details)
    #expect(kept.map(\.path) == ["Empty", "Work"] && kept.allSatisfy(\.isKept))
    #expect(kept.map(\.attributes.count) == [0, 1])
    #expect(try raw.problems() == [])
  }

  @Test(arguments: 1...5)
  func `What is made of the stored articles is made anew`(_ schema: Int) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try await test.subscribe("b")
    var first = entry("one", content: "<p>first &check; words</p>")
    first.url = "https://example.org/a?at_medium=RSS#xtor=1"
    try await test.merge([first, entry("two", content: "<p>second</p>")], into: feed)
    try await test.merge([first], into: other)
    let raw = try RawDatabase(test.folder)
    let stored = """
      SELECT article.id, linkKey, duplicateOf FROM article JOIN articleStatus ON articleID = id
      ORDER BY id
      """
    let (rows, objects) = (try raw.strings(stored), try raw.strings(RawDatabase.objects))
    #expect(rows.map { $0.hasSuffix("-") } == [true, true, false])
    // As another way of taking links and texts would have left it.
    try raw.execute("UPDATE article SET linkKey = id * 7")
    try raw.execute("INSERT INTO search (search) VALUES ('delete-all')")
    try raw.execute(
      """
      INSERT INTO search (rowid, title, authors, text)
        SELECT id, title, authors, 'former' FROM indexedArticle
      """)
    #expect(try raw.problems() != [])
    try raw.takeBack(toSchema: schema)

    let again = try Store(folder: test.folder)
    try await again.completeIndex()
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    #expect(try raw.problems() == [])
    #expect(try raw.strings(RawDatabase.objects) == objects)
    // Which articles are duplicates is no longer known where their links were not.
    func keys(_ rows: [String]) -> [[Substring]] {
      rows.map { $0.split(separator: "|").dropLast() }
    }
    #expect(keys(try raw.strings(stored)) == keys(rows))
    for (word, count) in [("former", 0), ("first", 2), ("second", 1), ("words", 2)] {
      let query = TimelineQuery(.search(word))
      #expect(try await again.view { try $0.slice(query).rows.count } == count, "\(word)")
    }
    let changed = PreparedPage(Page(entries: [entry("two", content: "<p>third</p>")]))
    try await again.edit { try $0.merge(changed, into: feed, at: .newest, now: noon) }
    #expect(try raw.problems() == [])
  }

  @Test(arguments: [4, 5])
  func `What stands behind an article that is none with it is seen again`(
    _ schema: Int
  ) async throws {
    let test = try TestStore()
    var feeds: [FeedID] = []
    for name in ["a", "b", "c", "d"] { feeds.append(try await test.subscribe(name)) }
    func article(_ id: String, _ url: String?) -> Entry {
      var new = entry(id, title: "A", at: -50)
      new.url = url
      return new
    }
    let page = "https://example.org/a"
    try await test.merge([article("1", page)], into: feeds[0])
    try await test.merge([article("2", page)], into: feeds[1])
    try await test.merge(
      [article("5", nil), article("4", page + "#1"), article("3", page)], into: feeds[2])
    try await test.merge([article("7", page + "#2"), article("6", page)], into: feeds[3])
    let raw = try RawDatabase(test.folder)
    // All behind the first: two feeds have several there, with other links or none.
    try raw.execute("UPDATE articleStatus SET duplicateOf = (SELECT min(id) FROM article)")
    try raw.execute("UPDATE articleStatus SET duplicateOf = NULL WHERE articleID = duplicateOf")
    // One of its own feed, and two of one with its link.
    try raw.execute("UPDATE article SET url = '\(page)' WHERE entryID = '4'")
    try raw.execute("UPDATE article SET feedID = 1 WHERE entryID = '2'")
    try raw.execute("UPDATE articleStatus SET feedID = 1 WHERE articleID = 2")
    try raw.execute("UPDATE feedCount SET total = 2 - feedID % 2, unread = 2 - feedID % 2")
    try raw.takeBack(toSchema: schema)
    _ = try Store(folder: test.folder)
    let copies = try raw.strings(
      """
      SELECT entryID FROM article JOIN articleStatus ON articleID = id
      WHERE duplicateOf IS NOT NULL ORDER BY entryID
      """)
    #expect(copies == ["3", "6"])
  }

  /// A database that was used while the health of feeds was new has no place for the last event.
  @Test func `A column that the second schema began without is added`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let raw = try RawDatabase(test.folder)
    try raw.takeBack(toSchema: 5)
    try raw.execute("ALTER TABLE feedState DROP COLUMN liveEventID")
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.feed(feed) } != nil)
    #expect(try raw.strings("SELECT liveEventID FROM feedState") == ["-"])
  }

  @Test func `When the first of a former schema goes, the second stands for the others`()
    async throws
  {
    let test = try TestStore()
    var feeds: [FeedID] = []
    for name in ["a", "b", "c"] { feeds.append(try await test.subscribe(name)) }
    var shared = entry("one")
    shared.url = "https://example.org/a"
    for feed in feeds { try await test.merge([shared], into: feed) }
    let raw = try RawDatabase(test.folder)
    try raw.takeBack(toSchema: 5)
    let again = try Store(folder: test.folder)
    let gone = feeds[0]
    try await again.edit { try $0.unsubscribe(gone) }
    #expect(
      try raw.strings("SELECT articleID, duplicateOf FROM articleStatus ORDER BY articleID")
        == ["2|-", "3|2"])
  }

  @Test func `A database of a newer Telex is refused, not touched`() throws {
    let test = try TestStore()
    try RawDatabase(test.folder).execute("PRAGMA user_version = 99")
    let error = try #require(throws: SourceError.self) { try Store(folder: test.folder) }
    #expect(error.kind == .store)
    #expect(error.message.contains("99"))
    #expect(error.next != nil)
    #expect(try RawDatabase(test.folder).strings("PRAGMA user_version") == ["99"])
  }

  @Test func `Tidying cuts the log, and leaves the version of a newer Telex as it is`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge((0..<200).map { entry("\($0)", content: "text \($0)") }, into: feed)
    let raw = try RawDatabase(test.folder)
    try raw.execute("PRAGMA user_version = 99")
    try await test.store.tidy()
    #expect(try raw.strings("PRAGMA user_version") == ["99"])
    let log = try FileManager.default.attributesOfItem(atPath: test.folder + "/telex.sqlite-wal")
    let size = try #require(log[.size] as? Int)
    #expect(size > 0 && size < 64 << 10)
    #expect(try await test.store.view { try $0.counts().total } == 200)
  }

  @Test func `Tidying waits for nobody`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try Store(folder: test.folder)
    // A reader in the middle of something, for as long as the tidying and a mark take.
    try await test.merge([entry("a")], into: feed)
    let isReading = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    // On a thread of its own: waiting must not take one from the tasks.
    let reading = Thread {
      try? other.viewNow { view in
        _ = try view.counts()
        isReading.signal()
        isDone.wait()
      }
    }
    reading.start()
    try await withCheckedThrowingContinuation { (begun: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        isReading.wait()
        begun.resume()
      }
    }
    _ = try await test.store.edit { try $0.subscribe(url: "c", isUserEntered: true, now: noon) }
    try await test.store.tidy()
    _ = try await test.store.edit { try $0.subscribe(url: "d", isUserEntered: true, now: noon) }
    isDone.signal()
    #expect(try await test.store.view { try $0.feeds().count } == 3)
  }

  @Test(arguments: ["This is no database, and it is longer than a header of SQLite is: 100 bytes. "]
  )
  func `A damaged file is set aside and a new one is begun`(text: String) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = Data(String(repeating: text, count: 20).utf8)
    try bytes.write(to: URL(filePath: folder + "/telex.sqlite"))
    let store = try Store(folder: folder)
    let setAside = try #require(store.untoldRecovery?.setAside)
    #expect(try Data(contentsOf: URL(filePath: setAside)) == bytes)
    #expect(try await store.view { try $0.feeds() } == [])

    // A second damage does not overwrite what the first has saved.
    let other = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: other) }
    try bytes.write(to: URL(filePath: other + "/telex.sqlite"))
    let (first, time) = (Data("saved".utf8), Int(Date().timeIntervalSince1970))
    // Whatever second of the next minute it gets its name from.
    let taken = (time...time + 60).map { URL(filePath: other + "/telex.sqlite.damaged-\($0)") }
    for file in taken { try first.write(to: file) }
    let second = try #require(try Store(folder: other).untoldRecovery?.setAside)
    #expect(try Data(contentsOf: URL(filePath: second)) == bytes)
    #expect(try taken.allSatisfy { try Data(contentsOf: $0) == first })
  }

  @Test func `A torn schema page is damage as well`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      let store = try Store(folder: folder)
      #expect(store.untoldRecovery == nil)
    }
    let path = folder + "/telex.sqlite"
    var bytes = try Data(contentsOf: URL(filePath: path))
    for index in 100..<min(bytes.count, 4096) { bytes[index] = 0xA5 }
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try bytes.write(to: URL(filePath: path))
    #expect(try Store(folder: folder).untoldRecovery?.setAside != nil)
  }

  @Test func `The folder is the user's alone, and so are its files`() async throws {
    let parent = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let folder = parent + "/inner/telex"
    let store = try Store(folder: folder)
    try await store.edit {
      try $0.subscribe(url: "http://example.org", isUserEntered: true, now: noon)
    }
    func permissions(_ path: String) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(try permissions(folder) == 0o700)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(
      files == ["telex.sqlite", "telex.sqlite-shm", "telex.sqlite-wal", "telex.sqlite.schema"])
    for file in files { #expect(try permissions(folder + "/" + file) == 0o600, "\(file)") }
    #expect(store.bytesOnDisk > 4096)
  }

  @Test func `A folder that cannot be made says so`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data().write(to: URL(filePath: folder + "/file"))
    let error = try #require(throws: SourceError.self) { try Store(folder: folder + "/file/x") }
    #expect(error.kind == .store)
    #expect(error.next?.contains("--store") == true)
  }
}

extension RawDatabase {
  fileprivate static let objects = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"

  /// To a schema in which an address is a feed and an origin an account.
  private static let withoutAccounts = [
    """
    CREATE TABLE formerFeed (
      id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE, title TEXT, ownTitle TEXT,
      link TEXT, description TEXT, language TEXT, format TEXT, isTyped INTEGER NOT NULL,
      addedAt INTEGER NOT NULL, outline TEXT, image TEXT, icon TEXT, authors TEXT, rights TEXT,
      movedTo TEXT, signIn TEXT, proxy TEXT)
    """,
    """
    INSERT INTO formerFeed SELECT id, url, title, ownTitle, link, description, language, format,
      isTyped, addedAt, outline, image, icon, authors, rights, movedTo, signIn, proxy FROM feed
    """,
    "DROP TABLE feed", "ALTER TABLE formerFeed RENAME TO feed",
    """
    CREATE TRIGGER signInRemoved AFTER DELETE ON feed WHEN OLD.signIn IS NOT NULL BEGIN
      INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
    END
    """,
    """
    CREATE TRIGGER signInReplaced AFTER UPDATE OF signIn ON feed
      WHEN OLD.signIn IS NOT NULL AND OLD.signIn IS NOT NEW.signIn
    BEGIN
      INSERT OR IGNORE INTO discardedSignIn (signIn) VALUES (OLD.signIn);
    END
    """,
    "ALTER TABLE feedFolder DROP COLUMN account",
    """
    CREATE TABLE formerOutline (folder TEXT PRIMARY KEY, outline TEXT NOT NULL,
      isKept INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID
    """,
    "INSERT INTO formerOutline SELECT folder, outline, isKept FROM folderOutline",
    "DROP TABLE folderOutline", "ALTER TABLE formerOutline RENAME TO folderOutline",
    "ALTER TABLE outbox DROP COLUMN account",
    """
    CREATE TABLE formerAccount (origin TEXT PRIMARY KEY, kind TEXT NOT NULL, user TEXT NOT NULL,
      detail TEXT, createdAt INTEGER NOT NULL, takesMarks INTEGER NOT NULL DEFAULT 0)
    """,
    "INSERT INTO formerAccount SELECT origin, kind, user, detail, createdAt, 0 FROM signIn",
    "DROP TABLE signIn", "DROP TABLE account", "ALTER TABLE formerAccount RENAME TO account",
  ]

  /// Makes of a database of the present schema one as an earlier one first was.
  fileprivate func takeBack(toSchema schema: Int) throws {
    let steps: [(from: Int, statements: [String])] = [
      (
        28,
        [
          "ALTER TABLE conversation DROP COLUMN etag",
          "ALTER TABLE conversation DROP COLUMN lastModified",
          "ALTER TABLE conversation DROP COLUMN bodyDigest",
        ]
      ),
      (
        27,
        [
          "DROP TRIGGER titleChanged", "DROP TABLE titleKey", "DROP TABLE titleOrder",
        ]
      ),
      (
        26,
        [
          "DROP TABLE comment", "DROP TABLE conversation", "ALTER TABLE outbox DROP COLUMN parent",
        ]
      ),
      (
        25,
        [
          "DROP TABLE storyKey", "DROP TRIGGER storyBeginningDeleted", "DROP INDEX statusStory",
          "DROP INDEX statusStoryUnread",
          "ALTER TABLE articleStatus DROP COLUMN storyOf",
        ]
      ),
      (
        24,
        [
          "DROP TABLE fullText", "DROP VIEW indexedArticle",
          """
          CREATE VIEW indexedArticle AS
            SELECT article.id AS id, indexedText(article.title) AS title,
              indexedText(authorNames(article.authors)) AS authors,
              indexedText(articleText(articleBody.content, articleBody.summary)) AS text
            FROM article JOIN articleBody ON articleBody.articleID = article.id
          """,
        ]
      ),
      (
        23,
        [
          "DROP TABLE search", "DROP VIEW indexedArticle", "DROP TABLE unindexed",
          """
          CREATE VIRTUAL TABLE search USING fts5(
            title, text, content = 'searchSource', content_rowid = 'id', columnsize = 0,
            tokenize = "unicode61 remove_diacritics 2")
          """, "INSERT INTO search (search) VALUES ('rebuild')",
        ]
      ),
      (
        22,
        [
          "DROP INDEX statusByScore", "DROP TABLE formerText",
          "ALTER TABLE articleStatus DROP COLUMN score",
          "ALTER TABLE articleStatus DROP COLUMN isChanged",
        ]
      ),
      (
        21,
        [
          "ALTER TABLE feed DROP COLUMN settings", "DROP TABLE removedRow", "DROP TABLE removal",
          "DROP INDEX userActionUndone",
        ]
          + ["feedID", "subject", "detail", "isUndone"].map {
            "ALTER TABLE userAction DROP COLUMN \($0)"
          } + ["ALTER TABLE userAction RENAME TO readBatch"]
      ),
      (
        20,
        [
          "DROP TRIGGER bodyInserted", "DROP TRIGGER bodyUpdated", "DROP INDEX articleArrival",
          "DROP TABLE articleFeature", "DROP TABLE smartFeed", "DROP TABLE moment",
          "DROP TABLE playQueue", "DROP TABLE tombstone", "DROP TABLE rule",
        ]
      ),
      (19, ["DROP TABLE playback"]),
      (
        18,
        ["ALTER TABLE feed DROP COLUMN recipe", "ALTER TABLE feedState DROP COLUMN remark"]
      ),
      (17, ["ALTER TABLE feed DROP COLUMN adoptsUpTo"]),
      (16, ["register", "logPosition", "ownLog"].map { "DROP TABLE \($0)" }),
      (
        15,
        ["kind", "value", "articleID"].map { "ALTER TABLE readBatch DROP COLUMN \($0)" }
      ),
      (
        14,
        [
          "isSignedOut", "needsSignIn", "failures", "nextAttempt", "fullWalkAt", "unreadThere",
          "warning",
        ]
        .map { "ALTER TABLE account DROP COLUMN \($0)" }
          + [
            "DROP INDEX statusByBatch", "ALTER TABLE feed DROP COLUMN missingSince",
            "ALTER TABLE outbox DROP COLUMN feedID",
          ]
      ),
      (
        13,
        [
          "DROP TABLE item", "DROP INDEX outboxByArticle", "DROP INDEX outboxByBatch",
          "ALTER TABLE feed DROP COLUMN remoteID",
        ]
          + ["state", "walk", "repeats"].map { "ALTER TABLE outbox DROP COLUMN \($0)" }
          + [
            "walk", "walkedUpTo", "lastAttempt", "lastSuccess", "error", "claimant",
            "claimedUntil", "dialect",
          ].map { "ALTER TABLE account DROP COLUMN \($0)" }
      ),
      (12, ["DROP TABLE articleTag", "DROP TABLE tag"]),
      (11, Self.withoutAccounts),
      (10, ["ALTER TABLE articleBody RENAME COLUMN details TO attachments"]),
      (9, ["ALTER TABLE account DROP COLUMN takesMarks"]),
      (8, ["ALTER TABLE feed DROP COLUMN proxy"]),
      (
        7,
        [
          "DROP TRIGGER signInRemoved", "DROP TRIGGER signInReplaced",
          "DROP TABLE discardedSignIn", "DROP TABLE upkeep", "ALTER TABLE feed DROP COLUMN signIn",
        ]
      ),
      (
        6,
        [
          "DROP TRIGGER originalDeleted", "DROP INDEX articleLink",
          "CREATE INDEX articleLink ON article(linkKey) WHERE linkKey IS NOT NULL",
          """
          CREATE TRIGGER originalDeleted AFTER DELETE ON articleStatus BEGIN
            UPDATE articleStatus SET duplicateOf = NULL WHERE duplicateOf = OLD.articleID;
          END
          """,
        ]
      ),
      (
        5,
        ["image", "icon", "authors", "rights", "movedTo"].map {
          "ALTER TABLE feed DROP COLUMN \($0)"
        }
          + ["ALTER TABLE folderOutline DROP COLUMN isKept"]
      ),
      (
        4,
        ["TRIGGER originalDeleted", "INDEX articleLink", "INDEX statusDuplicate"].map {
          "DROP \($0)"
        }
          + [
            "ALTER TABLE article DROP COLUMN linkKey",
            "ALTER TABLE articleStatus DROP COLUMN duplicateOf",
          ]
      ),
      (3, ["ALTER TABLE feed DROP COLUMN outline", "DROP TABLE folderOutline"]),
      (
        2,
        [
          "lastStatus", "lastAttempts", "redirectedTo", "failingSince", "failures", "liveEventID",
        ].map { "ALTER TABLE feedState DROP COLUMN \($0)" }
          + ["text", "error"].map { "ALTER TABLE outbox DROP COLUMN \($0)" }
          + ["DROP TABLE account"]
      ),
    ]
    // What refers to feeds stays while these are written anew.
    try setForeignKeys(false)
    for step in steps where step.from > schema {
      for statement in step.statements { try execute(statement) }
    }
    try setForeignKeys(true)
    try execute("DELETE FROM grdb_migrations WHERE CAST(identifier AS INTEGER) > \(schema)")
    try execute("PRAGMA user_version = \(schema)")
  }
}
