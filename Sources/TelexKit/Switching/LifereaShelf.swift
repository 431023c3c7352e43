internal import News
internal import OtherReaders
internal import Store

/// Liferea's database.
struct LifereaShelf: ArticleShelf {
  private let database: ForeignDatabase
  private let columns: Set<String>
  /// Ids of feeds by their addresses, and the other way round.
  private let nodes: [String: String]
  private let addresses: [String: String]

  /// - Parameters:
  ///   - path: of the database, which is copied.
  ///   - parent: the folder in which the copy lies while this value lives.
  ///   - nodes: the ids of feeds by their addresses.
  init(copying path: String, into parent: String, nodes: [String: String]) throws {
    database = try ForeignDatabase(copying: path, into: parent)
    columns = try database.columns(of: "items")
    let hasMetadata = try !database.columns(of: "metadata").isEmpty
    // Versions before 1.8 had the marks in a table of their own.
    guard columns.isSuperset(of: ["item_id", "node_id", "read"]), hasMetadata else {
      throw SourceError(
        .file, stage: .store, subject: path, message: "it is no database of liferea 1.8 or later",
        next:
          "check the file, which was not changed; a newer liferea brings an older one up to date")
    }
    self.nodes = nodes
    addresses = nodes.reduce(into: [:]) { $0[$1.value] = $1.key }
  }

  func counts() throws -> [String: Int] {
    try database.rows(LifereaItems.counts(columns: columns)).reduce(into: [:]) { counts, row in
      guard let node = row[0].text else { return }
      counts[addresses[node] ?? node, default: 0] += Int(row[1].integer ?? 0)
    }
  }

  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    guard let node = nodes[feed] else { return ([], nil) }
    let rows = try database.rows(
      LifereaItems.query(columns: columns),
      [.text(node), .integer(position ?? .max), .integer(Int64(limit))])
    let found = rows.compactMap { LifereaItems.article($0, of: feed) }
    return (found.map(\.article), rows.count < limit ? nil : rows.last?[0].integer)
  }
}

extension Switching {
  func readLiferea(_ files: ReaderFiles, into plan: inout Plan) throws {
    let list = LifereaFeedList(try ReaderFiles.text(files.feeds), file: "feedlist.opml")
    plan.library += list.library
    guard let path = files.articles else {
      plan.library.left.append(
        LeftOut(
          "articles", at: LibraryPlace("liferea.db"),
          because: "there is no database of liferea: marks do not come"))
      return
    }
    try plan.take(
      try LifereaShelf(copying: path, into: folder, nodes: list.nodes), file: path)
  }
}
