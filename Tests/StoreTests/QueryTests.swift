internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// What queries find among articles on disk.
@Suite struct QueryTests {
  /// Six articles of two feeds, known by letters; newest first: a, d, b, c, f, e.
  private func withArticles(
    _ body: (borrowing TestStore, [String: ArticleID]) async throws -> Void
  ) async throws {
    let test = try TestStore()
    let now = Date.now
    func made(_ id: String, _ title: String, days: Double, _ html: String) -> Entry {
      Entry(
        id: id, url: "https://example.org/\(id).html", title: title,
        published: now - days * 86_400, contentHTML: html)
    }
    var a = made("a", "Swift actor model", days: 0.04, "<p>The model of actors</p>")
    a.authors = [Author("Jo Doe", email: "jo@example.org")]
    var b = made("b", "Rust 2.0 released", days: 2, "<p>Swift progress, and an actor</p>")
    b.enclosures = [Enclosure(url: "https://example.org/b.mp3", type: "audio/mpeg")]
    var c = made("c", "Cooking", days: 10, "<p>Pasta</p>")
    c.authors = [Author("Zoë Müller")]
    c.categories = [Category("Food"), Category("cooking")]
    c.comments = CommentLinks(page: "https://example.org/c#comments")
    var d = made("d", "Episode 1", days: 0.9, "<p>Talk of Swift</p>")
    d.enclosures = [
      Enclosure(url: "https://example.org/d.ogg", type: "audio/ogg"),
      Enclosure(url: "https://example.org/d.txt", type: "text/plain", role: .transcript),
    ]
    var e = made("e", "Épisode deux", days: 400, "<p>Vidéo</p>")
    e.url = nil
    e.enclosures = [Enclosure(url: "https://example.org/e.mp4", type: "video/mp4")]
    e.categories = [Category("t", label: "Old Films")]
    let f = made("f", "Numbers", days: 30, "<p>100% of them</p>")

    let hn = try await feed("hn", "Hacker News", folders: ["Tech"], [a, b, c], now: now, test)
    let pod = try await feed("pod", "Talk", folders: ["Tech/Audio", "Play"], [d], now: now, test)
    try await test.merge([e, f], into: pod, at: .older, now: now - 100 * 86_400)
    var ids: [String: ArticleID] = [:]
    for article in try await test.articles(hn) + test.articles(pod) {
      ids[article.entry.id] = article.id
    }
    let letters = ids
    func id(_ letter: String) throws -> ArticleID { try #require(letters[letter]) }
    let (first, second, fourth) = (try id("a"), try id("b"), try id("d"))
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [first, fourth], now: now)
      try edit.marks.set(.starred(true), of: [second], now: now)
      _ = try edit.tags.set(named: "Swift", true, on: [first, fourth], now: now)
      try edit.playback.set(Playback(isHeard: true), of: "https://example.org/d.ogg", in: fourth)
      try edit.smartFeeds.keepMoment(.refresh, now - 60)
    }
    try await body(test, ids)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  private func feed(
    _ name: String, _ title: String, folders: [String], _ entries: [Entry], now: Date,
    _ test: borrowing TestStore
  ) async throws -> FeedID {
    let feed = try await test.subscribe(name, folders: folders)
    let page = PreparedPage(
      Page(
        description: FeedDescription(
          format: .rss, title: title, link: "https://\(name).example.net/"),
        entries: entries))
    try await test.store.edit { _ = try $0.articles.merge(page, into: feed, at: .newest, now: now) }
    return feed
  }

