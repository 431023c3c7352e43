internal import Foundation
internal import News
internal import OtherReaders
internal import Syndication
internal import Text

/// Elfeed's index, and the files with the texts of its articles.
struct ElfeedShelf: ArticleShelf {
  let database: ElfeedDatabase
  /// The tags that all articles of a feed get, by its address.
  let tags: [String: Set<String>]
  private let folder: String
  /// Texts that are packed into one, and where they are in it.
  private let archive: String?
  private let places: [String: Range<Int>]

  /// - Parameter folder: that of the database.
  init(_ database: ElfeedDatabase, in folder: String, tags: [String: Set<String>]) {
    self.database = database
    self.folder = folder
    self.tags = tags
    let packed = folder + "/data/archive"
    let bytes = ReaderFiles.existing(packed + ".gz").flatMap {
      FileManager.default.contents(atPath: $0)
    }
    archive = bytes.flatMap { PackedText.unpacked($0, limit: 1 << 30) }
      .map { String(decoding: $0, as: UTF8.self) }
    places =
      (try? ReaderFiles.existing(packed + ".index").map { try ReaderFiles.text($0) })
      .flatMap { $0 }.map(ElfeedDatabase.archive) ?? [:]
  }

  func counts() throws -> [String: Int] { database.articles.mapValues(\.count) }

  func articles(
    of feed: String, after position: Int64?, limit: Int
  ) throws -> (articles: [ImportedArticle], position: Int64?) {
    let all = database.articles[feed] ?? []
    let start = min(Int(position ?? 0), all.count)
    let end = min(start + limit, all.count)
    let packed = archive.map { packedTexts(of: all[start..<end], in: $0) } ?? [:]
    let articles = all[start..<end].map { article in
      let text: String? =
        switch article.content {
        case .text(let text): text
        case .reference(let name): packed[name] ?? file(name)
        case nil: nil
        }
      return ElfeedDatabase.imported(
        article, content: text, of: feed, except: tags[feed] ?? [])
    }
    return (articles, end < all.count ? Int64(end) : nil)
  }

  private func file(_ name: String) -> String? {
    let path = "\(folder)/data/\(name.prefix(2))/\(name)"
    return ReaderFiles.existing(path).flatMap { try? ReaderFiles.text($0) }
  }

  /// Places count the scalars of the whole text; one pass finds all of them.
  private func packedTexts(
    of articles: ArraySlice<ElfeedDatabase.Article>, in archive: String
  ) -> [String: String] {
    let wanted = articles.compactMap { article -> (name: String, place: Range<Int>)? in
      guard case .reference(let name) = article.content else { return nil }
      return places[name].map { (name, $0) }
    }.sorted { $0.place.lowerBound < $1.place.lowerBound }
    let scalars = archive.unicodeScalars
    var (index, count) = (scalars.startIndex, 0)
    var texts: [String: String] = [:]
    for (name, place) in wanted {
      guard
        let start = scalars.index(
          index, offsetBy: place.lowerBound - count, limitedBy: scalars.endIndex),
        let end = scalars.index(start, offsetBy: place.count, limitedBy: scalars.endIndex)
      else { break }
      texts[name] = String(scalars[start..<end])
      (index, count) = (start, place.lowerBound)
    }
    return texts
  }
}

extension Switching {
  /// What the files of Emacs, and those of elfeed-org that they name, say of feeds.
  private static func elfeedSettings(_ files: ReaderFiles) throws -> ElfeedFeeds.Settings {
    var settings = ElfeedFeeds.Settings()
    let lists = ([files.feeds] + files.lists).filter {
      $0.hasSuffix(".el") || $0.hasSuffix(".org") || $0.hasSuffix("/.emacs")
    }
    var outlines = lists.filter { $0.hasSuffix(".org") }
    var missing: [LeftOut] = []
    for path in lists where !path.hasSuffix(".org") {
      let file = (path as NSString).lastPathComponent
      let read = ElfeedFeeds.settings(try ReaderFiles.text(path), file: file)
      settings.merge(read)
      for named in read.files {
        // A name alone is one in the folder of Org mode, or beside the settings.
        let folders = [
          (path as NSString).deletingLastPathComponent,
          ReaderFiles.expanded(read.outlineFolder ?? "~/org"),
        ]
        let full = ReaderFiles.expanded(named.path)
        let places = full.hasPrefix("/") ? [full] : folders.map { $0 + "/" + full }
        guard let place = places.first(where: { ReaderFiles.existing($0) != nil }) else {
          missing.append(
            LeftOut(
              PlainText.sanitizedName(named.path), at: named.place, because: "there is no such file"
            ))
          continue
        }
        let known = (place as NSString).standardizingPath
        if !outlines.contains(known) { outlines.append(known) }
      }
    }
    for path in outlines {
      settings.merge(
        ElfeedFeeds.outline(
          try ReaderFiles.text(path), file: (path as NSString).lastPathComponent,
          names: settings.outlineNames))
    }
    settings.merge(left: missing)
    return settings
  }

  /// The feeds of the lists; where there is none, those of the database, without reading all of it.
  static func elfeedCount(_ files: ReaderFiles) -> Int {
    let listed = (try? elfeedSettings(files))?.library.feeds.count ?? 0
    guard listed == 0, let folder = files.articles,
      let index = try? ReaderFiles.text(folder + "/index")
    else { return listed }
    return index.ranges(of: "#s(elfeed-feed ").count
  }

  func readElfeed(_ files: ReaderFiles, into plan: inout Plan) throws {
    let settings = try Self.elfeedSettings(files)
    plan.library += settings.library
    let named = settings.folder.map(ReaderFiles.expanded)
      .flatMap { ReaderFiles.existing($0 + "/index") == nil ? nil : $0 }
    guard let folder = named ?? files.articles else {
      plan.library.left.append(
        LeftOut(
          "articles", at: LibraryPlace("index"),
          because: "there is no database of elfeed: marks and tags do not come"))
      return
    }
    let database: ElfeedDatabase
    do {
      database = try ElfeedDatabase(
        try ReaderFiles.text(folder + "/index", limit: 512), file: "index")
    } catch let problem as LeftOut {
      throw SourceError(
        .file, stage: .store, subject: folder + "/index",
        message: "line \(problem.place.line ?? 1): \(problem.reason)",
        next: "check the file; it was not changed")
    }
    let feeds = database.feeds.reduce(into: [:]) { $0[$1.url] = $1 }
    if plan.library.feeds.isEmpty {
      plan.library.feeds = database.feeds.map {
        LibraryFeed(url: $0.url, at: LibraryPlace("index"))
      }
      plan.library.left.append(
        LeftOut(
          "the list of feeds", at: LibraryPlace("index"),
          because: "no settings of Emacs name feeds: those of the database have come"))
    }
    for (index, feed) in plan.library.feeds.enumerated() {
      guard let found = feeds[feed.url] else { continue }
      plan.library.feeds[index].title = found.title
      plan.library.feeds[index].ownTitle = feed.ownTitle ?? found.ownTitle
    }
    let tags = plan.library.feeds.reduce(into: [:]) { $0[$1.url] = Set($1.folders.joined()) }
    try plan.take(ElfeedShelf(database, in: folder, tags: tags), file: folder + "/index")
  }
}
