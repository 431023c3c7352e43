internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Text

/// Automatic downloads of new files, for feeds with that setting. New are files above the articles
/// that a feed had: neither of its first page nor of older pages. The last article that was looked
/// at is in the book, so that a kill loses no file.
struct AutomaticDownloads: Sendable {
  private let composition: Composition
  private let transfers: Transfers

  init(_ composition: Composition) {
    self.composition = composition
    transfers = Transfers(composition)
  }

  private var isWanted: Bool { !composition.settings.downloads.automaticFeeds.isEmpty }

  /// Notes the last article before a refresh, where none was noted yet.
  func prepare() throws {
    guard isWanted, try transfers.book.readAnyway().seenArticle == nil else { return }
    let last = try composition.store.viewNow {
      try $0.timeline.arrivals(TimelineQuery(.all)).lastID
    }
    try transfers.book.edit { $0.seenArticle = $0.seenArticle ?? last }
  }

  /// Downloads the files of new articles; on a metered connection they wait (`TransferRunner`). While data is saved by
  /// the settings, a later refresh does.
  func ask() throws {
    guard isWanted, !composition.settings.refresh.isLowData,
      let seen = try transfers.book.readAnyway().seenArticle
    else { return }
    let addresses = Set(composition.settings.downloads.automaticFeeds.map(Self.comparable))
    let (articles, last) = try composition.store.viewNow { view in
      // The settings may know a feed by the address that it had before it moved.
      let feeds = try view.feeds.all().filter { feed in
        ([feed.url] + feed.settings.otherURLs).contains { addresses.contains(Self.comparable($0)) }
      }
      var (articles, last): ([Article], Int64) = ([], seen)
      for feed in feeds {
        let arrivals = try view.timeline.arrivals(TimelineQuery(.feed(feed.id), arrivedAfter: seen))
        last = max(last, arrivals.lastID)
        for arrival in arrivals.articles where !arrival.isFromNewFeed {
          if let article = try view.articles.article(ArticleID(arrival.position.id)) {
            articles.append(article)
          }
        }
      }
      return (articles.sorted { $0.position < $1.position }, last)
    }
    guard last > seen else { return }
    let isAdded = try transfers.book.edit { book in
      let before = book.lastID
      for article in articles {
        for file in article.entry.enclosures where file.role == .media {
          _ = Transfers.add(file, of: article, to: &book, isAutomatic: true)
        }
      }
      book.seenArticle = max(book.seenArticle ?? 0, last)
      return book.lastID > before
    }
    if isAdded { try transfers.startHelper() }
  }

  private static func comparable(_ address: String) -> String {
    let address = WebAddress.withoutUser(address)
    return (try? WebAddress.normalized(address)) ?? address
  }
}