  static let findings: [(String, String)] = [
    ("swift", "adb"), ("SWIFT", "adb"), ("title:swift", "a"), ("text:swift", "db"),
    ("\"actor model\"", "a"), ("actor model", "a"), ("act*", "ab"), ("title:act*", "a"),
    ("\"swift act\"*", "a"), ("vidéo", "e"), ("video", "e"),
    ("swift -rust", "ad"), ("NOT swift", "cfe"), ("swift OR pasta", "adbc"),
    ("(swift OR pasta) -title:swift", "dbc"), ("\"OR\"", ""),
    ("unread", "bcfe"), ("read", "ad"), ("starred", "b"), ("-starred", "adcfe"),
    ("unread starred", "b"), ("is:tagged", "ad"), ("has:tag", "ad"), ("is:heard", "d"),
    ("-is:heard", "abcfe"), ("is:duplicate", ""), ("is:failing", ""),
    ("is:changed", ""), ("-is:changed", "adbcfe"), ("score=0", "adbcfe"), ("score>0", ""),
    ("score<=0", "adbcfe"), ("score<-2", ""), ("-score>-2", ""),
    ("tag:swift", "ad"), ("tag:SWIFT", "ad"), ("-tag:swift", "bcfe"), ("tag:swi", ""),
    ("has:enclosure", "dbe"), ("has:audio", "db"), ("has:video", "e"), ("has:image", ""),
    ("has:comments", "c"), ("has:author", "ac"), ("has:link", "adbcf"), ("-has:audio", "acfe"),
    ("author:jo", "a"), ("author:muller", "c"), ("author:JO@EXAMPLE", "a"), ("author:email", ""),
    ("author:/^zo/", "c"), ("category:food", "c"), ("category:films", "e"), ("category:label", ""),
    ("category:/^old/", "e"), ("url:b.html", "b"), ("url:/[ab]\\.html$/", "ab"),
    ("/^e|É/", "de"), ("title:/actor|cook/", "ac"), ("text:/past./", "c"), ("/100%/", ""),
    ("text:/100%/", "f"),
    ("feed:hacker", "abc"), ("feed:example.org/pod", "dfe"), ("-feed:hacker", "dfe"),
    ("feed:none", ""), ("feed:/^talk$/", "dfe"), ("site:hn.example", "abc"),
    ("folder:tech", "adbcfe"), ("folder:tech/audio", "dfe"), ("folder:play", "dfe"),
    ("folder:te", ""), ("folder:tech/", "adbcfe"), ("folder:téch/AUDIO", "dfe"),
    ("tag:swíft", "ad"),
    ("feed:#1", "abc"), ("-feed:#1", "dfe"), ("feed:#99", ""), ("account:#1", "adbcfe"),
    ("account:#2", ""), ("folder:/^te/", "adbcfe"), ("feed:hacker OR is:heard", "adbc"),
    ("folder:tech -folder:play", "abc"), ("unread>2", ""), ("unread=2", "adbcfe"),
    ("total>=3", "adbcfe"), ("total<3", ""), ("unread>1 feed:talk", "dfe"),
    ("after:1w", "adb"), ("before:1w", "cfe"), ("after:1w before:1d", "b"), ("age<3d", "adb"),
    ("age>1y", "e"), ("after:2001", "adbcfe"), ("before:2001-02-03", ""), ("arrived:2h", "adbc"),
    ("-arrived:2h", "fe"), ("arrived:200d", "adbcfe"), ("since:last-refresh", "adbc"),
    ("unread after:1y has:enclosure", "b"), ("", "adbcfe"),
    ("unread tag:swift after:1w title:\"actor model\" -feed:HN", ""),
    ("tag:swift after:1w title:\"actor model\" -feed:pod has:author author:jo", "a"),
  ]

