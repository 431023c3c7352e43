internal import GRDB
internal import News
internal import Text

/// Traits of a page as a whole.
struct PageTraits {
  private let articles: [PreparedPage.Article]
  /// The keys of its entries, with and without distinct ids. Lazy: seldom needed.
  private lazy var keys = Set(articles.flatMap { [$0.key, $0.distinct.key] })
  private let sharedLinks: Set<Int64>
  private let sharedMoments: Set<Int64>
  private let hosts: Set<String>
  /// How many entries look the same.
  private lazy var looks: [Look: Int] = articles.reduce(into: [:]) { looks, article in
    if let look = Look(article) { looks[look, default: 0] += 1 }
  }

  /// An entry as it looks in a list.
  private struct Look: Hashable {
    var link: Int64
    var title: String
    var moment: Int64?

    /// Nil without a link or a title.
    init?(_ article: PreparedPage.Article) {
      guard let link = article.linkKey, let title = article.entry.title else { return nil }
      self.link = link
      self.title = title.lowercased()
      moment = article.traits.moment
    }
  }

  init(_ articles: [PreparedPage.Article]) {
    self.articles = articles
    sharedLinks = Self.repeated(articles.lazy.compactMap(\.linkKey))
    sharedMoments = Self.repeated(articles.lazy.compactMap(\.traits.moment))
    hosts = Set(articles.compactMap { $0.entry.url.flatMap(LinkIdentity.parts)?.host })
  }

  /// Whether an article is in the page under its own id.
  mutating func holds(_ article: StoredArticle) -> Bool { keys.contains(article.key) }

  /// Whether no other entry has the link, the title and the time of this one.
  mutating func isOnlyOne(_ article: PreparedPage.Article) -> Bool {
    guard let look = Look(article), isShared(link: look.link) else { return true }
    return looks[look, default: 0] < 2
  }

  var hasOneEntry: Bool { articles.count == 1 }

  func isShared(link: Int64) -> Bool { sharedLinks.contains(link) }

  func names(host: String) -> Bool { hosts.contains(host) }

  /// Whether a time tells articles apart: a midnight or a full hour does not.
  func isPrecise(_ moment: Int64) -> Bool {
    let second = ((moment % 86_400) + 86_400) % 86_400
    return second % 3600 != 0 && !Self.midnights.contains(second) && !sharedMoments.contains(moment)
  }

  /// Midnights of the zones that are not whole hours from UTC, in seconds: Newfoundland, the
  /// Marquesas, Iran, Afghanistan, India, Nepal, Myanmar, Eucla, Adelaide, Lord Howe and the
  /// Chatham Islands, in summer and winter.
  private static let midnights = Set(
    [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825]
      .map { (86_400 - $0 * 60) % 86_400 } as [Int64])

  private static func repeated(_ values: some Sequence<Int64>) -> Set<Int64> {
    var (once, again): (Set<Int64>, Set<Int64>) = ([], [])
    for value in values where !once.insert(value).inserted { again.insert(value) }
    return again
  }
}
