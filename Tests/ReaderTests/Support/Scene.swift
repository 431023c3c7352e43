internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// A state of the screen worth looking at.
struct Scene: Sendable, CustomTestStringConvertible {
  var name: String
  var sizes: [Size]
  private var play: @Sendable (inout Session) throws -> Void

  var testDescription: String { name }

  init(
    _ name: String, sizes: [Size] = [Size(width: 80, height: 24), Size(width: 40, height: 10)],
    _ play: @escaping @Sendable (inout Session) throws -> Void
  ) {
    self.name = name
    self.sizes = sizes + [Size(width: 1, height: 1)]
    self.play = play
  }

  func state(at size: Size, theme: Theme = .none) throws -> ReaderState {
    var session = Session(width: size.width, height: size.height, theme: theme)
    try play(&session)
    return session.state
  }

  private static let wide = [
    Size(width: 200, height: 50), Size(width: 80, height: 24), Size(width: 40, height: 10),
  ]

  private static let pages = [
    Size(width: 200, height: 60), Size(width: 80, height: 24), Size(width: 40, height: 10),
  ]

  static let all: [Scene] = [
    Scene("never-loaded") { session in
      session.state = ReaderState(size: session.state.size, clock: Sample.clock)
    },
    Scene("no-feeds") { session in
      _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot())))
      session.arrive([], freshness: Freshness())
    },
    Scene("list", sizes: wide) { $0.arrive(titles) },
    Scene("list-scrolled") { session in
      session.arrive(Sample.rows(900...960, read: Set(900...950)))
      session.send(keys: "<PgDn>")
      session.arrive(Sample.rows(900...963, read: Set(900...950)))
    },
    Scene("list-days", sizes: wide) { session in
      session.arrive(Sample.rows(935...1_000, read: Set(940...995)))
      session.send(keys: ".12j<PgDn>")
      _ = session.state.reduce(.reminded(.notice(serial: session.state.serial)))
    },
    Scene("list-days-top") { session in
      session.arrive(titles)
      session.send(keys: ".")
    },
    Scene("list-by-feed") { session in
      session.send(keys: ".,,")
      session.arrive(
        Sample.rows(1...3)
          + (4...5).map { Sample.row($0, feed: 2, feedTitle: "Feed 2") })
    },
    Scene("sidebar-by-unread") { session in
      session.arrive(titles)
      session.send(keys: "h,")
    },
    Scene("sidebar") { session in
      session.arrive(titles)
      session.send(keys: "hjjjj")
      session.arrive([Sample.row(2)])
    },
    Scene("sidebar-empty-folder") { session in
      var sidebar = session.state.subscriptions
      sidebar.folders = ["Later/Soon", "Work/Inner"]
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
      session.arrive(titles)
      session.send(keys: "hjjjj")
      session.arrive([], freshness: Freshness())
    },
    Scene("sidebar-picked") { session in
      session.arrive(titles)
      session.send(keys: "hjjjjvjv")
      session.arrive([Sample.row(2)])
    },
    Scene("article", sizes: wide) { session in
      session.arrive(titles)
      session.send(keys: "<Enter>")
      try session.articleArrives(html: story)
    },
    Scene("article-link") { session in
      session.arrive(titles)
      session.send(keys: "<Enter>")
      try session.articleArrives(html: Sample.links(12))
      session.send(keys: "<Tab>1")
    },
    Scene("article-changes") { session in
      session.arrive(titles)
      session.send(keys: "<Enter>")
      let id = try #require(session.state.article?.id)
      var article = Sample.article(id, html: "<p>It is so.</p>")
      (article.isChanged, article.changed) = (true, Date(timeIntervalSince1970: 1_700_000_000))
      let changes = OtherText(
        changes:
          "<p>It was asked.</p><p><del>− It is not so.</del></p><p><ins>+ It is so.</ins></p>")
      let page = ArticlePage(
        article, width: session.state.articleWidth, clock: session.state.clock, with: changes)
      _ = session.state.reduce(.article(.arrived(page)))
    },
    Scene("list-changed") { session in
      guard case .article(var row) = Sample.row(9, "A vote that went the other way") else { return }
      row.isChanged = true
      session.arrive([.article(row)] + Sample.rows(1...8))
    },
    Scene("article-loading") { session in
      session.arrive(titles)
      session.send(keys: "<Enter>")
    },
    Scene("article-failed") { session in
      session.arrive(titles)
      session.send(keys: "<Enter>")
      let id = try #require(session.state.article?.id)
      let error = SourceError(
        .store, stage: .store, subject: "the store", message: "the disk is full",
        next: "free some space and try again")
      _ = session.state.reduce(.article(.failed(id, error)))
    },
    Scene("never-fetched") { session in
      session.send(keys: "hjjjj")
      session.arrive([], freshness: Freshness(feedCount: 1, neverFetchedCount: 1))
    },
    Scene("loading") { session in
      refreshing(&session)
      session.arrive(
        [], freshness: Freshness(isLoading: true, feedCount: 4, neverFetchedCount: 4))
    },
    Scene("refreshing") { session in
      refreshing(&session)
      session.arrive(titles)
    },
    Scene("loaded-and-told") { session in
      session.arrive(titles)
      _ = session.state.reduce(
        .subscriptions(.refreshEnded(failed: 0, inserted: 12, wasAsked: true)))
    },
    Scene("loading-older") { $0.showEnd(.loading) },
    Scene("older-end") { $0.showEnd(.end) },
    Scene("older-more") { $0.showEnd(.more) },
    Scene("older-failed") { $0.showEnd(.failed(Sample.unavailable)) },
    Scene("empty") { session in
      _ = session.state.show(.feed(FeedID(1)))
      var freshness = Sample.fresh
      freshness.feedCount = 1
      session.arrive([], freshness: freshness)
    },
    Scene("empty-filtered") { session in
      session.send(keys: "U")
      session.arrive([], counts: ArticleCounts(total: 160))
      _ = session.state.reduce(.reminded(.notice(serial: session.state.serial)))
    },
    Scene("all-read") { session in
      _ = session.state.show(.unread)
      session.arrive([], counts: ArticleCounts(total: 160))
    },
    Scene("nothing-starred") { session in
      _ = session.state.show(.starred)
      session.arrive([])
    },
    Scene("partly-failed") { session in
      session.arrive(
        titles,
        freshness: Freshness(
          updated: Sample.date(secondsAgo: 300), feedCount: 40, failedCount: 3,
          error: Sample.unavailable))
    },
    Scene("failed") { session in
      _ = session.state.show(.feed(FeedID(4)))
      session.arrive(
        titles,
        freshness: Freshness(
          updated: Sample.date(secondsAgo: 7_300), feedCount: 1, failedCount: 1,
          error: Sample.unavailable, nextAttempt: Sample.date(secondsAgo: -300)))
    },
    Scene("retrying") { session in
      refreshing(&session)
      var sidebar = session.state.subscriptions
      let wait = RetryWait(attempt: 2, maxAttempts: 3, until: Sample.date(secondsAgo: -2))
      sidebar.waits = [FeedID(4): wait]
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
      _ = session.state.show(.feed(FeedID(4)))
      session.arrive(
        titles,
        freshness: Freshness(
          updated: Sample.date(secondsAgo: 7_300), feedCount: 1, wait: wait))
    },
    Scene("paused") { session in
      var error = SourceError(
        .paused, stage: .connect, subject: "https://example.org/feed",
        message: "example.org keeps failing, so Telex waits.",
        next: "r tries now")
      error.pausedUntil = Sample.date(secondsAgo: -23)
      var sidebar = session.state.subscriptions
      for index in sidebar.feeds.indices where sidebar.feeds[index].id == FeedID(4) {
        sidebar.feeds[index].state.error = error
        sidebar.feeds[index].state.nextAttempt = error.nextAttempt
      }
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
      _ = session.state.show(.feed(FeedID(4)))
      session.arrive(
        titles,
        freshness: Freshness(
          updated: Sample.date(secondsAgo: 7_300), feedCount: 1, failedCount: 1, error: error,
          nextAttempt: error.nextAttempt))
    },
    Scene("failed-empty") { session in
      refreshing(&session)
      _ = session.state.show(.feed(FeedID(4)))
      session.arrive(
        [],
        freshness: Freshness(
          feedCount: 1, failedCount: 1, neverFetchedCount: 1, error: Sample.unavailable))
    },
    Scene("waiting-for-the-network") { session in
      var sidebar = SidebarSnapshot.sample
      for index in sidebar.feeds.indices where sidebar.feeds[index].id == FeedID(4) {
        sidebar.feeds[index].title = nil
        sidebar.feeds[index].settings.isSought = true
        sidebar.feeds[index].state.error = SourceError(
          .offline, stage: .connect, subject: "example.org", message: "there is no network")
      }
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
      _ = session.state.show(.feed(FeedID(4)))
      session.arrive(
        [],
        freshness: Freshness(
          offlineSince: Sample.date(secondsAgo: 720), feedCount: 1, failedCount: 1))
    },
    Scene("offline") { session in
      session.arrive(titles, freshness: offline(updated: 7_300))
    },
    Scene("offline-empty") { $0.arrive([], freshness: offline(updated: nil)) },
    Scene("search") { session in
      session.send(keys: "/swift")
      _ = session.state.reduce(.list(.searchSettled("swift")))
      session.arrive(titles, counts: ArticleCounts(total: 10))
    },
    Scene("search-nothing") { session in
      session.send(keys: "/nowhere<Enter>")
      session.arrive([])
    },
    Scene("prompt-add") { session in
      session.arrive(titles)
      session.send(keys: "ahttps://example.org/a-long-address/that-goes-on/feed.xml")
    },
    Scene("prompt-remove") { session in
      session.send(keys: "hjjjjjj")
      session.arrive(titles)
      session.send(keys: "d")
    },
    Scene("pull") { session in
      session.arrive(titles)
      session.send(keys: "k")
    },
    Scene("health", sizes: pages) { $0.showHealth("H") },
    Scene("health-waiting", sizes: pages) { $0.showHealth("Hjjj") },
    Scene("health-redirected", sizes: pages) { $0.showHealth("Hjjjj") },
    Scene("health-there-twice") { session in
      var sidebar = SidebarSnapshot.ailing
      for index in sidebar.feeds.indices where sidebar.feeds[index].id == FeedID(1) {
        sidebar.feeds[index].url = "https://example.com/new/5.xml"
      }
      session.showHealth("Hjjjj", sidebar)
    },
    Scene("health-gone") { $0.showHealth("Hjjjjj") },
    Scene("health-end", sizes: pages) { $0.showHealth("HG<C-e><C-e>") },
    Scene("health-retrying") { session in
      session.showHealth("H")
      var sidebar = SidebarSnapshot.ailing
      sidebar.activity = .refreshing(done: 3, total: 9, failed: 1)
      sidebar.waits = [
        FeedID(9): RetryWait(attempt: 2, maxAttempts: 3, until: Sample.date(secondsAgo: -2))
      ]
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    },
    Scene("health-offline") { session in
      session.showHealth("H")
      var sidebar = SidebarSnapshot.ailing
      sidebar.offlineSince = Sample.date(secondsAgo: 720)
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    },
    Scene("health-move") { $0.showHealth("Hjjjjx") },
    Scene("health-address") { $0.showHealth("Hc<End>2") },
    Scene("list-packed", sizes: wide) { session in
      session.arrive(titles)
      _ = session.state.reduce(.trip(.packedFound(TripTests.packed)))
    },
    Scene("trip-packing", sizes: pages) { session in
      session.arrive(titles)
      session.send(keys: "<C-t>")
      var report = PackingReport()
      (report.wantedSeconds, report.candidates) = (10_800, 400)
      (report.articles, report.wholeArticles, report.seconds) = (57, 55, 4_644)
      (report.bytes, report.failures) = (12_300_000, ["a": Sample.unavailable])
      _ = session.state.reduce(.trip(.progressed(report)))
    },
    Scene("trip-packed", sizes: pages) { session in
      session.arrive(titles)
      session.send(keys: "<C-t>")
      _ = session.state.reduce(.trip(.packedFound(TripTests.packed)))
      var report = PackingReport()
      (report.articles, report.wholeArticles, report.bytes) = (220, 214, 18_000_000)
      (report.pictures, report.fullTexts, report.missing) = (120, 14, 6)
      _ = session.state.reduce(.trip(.ended(report)))
    },
    Scene("trip-metered") { session in
      session.arrive(titles, freshness: Freshness(updated: Sample.fresh.updated, savesData: true))
      session.send(keys: "<C-t>")
    },
    Scene("statistics", sizes: pages) { $0.showStatistics("") },
    Scene("statistics-advice", sizes: pages) { $0.showStatistics("j") },
    Scene("statistics-feed", sizes: pages) { $0.showStatistics("jjjjj") },
    Scene("statistics-asked") { $0.showStatistics("jx") },
    Scene("statistics-many", sizes: pages) { session in
      _ = session.state.reduce(.subscriptions(.arrived(.hundred)))
      session.showStatistics("<PgDn>", .hundred)
    },
    Scene("statistics-ascii") { session in
      session.state.settings.usesAsciiSigns = true
      session.showStatistics("")
    },
    Scene("statistics-sizes-later") { session in
      session.send(keys: "S")
      _ = session.state.reduce(.statistics(.counted(.sample, nil)))
    },
    Scene("statistics-loading") { $0.send(keys: "S") },
    Scene("statistics-failed") { session in
      session.send(keys: "S")
      _ = session.state.reduce(
        .statistics(
          .failed(
            SourceError(
              .store, stage: .store, subject: "the store", message: "the disk is full",
              next: "free some space and try again"))))
    },
    Scene("statistics-empty") { session in
      _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot())))
      session.send(keys: "S")
      _ = session.state.reduce(
        .statistics(
          .counted(
            ReadingStatistics(now: Sample.now, span: ReadingStatistics.usualSpan), .sample)))
    },
    Scene("health-many") { session in
      var sidebar = SidebarSnapshot.ailing
      sidebar.feeds += (10...60).map { Sample.feed($0, "Feed \($0)") }
      session.showHealth("H<PgDn>", sidebar)
    },
    Scene("health-details", sizes: pages) { session in
      var sidebar = SidebarSnapshot.ailing
      sidebar.feeds = [sidebar.feeds[0]]
      sidebar.feeds[0].description = "Notes on bread, boats and the harbour, in no order at all."
      sidebar.feeds[0].link = "https://example.org/"
      sidebar.feeds[0].language = "en-GB"
      sidebar.feeds[0].details = FeedDetails(
        image: "https://example.org/picture.png", authors: [Author("Ada"), Author("Bo")],
        rights: "© 2026 Ada and Bo", movedTo: "https://new.example/feed.xml")
      session.showHealth("H<C-e><C-e>", sidebar)
    },
    Scene("health-emptied") { session in
      session.showHealth("H")
      _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot())))
    },
    Scene("feed-form", sizes: pages) { session in
      session.arrive(titles)
      session.openFeedForm()
    },
    Scene("feed-form-several", sizes: pages) { session in
      session.arrive(titles)
      session.send(keys: "hjjjvGkvc")
      session.receiveFeedDefaults()
    },
    Scene("feed-form-mistake", sizes: pages) { session in
      session.arrive(titles)
      session.openFeedForm()
      session.send(keys: "jj<Enter>soon<Enter>")
    },
    Scene("conversation", sizes: pages) { session in
      session.converse(Sample.conversation)
      session.send(keys: "j")
    },
    Scene("conversation-folded", sizes: pages) { session in
      session.converse(Sample.conversation)
      session.send(keys: "jjZ")
    },
    Scene("conversation-loading") { session in
      session.converse(ConversationTests.conversation(of: 0, record: ConversationRecord()))
    },
    Scene("conversation-empty") { $0.converse(ConversationTests.conversation(of: 0)) },
    Scene("conversation-failed") { session in
      let error = SourceError(
        .offline, stage: .fetch, subject: "example.org", message: "there is no network",
        next: "the next refresh asks again")
      session.converse(
        ConversationTests.conversation(of: 0, record: ConversationRecord(error: error)))
      _ = session.state.reduce(.conversation(.fetched(ArticleID(20), error)))
    },
    Scene("conversation-offline", sizes: pages) { session in
      let error = SourceError(
        .offline, stage: .fetch, subject: "example.org", message: "there is no network")
      var conversation = Sample.conversation
      conversation.record.fetched = Sample.date(secondsAgo: 7_200)
      conversation.record.error = error
      session.converse(conversation)
      _ = session.state.reduce(.conversation(.fetched(ArticleID(20), error)))
    },
    Scene("outbox", sizes: pages) { $0.showOutbox("O") },
    Scene("outbox-refused", sizes: pages) { $0.showOutbox("Oj") },
    Scene("outbox-batch", sizes: pages) { $0.showOutbox("Ojj") },
    Scene("outbox-gone") { $0.showOutbox("OG") },
    Scene("outbox-many", sizes: pages) { $0.showOutbox("O<PgDn><PgDn>", .many) },
    Scene("outbox-drop", sizes: pages) { $0.showOutbox("Ojd") },
    Scene("outbox-empty", sizes: pages) { $0.showOutbox("O", OutboxSnapshot()) },
    Scene("outbox-loading") { $0.send(keys: "O") },
    Scene("outbox-offline") { session in
      session.showOutbox("O")
      var sidebar = SidebarSnapshot.sample
      sidebar.offlineSince = Sample.date(secondsAgo: 720)
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    },
    Scene("outbox-conflict", sizes: pages) {
      $0.showOutbox(
        "O",
        OutboxSnapshot(
          changes: [.inConflict],
          counts: [OutboxSnapshot.Count(origin: "https://comments.example.com:8443", count: 1)]))
    },
    Scene("conflict", sizes: pages) { session in
      session.arrive([Sample.row(1)])
      _ = session.state.reduce(.outbox(.conflictsArrived([.inConflict])))
      session.send(keys: "g")
    },
    Scene("conflict-deleted") { session in
      session.arrive([Sample.row(1)])
      _ = session.state.reduce(.outbox(.conflictsArrived([.deleted])))
    },
    Scene("transfers", sizes: pages) { $0.showTransfers("T") },
    Scene("transfers-failed", sizes: pages) { $0.showTransfers("Tjjj") },
    Scene("transfers-drop") { $0.showTransfers("Td") },
    Scene("transfers-empty", sizes: pages) { $0.showTransfers("T", TransferSnapshot()) },
    Scene("transfers-in-list") { session in
      session.arrive(titles)
      var snapshot = TransferSnapshot.sample
      let ids = session.state.list.rows.compactMap { row -> ArticleID? in
        if case .article(let row) = row { row.id } else { nil }
      }
      for (index, id) in ids.prefix(snapshot.transfers.count).enumerated() {
        snapshot.transfers[index].article = id
      }
      _ = session.state.reduce(.transfers(.arrived(snapshot)))
    },
    Scene("files") { session in
      session.arrive(titles)
      _ = session.state.reduce(
        .opening(.filesFound(ArticleID(1), title: "Two files", TransferTests.files)))
    },
    Scene("choice") { session in
      session.arrive(titles)
      _ = session.state.reduce(.subscriptions(.found("https://blog.example.org/", feedsOfAPage)))
      session.send(keys: "j")
    },
    Scene("choice-many") { session in
      session.arrive(titles)
      _ = session.state.reduce(
        .subscriptions(.found("example.org", ChoiceTests.links + ChoiceTests.links)))
      session.send(keys: "<PgDn><PgDn>k")
    },
    Scene("themes", sizes: pages) { session in
      session.arrive(titles)
      session.send(keys: ":theme<Enter>")
    },
    Scene("help") { $0.send(keys: "?") },
    Scene("help-scrolled") { $0.send(keys: "?G") },
    Scene("gaps") { session in
      session.arrive(
        [
          Sample.row(990), Sample.row(989), Sample.gap(between: 989, and: 960), Sample.row(960),
          Sample.gap(between: 960, and: 930, canLoad: false), Sample.row(930),
        ])
    },
  ]

  private static func refreshing(_ session: inout Session) {
    var sidebar = SidebarSnapshot.sample
    sidebar.activity = .refreshing(done: 12, total: 40, failed: 1)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
  }

  private static func offline(updated: Int64?) -> Freshness {
    Freshness(
      updated: updated.map { Sample.date(secondsAgo: $0) },
      offlineSince: Sample.date(secondsAgo: 720), feedCount: 3)
  }

  private static let titles: [TimelineRow] = [
    Sample.row(1_000, "Plain words, and enough of them that a narrow screen has to cut the line"),
    Sample.row(999, "日本語の見出しは一文字が二桁の幅を取るので切るときに半分にしてはいけない", feedTitle: "新聞の見出し一覧"),
    Sample.row(998, "Cafe\u{301} cre\u{300}me with combining marks", isRead: true),
    Sample.row(997, "عنوان من اليمين إلى اليسار", isStarred: true),
    Sample.row(996, "Family 👨‍👩‍👧 flag 🇨🇭 heart ❤️ thumb 👍🏽 rocket 🚀"),
    Sample.row(990, "Read and starred", isRead: true, isStarred: true),
    Sample.row(970, "Of yesterday", isRead: true, feedTitle: "A feed with a title that is long"),
    Sample.row(700, "Of some days ago"),
    Sample.row(2, "Of last month"),
    Sample.row(900, "Of last year", date: Sample.position(-9_000).date),
  ]

  private static let feedsOfAPage = [
    FeedLink(
      url: "https://blog.example.org/feed/", title: "The Harbour Blog » Feed",
      type: "application/rss+xml"),
    FeedLink(
      url:
        "https://blog.example.org/a/very/long/way/down/to/the/feed.json?with=a&query=as-well&of=it",
      title: "A title so long that a screen of forty columns cannot hold it",
      type: "application/feed+json"),
    FeedLink(url: "https://blog.example.org/atom.xml"),
    FeedLink(
      url: "https://blog.example.org/comments/feed/", title: "Comments", type: "application/rss+xml"
    ),
  ]

  private static let story = """
    <h2>A heading</h2><p>Words with <b>strong</b>, <em>emphasis</em>, <code>code</code> and a \
    <a href="https://example.org/one">link to a page</a>, enough of them to wrap over lines.</p>\
    <ul><li>first</li><li>second, with a <a href="https://example.org/two">second link</a></li></ul>\
    <blockquote><p>Something that was said.</p></blockquote><pre>let answer = 42\nprint(answer)</pre>\
    <table><tr><th>Name</th><th>Width</th></tr><tr><td>日本</td><td>4</td></tr></table><hr>\
    <p>The end.</p>
    """
}

extension Session {
  /// Feeds of every condition, and keys from the list on.
  fileprivate mutating func showHealth(_ keys: String, _ sidebar: SidebarSnapshot = .ailing) {
    _ = state.reduce(.subscriptions(.arrived(sidebar)))
    arrive([Sample.row(1)])
    send(keys: keys)
  }

  /// What waits to be sent, and keys from the list on.
  fileprivate mutating func showOutbox(_ keys: String, _ snapshot: OutboxSnapshot = .sample) {
    arrive([Sample.row(1)])
    send(keys: "O")
    _ = state.reduce(.outbox(.arrived(snapshot)))
    send(keys: String(keys.dropFirst()))
  }

  fileprivate mutating func showTransfers(
    _ keys: String, _ snapshot: TransferSnapshot = .sample
  ) {
    _ = state.reduce(.transfers(.arrived(snapshot)))
    send(keys: keys)
  }

  /// A feed whose list is longer than the screen, at its end.
  fileprivate mutating func showEnd(_ older: OlderArticles) {
    _ = state.show(.feed(FeedID(1)))
    arrive(
      Sample.rows(900...930), older: older,
      freshness: Freshness(
        updated: Sample.date(secondsAgo: 300), feedCount: 1))
    send(keys: "G")
  }
}
