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
    feed: Int64 = 1, feedTitle: String = "Feed 1", date: Int64? = nil
  ) -> TimelineRow {
    .article(
      ArticleRow(
        id: ArticleID(id), feedID: FeedID(feed), feedTitle: feedTitle,
        title: title ?? "Article \(id)",
        status: ArticleStatus(isRead: isRead, isStarred: isStarred),
        position: TimelinePosition(date: date ?? position(id).date, id: id)))
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
        title: title ?? "Article \(id.rawValue)", authors: [Author("A. Writer")],
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

  static func error(
    _ kind: SourceError.Kind, _ message: String, _ status: Int? = nil
  ) -> SourceError {
    SourceError(
      kind, stage: .fetch, subject: "example.org", message: "example.org \(message)",
      next: "r tries now", status: status)
  }

  static let unavailable = SourceError(
    .status, stage: .fetch, subject: "example.org", message: "example.org replied 503", status: 503)
}

extension WaitingChange {
  private static func edit(_ id: Int64, _ conflict: CommentConflict) -> WaitingChange {
    WaitingChange(
      id: id,
      kind: .edit(
        CommentEdit(
          comment: "c1", version: "1",
          text: "The ferry went at nine, and I was on it. The captain says so, too.",
          conflict: conflict)),
      origin: "https://comments.example.com:8443", title: "The harbour in the morning",
      feedTitle: "Feed 1", created: Sample.date(secondsAgo: 7_200), attempts: 1,
      error: SourceError(
        .status, stage: .fetch, subject: "Feed 1",
        message: "this comment was changed at the server too", status: 409))
  }

  /// A comment that was changed here and at its server.
  static let inConflict = edit(
    7,
    .changed(
      Comment(
        id: "c1", author: "ada", updated: Sample.date(secondsAgo: 3_600),
        text: "The ferry went at ten.\nIt was late.", version: "2")))
  /// One that was deleted there.
  static let deleted = edit(8, .deleted)
}

extension OutboxSnapshot {
  /// A change of each kind, in each state.
  static let sample: OutboxSnapshot = {
    func change(
      _ id: Int64, _ kind: WaitingChange.Kind, _ title: String?, minutes: Int64,
      attempts: Int = 0, server: String? = "https://news.example.org", error: SourceError? = nil
    ) -> WaitingChange {
      WaitingChange(
        id: id, kind: kind, origin: server, title: title, feedTitle: title.map { _ in "Feed 1" },
        created: Sample.date(secondsAgo: minutes * 60), attempts: attempts, error: error)
    }
    var busy = Sample.error(.status, "is busy (429)", 429)
    busy.retryAfter = Sample.date(secondsAgo: -570)
    let refused = SourceError(
      .status, stage: .fetch, subject: "comments.example.com:8443",
      message:
        "comments.example.com:8443 refused the comment: it has more words than are taken (422)",
      next: "telex outbox lists it", status: 422)
    return OutboxSnapshot(
      changes: [
        change(
          1, .mark(.starred(true)), "The harbour in the morning", minutes: 4_000, attempts: 12,
          error: busy
        ),
        change(
          2, .comment("All of it is true, and then some. I was there."),
          "A title of an article so long that hardly any screen has room for the whole of it, not even wide ones",
          minutes: 200, attempts: 1, server: "https://comments.example.com:8443", error: refused),
        change(3, .batch(isRead: true, count: 1_234), nil, minutes: 90, server: nil),
        change(4, .mark(.read(true)), "日本語の見出し", minutes: 30),
        change(5, .mark(.starred(false)), "Bread, and how to bake it", minutes: 2),
        change(6, .mark(.read(false)), nil, minutes: 0, server: nil),
      ],
      counts: [
        Count(origin: "https://news.example.org", count: 3), Count(origin: nil, count: 2),
        Count(origin: "https://comments.example.com:8443", count: 1),
      ])
  }()

  /// More than any screen shows.
  static let many = OutboxSnapshot(
    changes: (1...300).map {
      WaitingChange(
        id: $0, kind: .mark(.read(true)), origin: "https://news.example.org", title: "Story \($0)",
        feedTitle: "Feed 1", created: Sample.date(secondsAgo: 90_000 - $0 * 60))
    }, counts: [Count(origin: "https://news.example.org", count: 4_321)])
}

