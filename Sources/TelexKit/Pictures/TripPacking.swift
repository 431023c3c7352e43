internal import Markup
package import News
internal import Repository
internal import Store
internal import Text

/// Fetches ahead what is likely to be read next, so that it can be read without a network.
///
/// Starred articles that are unread come first, then the other unread ones, newest first, or those of a query. What is
/// here already is not fetched again: a run that was ended goes on with the next.
package struct TripPacking: Sendable {
  package struct Bounds: Hashable, Sendable {
    /// Articles are taken until they are worth so many seconds of reading.
    package var seconds: Int
    /// The most that is fetched.
    package var bytes: Int64
    /// The articles; nil for those that are unread.
    package var query: ArticleQuery?
    /// Whether the pages of articles that are no more than a beginning are fetched for their full texts.
    package var takesFullTexts = false
    /// Whether sounds and films are downloaded, too.
    package var takesFiles = false
    /// Whether anything is fetched where each byte costs.
    package var evenMetered = false

    package init(seconds: Int, bytes: Int64) {
      self.seconds = seconds
      self.bytes = bytes
    }
  }

  package struct Report: Hashable, Sendable {
    /// Articles that were looked at.
    package var articles = 0
    /// Those of them that are here with all of their pictures that there are.
    package var wholeArticles = 0
    /// The time that they take to be read.
    package var seconds = 0
    /// What was fetched now.
    package var bytes: Int64 = 0
    package var pictures = 0
    package var fullTexts = 0
    /// Articles whose comments were fetched.
    package var discussed = 0
    /// Files that are being downloaded.
    package var files = 0
    /// Pictures that are gone from their servers, or are none.
    package var missing = 0
    /// What could not be had this time, by address.
    package var failures: [String: SourceError] = [:]
    /// Whether the room was too small for all of it.
    package var isFull = false
    /// Whether nothing was done because each byte costs.
    package var wasMetered = false
  }

  private let composition: Composition
  private let pictures: ArticlePictures
  private let articles: Articles
  private let fullTexts: FullTexts

  /// An article that takes fewer seconds to be read is taken for a beginning.
  private static let beginning = 30

  package init(_ composition: Composition) {
    self.composition = composition
    pictures = ArticlePictures(composition)
    articles = Articles(composition)
    fullTexts = FullTexts(composition)
  }

  /// - Throws: `SourceError` where the store cannot be read; `CancellationError`.
  package func run(_ bounds: Bounds) async throws -> Report {
    var report = Report()
    if !bounds.evenMetered {
      let isMetered = await Composition.connectivity().isMetered
      guard !isMetered, !composition.settings.refresh.isLowData else {
        report.wasMetered = true
        return report
      }
    }
    // Pictures beyond it would drive out those that were fetched before.
    let room = min(bounds.bytes, composition.settings.pictures.mostBytes)
    var comments = CommentPacking(composition)
    for id in try ids(bounds.query) {
      guard report.seconds < bounds.seconds else { break }
      try Task.checkCancellation()
      guard var article = try await articles.find(id) else { continue }
      var document = Self.document(of: article)
      if bounds.takesFullTexts, document.readingSeconds < Self.beginning,
        let whole = try await whole(article)
      {
        report.fullTexts += 1
        article = whole
        document = Self.document(of: article)
      }
      report.articles += 1
      report.seconds += document.readingSeconds
      try await pack(document.figures.compactMap(\.source), of: article, room, &report)
      if bounds.takesFiles { try download(article, bounds, &report) }
      if report.bytes < bounds.bytes, let bytes = try await comments.pack(article) {
        report.discussed += 1
        report.bytes += bytes
      }
    }
    return report
  }

  private func ids(_ query: ArticleQuery?) throws -> [ArticleID] {
    if let query { return try articles.ids(of: .matching(query, in: .all)) }
    let starred = try articles.ids(of: .matching(try ArticleQuery("starred unread"), in: .all))
    let known = Set(starred)
    return starred + (try articles.ids(of: .unread).filter { !known.contains($0) })
  }

  /// The article with its full text; nil where that is here already or cannot be had, as behind a paywall.
  ///
  /// - Throws: `CancellationError`.
  private func whole(_ article: Article) async throws -> Article? {
    guard article.fullText == nil, article.entry.url != nil else { return nil }
    do { return try await fullTexts.show(article.id) } catch let error as CancellationError {
      throw error
    } catch { return nil }
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

  /// Fetches the pictures of an article that are not here yet.
  private func pack(
    _ urls: [String], of article: Article, _ room: Int64, _ report: inout Report
  ) async throws {
    var isWhole = true
    for url in urls where !pictures.has(url, in: article.feedID) {
      guard report.bytes < room else {
        report.isFull = true
        isWhole = false
        continue
      }
      do {
        report.bytes += try await pictures.fetch(
          url, of: article.feedID, atMost: Int(room - report.bytes))
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
    if isWhole { report.wholeArticles += 1 }
  }

  /// Asks for the sounds and films of an article, where they fit.
  private func download(_ article: Article, _ bounds: Bounds, _ report: inout Report) throws {
    let transfers = Transfers(composition)
    for (place, file) in article.entry.enclosures.enumerated() where file.role == .media {
      guard try transfers.path(of: file, of: article.id) == nil else { continue }
      let length = file.length ?? 0
      guard report.bytes + length <= bounds.bytes else {
        report.isFull = true
        continue
      }
      try transfers.download(article, file: place)
      report.bytes += length
      report.files += 1
    }
  }
}

extension SourceError {
  /// Whether a picture cannot be had at the next time either: there is none at its address, or what is there is none.
  fileprivate var isForGood: Bool {
    switch kind {
    case .decoding, .address, .insecure: true
    case .status: status.map { [400, 401, 403, 404, 410, 451].contains($0) } ?? false
    default: false
    }
  }
}
