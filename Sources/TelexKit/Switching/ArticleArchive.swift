internal import News
internal import OtherReaders
internal import Store

/// Articles that another reader keeps.
protocol ArticleArchive: Sendable {
  /// How many articles each feed has, by its address as the reader writes it.
  func counts() throws -> [String: Int]

  /// A page of the articles of a feed, newest first.
  ///
  /// - Parameter position: returned by the last call; nil for the newest.
  /// - Returns: the articles, and the position of the next page; nil at the end.
  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?)
}

/// Newsboat's `cache.db`.
struct NewsboatArchive: ArticleArchive {
  private let database: ForeignDatabase
  private let query: String
  private let star: Character?

  /// - Parameters:
  ///   - path: of the database, which is copied.
  ///   - parent: the folder of the copy, which lives as long as this value.
  init(copying path: String, into parent: String, star: Character?) throws {
    database = try ForeignDatabase(copying: path, into: parent)
    let columns = try database.columns(of: "rss_item")
    guard columns.contains("feedurl"), columns.contains("guid") else {
      throw SourceError(
        .file, stage: .store, subject: path, message: "it is no cache of newsboat",
        next: "check the file; it was not changed")
    }
    query = NewsboatCache.query(columns: columns)
    self.star = star
  }

  func counts() throws -> [String: Int] {
    try database.rows(NewsboatCache.counts).reduce(into: [:]) { counts, row in
      if let feed = row[0].text { counts[feed, default: 0] += Int(row[1].integer ?? 0) }
    }
  }

  /// What feeds call themselves, and their pages, by their addresses.
  func titles() throws -> [String: (title: String?, page: String?)] {
    guard try !database.columns(of: "rss_feed").isEmpty else { return [:] }
    return try database.rows(NewsboatCache.feeds).reduce(into: [:]) { titles, row in
      if let feed = row[0].text { titles[feed] = (row[1].text, row[2].text) }
    }
  }

  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    let rows = try database.rows(
      query, [.text(feed), .integer(position ?? .max), .integer(Int64(limit))])
    let found = rows.compactMap { NewsboatCache.article($0, of: feed, star: star) }
    return (found.map(\.article), rows.count < limit ? nil : rows.last?[0].integer)
  }
}

/// Sfeed's files of articles, one for each feed.
struct SfeedArchive: ArticleArchive {
  /// The paths of files by the addresses of their feeds.
  private let files: [String: String]
  private let read: Set<String>?

  /// - Parameters:
  ///   - names: of the feeds, by their addresses.
  ///   - folder: of the files.
  ///   - read: addresses of read articles, one a line; nil for no such list.
  init(_ names: [String: String], in folder: String, read: String?) {
    files = names.compactMapValues {
      ReaderFiles.existing(folder + "/" + SfeedArticles.file(ofFeed: $0))
    }
    self.read = read.map { Set($0.split(whereSeparator: \.isNewline).map(String.init)) }
  }

  private func lines(of feed: String) throws -> [Substring] {
    guard let file = files[feed] else { return [] }
    return try ReaderFiles.text(file).split(separator: "\n")
  }

  func counts() throws -> [String: Int] {
    try files.keys.reduce(into: [:]) { $0[$1] = try lines(of: $1).count }
  }

  /// Files have the newest line first, or last: articles have dates of their own.
  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    let lines = try lines(of: feed).dropFirst(Int(position ?? 0))
    let next = (position ?? 0) + Int64(limit)
    return (
      lines.prefix(limit).compactMap { SfeedArticles.article($0, of: feed, read: read) },
      lines.count > limit ? next : nil
    )
  }
}

/// Reads an archive in portions of about a thousand articles, prepared for the store.
actor ArchiveReader {
  struct Part: Sendable {
    let feed: FeedID
    let articles: PreparedImport
    let count: Int
  }

  private let archive: any ArticleArchive
  private var feeds: ArraySlice<(address: String, id: FeedID)>
  private var position: Int64?

  /// Articles of a portion: as many as are written in one transaction.
  private static let portion = 1_000

  init(_ archive: any ArticleArchive, feeds: [(address: String, id: FeedID)]) {
    self.archive = archive
    self.feeds = feeds[...]
  }

  func next() throws -> [Part]? {
    var parts: [Part] = []
    var count = 0
    while count < Self.portion, let feed = feeds.first {
      let (articles, next) = try archive.articles(
        of: feed.address, after: position, limit: Self.portion - count)
      if !articles.isEmpty {
        parts.append(
          Part(feed: feed.id, articles: PreparedImport(articles), count: articles.count))
        count += articles.count
      }
      position = next
      if next == nil { feeds.removeFirst() }
    }
    return parts.isEmpty ? nil : parts
  }
}
