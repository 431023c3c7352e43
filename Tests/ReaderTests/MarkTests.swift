internal import News
internal import Testing

internal import struct Foundation.Date

@testable import Reader

/// Read and unread, stars, and going from unread to unread.
struct MarkTests {
  @Test(arguments: [
    ("m", Intent.mark([ArticleID(5)], .read(true), isUndoable: true), ArticleStatus(isRead: true)),
    ("jm", .mark([ArticleID(4)], .read(false), isUndoable: true), ArticleStatus()),
    ("s", .mark([ArticleID(5)], .starred(true), isUndoable: true), ArticleStatus(isStarred: true)),
    (
      "js", .mark([ArticleID(4)], .starred(true), isUndoable: true),
      ArticleStatus(isRead: true, isStarred: true)
    ),
  ])
  func `A mark shows at once`(_ keys: String, _ intent: Intent, _ status: ArticleStatus) {
    var session = Session(Sample.rows(1...5, read: [4]))
    #expect(session.send(keys: keys) == [.apply(intent)])
    #expect(session.state.list.selectedArticle?.status == status)
  }

  @Test(arguments: [Timeline.all, .unread, .feed(FeedID(1))])
  func `Opening marks read, and the row stays where it is`(_ timeline: Timeline) {
    var session = Session(Sample.rows(1...5), of: timeline)
    let effects = session.send(keys: "<Enter>")
    #expect(effects.contains(.apply(.mark([ArticleID(5)], .read(true)))))
    #expect(effects.last == .article(.open(ArticleID(5), width: session.state.articleWidth)))
    if timeline == .unread {
      #expect(session.state.list.query.keeping == [ArticleID(5)])
      #expect(effects.contains(.list(.observe(session.state.list.query))))
    }
    session.arrive(Sample.rows(1...5, read: [5]))
    #expect(session.selected == 5)
  }

