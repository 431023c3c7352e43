internal import Foundation
internal import Markup
package import News
internal import Repository
internal import Store
internal import Text

/// Fetches articles ahead for reading without a network: unread starred ones first, then other
/// unread ones, newest first, or those of a query. Packed articles are not fetched again: a run
/// that was ended goes on with the next.
package struct TripPacking: Sendable {
  package typealias Bounds = PackingBounds
  package typealias Report = PackingReport

  private let composition: Composition
  private let pictures: ArticlePictures
  private let articles: Articles
  private let fullTexts: FullTexts
  private let packs: PackStore

  /// An article that takes fewer seconds to be read is taken for a beginning.
  private static let beginning = 30
  /// One that takes fewer is hardly more than a link.
  private static let hardlyAnything = 3

  package init(_ composition: Composition) {
    self.composition = composition
    pictures = ArticlePictures(composition)
    articles = Articles(composition)
    fullTexts = FullTexts(composition)
    packs = PackStore(composition)
  }

  /// - Parameter progress: gets the report after each article.
  /// - Throws: `SourceError` where the store cannot be read; `CancellationError`, where packed
  ///   articles stay packed.
  package func run(
    _ bounds: Bounds, progress: @Sendable (Report) -> Void = { _ in }
  ) async throws -> Report {
    var report = Report()
    report.wantedSeconds = bounds.seconds
    if !bounds.evenMetered, await isCostly() {
      report.wasMetered = true
      return report
    }
    let before = try await packs.look()
    let ids = try await ids(bounds.query)
    report.candidates = ids.count
    var comments = CommentPacking(composition)
    var packed: [ArticleID: PackStore.Entry] = [:]
    var whole: Set<ArticleID> = []
    do {
      for id in ids {
        guard report.seconds < bounds.seconds else { break }
        try Task.checkCancellation()
        if let entry = before.entries[id], !bounds.takesFiles {
          report.articles += 1
          report.wholeArticles += 1
          report.seconds += entry.seconds
          whole.insert(id)
        } else if let entry = try await pack(id, bounds, &comments, &report) {
          packed[id] = entry
          whole.insert(id)
          if packed.count >= Self.portion {
            packs.change(adding: packed)
            packed = [:]
          }
        }
        progress(report)
      }
    } catch {
      // What is whole stays packed when the rest is given up.
      packs.change(adding: packed)
      throw error
    }
    packs.change(adding: packed, removing: before.gone.subtracting(whole))
    report.wholeBytes = try await packs.look(at: whole).packed.bytes
    return report
  }

  /// Articles that are written into the book at once.
  private static let portion = 10

  /// Whether each byte costs.
  private func isCostly() async -> Bool {
    guard !composition.settings.refresh.isLowData else { return true }
    return await Composition.connectivity().isMetered
  }

  /// Fetches what articles in Later lack: full texts, and pictures where these are shown. Nothing on
  /// a metered connection.
  ///
  /// - Returns: the articles that are whole.
  /// - Throws: `SourceError` where the store cannot be read; `CancellationError`.
  @discardableResult
  package func complete(_ ids: [ArticleID]) async throws -> Set<ArticleID> {
    let settings = composition.settings.pictures
    guard await !isCostly() else { return [] }
    let before = try await packs.look(at: Set(ids)).entries
    var bounds = Bounds(seconds: .max, bytes: settings.areShown ? settings.mostBytes : 0)
    bounds.takesFullTexts = true
    var report = Report()
    var comments = CommentPacking(composition)
    var packed: [ArticleID: PackStore.Entry] = [:]
    for id in ids where before[id] == nil {
      try Task.checkCancellation()
      packed[id] = try await pack(id, bounds, &comments, &report)
      let failures = report.failures
      guard packed[id] == nil, !failures.isEmpty else { continue }
      // A refresh fetches the page that could not be fetched now.
      try await composition.store.edit { edit in
        guard let article = try edit.view.articles.article(id), article.fullText == nil,
          let url = article.entry.url, failures[url] != nil
        else { return }
        try edit.savedPages.noteWaiting(id.rawValue, at: url, isTyped: false, now: Date())
      }
    }
    packs.change(adding: packed)
    return Set(before.keys).union(packed.keys)
  }

  /// Fetches the missing parts of an article.
  ///
  /// - Returns: nil where it is not whole in the end.
  private func pack(
    _ id: ArticleID, _ bounds: Bounds, _ comments: inout CommentPacking, _ report: inout Report
  ) async throws -> PackStore.Entry? {
    // Taken before the text is read: one that comes meanwhile is another.
    guard var text = try await packs.text(of: id), var article = try await articles.find(id) else {
      return nil
    }
    var document = Self.document(of: article)
    var isWhole = true
    if document.readingSeconds < Self.beginning, article.fullText == nil, article.entry.url != nil {
      if bounds.takesFullTexts {
        switch try await page(of: article) {
        case .success(let whole):
          report.fullTexts += 1
          article = whole
          text.fetched = whole.fullText.map { Int64($0.fetched.timeIntervalSince1970) }
          document = Self.document(of: article)
        case .failure(let error) where error.isPassing:
          report.failures[article.entry.url ?? ""] = error
          isWhole = false
        // There is no more to be had than what the feed says.
        case .failure: break
        }
      } else if document.readingSeconds < Self.hardlyAnything, document.figures.isEmpty {
        report.withoutText += 1
        isWhole = false
      }
    }
    if isWhole, document.readingSeconds == 0, document.figures.isEmpty {
      report.withoutText += 1
      isWhole = false
    }
    report.articles += 1
    report.seconds += document.readingSeconds
    // Pictures beyond it would drive out those that were fetched before.
    let room = min(bounds.bytes - report.fileBytes, composition.settings.pictures.mostBytes)
    let urls = document.figures.compactMap(\.source)
    if try await !fetch(urls, of: article, room, &report) { isWhole = false }
    if bounds.takesFiles { try download(article, bounds, &report) }
    if report.room(within: bounds) > 0, let bytes = try await comments.pack(article) {
      report.discussed += 1
      report.bytes += bytes
    }
    guard isWhole else { return nil }
    report.wholeArticles += 1
    return PackStore.Entry(
      text: text,
      pictures: urls.filter { pictures.has($0, in: article.feedID) }
        .map { composition.pictureFiles.name(of: $0, in: article.feedID) },
      seconds: document.readingSeconds)
  }

  /// The most articles of a kind that are looked at.
  private static let mostCandidates = 20_000

  private func ids(_ query: ArticleQuery?) async throws -> [ArticleID] {
    if let query { return try await ids(of: .matching(query, in: .all)) }
    let starred = try await ids(of: .matching(try ArticleQuery("starred unread"), in: .all))
    let known = Set(starred)
    return starred + (try await ids(of: .unread).filter { !known.contains($0) })
  }

  private func ids(of timeline: Timeline) async throws -> [ArticleID] {
    var query = TimelineQuery(timeline, olderCount: Self.mostCandidates)
    query.order = .newest
    return try await composition.store.view { [query] view in
      try view.timeline.slice(query).rows.compactMap { row in
        if case .article(let article) = row { article.id } else { nil }
      }
    }
  }

  /// The article with its full text, or why there is none, as behind a paywall.
  ///
  /// - Throws: `CancellationError`.
  private func page(of article: Article) async throws -> Result<Article, SourceError> {
    do { return .success(try await fullTexts.show(article.id)) } catch let error
      as CancellationError
    {
      throw error
    } catch {
      try Task.checkCancellation()
      return .failure(SourceError(describing: error))
    }
  }

  private static func document(of article: Article) -> Document {
    if let full = article.shownFullText {
      return Markup.document(html: full.html) { WebAddress.resolve($0, against: full.url) }
    }
    let entry = article.entry
    guard let html = entry.contentHTML else {
      return Markup.document(plainText: entry.summary ?? "")
    }
    return Markup.document(html: html) { WebAddress.resolve($0, against: entry.url) }
  }

  /// Fetches the missing pictures of an article.
  ///
  /// - Returns: whether all existing ones are here.
  private func fetch(
    _ urls: [String], of article: Article, _ room: Int64, _ report: inout Report
  ) async throws -> Bool {
    var isWhole = true
    let page = try await composition.store.view { try $0.fullTexts.typedPage(of: article.id) }
    for url in urls where !pictures.has(url, in: article.feedID) {
      guard report.bytes < room else {
        report.isFull = true
        isWhole = false
        continue
      }
      do {
        report.bytes += try await pictures.fetch(
          url, of: article.feedID, typedPage: page, atMost: Int(room - report.bytes))
        report.pictures += 1
      } catch let error as SourceError {
        if error.isForGood {
          report.missing += 1
          continue
        }
        if error.kind == .tooLarge { report.isFull = true } else { report.failures[url] = error }
        isWhole = false
      }
    }
    return isWhole
  }

  /// Asks for the sounds and films of an article, where they fit.
  private func download(_ article: Article, _ bounds: Bounds, _ report: inout Report) throws {
    let transfers = Transfers(composition)
    for (place, file) in article.entry.enclosures.enumerated() where file.role == .media {
      guard try transfers.path(of: file, of: article.id) == nil else { continue }
      let length = file.length ?? 0
      guard length <= report.room(within: bounds) else {
        report.isFull = true
        continue
      }
      try transfers.download(article, file: place)
      report.fileBytes += length
      report.files += 1
    }
  }
}

