/// Articles packed for a trip: complete without a network, with full text and pictures.
package struct PackedArticles: Hashable, Sendable {
  package private(set) var articles: Set<ArticleID> = []
  package private(set) var counts: [FeedID: Int] = [:]
  /// The size of texts and pictures on the disk. A shared picture counts once.
  package private(set) var bytes: Int64 = 0
  /// The reading time.
  package private(set) var seconds = 0

  package init() {}

  /// - Parameter bytes: beyond those already packed.
  package mutating func add(_ article: ArticleID, of feed: FeedID, bytes: Int64, seconds: Int) {
    guard articles.insert(article).inserted else { return }
    counts[feed, default: 0] += 1
    self.bytes += bytes
    self.seconds += seconds
  }

  package func contains(_ article: ArticleID) -> Bool { articles.contains(article) }

  /// As in `214 articles, 18.0 MB, readable offline`.
  package var sentence: String { Self.sentence(articles.count, bytes) }

  fileprivate static func sentence(_ count: Int, _ bytes: Int64) -> String {
    guard count > 0 else { return "nothing is packed" }
    let articles = count == 1 ? "1 article" : "\(count) articles"
    return "\(articles), \(TransferWords.bytes(bytes)), readable offline"
  }
}

/// Limits of packing for a trip.
package struct PackingBounds: Hashable, Sendable {
  /// The reading time to pack, in seconds.
  package var seconds: Int
  /// The most to fetch.
  package var bytes: Int64
  /// Nil for unread articles.
  package var query: ArticleQuery?
  /// Whether pages are fetched for the full text of excerpts.
  package var takesFullTexts = false
  /// Whether audio and video files are downloaded.
  package var takesFiles = false
  /// Whether to fetch over a metered connection.
  package var evenMetered = false

  package init(seconds: Int, bytes: Int64) {
    self.seconds = seconds
    self.bytes = bytes
  }

  package static let usualBytes: Int64 = 200_000_000
}

/// Progress and outcome of packing.
package struct PackingReport: Hashable, Sendable {
  package var wantedSeconds = 0
  /// Articles to look at, at most.
  package var candidates = 0
  /// Articles looked at.
  package var articles = 0
  /// Those with all available pictures.
  package var wholeArticles = 0
  /// Their size on the disk; known at the end.
  package var wholeBytes: Int64 = 0
  /// The reading time of all.
  package var seconds = 0
  /// Fetched now.
  package var bytes: Int64 = 0
  package var pictures = 0
  package var fullTexts = 0
  package var discussed = 0
  /// Articles with hardly a word, whose pages were not fetched.
  package var withoutText = 0
  /// Files being downloaded, and their lengths where feeds state them.
  package var files = 0
  package var fileBytes: Int64 = 0
  /// Pictures that are gone or are none.
  package var missing = 0
  /// Failures of this time, by address.
  package var failures: [String: SourceError] = [:]
  package var isFull = false
  /// Whether the connection was metered, so that nothing was fetched.
  package var wasMetered = false

  package init() {}

  /// Bytes that may still be fetched; negative beyond the limit. Subtracts only, so that no length
  /// in a feed overflows it.
  package func room(within bounds: PackingBounds) -> Int64 { bounds.bytes - bytes - fileBytes }

  package var sentence: String { PackedArticles.sentence(wholeArticles, wholeBytes) }

  package var percent: Int {
    func share(_ part: Int, of whole: Int) -> Int { whole > 0 ? min(100, part * 100 / whole) : 0 }
    return max(share(seconds, of: wantedSeconds), share(articles, of: candidates))
  }
}
