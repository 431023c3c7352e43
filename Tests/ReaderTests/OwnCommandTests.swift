internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Commands of the user's own: several in order, and programs for an article.
struct OwnCommandTests {
  private static let readOn = OwnCommand(
    "read-on", help: "read, and on", work: .commands(["toggle-read", "next-article"]),
    place: "config.toml:3:1")

  private static func program(
    _ name: String = "translate", input: OwnProgram.Input = .text,
    output: OwnProgram.Output = .article
  ) -> OwnCommand {
    OwnCommand(
      name, help: "translate it",
      work: .program(OwnProgram(name, ["trans", "-b"], input: input, output: output)),
      place: "config.toml:7:1")
  }

  private func session(_ own: [OwnCommand], keys: [String: [String]] = [:]) -> Session {
    var settings = ReaderSettings()
    settings.keys = KeyScheme(
      assignments: keys.sorted { $0.key < $1.key }.map {
        KeyScheme.Assignment($0.key, $0.value, place: "config.toml:1:1")
      },
      own: own)
    #expect(settings.keys.mistakes.isEmpty, "\(settings.keys.mistakes)")
    return Session(Sample.rows(1...5), settings: settings)
  }

  private func programs(_ effects: [Effect]) -> [ProgramID] {
    effects.compactMap { if case .programs(.run(let id, _, _, _)) = $0 { id } else { nil } }
  }

  // MARK: Several in order

  @Test func `A key does several commands, one after the other`() {
    var session = session([Self.readOn], keys: ["read-on": ["x", "g x"]])
    let first = session.send(keys: "x")
    #expect(first.contains(.apply(.mark([ArticleID(5)], .read(true), isUndoable: true))))
    #expect(session.selected == 4)
    let second = session.send(keys: "gx")
    #expect(second.contains(.apply(.mark([ArticleID(4)], .read(true), isUndoable: true))))
    #expect(session.selected == 3)
    session.send(keys: ":read-on<Enter>")
    #expect(session.selected == 2)
  }

