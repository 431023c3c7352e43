internal import News
internal import OtherReaders
internal import Store
internal import Text

/// Newsraft's database.
struct NewsraftShelf: ArticleShelf {
  private let database: ForeignDatabase
  private let query: String
  /// The feeds of the list, by their addresses as the database has them.
  private let listed: [String: String]

  /// - Parameters:
  ///   - path: of the database, which is copied.
  ///   - parent: the folder in which the copy lies while this value lives.
  ///   - feeds: the addresses of feeds as the list has them.
  init(copying path: String, into parent: String, feeds: [String]) throws {
    database = try ForeignDatabase(copying: path, into: parent)
    let columns = try database.columns(of: "items")
    guard columns.contains("feed_url"), columns.contains("guid"), columns.contains("unread") else {
      throw SourceError(
        .file, stage: .store, subject: path, message: "it is no database of newsraft",
        next: "check the file; it was not changed")
    }
    query = NewsraftItems.query(columns: columns)
    listed = feeds.reduce(into: [:]) { $0[NewsraftItems.address($1)] = $1 }
  }

  private func listed(_ address: String) -> String {
    listed[NewsraftItems.address(address)] ?? address
  }

  func counts() throws -> [String: Int] {
    try database.rows(NewsraftItems.counts).reduce(into: [:]) { counts, row in
      if let feed = row[0].text { counts[listed(feed), default: 0] += Int(row[1].integer ?? 0) }
    }
  }

  /// What feeds call themselves, and their pages, by their addresses.
  func titles() throws -> [String: (title: String?, page: String?)] {
    guard try database.columns(of: "feeds").isSuperset(of: ["feed_url", "title", "link"]) else {
      return [:]
    }
    return try database.rows(NewsraftItems.feeds).reduce(into: [:]) { titles, row in
      if let feed = row[0].text { titles[listed(feed)] = (row[1].text, row[2].text) }
    }
  }

  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    let rows = try database.rows(
      query,
      [
        .text(feed), .text(NewsraftItems.address(feed)), .integer(position ?? .max),
        .integer(Int64(limit)),
      ])
    let found = rows.compactMap { NewsraftItems.article($0, of: feed) }
    return (found.map(\.article), rows.count < limit ? nil : rows.last?[0].integer)
  }
}

extension Switching {
  func readNewsraft(
    _ files: ReaderFiles, takesCommands: Bool, into plan: inout Plan
  ) throws {
    let config = NewsraftConfig(
      try files.settings.map { try ReaderFiles.text($0) } ?? "", file: "config")
    plan.library += NewsraftFeeds.read(
      try ReaderFiles.text(files.feeds), file: "feeds", config: config,
      programsOf: takesCommands ? Folders.home : nil)
    plan.library += config.library
    guard let path = files.articles else {
      plan.library.left.append(
        LeftOut(
          "articles", at: LibraryPlace("newsraft.sqlite3"),
          because: "there is no database of newsraft: marks do not come"))
      return
    }
    let shelf = try NewsraftShelf(
      copying: path, into: folder, feeds: plan.library.feeds.map(\.url))
    let titles = try shelf.titles()
    for (index, feed) in plan.library.feeds.enumerated() {
      guard let found = titles[feed.url] else { continue }
      plan.library.feeds[index].title = found.title.map(PlainText.sanitizedName)
      plan.library.feeds[index].page = found.page
    }
    try plan.take(shelf, file: path)
  }
}