extension SourceError {
  /// Whether a page may be had at another time: the network failed, or its server.
  fileprivate var isPassing: Bool {
    switch kind {
    case .decoding, .address, .insecure, .tooLarge, .redirect: false
    case .status: status.map { $0 >= 500 || $0 == 429 || $0 == 408 } ?? false
    default: true
    }
  }

  /// Whether a picture will not be there the next time either.
  fileprivate var isForGood: Bool {
    switch kind {
    case .decoding, .address, .insecure: true
    case .status: status.map { [400, 401, 403, 404, 410, 451].contains($0) } ?? false
    default: false
    }
  }
}

/// Fetches the comments on articles ahead, so that they can be read without a network.
struct CommentPacking {
  private let conversations: Conversations
  /// Feeds whose comments could not be had: the rest of them is left to the next time.
  private var failed: Set<FeedID> = []

  /// Seconds for which comments that were fetched are not fetched again.
  private static let freshness: TimeInterval = 6 * 3_600

  init(_ composition: Composition) { conversations = Conversations(composition) }

  /// Fetches the comments on an article that has some, as far as its feed says.
  ///
  /// - Returns: the bytes of their texts; nil where there are none.
  /// - Throws: `CancellationError`.
  mutating func pack(_ article: Article) async throws -> Int64? {
    guard article.entry.comments?.count != 0, !failed.contains(article.feedID),
      let known = try? await conversations.find(article.id), known.source != .none,
      known.record.fetched.map({ $0.timeIntervalSinceNow < -Self.freshness }) ?? true
    else { return nil }
    do {
      try await conversations.fetch(article.id)
      let rows = try await conversations.find(article.id)?.thread.rows ?? []
      guard !rows.isEmpty else { return nil }
      return rows.reduce(0) { $0 + Int64(($1.comment.html ?? $1.comment.text).utf8.count) }
    } catch let error as CancellationError {
      throw error
    } catch {
      failed.insert(article.feedID)
      return nil
    }
  }
}
