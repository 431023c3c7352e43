internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// What the user did is taken back, done again and told.
@Suite struct UndoTests {
  /// Everything that a user can see of the store, without the journal itself.
  private func picture(_ test: borrowing TestStore) async throws -> [String] {
    let raw = try RawDatabase(test.folder)
    return try [
      "SELECT id, account, url, title, ownTitle, isTyped, proxy, signIn, settings FROM feed ORDER BY id",
      "SELECT * FROM feedFolder ORDER BY feedID, folder", "SELECT * FROM feedCount ORDER BY feedID",
      "SELECT feedID, etag, bodyDigest, lastAttempt, paging, cursor FROM feedState ORDER BY feedID",
      "SELECT * FROM article ORDER BY id",
      """
      SELECT articleID, feedID, sortDate, isRead, isStarred, readBlock, readOffset, duplicateOf
      FROM articleStatus ORDER BY articleID
      """,
      "SELECT articleID, hex(content), hex(summary), details FROM articleBody ORDER BY articleID",
      """
      SELECT articleID, tag.account, tag.name FROM articleTag JOIN tag ON tag.id = articleTag.tag
      ORDER BY articleID, tag.name
      """,
      "SELECT * FROM gap ORDER BY id", "SELECT * FROM playback ORDER BY articleID",
      "SELECT articleID, file FROM playQueue ORDER BY articleID",
      "SELECT * FROM articleFeature ORDER BY articleID",
      "SELECT feedID, entryKey FROM tombstone ORDER BY feedID, entryKey",
    ].flatMap { sql in try raw.strings(sql).map { "\(sql.prefix(40)): \($0)" } }
  }

