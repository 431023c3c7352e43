internal import Foundation
package import News
internal import OtherReaders
internal import Repository
internal import Services
internal import Store
internal import Text

/// Import from another news reader: feeds, queries, articles with their marks. Its files are only
/// read.
package struct Switching: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  // MARK: What there is

  /// The readers whose lists of feeds lie where they are by default, and have any.
  package static func found() -> [FoundLibrary] {
    OtherReader.allCases.compactMap { reader in
      guard let files = ReaderFiles.find(reader), let text = try? ReaderFiles.text(files.feeds)
      else { return nil }
      let feeds: Int
      switch reader {
      case .newsboat: feeds = NewsboatURLs.read(text, file: "urls").feeds.count
      case .sfeed: feeds = SfeedConfig(text, file: "sfeedrc").library.feeds.count
      }
      return feeds > 0 ? FoundLibrary(reader: reader.rawValue, feeds: feeds) : nil
    }
  }

  /// What another reader keeps, read but not taken yet.
  package struct Plan: Sendable {
    package let reader: OtherReader
    /// Where its list of feeds lies.
    package let folder: String
    package internal(set) var library: ReaderLibrary
    /// Articles of feeds that are in the list.
    package internal(set) var articles = 0
    var archive: (any ArticleArchive)?

    init(_ reader: OtherReader, folder: String) {
      self.reader = reader
      self.folder = folder
      library = ReaderLibrary()
    }

    /// Adds the articles of listed feeds; those of others are reported.
    ///
    /// - Parameter file: names the archive in messages.
    mutating func add(_ archive: any ArticleArchive, file: String) throws {
      let listed = Set(library.feeds.map(\.url))
      let counts = try archive.counts()
      let others = counts.filter { !listed.contains($0.key) }
      articles = counts.values.reduce(0, +) - others.values.reduce(0, +)
      self.archive = archive
      let place = LibraryPlace((file as NSString).lastPathComponent)
      func leave(_ others: [String: Int], because reason: String) {
        guard !others.isEmpty else { return }
        let count = Measures.counted(others.values.reduce(0, +), "article")
        library.left.append(
          LeftOut(
            "\(count) of \(Measures.counted(others.count, "feed"))", at: place, because: reason))
      }
      func isOfProgram(_ url: String) -> Bool {
        url.hasPrefix("exec:") || url.hasPrefix("filter:")
      }
      leave(
        others.filter { isOfProgram($0.key) },
        because: "programs make their feeds, which come with --commands")
      leave(
        others.filter { !isOfProgram($0.key) }, because: "their feeds are not in urls any more")
    }
  }

  /// Reads the files of another reader. The database of its articles is copied into the folder of
  /// the store while the plan lives.
  ///
  /// - Parameters:
  ///   - folder: nil for the default. Of newsboat also the path of its list.
  ///   - star: the flag that becomes a star; other flags become tags.
  ///   - takesCommands: whether to import feeds of programs, which each refresh runs.
  /// - Throws: `SourceError` where there is no such reader, or a file cannot be read.
  package func plan(
    _ reader: OtherReader, in folder: String? = nil, star: Character? = nil,
    takesCommands: Bool = false
  ) throws -> Plan {
    let files = folder.map { ReaderFiles.find(reader, in: Self.absolute($0)) }
    guard let files = files ?? ReaderFiles.find(reader) else {
      let place = folder ?? "the folders where it keeps them"
      throw SourceError(
        .file, stage: .arguments, subject: reader.rawValue,
        message: "it has no list of feeds in \(place)",
        next: "name the folder: telex import --from \(reader.rawValue) FOLDER")
    }
    var plan = Plan(reader, folder: files.folder)
    switch reader {
    case .newsboat:
      try readNewsboat(files, star: star, takesCommands: takesCommands, into: &plan)
    case .sfeed: try readSfeed(files, into: &plan)
    }
    sift(&plan.library)
    return plan
  }

  private static func absolute(_ path: String) -> String {
    let path = ReaderFiles.expanded(path)
    let url = URL(filePath: path, directoryHint: .isDirectory)
    return (url.standardizedFileURL.path as NSString).standardizingPath
  }

  private func readNewsboat(
    _ files: ReaderFiles, star: Character?, takesCommands: Bool, into plan: inout Plan
  ) throws {
    let folder = files.folder as NSString
    plan.library += NewsboatURLs.read(
      try ReaderFiles.text(files.feeds), file: "urls", star: star,
      programsOf: takesCommands ? Folders.home : nil)
    if let settings = files.settings {
      plan.library += NewsboatConfig.read(
        try ReaderFiles.text(settings), file: "config", star: star
      ) { path in
        let path = ReaderFiles.expanded(path)
        return try? ReaderFiles.text(
          path.hasPrefix("/") ? path : folder.appendingPathComponent(path))
      }
    }
    let named = plan.library.cachePath.map(ReaderFiles.expanded)
    guard let cache = named.flatMap(ReaderFiles.existing) ?? files.articles else {
      plan.library.left.append(
        LeftOut(
          "articles", at: LibraryPlace("cache.db"),
          because: "there is no cache of newsboat: read marks and flags do not come"))
      return
    }
    let archive = try NewsboatArchive(copying: cache, into: composition.store.folder, star: star)
    let titles = try archive.titles()
    for (index, feed) in plan.library.feeds.enumerated() {
      guard let found = titles[feed.url] else { continue }
      plan.library.feeds[index].title = found.title.map(PlainText.sanitizedName)
      plan.library.feeds[index].page = found.page
    }
    try plan.add(archive, file: cache)
  }

  private func readSfeed(_ files: ReaderFiles, into plan: inout Plan) throws {
    let config = SfeedConfig(try ReaderFiles.text(files.feeds), file: "sfeedrc")
    plan.library += config.library
    let named = config.folder.map(ReaderFiles.expanded)
    let folder = named ?? files.articles ?? files.folder
    let archive = SfeedArchive(
      config.names, in: folder, read: try files.read.map { try ReaderFiles.text($0) })
    plan.archive = archive
    plan.articles = try archive.counts().values.reduce(0, +)
    if files.read == nil, plan.articles > 0 {
      plan.library.left.append(
        LeftOut(
          "read marks", at: LibraryPlace("urls"),
          because: "sfeed_curses has kept no list of what was read: all come unread"))
    }
  }

  /// Leaves out what is no address of a feed.
  private func sift(_ library: inout ReaderLibrary) {
    var left: [LeftOut] = []
    library.feeds.removeAll { feed in
      if feed.url.hasPrefix("file:///") { return false }
      do throws(SourceError) {
        _ = try Self.address(of: feed)
        return false
      } catch {
        let name = PlainText.sanitizedName(WebAddress.redacted(feed.url))
        left.append(LeftOut(name, at: feed.place, because: error.message))
        return true
      }
    }
    library.left += left
  }

  /// Where a feed is in the store.
  private static func address(of feed: LibraryFeed) throws(SourceError) -> String {
    if feed.url.hasPrefix("file:///") { return feed.url }
    guard feed.runsProgram else { return WebAddress.withoutUser(try WebAddress.entered(feed.url)) }
    return try Sources.address(feed.address, of: recipe(of: feed))
  }

  private static func recipe(of feed: LibraryFeed) -> DocumentRecipe {
    DocumentRecipe(command: feed.command, filter: feed.filter)
  }

  // MARK: Taking it

  package struct Progress: Sendable {
    package internal(set) var feedsAdded = 0
    package internal(set) var feedsKnown = 0
    package internal(set) var smartFeeds: [String] = []
    /// Rules that were added, each in a line.
    package internal(set) var rules: [String] = []
    /// Articles of the other reader that were looked at.
    package internal(set) var articlesSeen = 0
    package internal(set) var articles = ArticleImportCounts()
    /// What could not be taken, beside what the plan has left out.
    package internal(set) var left: [LeftOut] = []

    package init() {}
  }

  /// Imports feeds, queries and articles, in transactions of about a thousand articles. Existing
  /// ones stay as they are, so that an import can be stopped and repeated.
  ///
  /// - Parameter progress: called after each transaction.
  package func run(
    _ plan: Plan, progress tell: @Sendable (Progress) -> Void
  ) async throws {
    var progress = Progress()
    let document = OPMLDocument(
      title: nil,
      feeds: plan.library.feeds.filter { !$0.runsProgram }.map { feed in
        OPMLDocument.Feed(
          url: feed.url, title: feed.ownTitle ?? feed.title, hasCustomTitle: feed.ownTitle != nil,
          htmlUrl: feed.page, categories: feed.folders)
      })
    let known = Set(try await places(of: plan.library.feeds).map(\.id))
    let taken = try await Subscriptions(composition).take(document, isTrusted: true)
    let programs = plan.library.feeds.filter(\.runsProgram)
    let added = try await composition.repository.subscribe(
      to: programs.map { feed in
        (
          try Self.address(of: feed), Self.recipe(of: feed).stored, feed.ownTitle,
          feed.folders.map(FolderPath.joined)
        )
      })
    try await hide(plan.library.feeds.filter(\.isHidden), except: known)
    progress.feedsAdded = taken.added + added.count
    progress.feedsKnown = taken.known + programs.count - added.count
    tell(progress)
    try await keepQueries(of: plan, &progress)
    try await keepRules(of: plan, &progress)
    tell(progress)
    guard let archive = plan.archive else { return }
    let reader = ArchiveReader(archive, feeds: try await places(of: plan.library.feeds))
    let time = Date.now
    var portion = try await reader.next()
    while let parts = portion {
      try Task.checkCancellation()
      // The next portion is read while this one is written.
      async let next = reader.next()
      let counts = try await composition.store.edit { edit in
        try parts.reduce(into: ArticleImportCounts()) { counts, part in
          // A feed may be removed meanwhile.
          guard try edit.view.feeds.contains(part.feed) else { return }
          counts += try edit.articles.add(part.articles, into: part.feed, now: time)
        }
      }
      progress.articles += counts
      progress.articlesSeen += parts.reduce(0) { $0 + $1.count }
      tell(progress)
      portion = try await next
    }
  }

  package func tidy() async { try? await composition.store.tidy() }

  private func hide(_ feeds: [LibraryFeed], except known: Set<FeedID>) async throws {
    let now = Date()
    for feed in try await places(of: feeds) where !known.contains(feed.id) {
      var settings = try await Subscriptions(composition).settings(of: feed.id)
      settings.isHidden = true
      try await composition.store.edit { [settings] in
        try $0.actions.set(settings, of: feed.id, now: now)
      }
    }
  }

  private func keepQueries(of plan: Plan, _ progress: inout Progress) async throws {
    let subscriptions = Subscriptions(composition)
    for feed in plan.library.smartFeeds {
      if let known = try subscriptions.smartFeeds().first(where: { $0.isNamed(feed.name) }) {
        if known.text != feed.query.text {
          progress.left.append(
            LeftOut(
              feed.name, at: feed.place,
              because: "there is a smart feed of this name with another query: \(known.text)"))
        }
        continue
      }
      do {
        try await subscriptions.saveSmartFeed(feed.name, feed.query)
        progress.smartFeeds.append(feed.name)
      } catch let error as SourceError {
        progress.left.append(LeftOut(feed.name, at: feed.place, because: error.message))
      }
    }
  }

  private func keepRules(of plan: Plan, _ progress: inout Progress) async throws {
    let rules = Rules(composition)
    for rule in plan.library.rules {
      let isKnown = try rules.all().contains {
        $0.text == rule.query.text && $0.action == rule.action
      }
      guard !isKnown else { continue }
      _ = try await rules.add(rule.query, rule.action)
      progress.rules.append("\(rule.action.title) \(rule.query.text)")
    }
  }

  /// Where the feeds are in the store, each once.
  private func places(of feeds: [LibraryFeed]) async throws -> [(address: String, id: FeedID)] {
    try await composition.store.view { view in
      var seen: Set<String> = []
      let present = try view.feeds.presentURLs()
      return try feeds.compactMap { feed in
        guard seen.insert(feed.url).inserted else { return nil }
        let url = try Self.address(of: feed)
        return try view.feeds.feed(url: present[url] ?? url).map { (feed.url, $0.id) }
      }
    }
  }
}
