internal import ChildProcess
internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Stores that the program itself has written at each earlier schema (`Fixtures/stores`), brought to
/// the current one.
@Suite struct MigrationTests {
  @Test(arguments: FormerStore.schemas)
  func `A former store keeps feeds, marks, gaps, accounts and what is to be sent`(
    _ schema: Int
  ) async throws {
    let former = try FormerStore(schema)
    let before = try former.contents()
    let store = try Store(folder: former.folder)
    #expect(store.untoldRecovery == nil)
    let raw = try RawDatabase(former.folder)
    #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
    #expect(try former.contents() == before)
    #expect(try raw.problems() == [])
    // As a new store: no step is left out on the way.
    let fresh = try TestStore()
    let objects = "SELECT type, name FROM sqlite_master WHERE name <> 'sqlite_stat1' ORDER BY 1, 2"
    #expect(try raw.strings(objects) == (try RawDatabase(fresh.folder).strings(objects)))
    let columns = """
      SELECT sqlite_master.name, column.name, column.type, column.dflt_value
      FROM sqlite_master, pragma_table_info(sqlite_master.name) AS column
      WHERE sqlite_master.type = 'table' AND sqlite_master.name <> 'sqlite_stat1' ORDER BY 1, 2
      """
    #expect(try raw.strings(columns) == (try RawDatabase(fresh.folder).strings(columns)))
    // And it can be read and written as any other.
    let feeds = try await store.view { try $0.feeds() }
    #expect(feeds.map(\.displayTitle) == ["My One", "Two", "Gone", "The Lamplight Review"])
    #expect(feeds.map(\.folders) == [["News"], ["News/Deep"], [], ["Work"]])
    #expect(feeds[2].state.isGone)
    let accounts = try await store.view { try $0.accounts() }
    #expect(accounts.map(\.user) == (schema == 1 ? ["", ""] : ["", "demo"]))
    #expect(feeds.map(\.account) == [.local, .local, .local, accounts[1]])
    #expect(accounts[1].base == feeds[3].url && accounts[1].service == feedAPI)
    let outbox = try await store.view { try $0.outbox() }
    #expect(outbox.map(\.change.isMark) == (schema == 1 ? [] : [false]))
    let rows = try await store.view {
      try $0.slice(TimelineQuery(.feed(feeds[0].id), olderCount: 100)).rows
    }
    #expect(rows.contains { if case .gap = $0 { true } else { false } })
    // The index was made anew with schema 23.
    #expect(try await store.view { try $0.indexProgress() } != nil || schema >= 23)
    try await store.completeIndex()
    let found = try await store.view { try $0.slice(TimelineQuery(.search("naive cafe"))).rows }
    #expect(found.count == 17)
    // What was marked by numbers after all of a list is a step of its own since schema 21.
    let undone = try await store.edit { edit in
      try (0..<(schema < 21 ? 1 : 2)).reduce(0) { count, _ in try count + edit.undone(now: noon) }
    }
    #expect(undone > 20)
    #expect(try raw.problems() == [])
  }

  /// The kernel ends the process at a write: in the first page of the log, in each later one, and
  /// where the log is moved into the database.
  @Test(arguments: FormerStore.schemas)
  func `A migration that is killed at any of its writes is made by the next start`(
    _ schema: Int
  ) async throws {
    let whole = try FormerStore(schema)
    let before = try whole.contents()
    _ = try Store(folder: whole.folder)
    let log = StoreFolder.size(of: whole.folder + "/telex.sqlite-wal")
    let database = StoreFolder.size(of: whole.folder + "/telex.sqlite")
    var kills = 0
    // The log's index takes the first 64 kB.
    for bytes in stride(from: Int64(65_536 + 7_000), to: max(log, database), by: 48_000) {
      let former = try FormerStore(schema)
      let child = try ChildProcess(
        BuiltProduct.path(of: "store-writer"), [former.folder, "open", "\(bytes)"])
      let ending = try #require(await child.end())
      guard ending != .exited(0) else { continue }
      #expect(ending == .signaled(SIGXFSZ), "\(bytes): \(child.output)")
      kills += 1
      let store = try Store(folder: former.folder)
      #expect(store.untoldRecovery == nil)
      #expect(try former.contents() == before, "killed at \(bytes)")
      let raw = try RawDatabase(former.folder)
      #expect(try raw.strings("PRAGMA user_version") == ["\(Schema.version)"])
      #expect(try raw.problems() == [], "killed at \(bytes)")
    }
    #expect(kills > 2)
  }

  @Test(arguments: FormerStore.schemas)
  func `A migration takes no more of the disk than is asked for`(_ schema: Int) throws {
    let former = try FormerStore(schema)
    func size() -> Int64 {
      ["", "-wal", "-shm"].reduce(0) {
        $0 + StoreFolder.size(of: former.folder + "/telex.sqlite" + $1)
      }
    }
    let before = size()
    let bytes = StoreFolder.size(of: former.folder + "/telex.sqlite")
    _ = try Store(folder: former.folder)
    #expect(size() - before <= Schema.space(from: schema, bytes: bytes))
  }
}

/// The service of the accounts that earlier schemas knew, as the migration writes it down.
private let feedAPI = AccountService(
  AccountKind(rawValue: "feedAPI"), [.pages, .discussion, .live, .stableIDs, .export])