extension Feed {
  /// With what is known of its fetching changed.
  func with(_ change: (inout FeedState) -> Void) -> Feed {
    var feed = self
    change(&feed.state)
    return feed
  }
}

extension SidebarSnapshot {
  /// A feed of each condition, the best first.
  static let ailing = SidebarSnapshot(
    feeds: [
      Sample.feed(1, "Well").with {
        $0.lastAttempt = Sample.date(secondsAgo: 300)
        $0.lastSuccess = Sample.date(secondsAgo: 300)
        $0.exchange = ExchangeSummary(status: 200)
      },
      Sample.feed(2, "Stale").with {
        $0.lastAttempt = Sample.date(secondsAgo: 90_000)
        $0.lastSuccess = Sample.date(secondsAgo: 90_000)
        $0.exchange = ExchangeSummary(status: 304)
      },
      Sample.feed(3, "New"),
      Sample.feed(4, "Gone", error: Sample.error(.status, "replied that it is gone (410)", 410))
        .with {
          $0.isGone = true
          $0.lastAttempt = Sample.date(secondsAgo: 7_200)
          $0.lastSuccess = Sample.date(secondsAgo: 900_000)
          $0.exchange = ExchangeSummary(status: 410)
          $0.failing = FailureRun(since: Sample.date(secondsAgo: 7_200), count: 1)
        },
      Sample.feed(5, "Redirected").with {
        $0.lastAttempt = Sample.date(secondsAgo: 300)
        $0.lastSuccess = Sample.date(secondsAgo: 300)
        $0.exchange = ExchangeSummary(status: 200, redirectedTo: "https://example.com/new/5.xml")
      },
      Sample.feed(6, "Asked to wait", error: Sample.error(.status, "is busy (429)", 429)).with {
        $0.lastAttempt = Sample.date(secondsAgo: 30)
        $0.nextAttempt = Sample.date(secondsAgo: -570)
        $0.error?.retryAfter = Sample.date(secondsAgo: -570)
        $0.exchange = ExchangeSummary(status: 429)
        $0.failing = FailureRun(since: Sample.date(secondsAgo: 30), count: 1)
      },
      Sample.feed(7, "Paused", error: Sample.error(.paused, "keeps failing and is left alone"))
        .with {
          $0.lastAttempt = Sample.date(secondsAgo: 7)
          $0.nextAttempt = Sample.date(secondsAgo: -23)
          $0.exchange = ExchangeSummary(status: 502, attempts: 3)
          $0.failing = FailureRun(since: Sample.date(secondsAgo: 4_000), count: 5)
        },
      Sample.feed(8, "Fails since today", error: Sample.error(.timeout, "did not answer in 30 s"))
        .with {
          $0.lastAttempt = Sample.date(secondsAgo: 600)
          $0.lastSuccess = Sample.date(secondsAgo: 11_000)
          $0.exchange = ExchangeSummary(attempts: 3)
          $0.failing = FailureRun(since: Sample.date(secondsAgo: 7_200), count: 2)
        },
      Sample.feed(
        9, "A long title of a feed that has failed for weeks and weeks on end",
        error: Sample.error(
          .status,
          "replied that there is nothing at this address, and that whoever looks for it "
            + "should look elsewhere (404)", 404)
      ).with {
        $0.lastAttempt = Sample.date(secondsAgo: 600)
        $0.lastSuccess = Sample.date(secondsAgo: 2_000_000)
        $0.exchange = ExchangeSummary(status: 404)
        $0.failing = FailureRun(since: Sample.date(secondsAgo: 1_900_000), count: 212)
      },
    ], counts: ArticleCounts(total: 360, unread: 0))

  static let sample = SidebarSnapshot(
    feeds: [
      Sample.feed(1, "Feed 1", unread: 12), Sample.feed(2, "Feed 2", folders: ["Work"], unread: 3),
      Sample.feed(3, "Feed 3", folders: ["Work/Inner"]),
      Sample.feed(4, "Feed 4", error: Sample.unavailable),
    ], counts: ArticleCounts(total: 160, unread: 15, starred: 2))
}