  @Test func `Each query finds its articles, newest first, and its opposite the others`()
    async throws
  {
    try await withArticles { test, ids in
      let letters = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
      for (text, wanted) in Self.findings {
        let query = try ArticleQuery(text)
        let found = try await found(.matching(query, in: .all), test)
        #expect(found.map { letters[$0] ?? "?" }.joined() == wanted, "\(text)")
        let count = try await test.store.view {
          try $0.timeline.counts(of: .matching(query, in: .all))
        }
        #expect(count.total == wanted.count, "\(text)")
        let unread = wanted.filter { !"ad".contains($0) }
        #expect(count.unread == unread.count, "\(text)")
        #expect(
          try await self.found(.matching(query, in: .unread), test).map { letters[$0] ?? "?" }
            .joined() == unread, "\(text) in unread")
        #expect(
          try await self.found(.matching(query, in: .folder("Play")), test)
            .map { letters[$0] ?? "?" }.joined() == wanted.filter { "dfe".contains($0) },
          "\(text) in a folder")
        #expect(
          try await self.found(.matching(query, in: .starred), test).map { letters[$0] ?? "?" }
            .joined() == wanted.filter { $0 == "b" }, "\(text) in starred")
        guard !text.isEmpty else { continue }
        let others = try await self.found(.matching(ArticleQuery("-(\(text))"), in: .all), test)
        #expect(
          others.map { letters[$0] ?? "?" }.joined() == "adbcfe".filter { !wanted.contains($0) },
          "-(\(text))")
        let slice = try await test.store.view { try $0.timeline.slice(TimelineQuery(.all)) }
        let matching = try await test.store.view {
          try $0.queries.articles(of: slice, matching: query)
        }
        #expect(matching == Set(found), "\(text)")
      }
    }
  }

  @Test func `Days are those of the machine's calendar`() async throws {
    try await withArticles { test, ids in
      let calendar = Calendar.current
      let parts = calendar.dateComponents([.year, .month, .day], from: .now - 2 * 86_400)
      func padded(_ number: Int?) -> String {
        (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)"
      }
      let day = "\(parts.year ?? 0)-\(padded(parts.month))-\(padded(parts.day))"
      let found = try await found(.matching(ArticleQuery("on:\(day)"), in: .all), test)
      #expect(found == [try #require(ids["b"])])
      let after = try await self.found(.matching(ArticleQuery("after:\(day)"), in: .all), test)
      #expect(after.count == 3)
      let before = try await self.found(.matching(ArticleQuery("before:\(day)"), in: .all), test)
      #expect(before.count == 3)
    }
  }

  @Test func `What a query finds is marked as read at once, and undone`() async throws {
    try await withArticles { test, _ in
      let timeline = Timeline.matching(try ArticleQuery("feed:hacker -starred"), in: .all)
      let count = try await test.store.edit {
        try $0.marks.markAllRead(timeline, notNewerThan: nil, now: noon)
      }
      #expect(count == 1)
      #expect(try await test.store.view { try $0.articles.counts().unread } == 3)
      #expect(try await test.store.edit { try $0.undone(now: noon) } == 1)
      #expect(try await test.store.view { try $0.articles.counts().unread } == 4)
    }
  }

  @Test func `What is read in a list of unread articles stays until it is left`() async throws {
    try await withArticles { test, ids in
      let (b, c) = (try #require(ids["b"]), try #require(ids["c"]))
      try await test.store.edit { try $0.marks.set(.read(true), of: [b], now: noon) }
      var query = TimelineQuery(.matching(try ArticleQuery("unread feed:hacker"), in: .all))
      #expect(query.hidesRead)
      query.keeping = [b]
      let rows = try await test.rows(query)
      #expect(rows.compactMap { if case .article(let row) = $0 { row.id } else { nil } } == [b, c])
    }
  }

  @Test func `What has arrived in a limited list is what matches`() async throws {
    try await withArticles { test, _ in
      var query = TimelineQuery(.matching(try ArticleQuery("swift"), in: .all))
      let first = query
      query.arrivedAfter = try await test.store.view { try $0.timeline.arrivals(first).lastID }
      try await test.merge(
        [
          Entry(id: "new", title: "Swift 9", published: .now),
          Entry(id: "other", title: "Go 3", published: .now),
        ], into: FeedID(1), now: .now)
      let asked = query
      let arrivals = try await test.store.view { try $0.timeline.arrivals(asked) }
      #expect(arrivals.articles.count == 1)
    }
  }

  @Test func `Many feeds, many hits and many files are found by other ways, and alike`()
    async throws
  {
    let test = try TestStore()
    for feed in 1...45 {
      try await test.subscribe("\(feed)", folders: feed % 2 == 0 ? ["even"] : [])
      let entries = (0..<80).map { number in
        var entry = entry(
          "\(feed)-\(number)", title: number % 3 == 0 ? "third \(number)" : "other \(number)",
          at: feed * 100 + number, content: "<p>common</p>")
        if number % 2 == 0 {
          entry.enclosures = [Enclosure(url: "https://e.org/\(number)", type: "audio/mpeg")]
        }
        return entry
      }
      try await test.merge(entries, into: FeedID(Int64(feed)))
    }
    for (text, count) in [
      ("common", 3_600), ("third", 1_215), ("third common", 1_215), ("has:audio", 1_800),
      ("has:audio third", 630), ("folder:even third", 594), ("folder:even common has:audio", 880),
      ("feed:example.org third", 1_215), ("feed:/.org.1$/ third", 27), ("arrived:1h", 0),
      ("-third has:audio feed:example.org/4", 182),
    ] {
      let found = try await found(.matching(ArticleQuery(text), in: .all), test, page: 500)
      #expect(found.count == count && Set(found).count == count, "\(text): \(found.count)")
    }
  }

  @Test func `Smart feeds are kept by name`() async throws {
    let test = try TestStore()
    let (one, two) = (try ArticleQuery("unread swift"), try ArticleQuery("starred"))
    let id = try await test.store.edit { try $0.smartFeeds.save("Swift", one, now: noon) }
    try await test.store.edit { try $0.smartFeeds.save("art", two, now: noon) }
    let other = try ArticleQuery("swift")
    #expect(
      try await test.store.edit { try $0.smartFeeds.save("SWIFT", other, now: noon) } == id)
    var feeds = try await test.store.view { try $0.smartFeeds.all() }
    #expect(feeds.map(\.name) == ["art", "SWIFT"] && feeds.map(\.query) == [two, other])
    try await test.store.edit { try $0.smartFeeds.rename(id, to: "Swift") }
    await #expect(throws: SourceError.self) {
      try await test.store.edit { try $0.smartFeeds.rename(id, to: "ART") }
    }
    await #expect(throws: SourceError.self) {
      try await test.store.edit { try $0.smartFeeds.save(" \u{1b} ", two, now: noon) }
    }
    // Two with one query would be one list.
    await #expect(throws: SourceError.self) {
      try await test.store.edit { try $0.smartFeeds.save("third", two, now: noon) }
    }
    let three = try ArticleQuery("read")
    let accented = try await test.store.edit { try $0.smartFeeds.save("Ärger", three, now: noon) }
    #expect(
      try await test.store.edit { try $0.smartFeeds.save("ärger", three, now: noon) } == accented)
    try await test.store.edit { try $0.smartFeeds.remove(accented) }
    try await test.store.edit { try $0.smartFeeds.remove(id) }
    feeds = try await test.store.view { try $0.smartFeeds.all() }
    #expect(feeds.map(\.name) == ["art"])
  }

  @Test func `The deepest and the longest query that is read can be asked`() async throws {
    try await withArticles { test, ids in
      let deep =
        String(repeating: "(swift OR -(", count: 8) + "pasta" + String(repeating: "))", count: 8)
      let long = (0..<200).map { "-word\($0)" }.joined(separator: " ")
      let either = (0..<199).map { "title:word\($0)" }.joined(separator: " OR ") + " OR cooking"
      for (text, count) in [(deep, 4), (long, 6), (either, 1)] {
        let query = try ArticleQuery(text)
        let found = try await found(.matching(query, in: .all), test)
        #expect(found.count == count && found.count <= ids.count, "\(text)")
      }
    }
  }

  @Test func `A smart feed of another version stays, and shows nothing`() async throws {
    let test = try TestStore()
    try RawDatabase(test.folder).execute(
      "INSERT INTO smartFeed (name, query, createdAt) VALUES ('New', 'mood:good', 0)")
    let feed = try #require(try await test.store.view { try $0.smartFeeds.all() }.first)
    #expect(feed.query == nil && feed.timeline == nil && feed.text == "mood:good")
    #expect(try await test.store.view { try $0.smartFeeds.unread() } == [:])
  }

  @Test func `What articles have is known of those that were there before, and of changed ones`()
    async throws
  {
    try await withArticles { test, ids in
      let raw = try RawDatabase(test.folder)
      let before = try raw.strings("SELECT articleID, features FROM articleFeature ORDER BY 1")
      #expect(before.count == 4)
      try raw.execute(
        "UPDATE articleBody SET details = 'no JSON' WHERE articleID = ?", [ids["b"]?.rawValue])
      try raw.execute(
        "UPDATE articleBody SET details = NULL WHERE articleID = ?", [ids["d"]?.rawValue])
      #expect(try raw.strings("SELECT count(*) FROM articleFeature") == ["2"])
      try raw.execute(
        "UPDATE articleBody SET details = '{\"files\":[{\"url\":\"u\",\"type\":\"IMAGE/png\"},{\"url\":\"v\"}]}' WHERE articleID = ?",
        [ids["d"]?.rawValue])
      let (found, letter) = (
        try await found(.matching(ArticleQuery("has:image"), in: .all), test), ids["d"]
      )
      #expect(found == [try #require(letter)])
    }
  }

  /// All articles of a timeline, two at a time.
  private func found(
    _ timeline: Timeline, _ test: borrowing TestStore, page: Int = 2
  ) async throws -> [ArticleID] {
    var found: [ArticleID] = []
    var anchor = TimelineQuery.Anchor.newest
    while true {
      let query = TimelineQuery(timeline, anchor: anchor, olderCount: page)
      let slice = try await test.store.view { try $0.timeline.slice(query) }
      for case .article(let row) in slice.rows { found.append(row.id) }
      guard slice.hasOlder, let last = slice.rows.last else { return found }
      let position = last.position
      anchor = .around(TimelinePosition(date: position.date, id: position.id - 1))
    }
  }
}
