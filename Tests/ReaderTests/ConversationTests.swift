internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The comments on an article: how they are opened, gone through, folded, marked as new, and answered.
struct ConversationTests {
  /// Comments of which the first three answer each other, and the others the article.
  static func conversation(
    of count: Int, article: Int64 = 20, source: Conversation.Source = .server,
    record: ConversationRecord = ConversationRecord(
      fetched: Sample.date(secondsAgo: 10), arrival: 1, seen: 1),
    new: Set<Int> = [], waiting: [WaitingText] = [], announced: Int? = nil, page: String? = nil
  ) -> Conversation {
    let comments = (0..<max(0, count)).map { number in
      Comment(
        id: "c\(number)", parent: (1...2).contains(number) ? "c\(number - 1)" : nil,
        author: "Writer \(number)", published: Sample.date(secondsAgo: Int64(9_000 - number * 60)),
        text: "Text \(number).\n\nA second paragraph.")
    }
    var record = record
    if !new.isEmpty { record.arrival = 2 }
    return Conversation(
      article: ArticleID(article), title: "Article \(article)", source: source, page: page,
      announced: announced, comments: comments,
      arrivals: Dictionary(
        uniqueKeysWithValues: (0..<max(0, count)).map { ("c\($0)", new.contains($0) ? 2 : 1) }),
      waiting: waiting, record: record)
  }

  private func session(
    _ conversation: Conversation, width: Int = 80, height: Int = 24
  ) -> (session: Session, effects: [Effect]) {
    var session = Session(Sample.rows(1...20), width: width, height: height)
    let asked = session.send(keys: "C")
    #expect(asked == [.conversation(.follow(ArticleID(20)))])
    let effects = session.state.reduce(.conversation(.arrived(conversation)))
    return (session, effects)
  }

  private func text(_ session: Session) -> String { session.lines.joined(separator: "\n") }

  @Test func `A thread is indented, and its paragraphs stay apart`() {
    let (session, effects) = session(Self.conversation(of: 5))
    #expect(effects == [.conversation(.noteVisit(ArticleID(20), upTo: 1))])
    #expect(session.lines[0].contains("Article 20") && session.lines[0].contains("5 comments"))
    let lines = session.lines.map { String($0).trimmingCharacters(in: .whitespaces) }
    let start = lines.firstIndex { $0.hasPrefix("Writer 0 · ") } ?? 0
    #expect(Array(lines[(start + 1)...(start + 3)]) == ["Text 0.", "", "A second paragraph."])
    #expect(lines.contains { $0.hasPrefix("│ Writer 1 · ") })
    #expect(lines.contains("│ │ Text 2."))
    #expect(lines.contains { $0.hasPrefix("Writer 3 · ") })
  }

  // MARK: Links

  /// Three comments, of which the first has two links and the third one.
  private func linked(width: Int = 80, height: Int = 24) -> Session {
    let comments = [
      Comment(
        id: "a", author: "Ada", text: "",
        html: "<p>See <a href='https://a.example/1'>one</a> and <a href='/2'>two</a>.</p>",
        url: "https://a.example/c"),
      Comment(id: "b", author: "Ben", text: "None."),
      Comment(
        id: "c", author: "Cy", text: "",
        html: "<p>\(String(repeating: "word ", count: 200))<a href='https://c.example/'>far</a></p>"
      ),
    ]
    let conversation = Conversation(
      article: ArticleID(20), title: "Article 20", source: .server, comments: comments,
      arrivals: ["a": 1, "b": 1, "c": 1],
      record: ConversationRecord(fetched: Sample.date(secondsAgo: 10), arrival: 1, seen: 1))
    return session(conversation, width: width, height: height).session
  }

  @Test func `Links are numbered in each comment, and opened by their numbers`() {
    var session = linked()
    #expect(text(session).contains("one[1] and two[2]"))
    session.send(keys: "2")
    #expect(session.send(keys: "<Enter>") == [.opening(.openLink("https://a.example/2"))])
    session.send(keys: "j1")
    session.send(keys: "<Enter>")
    #expect(session.state.notice?.text == "This page has no link 1.")
    // A motion after a number is done all the same.
    session.send(keys: "1j")
    session.send(keys: "1")
    #expect(session.send(keys: "<Enter>") == [.opening(.openLink("https://c.example/"))])
  }

