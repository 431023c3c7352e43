internal import Foundation
internal import GRDB
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Store

/// The time of every test: a whole number of seconds, so that it survives the database.
let noon = Date(timeIntervalSince1970: 1_700_000_000)

/// An empty store in a folder of its own, gone when the test is over.
struct TestStore: ~Copyable {
  let folder: String
  let store: Store

  init() throws {
    let folder = try temporaryFolder()
    store = try Store(folder: folder)
    self.folder = folder
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @discardableResult
  func subscribe(_ name: String = "a", folders: [String] = []) async throws -> FeedID {
    try await store.edit {
      try $0.feeds.subscribe(
        url: "http://example.org/\(name)", folders: folders, isUserEntered: true, now: noon
      ).feed
    }
  }

  @discardableResult
  func merge(
    _ entries: [Entry], next: String? = nil, into feed: FeedID, at place: PagePlace = .newest,
    now: Date = noon
  ) async throws -> MergeResult {
    let page = PreparedPage(Page(entries: entries, nextCursor: next.map { News.Cursor($0) }))
    return try await store.edit { try $0.articles.merge(page, into: feed, at: place, now: now) }
  }

  /// Makes the feeds at an origin those of an account that takes marks.
  @discardableResult
  func takeMarks(of origin: String) async throws -> AccountID {
    try await account(at: origin, [.pages, .takesMarks])
  }

  /// Makes the feeds at an origin those of an account.
  @discardableResult
  func account(
    at origin: String, user: String = "taker", _ capabilities: AccountCapabilities
  ) async throws -> AccountID {
    let service = AccountService(AccountKind(rawValue: "test"), capabilities)
    return try await store.edit { edit in
      let account = try edit.accounts.save(service, base: origin, user: user, now: noon)
      for feed in try edit.view.feeds.all() where WebAddress.isAt(feed.url, origin: origin) {
        try edit.accounts.move(feed.id, into: account, now: noon)
      }
      return account
    }
  }

  /// All articles of a feed as it shows them.
  func articles(_ feed: FeedID) async throws -> [Article] {
    try await store.view { view in
      var articles: [Article] = []
      try view.articles.forEach(of: feed) { articles.append($0) }
      return articles
    }
  }

  func titles(_ feed: FeedID) async throws -> [String] {
    try await articles(feed).map { $0.entry.title ?? "" }
  }

  func rows(_ query: TimelineQuery) async throws -> [TimelineRow] {
    try await store.view { try $0.timeline.slice(query).rows }
  }

  func gaps(_ feed: FeedID) async throws -> [Gap] {
    try await rows(TimelineQuery(.feed(feed), olderCount: 10_000)).compactMap {
      if case .gap(let gap) = $0 { gap } else { nil }
    }
  }
}

/// A connection past the store, to see what SQLite itself says.
struct RawDatabase {
  let queue: DatabaseQueue

  init(_ folder: String, checksForeignKeys: Bool = true) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = checksForeignKeys
    configuration.busyMode = .timeout(10)
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase {
      for function in DatabaseFunction.ofStore { $0.add(function: function) }
    }
    queue = try DatabaseQueue(path: folder + "/telex.sqlite", configuration: configuration)
  }

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try queue.write { try $0.execute(sql: sql, arguments: arguments) }
  }

  /// Runs the body while a transaction is open that has changed something, and commits it then.
  func whileWriting(
    _ sql: String, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE; " + sql)
    }
    try await body()
    try await queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
  }

  func setForeignKeys(_ areChecked: Bool) throws {
    try queue.inDatabase { try $0.execute(sql: "PRAGMA foreign_keys = \(areChecked)") }
  }

  func set(mode: String) throws {
    try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
  }

  func strings(_ sql: String) throws -> [String] {
    try queue.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { value in
          String.fromDatabaseValue(value) ?? Int64.fromDatabaseValue(value).map { "\($0)" } ?? "-"
        }.joined(separator: "|")
      }
    }
  }

  /// What is wrong with the database; empty when it is whole, its index and its counts included.
  func problems() throws -> [String] {
    var problems = try strings("PRAGMA integrity_check").filter { $0 != "ok" }
    problems += try strings("PRAGMA foreign_key_check")
    problems += try strings(
      """
      SELECT feed.id, 'counted', total, unread, starred FROM feed
        LEFT JOIN feedCount ON feedCount.feedID = feed.id
      WHERE total IS NOT (SELECT count(*) FROM articleStatus WHERE feedID = feed.id)
        OR unread IS NOT (SELECT count(*) FROM articleStatus WHERE feedID = feed.id AND isRead = 0)
        OR starred IS NOT
          (SELECT count(*) FROM articleStatus WHERE feedID = feed.id AND isStarred = 1)
      """)
    do {
      // What it lacks on purpose is compared with nothing.
      let isWhole = try strings(
        """
        SELECT 1 FROM sqlite_master WHERE name = 'unindexed'
          AND EXISTS (SELECT 1 FROM unindexed)
        """
      ).isEmpty
      try execute(
        "INSERT INTO search (search, rank) VALUES ('integrity-check', \(isWhole ? 1 : 0))")
    } catch {
      problems.append("the index: \(error)")
    }
    return problems
  }
}

func entry(
  _ id: String, title: String? = nil, at seconds: Int? = nil, updated: Int? = nil,
  content: String? = nil
) -> Entry {
  Entry(
    id: id, title: title ?? id, published: seconds.map { noon + Double($0) },
    updated: updated.map { noon + Double($0) }, contentHTML: content)
}

/// One with an address, and with a file if one is named.
func linked(
  _ id: String, _ url: String?, title: String? = nil, at seconds: Int? = nil,
  updated: Int? = nil, content: String? = nil, file: String? = nil, type: String = "audio/mpeg"
) -> Entry {
  var new = entry(id, title: title, at: seconds, updated: updated, content: content)
  new.url = url
  if let file { new.enclosures = [Enclosure(url: file, type: type)] }
  return new
}

extension Date {
  static func + (date: Date, seconds: Int) -> Date { date.addingTimeInterval(Double(seconds)) }
}

extension StoreEdit {
  /// Takes back what was done last.
  ///
  /// - Returns: how many articles or feeds have changed.
  func undone(now: Date) throws -> Int { try journal.undo(now: now)?.count ?? 0 }
}
