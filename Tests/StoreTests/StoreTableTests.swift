internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// The list of tables, beside the schema and what is done with all of them.
@Suite struct StoreTableTests {
  @Test func `The list has every table of the schema, and no other`() throws {
    let test = try TestStore()
    let tables = try RawDatabase(test.folder).strings(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
        AND name NOT GLOB 'search_*' AND name <> 'grdb_migrations' ORDER BY name
      """)
    #expect(StoreTable.all.map(\.name).sorted() == tables.sorted())
  }

  /// Tables whose rows do not go with their article by themselves: ids are never given twice, and they are trimmed by age.
  private static let loose: Set = ["storyKey"]

  @Test func `Every row goes with the article or the feed that it hangs on`() throws {
    let test = try TestStore()
    let raw = try RawDatabase(test.folder)
    for table in StoreTable.all where !Self.loose.contains(table.name) {
      let (column, owner) =
        if let column = table.articleColumn {
          (column, "article")
        } else if let column = table.feedColumn { (column, "feed") } else { ("", "") }
      guard !owner.isEmpty, owner != table.name else { continue }
      let keys = try raw.strings(
        """
        SELECT on_delete FROM pragma_foreign_key_list('\(table.name)')
        WHERE "from" = '\(column)' AND "table" = '\(owner)'
        """)
      #expect(keys == ["CASCADE"], "\(table.name)")
    }
  }

  /// Tables of articles and of feeds whose rows a test can make up.
  private static let owned: [StoreTable] = StoreTable.all.filter { table in
    (table.articleColumn ?? table.feedColumn) != nil && table.isCarried
      && !["feed", "article", "articleTag"].contains(table.name)
  }

  @Test(arguments: owned.map(\.name))
  func `A row is carried by a repair`(_ name: String) async throws {
    let test = try await store(with: name)
    let rows = try await test.rows(of: name)
    let target = try DatabaseQueue(configuration: Self.configuration)
    try Schema.create(in: target)
    let source = try DatabaseQueue(
      path: test.folder + "/telex.sqlite", configuration: Self.configuration)
    try await source.read { db in
      try target.writeWithoutTransaction { target in
        let carrier = RowCarrier(
          source: DamagedDatabase(db: db), target: target, waitLimit: WaitLimit(deadline: nil))
        _ = try carrier.carryAll()
      }
    }
    let carried = try await target.read { try Self.rows(of: name, in: $0) }
    #expect(carried == rows)
  }

  @Test(arguments: owned.map(\.name))
  func `A row comes back with its removed feed`(_ name: String) async throws {
    let test = try await store(with: name)
    let rows = try await test.rows(of: name)
    let table = try #require(StoreTable.named(name))
    let feed = try #require(try await test.store.view { try $0.feeds.all().first?.id })
    try await test.store.edit { _ = try $0.actions.remove(feed, isTold: false, now: noon) }
    let raw = try RawDatabase(test.folder)
    if !Self.loose.contains(name) { #expect(try await test.rows(of: name).isEmpty) }
    _ = try await test.store.edit { try $0.journal.undo(now: noon) }
    // What a feed's return is a change of, is changed.
    if table.isArchived, name != "tombstone" {
      #expect(try await test.rows(of: name) == rows)
    }
    #expect(try raw.problems() == [])
  }

  @Test(arguments: owned.filter(\.moves).map(\.name))
  func `A row goes over to the same article of the feed that stays`(_ name: String) async throws {
    let test = try await store(with: name)
    let rows = try await test.rows(of: name)
    let feed = try #require(try await test.store.view { try $0.feeds.all().first?.id })
    let other = try await test.subscribe("other")
    try await test.merge([entry("1")], into: other)
    let theirs = try #require(try await test.articles(other).first?.id)
    try await test.store.edit { try $0.feeds.unite(feed, into: other, now: noon) }
    let moved = try await test.rows(of: name)
    #expect(moved.count == rows.count)
    let column = try #require(StoreTable.named(name)?.articleColumn)
    for (row, former) in zip(moved, rows) {
      #expect(row[column] == "\(theirs.rawValue)")
      let names = Set(row.keys).subtracting([column, "id"])
      #expect(names.allSatisfy { row[$0] == former[$0] })
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      for function in DatabaseFunction.ofStore { db.add(function: function) }
    }
    return configuration
  }

  fileprivate static func rows(of table: String, in db: Database) throws -> [[String: String]] {
    try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY 1, 2").map { row in
      Dictionary(
        uniqueKeysWithValues: zip(row.columnNames, row.databaseValues.map { "\($0)" }))
    }
  }

  /// A feed with an article, and with a row in a table.
  private func store(with name: String) async throws -> TestStore {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("1")], into: feed)
    let article = try #require(try await test.articles(feed).first?.id)
    let table = try #require(StoreTable.named(name))
    let raw = try RawDatabase(test.folder)
    let columns = try raw.queue.inDatabase { db in
      try Row.fetchAll(
        db, sql: "SELECT name, type, pk, \"notnull\" FROM pragma_table_info(?)", arguments: [name])
    }
    var values: [String] = []
    for column in columns {
      let (name, type, isKey, isNeeded): (String, String, Bool, Bool) =
        (column[0], column[1], column[2], column[3])
      switch name {
      case table.articleColumn: values.append("\(article.rawValue)")
      case table.feedColumn: values.append("\(feed.rawValue)")
      case "account": values.append("1")
      case _ where type == "INTEGER": values.append(isKey && !isNeeded ? "77" : "1")
      case _ where type == "BLOB": values.append("x'7a'")
      // Errors, addresses and details have a form.
      default: values.append(isNeeded || isKey ? "'word'" : "NULL")
      }
    }
    try raw.execute("INSERT OR IGNORE INTO \(name) VALUES (\(values.joined(separator: ", ")))")
    return test
  }
}

extension StoreTable {
  fileprivate var moves: Bool { if case .moves = union { true } else { false } }
}

extension TestStore {
  fileprivate func rows(of table: String) async throws -> [[String: String]] {
    try await store.view { try StoreTableTests.rows(of: table, in: $0.db) }
  }
}