  @Test func `Links are picked one after the other, and Enter opens the picked one`() {
    var session = linked(height: 12)
    session.send(keys: "<Tab><Tab>")
    #expect(session.send(keys: "<Enter>") == [.opening(.openLink("https://a.example/2"))])
    session.send(keys: "<Tab>")
    #expect(session.send(keys: "<Enter>") == [.opening(.openLink("https://a.example/1"))])
    // Leaving the link, then folding again.
    session.send(keys: "q")
    #expect(session.send(keys: "<Enter>") == [])
    #expect(text(session).contains("▸ Ada"))
    session.send(keys: "j<Tab>")
    #expect(session.state.notice?.text == "This comment has no links.")
    session.send(keys: "j<Tab>")
    #expect(text(session).contains("far[1]"))
  }

  @Test func `Links open by letters and by a click`() throws {
    var session = linked()
    session.send(keys: "f")
    let hints = try #require(session.state.stack[LinkHints.self]).hints
    // That of the last comment is below the screen.
    #expect(hints.count == 2)
    #expect(session.send(keys: hints[1].label) == [.opening(.openLink("https://a.example/2"))])
    let row = try #require(session.lines.firstIndex { $0.contains("two[2]") })
    let column = try #require(session.lines[row].firstRange(of: "two"))
    let x = session.lines[row].distance(
      from: session.lines[row].startIndex, to: column.lowerBound)
    #expect(session.mouse(.click, x: x, y: row) == [.opening(.openLink("https://a.example/2"))])
  }

