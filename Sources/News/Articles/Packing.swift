/// The articles that are packed for a trip: whole without a network, with their full text and pictures.
package struct PackedArticles: Hashable, Sendable {
  package private(set) var articles: Set<ArticleID> = []
  /// How many of each feed.
  package private(set) var counts: [FeedID: Int] = [:]
  /// What their texts and pictures take of the disk. A picture that several have counts once.
  package private(set) var bytes: Int64 = 0
  /// How long they take to be read.
  package private(set) var seconds = 0

  package init() {}

  /// - Parameter bytes: what it takes beside those that are packed already.
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

/// What is to be packed for a trip.
package struct PackingBounds: Hashable, Sendable {
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

  /// 200 MB.
  package static let usualBytes: Int64 = 200_000_000
}

/// How far the packing is, and what has come of it in the end.
package struct PackingReport: Hashable, Sendable {
  /// The time of reading that is wanted.
  package var wantedSeconds = 0
  /// Articles that there are to be looked at, at most.
  package var candidates = 0
  /// Articles that were looked at.
  package var articles = 0
  /// Those of them that are here with all of their pictures that there are.
  package var wholeArticles = 0
  /// What those take of the disk; known in the end.
  package var wholeBytes: Int64 = 0
  /// The time that all take to be read.
  package var seconds = 0
  /// What was fetched now.
  package var bytes: Int64 = 0
  package var pictures = 0
  package var fullTexts = 0
  /// Articles whose comments were fetched.
  package var discussed = 0
  /// Articles of hardly a word, whose pages were not fetched.
  package var withoutText = 0
  /// Files that are being downloaded, and their lengths, as far as their feeds give them.
  package var files = 0
  package var fileBytes: Int64 = 0
  /// Pictures that are gone from their servers, or are none.
  package var missing = 0
  /// What could not be had this time, by address.
  package var failures: [String: SourceError] = [:]
  /// Whether the room was too small for all of it.
  package var isFull = false
  /// Whether nothing was done because each byte costs.
  package var wasMetered = false

  package init() {}

  /// What may still be fetched, in bytes; negative where more has come than was wanted. Subtracts only, so that no
  /// budget and no length that a feed gives is too large for it.
  package func room(within bounds: PackingBounds) -> Int64 { bounds.bytes - bytes - fileBytes }

  /// What can be read without a network now.
  package var sentence: String { PackedArticles.sentence(wholeArticles, wholeBytes) }

  /// From 0 to 100.
  package var percent: Int {
    func share(_ part: Int, of whole: Int) -> Int { whole > 0 ? min(100, part * 100 / whole) : 0 }
    return max(share(seconds, of: wantedSeconds), share(articles, of: candidates))
  }
}