  @Test func `The help and the palette list it with its own words`() {
    var session = session([Self.readOn], keys: ["read-on": ["x"]])
    session.send(keys: "<C-p>read-on")
    #expect(
      session.lines[1].split(separator: " ").joined(separator: " ") == "read-on x read, and on")
  }

  @Test func `What asks the user something is the last`() {
    let ask = OwnCommand(
      "ask", help: "ask", work: .commands(["search", "next-article"]), place: "config.toml:1:1")
    var session = session([ask], keys: ["ask": ["x"]])
    session.send(keys: "x")
    #expect(session.state.isAsking && session.selected == 5)
  }

  @Test func `A command that has no function on the page says so`() {
    let odd = OwnCommand(
      "odd", help: "odd", work: .commands(["outbox", "toggle-star"]), place: "config.toml:1:1")
    var session = session([odd], keys: ["odd": ["x"]])
    session.send(keys: "x")
    #expect(session.state.notice?.text == "odd stopped: toggle-star does not work on this page.")
    #expect(session.state.stack.contains(OutboxState.self))
  }

  // MARK: Programs

  @Test func `A program runs for the selected article, or for the open one`() throws {
    let own = Self.program(output: .page)
    var session = session([own], keys: ["translate": ["X"]])
    let listed = session.send(keys: "X")
    let id = try #require(programs(listed).first)
    guard case .program(let program) = own.work else { return }
    #expect(
      listed.contains(
        .programs(.run(id, program, ProgramSubject(article: ArticleID(5)), width: 100))))
    session.send(keys: "j<Enter>")
    let opened = session.send(keys: "X")
    let next = try #require(programs(opened).first)
    #expect(
      opened.contains(
        .programs(.run(next, program, ProgramSubject(article: ArticleID(4)), width: 100)))
    )
  }

  @Test func `A program that takes the terminal gets it`() {
    let own = Self.program("pager", output: .terminal)
    var session = session([own], keys: ["pager": ["v"]])
    guard case .program(let program) = own.work else { return }
    #expect(session.send(keys: "v") == [.programs(.runInTerminal(program, ArticleID(5)))])
  }

  @Test func `What a program prints stands in the article's place, is marked, and goes with back`()
    throws
  {
    var session = session([Self.program()], keys: ["translate": ["X"]])
    session.send(keys: "<Enter>")
    try session.articleArrives(html: Sample.paragraphs(30))
    session.send(keys: "5j")
    let place = session.state.article?.place
    #expect(place != nil)
    let effects = session.send(keys: "X")
    #expect(programs(effects).count == 1)
    // The text that comes back.
    let article = Sample.article(ArticleID(5), html: Sample.paragraphs(30))
    let other = OtherText(by: "translate", "<p>Übersetzt</p>", isHTML: true)
    func arrive(_ other: OtherText?) {
      let page = ArticlePage(
        article, width: session.state.articleWidth, clock: session.state.clock, with: other)
      _ = session.state.reduce(.article(.arrived(page)))
    }
    arrive(other)
    let shown = session.lines.joined(separator: "\n")
    #expect(shown.contains("Übersetzt") && shown.contains("Output of translate."))
    #expect(session.state.article?.top == 0)
    // Another width keeps it.
    #expect(
      session.state.reduce(.resized(Size(width: 60, height: 12)))
        == [.article(.layOut(other, ArticleID(5), width: session.state.articleWidth))])
    // Reading in it is not reading the article.
    #expect(session.state.article?.placeToKeep == place)
    #expect(
      session.send(keys: "q") == [.article(.open(ArticleID(5), width: session.state.articleWidth))])
    arrive(nil)
    #expect(session.state.article?.place == place && session.state.article?.top != 0)
    #expect(session.state.focus == .article)
  }

  @Test func `From the list a program for the article's place opens the article`() {
    var session = session([Self.program()], keys: ["translate": ["X"]])
    let effects = session.send(keys: "X")
    #expect(session.state.article?.id == ArticleID(5) && session.state.focus == .article)
    #expect(effects.contains { $0.id == .article(.page) } && programs(effects).count == 1)
  }

  @Test func `A program that fails says so, and the article stays`() throws {
    var session = session([Self.program()], keys: ["translate": ["X"]])
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>Own text</p>")
    let id = try #require(programs(session.send(keys: "X")).first)
    _ = session.state.reduce(.programs(.printed(id, "no network\n")))
    _ = session.state.reduce(.programs(.ended(id, .exited(4))))
    #expect(session.state.notice?.text == "no network" && session.state.notice?.kind == .error)
    #expect(session.lines.contains { $0.contains("Own text") })
  }

  // MARK: Mistakes

  @Test(arguments: [
    (OwnCommand("search", help: "", work: .commands(["up"]), place: "p"), "already"),
    (OwnCommand("Two Words", help: "", work: .commands(["up"]), place: "p"), "cannot be the name"),
    (OwnCommand("x", help: "", work: .commands([]), place: "p"), "has no commands"),
    (OwnCommand("x", help: "", work: .commands(["fly"]), place: "p"), "cannot run “fly”"),
    (OwnCommand("x", help: "", work: .commands(["x"]), place: "p"), "cannot run “x”"),
    (OwnCommand("x", help: "", work: .program(OwnProgram("x", [])), place: "p"), "no program"),
  ])
  func `What cannot be done is told, and the rest counts`(_ own: OwnCommand, _ message: String) {
    let scheme = KeyScheme(
      assignments: [.init("read-on", ["x"], place: "q")], own: [own, Self.readOn])
    #expect(scheme.mistakes.count == 1 && scheme.mistakes[0].place == "p")
    #expect(scheme.mistakes[0].message.contains(message), "\(scheme.mistakes)")
    #expect(scheme.ownCommands == [Self.readOn])
  }

  @Test func `A command may do a program, but no other list of commands`() {
    let both = OwnCommand(
      "both", help: "", work: .commands(["translate", "next-article"]), place: "p")
    let nested = OwnCommand("nested", help: "", work: .commands(["both"]), place: "n")
    let scheme = KeyScheme(own: [both, nested, Self.program()])
    #expect(scheme.mistakes.map(\.place) == ["n"])
    #expect(scheme.ownCommands.map(\.name) == ["translate", "both"])
  }

  // MARK: Events

  private func session(_ events: ReaderEvents, _ own: [OwnCommand] = []) -> Session {
    var settings = ReaderSettings()
    settings.events = events
    settings.keys = KeyScheme(own: own)
    var session = Session(Sample.rows(1...5), settings: settings)
    session.state.newsSeen = 5
    return session
  }

  @Test func `Commands are done at the start and after a refresh, programs without a word`() throws
  {
    var events = ReaderEvents()
    events.onStart = ["refresh-all", "translate"]
    events.onRefresh = ["translate"]
    var session = session(events, [Self.program()])
    let start = session.state.reduce(.started)
    #expect(start.contains(.refresh(.asked(.all))) && programs(start).count == 1)
    let ended = session.state.reduce(
      .subscriptions(.refreshEnded(failed: 0, inserted: 7, wasAsked: false)))
    let id = try #require(programs(ended).first)
    guard case .program(var program) = Self.program().work else { return }
    program.output = .none
    #expect(
      ended == [.programs(.run(id, program, ProgramSubject(article: nil, newCount: 7), width: 100))]
    )
    session.state.notice = nil
    _ = session.state.reduce(.programs(.ended(id, .exited(0))))
    #expect(session.state.notice == nil)
    _ = session.state.reduce(.programs(.ended(try #require(programs(start).first), .exited(1))))
    #expect(session.state.notice?.text == "translate ended with status 1.")
  }

  @Test
  func `New articles are asked for after a refresh that brought some, and told of once`() throws {
    let swift = try ArticleQuery("swift")
    var events = ReaderEvents()
    events.onNew = [
      NewArticleRule(query: swift, signal: .osc9, run: ["translate"]),
      NewArticleRule(signal: .bell),
    ]
    var session = session(events, [Self.program()])
    #expect(
      session.state.reduce(.subscriptions(.refreshEnded(failed: 0, inserted: 0, wasAsked: false)))
        == [])
    #expect(
      session.state.reduce(.subscriptions(.refreshEnded(failed: 0, inserted: 2, wasAsked: false)))
        == [.programs(.findNew([swift, nil], since: 5))])
    let news = NewArticles(
      rule: 0, count: 2, article: ArticleID(9), title: "Swift 7", feed: "Daily")
    let effects = session.state.reduce(.programs(.newFound([news], lastID: 9)))
    #expect(effects.first == .programs(.signal(.osc9, "2 new: Swift 7 (Daily)")))
    guard case .programs(.run(_, let program, let subject, _))? = effects.last else {
      Issue.record("no program runs")
      return
    }
    #expect(program.output == .none)
    #expect(subject == ProgramSubject(article: ArticleID(9), newCount: 2))
    #expect(
      session.state.reduce(.subscriptions(.refreshEnded(failed: 0, inserted: 1, wasAsked: false)))
        == [.programs(.findNew([swift, nil], since: 9))])
  }

  @Test func `A long title is cut, and a single article has no number`() {
    let news = NewArticles(
      rule: 0, count: 1, article: ArticleID(9), title: String(repeating: "x", count: 500),
      feed: "Daily")
    #expect(news.text.count == 128 && news.text.hasSuffix("… (Daily)"))
  }

  @Test func `An event with a command that there is not is told, and the others count`() {
    var scheme = KeyScheme()
    var events = ReaderEvents()
    events.onStart = ["fly", "refresh"]
    events.onNew = [NewArticleRule(run: ["dance"])]
    let checked = scheme.checked(events, place: "config.toml:9:1")
    #expect(checked.onStart == ["refresh"] && checked.onNew == [NewArticleRule()])
    #expect(
      scheme.mistakes.map(\.line) == [
        "config.toml:9:1: on_start cannot run “fly”. There is no command “fly”.",
        "config.toml:9:1: on_new cannot run “dance”. There is no command “dance”.",
      ])
  }

  @Test(arguments: [
    ("on_refresh", "refresh-all", false), ("on_refresh", "renew", false),
    ("on_refresh", "health", true), ("on_refresh", "translate", true),
    ("on_new", "toggle-star", false), ("on_new", "remove", false), ("on_refresh", "play", false),
    ("on_new", "read-on", false), ("on_new", "shown", false),
    ("on_new", "translate", true), ("on_new", "list.refresh", false),
    ("on_start", "list.refresh", false), ("on_start", "toggle-star", true),
  ])
  func `An event does nothing about the selected article, and no refresh asks for another`(
    _ event: String, _ name: String, _ isTaken: Bool
  ) {
    var scheme = KeyScheme(own: [
      Self.program(), Self.readOn,
      OwnCommand("renew", help: "", work: .commands(["first", "refresh"]), place: "c:1:1"),
      OwnCommand("shown", help: "", work: .commands(["translate", "first"]), place: "c:1:1"),
    ])
    #expect(scheme.mistakes.isEmpty)
    var events = ReaderEvents()
    switch event {
    case "on_start": events.onStart = [name]
    case "on_refresh": events.onRefresh = [name]
    default: events.onNew = [NewArticleRule(run: [name])]
    }
    let checked = scheme.checked(events, place: "c:1:1")
    let all = checked.onStart + checked.onRefresh + checked.onNew.flatMap(\.run)
    #expect(all == (isTaken ? [name] : []))
    #expect(scheme.mistakes.count == (isTaken ? 0 : 1))
  }

  @Test func `A refresh that had nothing to fetch is no event`() {
    var events = ReaderEvents()
    events.onRefresh = ["translate"]
    var session = session(events, [Self.program()])
    #expect(
      session.state.reduce(
        .subscriptions(.refreshEnded(failed: 0, inserted: 0, wasAsked: false, wasDue: false))) == []
    )
  }

  @Test func `An event's command is done while the user is asked something`() {
    var events = ReaderEvents()
    events.onRefresh = ["hide-read"]
    var session = session(events, [])
    session.send(keys: "/swift")
    _ = session.state.reduce(.subscriptions(.refreshEnded(failed: 0, inserted: 1, wasAsked: false)))
    #expect(session.state.list.query.unreadOnly && session.state.isAsking)
  }

  @Test(arguments: [
    (["sh", "-c", "echo '%t' >> x"], false), (["/bin/bash", "-lc", "open %u"], false),
    (["sh", "-c", "cat \"$1\"", "sh", "%p"], true), (["sh", "-c", "echo \"$TELEX_TITLE\""], true),
    (["sh", "script", "%t"], true), (["curl", "-c", "%t"], true),
  ])
  func `A title is no part of a script`(_ words: [String], _ isTaken: Bool) {
    let own = OwnCommand(
      "own", help: "", work: .program(OwnProgram("own", words)), place: "c:1:1")
    let scheme = KeyScheme(own: [own])
    #expect(scheme.ownCommands.isEmpty == !isTaken)
    #expect(scheme.mistakes.first?.message.contains("$TELEX_TITLE") == (isTaken ? nil : true))
  }

  @Test func `The keys of a command that is refused are nobody's`() {
    let own = OwnCommand(
      "save", help: "", work: .program(OwnProgram("save", ["x"])), place: "c:4:1")
    let scheme = KeyScheme(
      assignments: [KeyScheme.Assignment("save", ["x"], place: "c:5:1", owner: "c:4:1")], own: [own]
    )
    #expect(scheme.mistakes.count == 1)
    let map = KeyMap(scheme)
    #expect(map.command(for: .control("s")) == .save)
    #expect(map.command(for: .character("x")) == .followAdvice)
  }
}
