internal import Foundation
internal import News

/// The fields of a feed while its document is being read.
struct FeedHead {
  var title = Ranked<String>()
  var link = Ranked<String>()
  var description = Ranked<String>()
  var language = Ranked<String>()
  var image = Ranked<String>()
  var icon: String?
  var authors = RankedAuthors()
  var categories: [News.Category] = []
  /// Words for a search engine: they count where there are no categories.
  private var keywords: [String] = []
  var rights = Ranked<String>()
  var updated = Ranked<Date>()
  var feedURL: String?
  /// `itunes:new-feed-url`.
  var movedTo: String?
  var nextURL: String?
  /// The next older archive (RFC 5005 §4): where to go on if there is no next page.
  var archiveURL: String?
  var generator: String?
  var listTotal: Int?
  var isComplete = false
  var isArchive = false
  var minutesToLive = Ranked<Int>()
  /// Of the Syndication module: how long its period is, in minutes, and how often in it the feed
  /// changes.
  var period: Int?
  var frequency: Int?

  private static let categoryLimit = 256
  /// Software writes a period by default; one that nobody has chosen must not hold a feed back
  /// for longer.
  private static let longestPeriod = 60 * 24

  mutating func addCategory(_ category: News.Category) {
    guard !category.name.isEmpty, categories.count < Self.categoryLimit,
      !categories.contains(where: { $0.name == category.name })
    else { return }
    categories.append(category)
  }

  /// - Parameter text: words parted by commas.
  mutating func addKeywords(_ text: String?) {
    guard keywords.count < Self.categoryLimit else { return }
    keywords += Keywords.list(text)
  }

  /// - Parameter minutes: as RSS 2.0's `ttl` gives them.
  mutating func setMinutesToLive(_ minutes: Int?) {
    guard let minutes, minutes > 0 else { return }
    minutesToLive.offer(
      min(minutes, FeedDescription.longestMinutesToLive),
      Precedence.minutesToLive[.minutesToLive])
  }

  mutating func setPeriod(_ name: String?) {
    period =
      switch name?.lowercased() {
      case "hourly": 60
      case "daily": 60 * 24
      case "weekly": 60 * 24 * 7
      case "monthly": 60 * 24 * 30
      case "yearly": 60 * 24 * 365
      default: period
      }
  }

  /// The categories, or what takes their place.
  private var subjects: [News.Category] {
    guard categories.isEmpty else { return categories }
    var head = FeedHead()
    for word in keywords { head.addCategory(Category(word)) }
    return head.categories
  }

  func described(as format: FeedFormat) -> FeedDescription {
    var wait = minutesToLive
    if let period {
      let minutes = min(Self.longestPeriod, period / max(1, frequency ?? 1))
      if minutes > 0 { wait.offer(minutes, Precedence.minutesToLive[.updatePeriod]) }
    }
    return FeedDescription(
      format: format, title: title.value, link: link.value, description: description.value,
      language: language.value, image: image.value, icon: icon, authors: authors.list,
      categories: subjects, rights: rights.value, updated: updated.value, feedURL: feedURL,
      movedTo: movedTo,
      nextURL: isComplete ? nil : nextURL ?? archiveURL, generator: generator, listTotal: listTotal,
      isComplete: isComplete, isArchive: isArchive, minutesToLive: wait.value)
  }
}
