internal import Foundation
internal import News

struct FeedHead {
  var title = Ranked<String>()
  var link = Ranked<String>()
  var description = Ranked<String>()
  var language = Ranked<String>()
  var image = Ranked<String>()
  var icon: String?
  var authors = RankedAuthors()
  var categories: [News.Category] = []
  /// Used if there are no categories.
  private var keywords: [String] = []
  var rights = Ranked<String>()
  var updated = Ranked<Date>()
  var feedURL: String?
  /// `itunes:new-feed-url`.
  var movedTo: String?
  var nextURL: String?
  /// The next older archive (RFC 5005 §4), used if there is no next page.
  var archiveURL: String?
  var generator: String?
  var listTotal: Int?
  var isComplete = false
  var isArchive = false
  var minutesToLive = Ranked<Int>()
  var skips = SkippedTimes()
  /// Period in minutes, and updates in it (RSS module "Syndication").
  var period: Int?
  var frequency: Int?

  private static let categoryLimit = 256
  /// In minutes. Software writes a default period, which must not delay refreshes.
  private static let longestPeriod = 60 * 24

  mutating func addCategory(_ category: News.Category) {
    guard !category.name.isEmpty, categories.count < Self.categoryLimit,
      !categories.contains(where: { $0.name == category.name })
    else { return }
    categories.append(category)
  }

  mutating func addKeywords(_ text: String?) {
    guard keywords.count < Self.categoryLimit else { return }
    keywords += Keywords.list(text)
  }

  mutating func setMinutesToLive(_ minutes: Int?) {
    guard let minutes, minutes > 0 else { return }
    minutesToLive.offer(
      min(minutes, FeedDescription.longestMinutesToLive),
      Precedence.minutesToLive[.minutesToLive])
  }

  mutating func setPeriod(_ name: String?) {
    let days = ["daily": 1, "weekly": 7, "monthly": 30, "yearly": 365]
    guard let name = name?.lowercased() else { return }
    period = name == "hourly" ? 60 : days[name].map { $0 * 60 * 24 } ?? period
  }

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
      isComplete: isComplete, isArchive: isArchive, minutesToLive: wait.value,
      skips: skips == SkippedTimes() ? nil : skips)
  }
}