  @Test func `What is not fresh is fetched when it is opened, and by a key`() {
    let old = ConversationRecord(fetched: Sample.date(secondsAgo: 3_600), arrival: 1, seen: 1)
    var (session, effects) = session(Self.conversation(of: 3, record: old))
    #expect(
      effects == [
        .conversation(.noteVisit(ArticleID(20), upTo: 1)), .conversation(.fetch(ArticleID(20))),
      ])
    #expect(session.lines[0].contains("loading …"))
    _ = session.state.reduce(.conversation(.fetched(ArticleID(20), nil)))
    #expect(!session.lines[0].contains("loading"))
    #expect(session.send(keys: "r") == [.conversation(.fetch(ArticleID(20)))])
    #expect(
      session.send(keys: "q") == [.cancel(.conversation(.thread)), .cancel(.conversation(.fetch))])
    #expect(type(of: session.state.front) == ListPane.self)
  }

  @Test
  func `Without stored comments the screen says that they load, why not, or that there are none`() {
    let none = ConversationRecord()
    var (session, _) = session(Self.conversation(of: 0, record: none))
    #expect(text(session).contains("Loading …"))
    let error = SourceError(
      .offline, stage: .fetch, subject: "example.org", message: "there is no network")
    _ = session.state.reduce(
      .conversation(
        .arrived(
          Self.conversation(of: 0, record: ConversationRecord(error: error)))))
    _ = session.state.reduce(.conversation(.fetched(ArticleID(20), error)))
    #expect(
      text(session).contains("here is no network") && text(session).contains("Press r to try again")
    )
    _ = session.state.reduce(.conversation(.arrived(Self.conversation(of: 0))))
    #expect(text(session).contains("No comments yet."))
    #expect(text(session).contains("Press a to write the first comment."))
  }

  @Test func `Where its feed tells of no comments, an error does not stand for some`() {
    var (session, _) = session(Self.conversation(of: 0, record: ConversationRecord()))
    let error = SourceError(
      .offline, stage: .fetch, subject: "example.org", message: "there is no network")
    var conversation = Self.conversation(of: 0, record: ConversationRecord(error: error))
    conversation.announced = 0
    _ = session.state.reduce(.conversation(.arrived(conversation)))
    _ = session.state.reduce(.conversation(.fetched(ArticleID(20), error)))
    #expect(text(session).contains("There were no comments when the article arrived."))
    #expect(text(session).contains("here is no network"))
  }

  @Test func `Comments that could not be fetched again show with their age and the reason`() {
    let error = SourceError(
      .offline, stage: .fetch, subject: "example.org", message: "there is no network")
    let (session, _) = session(
      Self.conversation(
        of: 3,
        record: ConversationRecord(
          fetched: Sample.date(secondsAgo: 7_200), arrival: 1, seen: 1, error: error)))
    var state = session.state
    _ = state.reduce(.conversation(.fetched(ArticleID(20), error)))
    let lines = state.render().text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].contains("3 comments · as of 2 h ago"), "\(lines[0])")
    #expect(lines.last?.contains("here is no network") == true)
  }

  @Test func `New ones are counted and marked, and gone to through closed branches`() {
    var (session, _) = session(Self.conversation(of: 12, new: [2, 9]), height: 12)
    #expect(session.lines[0].contains("12 comments · 2 new"))
    session.send(keys: "Z")
    #expect(session.lines.contains { $0.contains("▸ Writer 0") && $0.contains("2 answers, 1 new") })
    session.send(keys: "n")
    #expect(session.lines.contains { $0.contains("│ │ ● Writer 2 · ") })
    session.send(keys: "n")
    #expect(session.lines.contains { $0.contains("● Writer 9") })
    session.send(keys: "n")
    #expect(session.state.notice?.text == "No new comment below.")
    session.send(keys: "N")
    #expect(session.lines.contains { $0.contains("● Writer 2") })
  }

  @Test func `At the first visit nothing is new; what comes while one is there is`() {
    var (session, _) = session(Self.conversation(of: 0, record: ConversationRecord()))
    let first = ConversationRecord(fetched: Sample.date(secondsAgo: 0), arrival: 1)
    let effects = session.state.reduce(
      .conversation(.arrived(Self.conversation(of: 3, record: first))))
    #expect(effects == [.conversation(.noteVisit(ArticleID(20), upTo: 1))])
    #expect(!session.lines[0].contains("new"))
    _ = session.state.reduce(
      .conversation(.arrived(Self.conversation(of: 4, record: first, new: [3]))))
    #expect(session.lines[0].contains("1 new"))
  }

  @Test func `A branch is folded and opened, and the selected comment keeps its line`() {
    var (session, _) = session(Self.conversation(of: 5))
    session.send(keys: "<Enter>")
    #expect(session.lines[1].contains("▸ Writer 0") && session.lines[1].contains("2 answers"))
    #expect(session.lines[2].contains("Writer 3"))
    session.send(keys: "<Enter>")
    #expect(session.lines[2].contains("Text 0."))
    session.send(keys: "jji")
    session.send(keys: "z")
    #expect(session.lines.contains { $0.contains("│ ▸ Writer 1") && $0.contains("1 answer") })
    session.send(keys: "i")
    session.send(keys: "J")
    session.send(keys: "z")
    #expect(session.lines.contains { $0.contains("▸ Writer 3") })
    session.send(keys: "K")
    session.send(keys: "K")
    #expect(session.state.notice?.text == "No branch above.")
  }

  @Test(arguments: [40, 80, 200])
  func `A thread that is a thousand deep stays readable`(_ width: Int) throws {
    let comments = (0..<1_000).map {
      Comment(
        id: "\($0)", parent: $0 == 0 ? nil : "\($0 - 1)", author: "W",
        text: "These words are read at any depth.")
    }
    let conversation = Conversation(
      article: ArticleID(20), title: "Deep", source: .server, comments: comments,
      record: ConversationRecord(fetched: Sample.date(secondsAgo: 0), arrival: 1, seen: 1))
    var (session, _) = session(conversation, width: width)
    session.send(keys: "G")
    let lines = session.lines.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " │")) }
    #expect(lines.contains { $0.hasPrefix("↳999 W") })
    // Two lines at most for seven words.
    let joined = lines.joined(separator: " ")
    #expect(joined.contains("These words are read at any"))
    let screen = try #require(session.state.stack[ConversationState.self])
    let text = CommentText(
      comments[999],
      width: ConversationState.room(session.state.size).width
        - ConversationState.margin(ofDepth: 999, session.state.size))
    #expect(text.width >= 24 && text.lines.count <= 2 && screen.shown.count == 1_000)
  }

  @Test func `Ten thousand comments are gone through to their end and back`() {
    var (session, _) = session(Self.conversation(of: 10_000), height: 30)
    session.send(keys: "G")
    #expect(session.lines.contains { $0.contains("Writer 9999") })
    #expect(session.lines[session.lines.count - 2].contains("A second paragraph."))
    session.send(keys: "  g")
    #expect(session.lines[1].contains("Writer 0"))
    session.send(keys: ".5000G", pause: 1)
    session.send(keys: "g")
    for _ in 0..<400 { session.send(keys: " ", pause: 1) }
    let visible = session.lines.joined(separator: "\n")
    #expect(!visible.contains("Writer 1 "))
    for _ in 0..<400 { session.send(keys: "b", pause: 1) }
    #expect(session.lines[1].contains("Writer 0"))
  }

  @Test func `Every line of a thread is seen by going down, one key after the other`() {
    var long = Self.conversation(of: 4)
    let words = (1...60).map { "line\($0)" }.joined(separator: "\n\n")
    long.thread = CommentThread(
      long.thread.rows.map(\.comment) + [
        Comment(id: "long", text: words), Comment(id: "z", text: "last"),
      ])
    var (session, _) = session(long, height: 12)
    var seen: Set<String> = []
    for _ in 0..<200 {
      for line in session.lines { seen.insert(line.trimmingCharacters(in: .whitespaces)) }
      session.send(keys: "j", pause: 1)
    }
    for number in 1...60 { #expect(seen.contains("line\(number)")) }
    #expect(session.lines.contains { $0.contains("last") })
    for _ in 0..<200 { session.send(keys: "k", pause: 1) }
    #expect(session.lines[1].contains("Writer 0"))
  }

  @Test func `An answer names what it answers, and waits in its place until the server has it`() {
    let waiting = WaitingText(
      id: 7, parent: "c1", text: "My answer", created: Sample.date(secondsAgo: 5),
      error: SourceError(
        .offline, stage: .fetch, subject: "example.org", message: "there is no network"))
    var (session, _) = session(Self.conversation(of: 5))
    session.send(keys: "j")
    let effects = session.send(keys: "a")
    #expect(
      effects == [
        .conversation(
          .write(
            CommentDraft(
              article: ArticleID(20), parent: "c1", subject: "Writer 1",
              quoted: "Text 1.\n\nA second paragraph.")))
      ])
    #expect(
      session.send(keys: ":add-comment<Enter>") == [
        .preferences(.keepCommand("add-comment")),
        .conversation(.write(CommentDraft(article: ArticleID(20), subject: "Article 20"))),
      ])
    _ = session.state.reduce(
      .conversation(.arrived(Self.conversation(of: 5, waiting: [waiting]))))
    #expect(session.lines.contains { $0.contains("│ │ you · waiting: ") })
    #expect(session.lines.contains { $0.contains("│ │ My answer") })
    session.send(keys: "jj")
    #expect(
      session.send(keys: "c") == [
        .conversation(
          .write(
            CommentDraft(
              article: ArticleID(20), parent: "c1", waiting: waiting, subject: "Article 20")))
      ])
    session.send(keys: "d")
    #expect(session.send(keys: "y") == [.outbox(.drop([7]))])
  }

  @Test func `A comment that was sent from here gets another text, and no other does`() throws {
    func conversation(_ waiting: [WaitingText] = []) -> Conversation {
      let comments = (0...2).map {
        Comment(
          id: "c\($0)", author: "Writer \($0)", text: "Text \($0).", version: $0 < 2 ? "4" : nil)
      }
      return Conversation(
        article: ArticleID(20), title: "Article 20", source: .server, comments: comments,
        arrivals: ["c0": 0, "c1": 1, "c2": 0], waiting: waiting,
        record: ConversationRecord(fetched: Sample.date(secondsAgo: 10), arrival: 1, seen: 1))
    }
    var (session, _) = session(conversation())
    let own = try #require(session.state.stack[ConversationState.self]?.current?.comment)
    #expect(session.lines.last?.contains("c change") == true)
    #expect(
      session.send(keys: "c") == [
        .conversation(
          .write(CommentDraft(article: ArticleID(20), changed: own, subject: "Article 20")))
      ])
    for _ in 0..<2 {
      session.send(keys: "j")
      #expect(session.send(keys: "c").allSatisfy { $0.id == .notice })
      #expect(session.state.notice?.text.contains("sent from Telex") == true)
    }
    // The new text shows in its place until it is sent, and can be changed once more.
    let waiting = WaitingText(
      id: 7, changed: "c0", parent: nil, text: "Another text.", created: Sample.date(secondsAgo: 5))
    _ = session.state.reduce(.conversation(.arrived(conversation([waiting]))))
    #expect(session.lines.contains { $0.contains("you · waiting to be sent") })
    #expect(text(session).contains("Another text.") && !text(session).contains("Text 0."))
    session.send(keys: "gg")
    #expect(
      session.send(keys: "c") == [
        .conversation(
          .write(CommentDraft(article: ArticleID(20), waiting: waiting, subject: "Article 20")))
      ])
  }

  @Test func `What has become of a comment is told`() {
    var (session, _) = session(Self.conversation(of: 2))
    let draft = CommentDraft(article: ArticleID(20))
    _ = session.state.reduce(.conversation(.written(draft, .empty)))
    #expect(session.state.notice?.text == "The comment is empty and was not sent.")
    _ = session.state.reduce(.conversation(.written(draft, .sent)))
    #expect(session.state.notice?.text == "The comment was sent.")
    _ = session.state.reduce(.conversation(.written(draft, .waits(nil))))
    #expect(session.state.notice?.text == "The comment is in the outbox, waiting to be sent.")
  }

  @Test func `The open article is read once more when a comment on it was sent`() throws {
    var session = Session(Sample.rows(1...20))
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>Text</p>")
    session.send(keys: "C")
    _ = session.state.reduce(.conversation(.arrived(Self.conversation(of: 2))))
    func asked(_ article: Int64, _ fate: CommentFate) -> Bool {
      let draft = CommentDraft(article: ArticleID(article))
      return session.state.reduce(.conversation(.written(draft, fate)))
        .contains(.article(.open(ArticleID(20), width: session.state.articleWidth)))
    }
    #expect(asked(20, .sent) && !asked(19, .sent) && !asked(20, .waits(nil)))
  }

  @Test func `A feed of comments takes none, and says how many there are beside it`() {
    let (session, _) = session(
      Self.conversation(of: 3, source: .feed, announced: 40, page: "https://example.org/c"))
    var other = session
    #expect(session.lines[0].contains("3 of 40"))
    #expect(other.send(keys: "a").count == 1)
    #expect(other.state.notice?.text.contains("you cannot write one here") == true)
    #expect(other.send(keys: "o") == [.opening(.openLink("https://example.org/c"))])
  }

  @Test func `Where there is a page alone, it is opened`() {
    let (session, effects) = session(
      Self.conversation(of: 0, source: .none, page: "https://example.org/c"))
    #expect(effects == [.cancel(.conversation(.thread)), .opening(.openComments(ArticleID(20)))])
    #expect(type(of: session.state.front) == ListPane.self)
  }

  @Test func `Comments that come after one has gone elsewhere open nothing`() {
    var (session, _) = session(Self.conversation(of: 2))
    session.send(keys: "q")
    #expect(session.state.reduce(.conversation(.arrived(Self.conversation(of: 3)))) == [])
    #expect(type(of: session.state.front) == ListPane.self)
  }
}