  @Test(arguments: [1, 3])
  func `Subscriptions that were taken back come back, whatever was done since`(
    count: Int
  ) async throws {
    let test = try TestStore()
    let other = try await test.subscribe("b")
    let added = try await test.store.edit { edit in
      let ids = try (1...count).map { number in
        try edit.feeds.subscribe(
          url: "https://example.org/new/\(number)", isUserEntered: true, now: noon
        ).feed
      }
      try edit.actions.noteAdded(ids, now: noon)
      return ids
    }
    try await test.merge([entry("one", at: -1, content: "<p>first</p>")], into: added[0])
    let before = try await picture(test)
    let undone = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(undone?.kind == .addFeed && undone?.count == count)
    #expect(try await test.store.view { try $0.feeds.all().map(\.id) } == [other])
    try await test.store.edit { try $0.actions.rename(other, to: "Else", isTold: false, now: noon) }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .renameFeed)
    let back = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(back?.kind == .removeFeed && back?.count == count)
    #expect(try await picture(test) == before)
  }

  /// Two feeds, one of them with all that a feed and its articles can have.
  private func rich(_ test: borrowing TestStore) async throws -> (FeedID, FeedID) {
    let feed = try await test.subscribe(folders: ["News", "News/Daily"])
    let other = try await test.subscribe("b")
    var shared = entry("shared", at: -3, content: "<p>said by both</p>")
    shared.url = "https://example.org/shared"
    let sound = linked(
      "sound", "https://example.org/s", at: -4, content: "needle", file: "https://example.org/s.mp3"
    )
    try await test.merge(
      [entry("one", at: -1, content: "<p>first</p>"), entry("two", at: -2), shared, sound],
      next: "more", into: feed)
    try await test.merge([shared, entry("x", at: -5)], into: other)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[0]], now: noon)
      try edit.marks.set(.starred(true), of: [ids[1]], now: noon)
      try edit.marks.setReadingPosition(ids[1], ReadingPosition(block: 2, offset: 7))
      _ = try edit.tags.set(named: "linux", true, on: [ids[0], ids[2]], now: noon)
      try edit.playback.set(
        Playback(seconds: 40, duration: 90), of: "https://example.org/s.mp3", in: ids[3])
      try edit.feeds.setTitle("Mine", of: feed)
      try edit.feeds.setProxy(.via("http://proxy.example:3128"), of: feed)
      var settings = FeedSettings()
      settings.interval = 7_200
      settings.headers = [RequestHeader("Accept-Language", "de")]
      try edit.feeds.setSettings(settings, of: feed)
    }
    return (feed, other)
  }

  @Test func `A removed feed is nowhere, and comes back as it was`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let before = try await picture(test)
    let signIn = FeedSignIn(origin: "http://example.org", user: "ada", key: "k")
    try await test.store.edit { try $0.signIns.set(signIn, of: feed) }
    let whole = try await picture(test)
    #expect(whole != before)

    try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
    let (feeds, counts, found, removed, discarded) = try await test.store.view { view in
      (
        try view.feeds.all(), try view.articles.counts(),
        try view.timeline.slice(TimelineQuery(.search("needle"))).rows,
        try view.removals.feeds(), try view.signIns.discarded()
      )
    }
    #expect(feeds.count == 1 && counts.total == 2 && found.isEmpty)
    #expect(try await test.rows(TimelineQuery(.all)).count == 2)
    #expect(removed.map(\.title) == ["Mine"] && removed.map(\.articles) == [4])
    #expect(discarded.isEmpty, "its password is needed when it comes back")
    #expect(try RawDatabase(test.folder).problems() == [])

    // Over a restart.
    let again = try Store(folder: test.folder)
    let entry = try #require(try await again.edit { try $0.journal.undo(now: noon) })
    #expect(entry.kind == .removeFeed && entry.subject == "Mine" && entry.count == 1)
    #expect(try await picture(test) == whole)
    #expect(try RawDatabase(test.folder).problems() == [])
    #expect(try await test.rows(TimelineQuery(.search("needle"))).count == 1)
    #expect(try await test.store.view { try $0.removals.feeds() } == [])
    #expect(try await test.store.view { try $0.signIns.discarded() } == [])

    // And again away, and back.
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.kind == .removeFeed)
    #expect(try await test.store.view { try $0.feeds.all().count } == 1)
    #expect(try await again.edit { try $0.journal.undo(now: noon) } != nil)
    #expect(try await picture(test) == whole)
    // A fetch brings nothing twice.
    let result = try await test.merge([first], into: feed)
    #expect(result.inserted == 0)
  }

  private var first: Entry { entry("one", at: -1, content: "<p>first</p>") }

  @Test func `A feed that was subscribed again takes its former articles`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
    let new = try await test.subscribe()
    try await test.merge([first, entry("three", at: 5)], into: new)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } != nil)
    let feeds = try await test.store.view { try $0.feeds.all() }
    #expect(feeds.map(\.url).sorted() == ["http://example.org/a", "http://example.org/b"])
    let titles = try await test.titles(new)
    #expect(titles.sorted() == ["one", "shared", "sound", "three", "two"])
    let one = try #require(try await test.articles(new).first { $0.entry.title == "one" })
    #expect(one.status.isRead, "it was read before")
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Feeds that were removed together come back together, as they were`() async throws {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let before = try await picture(test)
    let count = try await test.store.edit {
      try $0.actions.remove([feed, other, FeedID(99)], told: [], now: noon)
    }
    #expect(count == 2)
    #expect(try await test.store.view { try $0.feeds.all() } == [])
    #expect(try await test.store.view { try $0.articles.counts().total } == 0)
    let journal = try await test.store.view { try $0.journal.entries(limit: 9) }
    #expect(journal.map(\.summary) == ["unsubscribed from 2 feeds"])
    #expect(journal[0].feed == nil && journal[0].feeds == [feed, other])
    let again = try Store(folder: test.folder)
    let entry = try #require(try await again.edit { try $0.journal.undo(now: noon) })
    #expect(entry.kind == .removeFeed && entry.count == 2)
    #expect(try await picture(test) == before)
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.count == 2)
    #expect(try await test.store.view { try $0.feeds.all() } == [])
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.count == 2)
    #expect(try await picture(test) == before)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Of feeds that were removed together, one that was erased stays away`() async throws {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    try await test.store.edit { edit in
      try edit.actions.remove([feed, other], told: [], now: noon)
      try edit.removals.drop(of: [feed])
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.count == 1)
    #expect(try await test.store.view { try $0.feeds.all().map(\.id) } == [other])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was done with several feeds says nothing of one that was erased`() async throws {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let before = try await test.store.view { try $0.feeds.feed(other) }
    try await test.store.edit { edit in
      try edit.actions.set([feed, other], now: noon) { $0.isHidden = true }
      try edit.actions.file([(feed, ["Both"]), (other, ["Both"])], told: [], now: noon)
      try edit.actions.remove([feed, other], told: [], now: noon)
      try edit.removals.drop(of: [feed])
    }
    let raw = try RawDatabase(test.folder)
    let details = try raw.strings("SELECT detail FROM userAction ORDER BY id")
    #expect(details.count == 3, "\(details)")
    // Its header, its folder and its number.
    for word in ["Accept-Language", "Daily", "\"feed\":\(feed.rawValue)"] {
      #expect(!details.joined().contains(word), "\(word)")
    }
    for kind in [UserActionKind.removeFeed, .fileFeed, .setFeed] {
      #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == kind)
    }
    let after = try await test.store.view { try $0.feeds.all() }
    #expect(after.map(\.id) == [other] && after[0].settings == before?.settings)
    #expect(after[0].folders == before?.folders)
    #expect(try raw.problems() == [])
  }

  @Test func `Feeds that were filed or set together are so taken back and done again`() async throws
  {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let before = try await picture(test)
    try await test.store.edit { edit in
      try edit.actions.file([(feed, ["Both"]), (other, ["Both"])], told: [], now: noon)
    }
    let filed = try await picture(test)
    try await test.store.edit { edit in
      try edit.actions.set([feed, other], now: noon) { try FeedSetting.paused.set("yes", in: &$0) }
    }
    let set = try await picture(test)
    let settings = try await test.store.view { try $0.feeds.feed(feed)?.settings }
    #expect(settings?.isPaused == true && settings?.interval == 7_200)
    let journal = try await test.store.view { try $0.journal.entries(limit: 9).map(\.summary) }
    #expect(journal == ["set paused yes for 2 feeds", "moved 2 feeds to Both"])
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.count == 2)
    #expect(try await picture(test) == filed)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.feeds == [feed, other])
    #expect(try await picture(test) == before)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .fileFeed)
    #expect(try await picture(test) == filed)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .setFeed)
    #expect(try await picture(test) == set)
    // A value that is none changes nothing, and where all have it already nothing is noted.
    await #expect(throws: SourceError.self) {
      try await test.store.edit { edit in
        try edit.actions.set([feed, other], now: noon) { try FeedSetting.update.set("x", in: &$0) }
      }
    }
    try await test.store.edit { edit in
      let count = try edit.actions.set([feed, other], now: noon) { $0.isPaused = true }
      #expect(count == 0)
    }
    #expect(try await picture(test) == set)
    #expect(try await test.store.view { try $0.journal.entries(limit: 9).count } == 2)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A proxy is taken back with its address, and what is said of its password`()
    async throws
  {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let before = try await picture(test)
    let proxy = FeedProxy.via("socks5h://ada@proxy.example:1080")
    try await test.store.edit { edit in
      try edit.actions.set(proxy, of: feed, now: noon)
      // The same again is nothing.
      try edit.actions.set(proxy, of: feed, now: noon)
    }
    let set = try await picture(test)
    let journal = try await test.store.view { try $0.journal.entries(limit: 9) }
    #expect(journal.map(\.summary) == ["set the proxy socks5h://proxy.example:1080 for “Mine”"])
    let again = try Store(folder: test.folder)
    let undone = try #require(try await again.edit { try $0.journal.undo(now: noon) })
    #expect(undone.kind == .setProxy && undone.replacedProxy == proxy && undone.remark == nil)
    #expect(try await picture(test) == before)
    let redone = try #require(try await again.edit { try $0.journal.redo(now: noon) })
    #expect(redone.replacedProxy == .via("http://proxy.example:3128"))
    #expect(redone.remark?.contains("telex set \(feed.rawValue) --proxy ADDRESS") == true)
    #expect(try await picture(test) == set)
    // To that of the settings, and back to the one with a user.
    try await test.store.edit { try $0.actions.set(FeedProxy?.none, of: feed, now: noon) }
    #expect(
      try await test.store.view { try $0.journal.entries(limit: 1)[0].summary }
        == "reset the proxy of “Mine”")
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.remark != nil)
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.proxy } == proxy)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `How a feed is obtained is taken back with its address, and done again`() async throws
  {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let recipe = FeedRecipe(#"{"query":"{ a }"}"#)
    try await test.store.edit { edit in
      let former = try #require(try edit.view.feeds.feed(feed))
      try edit.feeds.move(feed, to: "exec:other", isUserEntered: true)
      try edit.feeds.setRecipe(recipe, of: feed)
      try edit.actions.noteWay(insteadOfThatOf: former, now: noon)
      // Nothing has changed since.
      try edit.actions.noteWay(
        insteadOfThatOf: try #require(try edit.view.feeds.feed(feed)), now: noon)
    }
    func way() async throws -> [String?] {
      let feed = try await test.store.view { try $0.feeds.feed(feed) }
      return [feed?.url, feed?.recipe?.rawValue, feed.map { "\($0.counts.total)" }]
    }
    #expect(try await way() == ["exec:other", recipe.rawValue, "4"])
    let journal = try await test.store.view { try $0.journal.entries(limit: 9).map(\.summary) }
    #expect(journal == ["changed how “Mine” is fetched"])
    let again = try Store(folder: test.folder)
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.kind == .setRecipe)
    #expect(try await way() == ["http://example.org/a", nil, "4"])
    // What the other way has answered says nothing of this one.
    #expect(try await test.store.view { try $0.feeds.olderCursor(of: feed) } == nil)
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.kind == .setRecipe)
    #expect(try await way() == ["exec:other", recipe.rawValue, "4"])
    // Where another feed has the address by now, the feed keeps its own.
    try await test.store.edit { try $0.feeds.move(other, to: "http://example.org/a") }
    #expect(try await again.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(try await way() == ["exec:other", recipe.rawValue, "4"])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Rules that were made or ended are so taken back and done again`() async throws {
    let test = try TestStore()
    let (first, second) = (try ArticleQuery("title:one"), try ArticleQuery("title:two"))
    let tag = try await test.store.edit {
      try $0.actions.makeRule(first, .tag("x"), until: nil, now: noon)
    }
    let hide = try await test.store.edit {
      try $0.actions.makeRule(second, .hide, until: noon + 60, now: noon)
    }
    let rules = try await test.store.view { try $0.rules.all() }
    #expect(rules.map(\.id) == [tag, hide])
    try await test.store.edit { try $0.actions.endRules([tag, hide, RuleID(99)], now: noon) }
    #expect(try await test.store.view { try $0.rules.all() } == [])
    let told = try await test.store.view { try $0.journal.entries(limit: 9).map(\.summary) }
    #expect(
      told == [
        "removed 2 rules", "added the rule hide title:two", "added the rule tag x title:one",
      ])
    let again = try Store(folder: test.folder)
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.count == 2)
    #expect(try await test.store.view { try $0.rules.all() } == rules)
    #expect(try await again.edit { try $0.journal.undo(now: noon) }?.kind == .addRule)
    #expect(try await test.store.view { try $0.rules.all() } == Array(rules.prefix(1)))
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.kind == .addRule)
    #expect(try await test.store.view { try $0.rules.all() } == rules)
    #expect(try await again.edit { try $0.journal.redo(now: noon) }?.kind == .removeRule)
    #expect(try await test.store.view { try $0.rules.all() } == [])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What a later version has done is left to it`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    try await test.store.edit { try $0.actions.rename(feed, to: "Other", isTold: false, now: noon) }
    let raw = try RawDatabase(test.folder)
    try raw.execute(
      """
      INSERT INTO userAction (createdAt, count, kind, value, feedID, detail)
      VALUES (1, 1, 'paintFeed', 1, \(feed.rawValue), '{"color":"red"}')
      """)
    #expect(
      try await test.store.view { try $0.journal.entries(limit: 9).map(\.kind) } == [.renameFeed])
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .renameFeed)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(
      try raw.strings("SELECT kind FROM userAction ORDER BY id") == ["renameFeed", "paintFeed"])
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .renameFeed)
  }

  @Test func `After thirty days a removed feed is gone, with its password`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let signIn = FeedSignIn(origin: "http://example.org", user: "ada", key: "k")
    try await test.store.edit { edit in
      try edit.signIns.set(signIn, of: feed)
      try edit.actions.remove(feed, isTold: false, now: noon)
    }
    let day = 86_400.0
    let almost = noon + 29 * day
    #expect(try await !test.store.view { try $0.removals.hasExpired(now: almost) })
    #expect(try await test.store.edit { try $0.removals.expire(now: almost) } == [])
    let later = noon + 31 * day
    #expect(try await test.store.view { try $0.removals.hasExpired(now: later) })
    let gone = try await test.store.edit { try $0.removals.expire(now: later) }
    #expect(gone.map(\.feed) == [feed] && gone[0].proxy == .via("http://proxy.example:3128"))
    #expect(try await test.store.view { try $0.signIns.discarded() } == [signIn])
    #expect(try await test.store.hasToErase())
    #expect(try await test.store.edit { try $0.journal.undo(now: later) } == nil)
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT * FROM removedRow") == [])
    #expect(try raw.problems() == [])
    try await test.store.erase()
    for file in ["telex.sqlite", "telex.sqlite-wal"] {
      let bytes = FileManager.default.contents(atPath: test.folder + "/" + file) ?? Data()
      #expect(bytes.range(of: Data("example.org/s.mp3".utf8)) == nil)
    }
  }

  @Test func `A deleted article comes back by undo alone`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let before = try await picture(test)
    let ids = try await test.articles(feed).map(\.id)
    let gone = try await test.store.edit { try $0.actions.delete([ids[0], ids[2]], now: noon) }
    #expect(Set(gone) == [ids[0], ids[2]])
    #expect(try await test.titles(feed) == ["two", "sound"])
    #expect(try await test.merge([first], into: feed).inserted == 0)
    #expect(try await test.titles(feed) == ["two", "sound"])
    let entry = try #require(try await test.store.edit { try $0.journal.undo(now: noon) })
    #expect(entry.kind == .deleteArticles && entry.count == 2)
    #expect(
      try await picture(test).filter { !$0.contains("feedState") }
        == before.filter { !$0.contains("feedState") })
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.count == 2)
    #expect(try await test.titles(feed) == ["two", "sound"])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What a server keeps is not deleted`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    try await test.account(at: "http://example.org", [.items, .takesMarks])
    let id = try await test.articles(feed)[0].id
    #expect(try await test.store.edit { try $0.actions.delete([id], now: noon) } == [])
    #expect(try await test.titles(feed) == ["a"])
    #expect(try await test.store.view { try $0.journal.entries(limit: 9) } == [])
  }

  @Test func `All kinds are taken back in order and done again`() async throws {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    var pictures = [try await picture(test)]
    let deeds: [@Sendable (StoreEdit) throws -> Void] = [
      { try $0.marks.setByKey(.read(true), of: [ids[1], ids[2]], now: noon) },
      { try $0.marks.setByKey(.starred(false), of: [ids[1]], now: noon) },
      { _ = try $0.actions.tag([ids[0], ids[1]], "linux", true, now: noon) },
      { _ = try $0.actions.tag([ids[0]], "linux", false, now: noon) },
      { _ = try $0.marks.markAllRead(.all, notNewerThan: nil, now: noon) },
      { try $0.actions.rename(feed, to: "Other", isTold: false, now: noon) },
      { try $0.actions.rename(other, to: "First own name", isTold: false, now: noon) },
      { try $0.actions.file(feed, into: ["Elsewhere"], isTold: false, now: noon) },
      { try $0.actions.set(FeedSettings(), of: feed, now: noon) },
      { _ = try $0.actions.delete([ids[3]], now: noon) },
      { try $0.actions.remove(other, isTold: false, now: noon) },
      { edit in
        let new = try edit.feeds.subscribe(
          url: "http://example.org/c", folders: ["C"], isUserEntered: true, now: noon
        ).feed
        try edit.actions.noteAdded(new, isTold: false, now: noon)
      },
    ]
    for deed in deeds {
      try await test.store.edit { try deed($0) }
      pictures.append(try await picture(test))
    }
    let journal = try await test.store.view { try $0.journal.entries(limit: 99) }
    #expect(journal.count == deeds.count)
    #expect(Set(pictures).count == pictures.count)
    for step in deeds.indices.reversed() {
      #expect(try await test.store.edit { try $0.journal.undo(now: noon) } != nil, "\(step)")
      #expect(try await picture(test) == pictures[step], "undoing \(step)")
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    for step in deeds.indices {
      #expect(try await test.store.edit { try $0.journal.redo(now: noon) } != nil, "\(step)")
      #expect(try await picture(test) == pictures[step + 1], "redoing \(step)")
    }
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) } == nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Something new ends what could be done again; reading does not`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.setByKey(.read(true), of: [ids[1]], now: noon)
      _ = try edit.journal.undo(now: noon)
      try edit.marks.markOpened([ids[2]], now: noon)
    }
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.article == ids[1])
    try await test.store.edit { edit in
      _ = try edit.journal.undo(now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[2]], now: noon)
    }
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) } == nil)
    let kinds = try await test.store.view { try $0.journal.entries(limit: 9).map(\.kind) }
    #expect(kinds == [.starred, .opened])
  }

  @Test func `Opening articles is taken back one by one, before what was done earlier`()
    async throws
  {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    let before = try await picture(test)
    try await test.store.edit { edit in
      try edit.actions.noteAdded(feed, isTold: false, now: noon)
      try edit.marks.markOpened([ids[1]], now: noon)
      // It is read already.
      try edit.marks.markOpened([ids[1]], now: noon)
      // A row that stands for two.
      try edit.marks.markOpened([ids[2], ids[3]], now: noon)
    }
    let second = try await test.store.edit { try $0.journal.undo(agreedTo: nil, now: noon) }
    #expect(second?.article == ids[2] && second?.summary == "read “shared”")
    let first = try await test.store.edit { try $0.journal.undo(agreedTo: nil, now: noon) }
    #expect(first?.kind == .opened && first?.article == ids[1])
    #expect(try await picture(test) == before)
    // The subscription stays until the user has agreed to its end.
    let asked = try #require(
      try await test.store.edit { try $0.journal.undo(agreedTo: nil, now: noon) })
    #expect(asked.kind == .addFeed && asked.refusal == .needsConsent)
    let other = try await test.store.edit { try $0.journal.undo(agreedTo: 99, now: noon) }
    #expect(other?.refusal == .needsConsent)
    #expect(try await picture(test) == before)
    let agreed = try await test.store.edit { try $0.journal.undo(agreedTo: asked.id, now: noon) }
    #expect(agreed?.kind == .addFeed && agreed?.refusal == nil)
    #expect(try await !test.store.view { try $0.feeds.contains(feed) })
    for _ in 1...3 { #expect(try await test.store.edit { try $0.journal.redo(now: noon) } != nil) }
    let marks = try await test.articles(feed).map(\.status.isRead)
    #expect(marks == [true, true, true, true])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What was opened and taken back stays told, and is no step any more`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.setByKey(.starred(false), of: [ids[1]], now: noon)
      try edit.marks.markOpened([ids[1]], now: noon)
      _ = try edit.journal.undo(now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[2]], now: noon)
      try edit.marks.markOpened([ids[2]], now: noon)
      // Marked unread elsewhere: there is nothing to take back.
      try edit.marks.set(.read(false), of: [ids[2]], now: noon)
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.article == ids[2])
    // Reading does not end what can be done again, and what was done again is then the last.
    try await test.store.edit { edit in
      try edit.marks.markOpened([ids[3]], now: noon)
      _ = try edit.journal.redo(now: noon)
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .starred)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.article == ids[1])
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    let opened = try await test.store.view { try $0.journal.entries(limit: 9, kinds: [.opened]) }
    #expect(opened.map(\.article) == [ids[3], ids[2], ids[1]])
    #expect(opened.allSatisfy { !$0.isUndone })
  }

  @Test func `Tags that were changed together are taken back together`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { _ = try $0.actions.tag([ids[1]], "a", true, now: noon) }
    let before = try await picture(test)
    let count = try await test.store.edit {
      try $0.actions.tag(Array(ids[..<3]), adding: ["a", "b"], removing: ["linux"], now: noon)
    }
    #expect(count == 3)
    let after = try await picture(test)
    let undone = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(undone?.summary == "tagged 3 articles with −linux, a, b" && undone?.count == 3)
    #expect(try await picture(test) == before)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.count == 3)
    #expect(try await picture(test) == after)
    // One that changes is one action as ever, and what changes nothing is none.
    try await test.store.edit { edit in
      _ = try edit.actions.tag([ids[3]], adding: ["c"], removing: [], now: noon)
      _ = try edit.actions.tag([ids[3]], adding: ["c"], removing: ["none"], now: noon)
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.detail == "c")
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .tag)
    #expect(try await picture(test) == before)
  }

  @Test func `At what others were told undo stops once`() async throws {
    let test = try TestStore()
    let (feed, _) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.setByKey(.starred(true), of: [ids[0]], now: noon)
      try edit.journal.note(.comment, of: [ids[0]], now: noon)
    }
    let stop = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(stop?.kind == .comment && stop?.refusal == .cannotBeTakenBack)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .starred)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .starred)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .starred)
  }

  @Test func `A smart feed is taken back, done again, and left where it was changed since`()
    async throws
  {
    let test = try TestStore()
    func shown() async throws -> [String] {
      try await test.store.view { view in
        try view.smartFeeds.all().map { "\($0.id.rawValue) \($0.name) \($0.text)" }
      }
    }
    let queries = try ["is:starred", "is:unread"].map { try ArticleQuery($0) }
    try await test.store.edit { try $0.actions.makeSmartFeed("Best", queries[0], now: noon) }
    let made = try await shown()
    let id = try #require(try await test.store.view { try $0.smartFeeds.all().first?.id })
    var states = [[], made]
    try await test.store.edit { try $0.actions.makeSmartFeed("best", queries[1], now: noon) }
    states.append(try await shown())
    try await test.store.edit { try $0.actions.callSmartFeed(id, "Next", now: noon) }
    states.append(try await shown())
    try await test.store.edit { try $0.actions.endSmartFeed(id, now: noon) }
    states.append(try await shown())
    #expect(states.map(\.count) == [0, 1, 1, 1, 0])
    for state in states.dropLast().reversed() {
      #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .setSmartFeed)
      #expect(try await shown() == state)
    }
    for state in states.dropFirst() {
      #expect(try await test.store.edit { try $0.journal.redo(now: noon) } != nil)
      #expect(try await shown() == state)
    }
    let told = try await test.store.view { try $0.journal.entries(limit: 9).map(\.summary) }
    #expect(
      told == [
        "removed the smart feed “Next”", "changed the smart feed “best” to “Next”",
        "changed the smart feed “Best” to “best”", "created the smart feed “Best”",
      ])
    try await test.store.edit { edit in
      try edit.actions.makeSmartFeed("Mine", queries[0], now: noon)
      try edit.smartFeeds.rename(try #require(edit.view.smartFeeds.all().first).id, to: "Yours")
    }
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.subject == "Next")
  }

  @Test func `A page that was saved is taken back and comes again`() async throws {
    let test = try TestStore()
    let (_, _) = try await rich(test)
    let url = "https://example.org/page"
    let saved = try await test.store.edit {
      try $0.savedPages.save(url, title: "example.org/page", isTyped: false, now: noon).article
    }
    let before = try await picture(test)
    // Once more saves nothing new.
    _ = try await test.store.edit {
      try $0.savedPages.save(url, title: "example.org/page", isTyped: false, now: noon)
    }
    let undone = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(undone?.summary == "saved “example.org/page”")
    #expect(try await test.store.view { try $0.articles.article(saved) } == nil)
    #expect(try await test.store.edit { try $0.journal.redo(now: noon) }?.kind == .savePage)
    #expect(try await picture(test) == before)
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.kind == .savePage)
    let again = try await test.store.edit {
      try $0.savedPages.save(url, title: "example.org/page", isTyped: false, now: noon).article
    }
    #expect(try await test.store.view { try $0.articles.article(again) } != nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `An erased feed and a cleared journal leave nothing behind`() async throws {
    let test = try TestStore()
    let (feed, other) = try await rich(test)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.markOpened([ids[1]], now: noon)
      _ = try edit.actions.delete([ids[3]], now: noon)
      try edit.marks.setByKey(.starred(true), of: [try edit.view.newest(of: other)], now: noon)
      try edit.feeds.unsubscribe(feed)
      try edit.removals.drop(of: [feed])
    }
    let journal = try await test.store.view { try $0.journal.entries(limit: 9) }
    #expect(journal.map(\.feed) == [other])
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT * FROM removal") == [])
    try await test.store.edit { edit in
      try edit.actions.remove(other, isTold: false, now: noon)
      try edit.journal.clear()
    }
    #expect(try raw.strings("SELECT * FROM userAction") == [])
    #expect(try raw.strings("SELECT * FROM removedRow") == [])
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) } == nil)
    #expect(try await test.store.hasToErase())
  }

  @Test func `Of feeds removed together each server is told of its own`() async throws {
    let test = try TestStore()
    let account = try await test.account(at: "http://example.org", [.subscriptions, .takesMarks])
    let own = try await test.subscribe("b")
    let kept = try await test.store.edit { edit in
      try edit.subscriptions.queueFeed(
        "http://example.org/a", to: account, isUserEntered: true, now: noon
      ).feed
    }
    let raw = try RawDatabase(test.folder)
    try raw.execute("DELETE FROM outbox; UPDATE feed SET remoteID = 'r'")
    try await test.store.edit { try $0.actions.remove([own, kept], told: [kept], now: noon) }
    #expect(try raw.strings("SELECT kind FROM outbox ORDER BY id") == ["removeFeed"])
    try raw.execute("DELETE FROM outbox")
    #expect(try await test.store.edit { try $0.journal.undo(now: noon) }?.count == 2)
    #expect(try raw.strings("SELECT kind FROM outbox ORDER BY id") == ["addFeed"])
    try raw.execute("DELETE FROM outbox")
    try await test.store.edit { edit in
      try edit.actions.file([(own, ["X"]), (kept, ["X"])], told: [kept], now: noon)
    }
    #expect(try raw.strings("SELECT kind FROM outbox ORDER BY id") == ["fileFeed"])
  }

  @Test(arguments: [true, false])
  func `A server that was told of the removal is told of the return`(isSent: Bool) async throws {
    let test = try TestStore()
    let account = try await test.account(at: "http://example.org", [.subscriptions, .takesMarks])
    let feed = try await test.store.edit { edit in
      try edit.subscriptions.queueFeed(
        "http://example.org/a", to: account, isUserEntered: true, now: noon
      ).feed
    }
    try RawDatabase(test.folder).execute("DELETE FROM outbox")
    func waiting() async throws -> [String] {
      try RawDatabase(test.folder).strings("SELECT kind FROM outbox ORDER BY id")
    }
    try RawDatabase(test.folder).execute("UPDATE feed SET remoteID = 'r'")
    try await test.store.edit { try $0.actions.remove(feed, isTold: true, now: noon) }
    #expect(try await waiting() == ["removeFeed"])
    if isSent { try RawDatabase(test.folder).execute("DELETE FROM outbox") }
    let undone = try #require(try await test.store.edit { try $0.journal.undo(now: noon) })
    #expect(undone.outcome.contains("its server was told already") == isSent)
    #expect(try await waiting() == (isSent ? ["addFeed"] : []))
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.account.id } == account)
  }
}

extension StoreView {
  fileprivate func newest(of feed: FeedID) throws -> ArticleID {
    ArticleID(try #require(try articles.edge(of: feed, isNewest: true)).id)
  }
}
