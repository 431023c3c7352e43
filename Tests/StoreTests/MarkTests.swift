internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

@Suite struct MarkTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `The counts that triggers keep are those that counting gives`(seed: UInt64) async throws {
    let test = try TestStore()
    var random = SplitMix(seed: seed)
    var feeds: [FeedID] = []
    for step in 0..<150 {
      let feed = feeds.randomElement(using: &random)
      let articles = try await test.store.view { view in
        var ids: [ArticleID] = []
        if let feed { try view.articles.forEach(of: feed) { ids.append($0.id) } }
        return ids
      }
      let some = articles.filter { _ in Bool.random(using: &random) }
      let value = Bool.random(using: &random)
      switch (Int.random(in: 0..<10, using: &random), feed) {
      case (0, _), (_, nil): feeds.append(try await test.subscribe("\(step)"))
      case (1...3, let feed?):
        let entries = (0..<5).map { _ in
          let id = "\(Int.random(in: 0..<30, using: &random))"
          return entry(id, title: "\(id) \(step / 40)", at: -step, content: "text \(step / 50)")
        }
        try await test.merge(entries, into: feed, at: value ? .newest : .older)
      case (4, _): try await test.store.edit { try $0.marks.set(.read(value), of: some, now: noon) }
      case (5, _):
        try await test.store.edit { try $0.marks.set(.starred(value), of: some, now: noon) }
      case (6, let feed?):
        try await test.store.edit {
          try $0.marks.markAllRead(value ? .feed(feed) : .unread, notNewerThan: nil, now: noon)
        }
      case (7, _), (8, _): try await test.store.edit { try $0.undone(now: noon) }
      case (_, let feed?):
        if feeds.count > 3 {
          try await test.store.edit { try $0.feeds.unsubscribe(feed) }
          feeds.removeAll { $0 == feed }
        }
      }
    }
    #expect(try RawDatabase(test.folder).problems() == [])
    #expect(try await test.store.view { try $0.articles.counts().total } > 10)
  }

  @Test func `All is marked up to a position, and undone as one`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try await test.subscribe("b")
    try await test.merge((0..<6).map { entry("\($0)", at: -$0) }, into: feed)
    try await test.merge([entry("x", at: -3)], into: other)
    let articles = try await test.articles(feed)
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[5].id], now: noon) }
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(.feed(feed), notNewerThan: articles[2].position, now: noon)
    }
    #expect(marked == 3)
    func read() async throws -> [Bool] { try await test.articles(feed).map(\.status.isRead) }
    #expect(try await read() == [false, false, true, true, true, true])
    #expect(try await test.articles(other).map(\.status.isRead) == [false])

    // What is marked one by one since is no part of what is taken back.
    try await test.store.edit { edit in
      try edit.marks.set(.read(false), of: [articles[3].id], now: noon)
      try edit.marks.set(.read(true), of: [articles[3].id], now: noon)
    }
    #expect(try await test.store.edit { try $0.undone(now: noon) } == 2)
    #expect(try await read() == [false, false, false, true, false, true])
    #expect(try await test.store.edit { try $0.undone(now: noon) } == 0)
  }

  @Test func `What keys have marked is taken back one after another, after a restart as well`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b"), entry("c")], into: feed)
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.setByKey(.read(true), of: [ids[0]], now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[1]], now: noon)
      // Opened, not marked by a key: nothing to take back.
      try edit.marks.set(.read(true), of: [ids[1]], now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[1]], now: noon)
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      try edit.marks.setByKey(.starred(true), of: [ids[2]], now: noon)
      // Turned over since by another program.
      try edit.marks.set(.starred(false), of: [ids[2]], now: noon)
    }
    let again = try Store(folder: test.folder)
    func status() async throws -> [ArticleStatus] { try await test.articles(feed).map(\.status) }
    var wanted = try await status()
    #expect(wanted.map(\.isRead) == [true, true, true])
    #expect(try await again.edit { try $0.undone(now: noon) } == 1)
    wanted[2].isRead = false
    #expect(try await status() == wanted)
    #expect(try await again.edit { try $0.undone(now: noon) } == 1)
    wanted[1].isStarred = false
    #expect(try await status() == wanted)
    #expect(try await again.edit { try $0.undone(now: noon) } == 1)
    wanted[0].isRead = false
    #expect(try await status() == wanted)
    #expect(try await again.edit { try $0.undone(now: noon) } == 0)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Ten thousand marks can be taken back`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    let id = try await test.articles(feed)[0].id
    // The bound is kept at the end of a transaction.
    try await test.store.edit { edit in
      for number in 0..<10_030 {
        try edit.marks.setByKey(.starred(number % 2 == 0), of: [id], now: noon)
      }
    }
    let count = try await test.store.edit { edit in
      var count = 0
      while try edit.undone(now: noon) > 0 { count += 1 }
      return count
    }
    #expect(count == 10_000)
  }

  @Test(arguments: [true, false], [true, false])
  func `A mark that is taken back after it was sent, answered or not, is one change to send`(
    isRead: Bool, isAnswered: Bool
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    let account = try await test.takeMarks(of: "http://example.org")
    let id = try await test.articles(feed)[0].id
    let changes = try await test.store.edit { edit in
      try edit.marks.setByKey(Mark(isRead ? .read : .starred, true), of: [id], now: noon)
      let call = try edit.outbox.beginSending(of: account, after: 0, limit: 10)
      if isAnswered, let call { try edit.outbox.finishSending(call.items, of: account) }
      try edit.journal.undo(now: noon)
      return try edit.view.outbox.items().map(\.change)
    }
    #expect(changes == [isRead ? .mark(id, .read(false)) : .mark(id, .starred(false))])
  }

  @Test func `Marking all where nothing is unread makes nothing to undo`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    let counts = try await test.store.edit { edit in
      [
        try edit.marks.markAllRead(.unread, notNewerThan: nil, now: noon),
        try edit.marks.markAllRead(.unread, notNewerThan: nil, now: noon),
        try edit.undone(now: noon),
      ]
    }
    #expect(counts == [1, 0, 1])
  }

  @Test(arguments: [5, 45])
  func `A folder is marked, however many feeds it has`(count: Int) async throws {
    let test = try TestStore()
    for number in 0..<count {
      let feed = try await test.subscribe("\(number)", folders: ["f"])
      try await test.merge([entry("a")], into: feed)
    }
    let outside = try await test.subscribe("outside")
    try await test.merge([entry("a")], into: outside)
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(.folder("f"), notNewerThan: nil, now: noon)
    }
    #expect(marked == count)
    #expect(try await test.store.view { try $0.timeline.counts(of: .unread).unread } == 1)
  }

  @Test func `A search is marked where it matches`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("red apple"), entry("green pear")], into: feed)
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(.search("apple"), notNewerThan: nil, now: noon)
    }
    #expect(marked == 1)
  }

  @Test func `The outbox holds the last wish of each kind for each article`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: ids, now: noon)
      try edit.marks.set(.starred(true), of: [ids[0]], now: noon)
      try edit.marks.set(.read(false), of: [ids[0]], now: noon)
      // No change is nothing to send.
      try edit.marks.set(.starred(true), of: [ids[0]], now: noon)
    }
    let items = try await test.store.view { try $0.outbox.items() }
    #expect(
      items.map(\.change) == [
        .mark(ids[1], .read(true)), .mark(ids[0], .starred(true)), .mark(ids[0], .read(false)),
      ])
    #expect(Set(items.map(\.key)).count == 3)
    try await test.store.edit { try $0.outbox.remove([items[0]]) }
    #expect(try await test.store.view { try $0.outbox.items() } == Array(items.dropFirst()))
  }

  @Test func `A batch is one thing to send, and its undoing takes its place`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    try await test.store.edit { try $0.marks.markAllRead(.all, notNewerThan: nil, now: noon) }
    let marked = try await test.store.view { try $0.outbox.items().map(\.change) }
    guard case .readBatch(let batch, true)? = marked.first else {
      Issue.record("no batch: \(marked)")
      return
    }
    try await test.store.edit { try $0.undone(now: noon) }
    let undone = try await test.store.view { try $0.outbox.items().map(\.change) }
    #expect(undone == [.readBatch(batch, false)])
  }

  @Test(arguments: [nil, "http://example.org:81", "https://example.org", "http://example.com"])
  func `Where no account takes the marks of a feed, nothing waits to be sent`(
    _ other: String?
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b")], into: feed)
    if let other { try await test.takeMarks(of: other) }
    let account = SignIn(origin: "http://example.org", user: "ada", scheme: .basic)
    try await test.store.edit { try $0.signIns.save(account, now: noon) }
    // Not even for a moment: nothing may be left when a kill follows.
    let raw = try RawDatabase(test.folder)
    try raw.execute(
      "CREATE TRIGGER none BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'queued'); END")
    let ids = try await test.articles(feed).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[0]], now: noon)
      try edit.marks.set(.starred(true), of: ids, now: noon)
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      _ = try edit.undone(now: noon)
    }
    #expect(try await test.articles(feed).map(\.status.isRead) == [true, false])
    #expect(try await test.articles(feed).map(\.status.isStarred) == [true, true])
  }

  @Test func `Of feeds of which some take marks, theirs wait to be sent`() async throws {
    let test = try TestStore()
    let (mine, other) = (try await test.subscribe("a"), try await test.subscribe("b"))
    try RawDatabase(test.folder).execute("UPDATE feed SET url = 'https://other.org/b' WHERE id = 2")
    for feed in [mine, other] { try await test.merge([linked("x", "https://e.org/x")], into: feed) }
    try await test.takeMarks(of: "https://other.org")
    let ids = [try await test.articles(mine)[0].id, try await test.articles(other)[0].id]
    // What is told to a server is nothing that another feed has to do with.
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[0]], now: noon)
      #expect(try edit.view.outbox.items() == [])
      try edit.marks.set(.read(true), of: [ids[1]], now: noon)
    }
    #expect(
      try await test.store.view { try $0.outbox.items().map(\.change) } == [
        .mark(ids[1], .read(true))
      ])
    try await test.store.edit { edit in
      try edit.marks.set(.read(false), of: ids, now: noon)
      try edit.marks.markAllRead(.feed(mine), notNewerThan: nil, now: noon)
      try edit.marks.markAllRead(.feed(other), notNewerThan: nil, now: noon)
    }
    #expect(
      try await test.store.view { try $0.outbox.items().map(\.change) } == [.readBatch(2, true)])
  }

  @Test(arguments: [Timeline.all, .unread, .folder("f"), .feed(FeedID(1)), .feed(FeedID(2))])
  func `As many are marked and taken back as the list shows, where feeds share articles`(
    _ timeline: Timeline
  ) async throws {
    let test = try TestStore()
    let first = try await test.subscribe("a", folders: ["f"])
    let second = try await test.subscribe("b", folders: ["f"])
    let shared = (1...3).map { linked("s\($0)", "https://e.org/\($0)") }
    try await test.merge(shared + [entry("own")], into: first)
    try await test.merge(shared + [entry("other"), entry("third")], into: second)
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    func asked() async throws -> (rows: Int, unread: Int) {
      try await test.store.view { view in
        (
          try view.timeline.slice(query).rows.count,
          try view.timeline.counts(of: timeline, isMerged: query.hidesDuplicates).unread
        )
      }
    }
    let before = try await asked()
    #expect(before.rows == before.unread && before.rows >= 4)
    let done = try await test.store.edit {
      try $0.marks.markAllRead(timeline, notNewerThan: nil, now: noon)
    }
    #expect(done == before.unread)
    #expect(try await asked() == (0, 0))
    // What is shared is read wherever it stands.
    let left = try await test.store.view { try $0.articles.counts().unread }
    #expect(left == (timeline == .feed(first) ? 2 : timeline == .feed(second) ? 1 : 0))
    #expect(try await test.store.edit { try $0.undone(now: noon) } == done)
    #expect(try await asked() == before)
    #expect(try await test.store.view { try $0.articles.counts().unread } == 9)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `What has arrived above the screen stays unread`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("b", at: -20), entry("a", at: -30)], into: feed)
    let seen = try await test.articles(feed)
    // One lies between those that were seen, and one below: it was loaded as older.
    try await test.merge(
      [entry("d", at: -10), entry("c", at: -25), entry("older", at: -40)], into: feed)
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(
        .feed(feed), notNewerThan: nil,
        except: UnseenRegion(above: seen[1].position, since: seen.map(\.id.rawValue).max() ?? 0),
        now: noon)
    }
    #expect(marked == 3)
    #expect(
      try await test.articles(feed).filter { !$0.status.isRead }.map(\.entry.id) == ["d", "c"])
  }

  @Test func `What is said again of one article is not taken back with its batch`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b")], into: feed)
    let id = try #require(try await test.articles(feed).first?.id)
    let undone = try await test.store.edit { edit in
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      try edit.marks.set(.read(true), of: [id], now: noon)
      return try edit.undone(now: noon)
    }
    #expect(undone == 1)
    #expect(try await test.articles(feed).filter(\.status.isRead).map(\.id) == [id])
  }

  @Test func `A claim is renewed, and one from before the clock was set back is none`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let claimed = try await test.store.edit { edit in
      var claimed = try [edit.claims.claim([feed], by: "a", until: noon + 120, now: noon).count]
      try edit.claims.renew(of: "a", until: noon + 240)
      claimed.append(
        try edit.claims.claim([feed], by: "b", until: noon + 250, now: noon + 130).count)
      // An hour earlier by the clock on the wall.
      claimed.append(
        try edit.claims.claim([feed], by: "b", until: noon - 3_480, now: noon - 3_600).count)
      return claimed
    }
    #expect(claimed == [1, 0, 1])
  }

  @Test func `A mark and its row in the outbox are one transaction`() async throws {
    struct Stop: Error {}
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    try await test.takeMarks(of: "http://example.org")
    let id = try #require(try await test.articles(feed).first?.id)
    await #expect(throws: (any Error).self) {
      try await test.store.edit { edit in
        try edit.marks.set(.read(true), of: [id], now: noon)
        throw Stop()
      }
    }
    #expect(try await test.store.view { try $0.outbox.items() } == [])
    #expect(try await test.articles(feed).map(\.status.isRead) == [false])
  }

  @Test func `A gone feed stays gone until it answers`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func fail(_ status: Int?) async throws -> Bool? {
      let error = SourceError(
        status == nil ? .timeout : .status, stage: .fetch, subject: "x", message: "x",
        status: status)
      return try await test.store.edit { edit in
        try edit.fetches.recordFailure(feed, error, now: noon)
        return try edit.view.feeds.feed(feed)?.state.isGone
      }
    }
    #expect(try await fail(503) == false)
    #expect(try await fail(410) == true)
    #expect(try await fail(nil) == true)
    try await test.store.edit { try $0.fetches.recordUnchanged(feed, Validators(), now: noon) }
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.state.isGone } == false)
  }

  @Test func `Why a fetch failed is kept whole`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let error = SourceError(
      .notAFeed, stage: .parse, subject: "x", message: "A page.", next: "e takes it", status: 200,
      retryAfter: noon, feedURL: "https://example.org/feed?key=1")
    let stored = try await test.store.edit { edit in
      try edit.fetches.recordFailure(feed, error, now: noon)
      return try edit.view.feeds.feed(feed)?.state.error
    }
    #expect(stored == error)
    // As it was written before there was an address in it.
    let older = #"{"kind":"notAFeed","stage":"parse","subject":"x","message":"A page."}"#
    try RawDatabase(test.folder).execute("UPDATE feedState SET error = '\(older)'")
    let read = try await test.store.view { try $0.feeds.feed(feed)?.state.error }
    #expect(read?.message == "A page." && read?.feedURL == nil)
  }

  @Test func `What was marked before the sign-in is sent for the feed that it becomes one with`()
    async throws
  {
    let test = try TestStore()
    let anonymous = try await test.subscribe("a")
    try await test.merge([entry("x"), entry("y")], into: anonymous)
    let ids = try await test.articles(anonymous).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[0]], now: noon)
      try edit.marks.set(.starred(true), of: [ids[1]], now: noon)
    }
    let account = try await test.account(at: "http://elsewhere.org", [.pages, .takesMarks])
    let feed = try await test.store.edit { edit in
      try edit.feeds.subscribe(
        url: "http://example.org/a", of: account, isUserEntered: true, now: noon
      ).feed
    }
    try await test.merge([entry("x"), entry("y")], into: feed)
    try await test.store.edit { try $0.accounts.move(anonymous, into: account, now: noon) }
    let articles = try await test.articles(feed)
    #expect(articles.map(\.status.isRead) == [true, false])
    #expect(articles.map(\.status.isStarred) == [false, true])
    let outbox = try await test.store.view { try $0.outbox.items().map(\.change) }
    #expect(outbox == [.mark(articles[0].id, .read(true)), .mark(articles[1].id, .starred(true))])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A feed that moves to another host is no longer one that was typed`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func moved(to url: String) async throws -> Feed? {
      try await test.store.edit { edit in
        try edit.feeds.move(feed, to: url)
        return try edit.view.feeds.feed(feed)
      }
    }
    #expect(try await moved(to: "https://example.org/new")?.isUserEntered == true)
    let elsewhere = try await moved(to: "https://example.com/new")
    #expect(elsewhere?.isUserEntered == false)
    #expect(elsewhere?.url == "https://example.com/new")
  }

  @Test func `A feed does not move onto another`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("a")
    try await test.subscribe("b")
    let moved = try await test.store.edit { try $0.feeds.move(feed, to: "http://example.org/b") }
    #expect(!moved)
    #expect(try await test.store.view { try $0.feeds.all().count } == 2)
  }

  @Test func `What is above or below an article is marked read, and taken back`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge((0..<5).map { entry("\($0)", at: -$0) }, into: feed)
    let positions = try await test.articles(feed).map(\.position)
    func read() async throws -> [Bool] { try await test.articles(feed).map(\.status.isRead) }
    let count = try await test.store.edit {
      try $0.marks.markAllRead(.all, notNewerThan: positions[0], newerThan: positions[2], now: noon)
    }
    #expect(count == 2)
    #expect(try await read() == [true, true, false, false, false])
    let below = TimelinePosition(date: positions[2].date, id: positions[2].id - 1)
    try await test.store.edit { _ = try $0.marks.markAllRead(.all, notNewerThan: below, now: noon) }
    #expect(try await read() == [true, true, false, true, true])
    #expect(try await test.store.edit { try $0.undone(now: noon) } == 2)
    #expect(try await read() == [true, true, false, false, false])
  }

  @Test func `Steps lead to starred articles on either side, and to any unread one`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try await test.subscribe("b")
    try await test.merge((0..<6).map { entry("\($0)", at: -$0) }, into: feed)
    try await test.merge([entry("x", at: -10)], into: other)
    let all = try await test.articles(feed)
    let (ids, positions) = (all.map(\.id), all.map(\.position))
    try await test.store.edit {
      try $0.marks.set(.starred(true), of: [ids[1], ids[4]], now: noon)
      try $0.marks.set(.read(true), of: [ids[0], ids[1], ids[2], ids[3], ids[5]], now: noon)
    }
    func step(
      _ step: ArticleStep, _ timeline: Timeline, from place: Int
    ) async throws -> TimelinePosition? {
      try await test.store.view { try $0.timeline.find(step, in: timeline, from: positions[place]) }
    }
    #expect(try await step(.nextStarred, .all, from: 0) == positions[1])
    #expect(try await step(.nextStarred, .all, from: 1) == positions[4])
    #expect(try await step(.nextStarred, .all, from: 4) == nil)
    #expect(try await step(.previousStarred, .feed(feed), from: 4) == positions[1])
    #expect(try await step(.previousStarred, .feed(other), from: 4) == nil)
    #expect(try await step(.randomUnread, .feed(feed), from: 0) == positions[4])
    var found: Set<TimelinePosition?> = []
    for _ in 0..<100 { found.insert(try await step(.randomUnread, .all, from: 0)) }
    #expect(found.count == 2 && found.contains(positions[4]))
    try await test.store.edit { _ = try $0.marks.markAllRead(.all, notNewerThan: nil, now: noon) }
    #expect(try await step(.randomUnread, .all, from: 0) == nil)
  }
}