  @Test func `What the store read before a mark does not take it back`() throws {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "<Enter>")
    var article = Sample.article(ArticleID(5), html: "<p>text</p>")
    article.status.isRead = false
    let page = ArticlePage(article, width: session.state.articleWidth, clock: Sample.clock)
    _ = session.state.reduce(.article(.arrived(page)))
    #expect(
      session.send(keys: "m").contains(
        .apply(.mark([ArticleID(5)], .read(false), isUndoable: true))))
  }

  @Test func `A star that is taken back is gone with the next snapshot`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "s")
    #expect(session.send(keys: "u") == [.apply(.undoAsking(agreedTo: nil))])
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    session.arrive(Sample.rows(1...5))
    #expect(session.state.list.selectedArticle?.status == ArticleStatus())
  }

  @Test(arguments: ["m", "s"])
  func `A key turns over the mark that shows, whatever the store read before`(_ key: String) {
    func intent(_ isOn: Bool) -> Intent {
      key == "m"
        ? .mark([ArticleID(5)], .read(isOn), isUndoable: true)
        : .mark([ArticleID(5)], .starred(isOn), isUndoable: true)
    }
    var session = Session(Sample.rows(1...5))
    #expect(session.send(keys: key) == [.apply(intent(true))])
    session.arrive(Sample.rows(1...5))
    #expect(session.send(keys: key) == [.apply(intent(false))])
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    // Read between the two changes.
    session.arrive([Sample.row(5, isRead: key == "m", isStarred: key == "s")])
    #expect(session.state.list.selectedArticle?.status == ArticleStatus())
    #expect(session.send(keys: key) == [.apply(intent(true))])
  }

  @Test(
    arguments: ["m", "s"],
    [
      ([false, false], false), ([true, false], true), ([false, true], false),
      ([false, false, false], false), ([false, false, true], true), ([true, true, false], false),
    ] as [([Bool], Bool)])
  func `Of changes sent at once, those that are kept show in the end`(
    _ key: String, _ changes: (areKept: [Bool], isOn: Bool)
  ) {
    var session = Session(Sample.rows(1...5))
    let effects = session.send(keys: String(repeating: key, count: changes.areKept.count))
    #expect(effects.count == changes.areKept.count)
    for case (.apply(let intent), let isKept) in zip(effects, changes.areKept) {
      _ = session.state.reduce(
        isKept ? .marks(.ended([ArticleID(5)])) : .marks(.notKept(intent, Sample.unavailable)))
    }
    let isOn = changes.isOn
    let status = ArticleStatus(isRead: key == "m" && isOn, isStarred: key == "s" && isOn)
    #expect(session.status(of: 5) == status)
    // What the store says from now on counts.
    session.arrive(Sample.rows(1...5))
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus())
  }

  @Test func `A change that is not kept leaves the other mark, and what the store said since`() {
    var session = Session(Sample.rows(1...5))
    let effects = session.send(keys: "smm")
    // Another process has read it meanwhile.
    session.arrive(Sample.rows(1...5, read: [5]))
    #expect(session.status(of: 5) == ArticleStatus(isRead: false, isStarred: true))
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    for case .apply(let intent) in effects.dropFirst() {
      _ = session.state.reduce(.marks(.notKept(intent, Sample.unavailable)))
    }
    #expect(session.status(of: 5) == ArticleStatus(isRead: true, isStarred: true))
  }

  @Test func `A mark and one of all that are not kept leave what was there`() throws {
    let feed = Timeline.feed(FeedID(1))
    var session = Session(Sample.rows(1...5), of: feed)
    let effects = session.send(keys: "<Enter>mA")
    try session.articleArrives(html: "<p>text</p>")
    for case .apply(let intent) in effects {
      _ = session.state.reduce(.marks(.notKept(intent, Sample.unavailable)))
    }
    #expect(session.status(of: 5) == ArticleStatus())
    #expect(session.state.article?.row?.status == ArticleStatus())
    #expect(session.state.article?.page?.article.status == ArticleStatus())
  }

  @Test func `Once a mark is written, what another process says of it counts`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "m")
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    // It may have been read before the mark was written: the store is asked again.
    let query = session.state.list.query
    #expect(session.arrive(Sample.rows(1...5)).contains(.list(.observe(query))))
    #expect(session.state.list.selectedArticle?.status.isRead == true)
    #expect(!session.arrive(Sample.rows(1...5)).contains(.list(.observe(query))))
    #expect(session.state.list.selectedArticle?.status.isRead == false)
  }

  @Test func `A mark that the store confirms is the store's from then on`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "m")
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    session.arrive(Sample.rows(1...5, read: [5]))
    session.arrive(Sample.rows(1...5))
    #expect(session.state.list.selectedArticle?.status.isRead == false)
  }

  @Test func `A mark of an article that is not in the next snapshot does not come back`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "m")
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    session.arrive(Sample.rows(1...4))
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus())
  }

  @Test(arguments: [Timeline.feed(FeedID(1)), .starred])
  func `A list that is opened after a mark was written shows what the store says`(
    _ timeline: Timeline
  ) {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "m")
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    _ = session.state.show(timeline)
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus())
  }

  @Test func `A mark that is being written when another list opens shows there`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "m")
    _ = session.state.show(.feed(FeedID(1)))
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus(isRead: true))
    _ = session.state.reduce(.marks(.ended([ArticleID(5)])))
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus(isRead: true))
    session.arrive(Sample.rows(1...5))
    #expect(session.status(of: 5) == ArticleStatus())
  }

  @Test(
    arguments: [
      // An article that was marked unread, and one that was marked read and then starred.
      ("jm", "A", 4, true, true), ("m", "u", 5, false, false),
    ] as [(String, String, Int64, Bool, Bool)], [true, false])
  func `What the store says after marking all and undo goes before the mark of one`(
    _ change: (mark: String, all: String, id: Int64, isRead: Bool, isStarred: Bool),
    _ isWritten: Bool
  ) {
    var session = Session(Sample.rows(1...5, read: [4]), of: .feed(FeedID(1)))
    session.send(keys: change.mark + "s")
    let id = ArticleID(change.id)
    if isWritten {
      _ = session.state.reduce(.marks(.ended([id])))
      _ = session.state.reduce(.marks(.ended([id])))
    }
    session.send(keys: change.all)
    session.arrive([Sample.row(change.id, isRead: change.isRead)])
    #expect(
      session.status(of: change.id)
        == ArticleStatus(isRead: change.isRead, isStarred: change.isStarred))
  }

  @Test func `The open article takes the marks of its row`() throws {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>text</p>")
    session.arrive([Sample.row(5, isRead: true, isStarred: true)])
    #expect(session.lines[0].contains("★"))
  }

  @Test func `All of a feed is marked read with a key, and taken back with another`() {
    let feed = Timeline.feed(FeedID(1))
    var session = Session(Sample.rows(1...5), of: feed)
    #expect(
      session.send(keys: "A") == [.apply(.markAllRead(feed, notNewerThan: Sample.position(5)))])
    _ = session.state.reduce(.marks(.markedAllRead(5)))
    #expect(session.state.notice?.text == "Marked 5 articles as read. u undoes this.")
    #expect(session.send(keys: "u") == [.apply(.undoAsking(agreedTo: nil))])
  }

  @Test(arguments: [("y", true), ("n", false)])
  func `Before a subscription is taken back the user is asked`(_ answer: String, _ isYes: Bool) {
    var session = Session(Sample.rows(1...5))
    var entry = JournalEntry(
      id: 7, time: .distantPast, kind: .addFeed, feed: FeedID(1), subject: "Feed 1")
    entry.refusal = .needsConsent
    #expect(session.state.reduce(.marks(.turned(entry, isUndone: true))) == [])
    #expect(
      session.lines.last?.contains("Undo: unsubscribe from Feed 1 and delete its articles? y/n")
        == true)
    #expect(session.send(keys: answer) == (isYes ? [.apply(.undoAsking(agreedTo: 7))] : []))
    #expect(session.state.prompt == nil)
  }

  @Test(arguments: [("d", 9, 1), ("jjd", 7, 1), ("vvd", 9, 2)])
  func `A deletion that is taken back shows its row again, selected`(
    _ keys: String, _ first: Int64, _ count: Int
  ) {
    var session = Session(Sample.rows(1...9), height: 8)
    session.send(keys: keys)
    let gone = Array((first - Int64(count) + 1)...first)
    _ = session.state.reduce(.marks(.deleted(gone.map { ArticleID($0) }, gone: count)))
    session.arrive(Sample.rows(1...9).filter { !gone.contains($0.position.id) })
    #expect(!gone.contains(session.selected ?? 0))
    session.send(keys: "G")
    let entry = JournalEntry(
      id: 7, time: .distantPast, kind: .deleteArticles, count: count,
      article: count == 1 ? ArticleID(first) : nil)
    let effects = session.state.reduce(.marks(.turned(entry, isUndone: true)))
    #expect(effects.contains(.list(.observe(session.state.list.query))))
    session.arrive(Sample.rows(1...9))
    #expect(session.selected == first)
    #expect(session.lines.contains { $0.contains("Article \(first)") })
    #expect(session.state.notice?.text.hasPrefix("Undone: deleted") == true)
  }

  @Test func `What cannot be taken back is told`() {
    var session = Session(Sample.rows(1...5))
    var entry = JournalEntry(id: 7, time: .distantPast, kind: .comment, subject: "Article 3")
    entry.refusal = .cannotBeTakenBack
    _ = session.state.reduce(.marks(.turned(entry, isUndone: true)))
    #expect(
      session.state.notice?.text
        == "Cannot undo this change: commented on “Article 3”. u again undoes the one before.")
  }

  @Test(arguments: [
    ("y", true), ("Y", true), ("n", false), ("<Esc>", false), ("<Enter>", false), ("q", false),
  ])
  func `Outside a feed the user is asked, and what arrives meanwhile stays unread`(
    _ answer: String, _ isYes: Bool
  ) {
    var session = Session(Sample.rows(1...5))
    #expect(session.send(keys: "A") == [])
    #expect(session.lines.last?.contains("Mark 5 articles in All as read? y/n") == true)
    session.arrive(Sample.rows(1...8))
    let effect = Effect.apply(.markAllRead(.all, notNewerThan: Sample.position(5)))
    #expect(session.send(keys: answer) == (isYes ? [effect] : []))
    #expect(session.state.prompt == nil)
  }

  @Test func `New articles above the screen stay unread too when they arrived later`() {
    var session = Session(Sample.rows(1...40), of: .feed(FeedID(1)), sidebar: .sample)
    session.send(keys: "<PgDn>")
    let effects = session.send(keys: "A")
    #expect(
      effects == [.apply(.markAllRead(.feed(FeedID(1)), notNewerThan: Sample.position(40)))])
  }

  @Test func `What waits above the screen is neither asked about nor marked`() {
    var session = Session(Sample.rows(1...40))
    session.send(keys: "<PgDn>")
    session.arrive(Sample.rows(1...43))
    #expect(session.state.list.newAbove == 3)
    session.send(keys: "A")
    #expect(session.lines.last?.contains("Mark 40 articles in All as read? y/n") == true)
    let top = session.state.list.rows[session.state.list.firstVisibleRow].position
    #expect(
      session.send(keys: "y") == [
        .apply(
          .markAllRead(
            .all, notNewerThan: Sample.position(43), except: UnseenRegion(above: top, since: 40)))
      ])
  }

  @Test func `With nothing unread there is nothing to mark`() {
    var session = Session(Sample.rows(1...3, read: [1, 2, 3]))
    session.send(keys: "A")
    #expect(session.state.prompt == nil)
    #expect(session.state.notice?.text == "No unread articles in this list.")
  }

  // MARK: The next unread

  @Test(arguments: [("n", 7), ("jn", 7), ("jjjn", 7), ("nn", 4), ("nnn", 1)])
  func `The next unread of the list opens`(_ keys: String, _ id: Int64) {
    var session = Session(Sample.rows(1...10, read: [2, 3, 5, 6, 8, 9, 10]))
    session.send(keys: keys)
    #expect(session.state.article?.id == ArticleID(id))
    #expect(session.state.focus == .article)
    #expect(session.selected == id)
  }

  @Test(arguments: [Timeline.all, .feed(FeedID(2))])
  func `Beyond the list the store looks for the next unread`(_ found: Timeline) {
    var session = Session(Sample.rows(501...510, read: Set(501...510)))
    let position = Sample.position(510)
    #expect(session.send(keys: "n") == [.list(.findNextUnread(.all, after: position))])
    let target = Sample.position(33)
    let effects = session.state.reduce(.list(.nextUnreadFound(found, target)))
    #expect(session.state.list.query.timeline == found)
    #expect(session.state.list.query.anchor == .around(target))
    #expect(effects.contains(.list(.observe(session.state.list.query))))
    #expect(effects.contains(.apply(.mark([ArticleID(33)], .read(true)))))
    #expect(effects.last == .article(.open(ArticleID(33), width: session.state.articleWidth)))
    session.arrive(Sample.rows(1...60), hasNewer: true)
    #expect(session.selected == 33)
  }

  @Test func `When nothing is unread the user is told`() {
    var session = Session(Sample.rows(1...3, read: [1, 2, 3]))
    _ = session.state.reduce(.list(.nextUnreadFound(.all, nil)))
    #expect(session.state.notice?.text == "No unread articles in any feed.")
    #expect(session.state.article == nil)
  }

  @Test func `What is read can be hidden and shown`() {
    var session = Session(Sample.rows(1...5, read: [1, 2]))
    #expect(session.send(keys: "U").first == .list(.observe(session.state.list.query)))
    #expect(session.state.list.query.unreadOnly)
    #expect(session.state.list.query.keeping == [ArticleID(5)])
    session.send(keys: "U")
    #expect(!session.state.list.query.unreadOnly)
  }
}

extension Session {
  fileprivate func status(of id: Int64) -> ArticleStatus? {
    for case .article(let row) in state.list.rows where row.id == ArticleID(id) {
      return row.status
    }
    return nil
  }

  @Test func `What feeds have that stay out of the list of all is not counted for it`() {
    var sidebar = SidebarSnapshot.sample
    sidebar.feeds[0].settings.isHidden = true
    (sidebar.counts.unread, sidebar.counts.unreadBehind) = (3, 0)
    var session = Session(Sample.rows(1...3), sidebar: sidebar)
    _ = Marking.askToMarkAllFeedsRead(in: &session.state)
    #expect(session.lines.last?.contains("Mark 3 articles in All as read? y/n") == true)
  }
}