/// What a released migration does is never changed: stores that have gone through it would differ from
/// those that are yet to.
@Suite struct ReleasedMigrationTests {
  /// Of the statements of each. One for a new migration is added with it.
  private static let digests: [String: UInt64] = [
    "1 feeds, articles, statuses, search": 0x3b28_6b54_65fc_7bd0,
    "2 health of feeds, accounts, comments": 0x6e0_e1db_627d_ff24,
    "3 outlines of lists": 0x97fe_fdc7_57d0_4b49,
    "4 articles of several feeds": 0xdc20_8b14_1071_9600,
    "5 what feeds say of themselves": 0xf83b_36f2_ee79_a0d4,
    "6 keys, duplicates and the index anew": 0x753b_1519_e6fc_aebe,
    "7 sign-ins of feeds, erasing": 0xf869_d40c_2b58_2ff4,
    "8 proxies of single feeds": 0x46ca_ab4e_4d53_477b,
    "9 marks for accounts that take them": 0x9873_5a03_0803_788b,
    "10 the name of the details": 0x61f6_7ee5_0425_c1eb,
    "11 accounts that feeds belong to": 0x8af4_7e66_a78b_c581,
    "12 tags of articles": 0xd4ff_e3a0_5312_3ec3,
    "13 what servers keep": 0xe9e_e1b7_7ab7_f3e4,
    "14 accounts that pause": 0xfaa7_6ddb_0d2e_eacf,
    "15 marks to take back": 0xc598_3762_0e3a_b02c,
    "16 logs of machines": 0xd8e_873b_c1da_dd3f,
    "17 feeds that move between accounts": 0xfbab_e6e8_e3e9_639f,
    "18 recipes of feeds": 0x66e1_4653_270e_31bc,
    "19 what was played": 0x0fde_aa35_7c61_94b3,
    "20 queries, and what is to be played": 0x1688_26db_bc1f_ae0f,
    "21 settings of feeds, what the user did": 0x41d2_4e97_2f66_cae5,
    "22 scores, changed articles": 0xbf53_f7a8_a2bf_4adc,
    "23 authors and pairs of letters in the index": 0x537682468c8db97c,
    "24 full texts of articles": 0xb33c_b6cb_0509_fd79,
    "25 stories of several feeds": 0x9611_c379_615d_f125,
    "26 comments of articles": 0xe21f_a462_f2a2_3394,
    "27 the order of titles": 0x88b3_3a7a_8e49_56c4,
    "28 validators of comments": 0x9cfe_d660_ea32_ad01,
  ]

  @Test func `A migration does what it did when it was released`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let migrator = Migrations.migrator
    for name in migrator.migrations {
      let statements = StatementLog()
      try statements.record(migrator, upTo: name, in: folder + "/telex.sqlite")
      let digest = statements.digest
      #expect(Self.digests[name] == digest, "\"\(name)\": 0x\(String(digest, radix: 16)),")
    }
    #expect(Set(Self.digests.keys) == Set(migrator.migrations))
  }
}

/// The store of an earlier schema, unpacked; gone with the value.
struct FormerStore: ~Copyable {
  /// Those there are.
  static let schemas = [1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 21, 22, 23, 24, 26, 27]

  let folder: String
  private let schema: Int

  init(_ schema: Int) throws {
    let folder = try temporaryFolder()
    let archive = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/stores/schema-\(schema).tar.gz").path
    let tar = try ChildProcess("tar", ["xzf", archive, "-C", folder])
    let end = ContinuousClock.now + .seconds(60)
    while tar.isRunning, ContinuousClock.now < end { usleep(1_000) }
    try #require(tar.ending == .exited(0), "\(tar.errors)")
    (self.folder, self.schema) = (folder, schema)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What the user has put into it and what feeds have said, which no migration changes. Marks that
  /// wait for servers that take none are nothing of the kind.
  func contents() throws -> [String] {
    let raw = try RawDatabase(folder)
    // What the user did has been called otherwise since.
    let actions = try raw.strings(
      "SELECT name FROM sqlite_master WHERE name IN ('readBatch', 'userAction')"
    ).joined()
    var queries = [
      "SELECT id, url, title, ownTitle, link, isTyped, addedAt FROM feed ORDER BY id",
      "SELECT feedID, folder FROM feedFolder ORDER BY 1, 2",
      "SELECT seq FROM sqlite_sequence WHERE name = 'feed'",
      "SELECT * FROM feedCount ORDER BY 1",
      "SELECT feedID, etag, lastSuccess, error, isGone, paging, cursor FROM feedState ORDER BY 1",
      """
      SELECT id, feedID, entryKey, entryID, url, title, excerpt, published, firstSeen FROM article
      ORDER BY id
      """,
      "SELECT hex(content), hex(summary) FROM articleBody ORDER BY articleID",
      "SELECT * FROM articleBody ORDER BY 1",
      """
      SELECT articleID, feedID, sortDate, isRead, isStarred, batch, readBlock, readOffset
      FROM articleStatus ORDER BY 1
      """,
      "SELECT * FROM gap ORDER BY 1", "SELECT id, createdAt, count FROM \(actions) ORDER BY 1",
    ]
    if schema >= 2 {
      queries += [
        "SELECT id, key, articleID, text, attempts, error FROM outbox WHERE kind = 'comment'",
        "SELECT feedID, lastStatus, lastAttempts, failures FROM feedState ORDER BY 1",
      ]
    }
    if schema >= 3 {
      queries += [
        "SELECT outline FROM feed ORDER BY id", "SELECT folder, outline FROM folderOutline",
      ]
    }
    let isCurrent = try raw.strings("PRAGMA table_info(account)").contains { $0.contains("base") }
    let accounts =
      isCurrent
      ? try raw.strings("SELECT base, user, createdAt FROM account WHERE user <> ''")
      : schema < 2 ? [] : try raw.strings("SELECT detail, user, createdAt FROM account")
    return try accounts
      + queries.flatMap { try [$0.replacing(actions, with: "actions")] + raw.strings($0) }
  }
}
