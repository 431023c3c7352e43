internal import News
internal import Screen

import struct Foundation.Date

@testable import Reader

/// What the states of the tests are made of.
enum Sample {
  /// 21 November 2026, 14:02 UTC.
  static let now: Int64 = 1_795_269_720
  static let clock = WallClock(now: now)

  /// A source that answered five minutes ago.
  static let fresh = Freshness(
    updated: Date(timeIntervalSince1970: Double(now - 300)), feedCount: 3)

  static func date(secondsAgo: Int64) -> Date {
    Date(timeIntervalSince1970: Double(now - secondsAgo))
  }

  /// An hour lies between an article and the next; a higher id is newer.
  static func position(_ id: Int64) -> TimelinePosition {
    TimelinePosition(date: now - 3_600 * (1_000 - id), id: id)
  }

  static func row(
    _ id: Int64, _ title: String? = nil, isRead: Bool = false, isStarred: Bool = false,
    feed: Int64 = 1, feedTitle: String = "Feed 1"
  ) -> TimelineRow {
    .article(
      ArticleRow(
        id: ArticleID(id), feedID: FeedID(feed), feedTitle: feedTitle,
        title: title ?? "Article \(id)",
        status: ArticleStatus(isRead: isRead, isStarred: isStarred), position: position(id)))
  }

  /// Rows with the ids of a range, newest first; those of `read` are read.
  static func rows(_ ids: ClosedRange<Int64>, read: Set<Int64> = []) -> [TimelineRow] {
    ids.reversed().map { row($0, isRead: read.contains($0)) }
  }

  static func gap(between newer: Int64, and older: Int64, canLoad: Bool = true) -> TimelineRow {
    .gap(
      Gap(
        id: 7, feedID: FeedID(1), newer: position(newer), older: position(older), canLoad: canLoad))
  }

  static func counts(of rows: [TimelineRow]) -> ArticleCounts {
    rows.reduce(into: ArticleCounts()) { counts, row in
      guard case .article(let article) = row else { return }
      counts.total += 1
      if !article.status.isRead { counts.unread += 1 }
      if article.status.isStarred { counts.starred += 1 }
    }
  }

  static func article(
    _ id: ArticleID, title: String? = nil, html: String, place: ReadingPosition? = nil
  ) -> Article {
    Article(
      id: id, feedID: FeedID(1), feedTitle: "Feed 1",
      entry: Entry(
        id: "\(id.rawValue)", url: "https://example.org/\(id.rawValue)",
        title: title ?? "Article \(id.rawValue)", authors: ["A. Writer"],
        published: Date(timeIntervalSince1970: Double(position(id.rawValue).date)),
        contentHTML: html),
      status: ArticleStatus(isRead: true), position: position(id.rawValue), readingPosition: place)
  }

  /// Paragraphs of one sentence, long enough to wrap on a narrow screen.
  static func paragraphs(_ count: Int) -> String {
    (1...count).map {
      "<p>Paragraph \($0) has some words that wrap where the screen is narrow, and a few more.</p>"
    }.joined()
  }

  /// A paragraph for each link.
  static func links(_ count: Int) -> String {
    (1...count).map { "<p>See <a href=\"https://example.org/l/\($0)\">page \($0)</a>.</p>" }
      .joined()
  }

  static func feed(
    _ id: Int64, _ title: String, folders: [String] = [], unread: Int = 0,
    error: SourceError? = nil
  ) -> Feed {
    Feed(
      id: FeedID(id), url: "https://example.org/\(id).xml", title: title, folders: folders,
      counts: ArticleCounts(total: 40, unread: unread), state: FeedState(error: error))
  }

  static let unavailable = SourceError(
    .status, stage: .fetch, subject: "example.org", message: "example.org replied 503", status: 503)
}

extension SidebarSnapshot {
  static let sample = SidebarSnapshot(
    feeds: [
      Sample.feed(1, "Feed 1", unread: 12), Sample.feed(2, "Feed 2", folders: ["Work"], unread: 3),
      Sample.feed(3, "Feed 3", folders: ["Work/Inner"]),
      Sample.feed(4, "Feed 4", error: Sample.unavailable),
    ], counts: ArticleCounts(total: 160, unread: 15, starred: 2))
}
