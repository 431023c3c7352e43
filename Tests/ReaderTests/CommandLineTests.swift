internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Commands and verbs by their names: the line after `:`, and the palette.
struct CommandLineTests {
  private func session(height: Int = 24) -> Session {
    var settings = ReaderSettings()
    settings.verbs = [
      .init("refresh", help: "Refresh feeds."), .init("list", help: "List the feeds."),
      .init("export", help: "Print the feeds as OPML."),
    ]
    return Session(Sample.rows(1...9), height: height, settings: settings)
  }

  private func programs(_ effects: [Effect]) -> [[String]] {
    effects.compactMap { if case .programs(.runVerb(_, let words, _)) = $0 { words } else { nil } }
  }

  // MARK: What a line does

  @Test func `A command is done by its name as by its key`() {
    var session = session()
    session.send(keys: ":last<Enter>")
    #expect(session.selected == 1 && session.state.stack.count == 0)
    let star = session.send(keys: ":toggle-star<Enter>")
    #expect(star.contains(.apply(.mark([ArticleID(1)], .starred(true), isUndoable: true))))
    session.send(keys: ":help<Enter>")
    #expect(session.state.stack.contains(HelpState.self))
  }

  @Test(arguments: [
    ("toggle-s", "", 1), ("q", "", 1), ("down", "", 8), ("3", "", 7), ("99", "", 1),
    (" down ", "", 8),
    ("re", "“re” is ambiguous: ", 9), ("nonsense", "There is no command “nonsense”.", 9),
    ("down 3", "down takes no arguments.", 9),
    ("add-folder", "add-folder does not work on this page.", 9),
    ("list 'a", "A ' has no closing '.", 9),
  ])
  func `A name may be cut short where it is clear, and a mistake says what it is`(
    _ line: String, _ notice: String, _ selected: Int64
  ) {
    var session = session()
    let effects = session.send(keys: ":\(line)<Enter>")
    if line == "q" { return #expect(effects.contains(.quit)) }
    if line == "toggle-s" {
      return #expect(
        effects.contains(.apply(.mark([ArticleID(9)], .starred(true), isUndoable: true))))
    }
    #expect(session.selected == selected)
    let told = session.state.notice?.text ?? ""
    #expect(told.contains(notice) && told.isEmpty == notice.isEmpty)
    #expect(session.state.stack.count == 0)
  }

  @Test func `A verb runs with its arguments; a command of its name goes first without`() {
    var session = session()
    #expect(
      programs(session.send(keys: ":refresh --feed \"a b\"<Enter>"))
        == [["refresh", "--feed", "a b"]])
    let own = session.send(keys: ":refresh<Enter>")
    #expect(programs(own).isEmpty && own.contains(.refresh(.asked(.all))))
    #expect(programs(session.send(keys: ":exp<Enter>")) == [["export"]])
  }

  @Test func `Later takes a time for the selected articles, else for the present one`() {
    var session = session()
    #expect(
      programs(session.send(keys: ":later --until in 3d<Enter>"))
        == [["later", "9", "--until", "in 3d"]])
    session.send(keys: "jvjv")
    #expect(
      programs(session.send(keys: ":later --until friday<Enter>"))
        == [["later", "8", "6", "--until", "friday"]])
    #expect(session.state.list.picked.isEmpty)
    var empty = Session([])
    #expect(programs(empty.send(keys: ":later --until friday<Enter>")).isEmpty)
    #expect(empty.state.notice?.text == CoreStrings.noArticleSelected)
  }

  @Test func `What can be done is that of the page below`() {
    var session = session()
    session.send(keys: "O")
    let commands = RunnableCommand.runnableCommands(in: session.state)
    #expect(!commands.contains { $0.name == "toggle-star" })
    session.send(keys: ":toggle-star<Enter>")
    #expect(
      session.state.notice?.text
        == "toggle-star does not work on this page. Press ^P for the commands of this page.")
    session.send(keys: ":back<Enter>")
    #expect(!session.state.stack.contains(OutboxState.self))
  }

  // MARK: Completion and history

  @Test func `What may be meant stands above the line, and Tab goes through it`() {
    var session = session()
    session.send(keys: ":mark")
    #expect(session.lines.last?.hasPrefix(":mark") == true)
    let shown = session.lines.joined(separator: "\n")
    #expect(shown.contains("mark-unread") && shown.contains("Mark all as read"))
    #expect(!shown.contains("page-down"))
    session.send(keys: "<Tab>")
    #expect(session.lines.last?.hasPrefix(":mark-read") == true)
    session.send(keys: "<Tab>")
    #expect(session.lines.last?.hasPrefix(":mark-unread") == true)
    // The last one has the word in its help alone.
    session.send(keys: "<S-Tab><S-Tab>")
    #expect(session.lines.last?.hasPrefix(":toggle-read") == true)
    session.send(keys: "<C-w>sidebar")
    #expect(session.lines.last?.hasPrefix(":sidebar") == true)
  }

  @Test func `Earlier lines come back by the arrows, those that begin with what is typed`() {
    var session = session()
    session.send(keys: ":down<Enter>:up<Enter>:toggle-star<Enter>")
    _ = session.state.reduce(.preferences(.commandsRemembered(["first", "up"])))
    session.send(keys: ":<Up><Up>")
    #expect(session.lines.last?.hasPrefix(":up") == true)
    session.send(keys: "<Up><Up><Up>")
    #expect(session.lines.last?.hasPrefix(":first") == true)
    session.send(keys: "<Down><Down><Down><Down>")
    #expect(session.lines.last?.allSatisfy { $0 == ":" || $0 == " " } == true)
    session.send(keys: "d<Up>")
    #expect(session.lines.last?.hasPrefix(":down") == true)
    #expect(session.send(keys: "<Enter>").contains(.preferences(.keepCommand("down"))))
  }

  @Test func `The line is left as others are`() {
    var session = session()
    for keys in [":<Esc>", ":x<C-c>", ":x<BS><BS>", ":<Enter>", ": <Enter>"] {
      session.send(keys: keys)
      #expect(session.state.stack.count == 0 && session.selected == 9)
    }
  }

  // MARK: The palette

  @Test func `The palette lists all that can be done, with keys, and does the selected line`() {
    var session = session()
    session.send(keys: "<C-p>")
    #expect(session.lines.first?.contains("All commands of this page") == true)
    #expect(session.lines.contains { $0.contains("down") && $0.contains("j ↓") })
    session.send(keys: "to the end")
    #expect(session.lines[1].contains("last"))
    session.send(keys: "<Enter>")
    #expect(session.selected == 1 && session.state.stack.count == 0)
  }

  @Test func `A verb of the palette gets a line for its arguments`() {
    var session = session()
    session.send(keys: "<C-p>opml<Enter>")
    #expect(session.lines.last?.hasPrefix(":export") == true)
    #expect(programs(session.send(keys: "--tag x<Enter>")) == [["export", "--tag", "x"]])
  }

  @Test func `The palette is moved through by arrows, wheel and clicks`() {
    var session = session()
    session.send(keys: "<C-p><Down><Down><Up>")
    #expect(session.lines.first?.contains("2/") == true)
    session.mouse(.wheelDown, x: 3, y: 3)
    #expect(session.lines.first?.contains("5/") == true)
    session.mouse(.click, x: 3, y: 1)
    #expect(session.lines.first?.contains("1/") == true)
    session.mouse(.doubleClick, x: 3, y: 1)
    #expect(session.selected == 8 && session.state.stack.count == 0)
    session.send(keys: "<C-p>zzzz<Enter>")
    #expect(session.lines[1].contains("No command matches these letters."))
    session.send(keys: "<Esc>")
    #expect(session.state.stack.count == 0)
  }

  // MARK: What a verb prints

  private func run(_ session: inout Session, _ line: String) throws -> ProgramID {
    session.send(keys: ":\(line)<Enter>")
    return try #require(session.state.programs.last?.id)
  }

  @Test func `One line goes to the bottom, more are a page`() throws {
    var session = session()
    let short = try run(&session, "list")
    _ = session.state.reduce(.programs(.printed(short, "no feeds\n")))
    _ = session.state.reduce(.programs(.ended(short, .exited(0))))
    #expect(session.state.notice?.text == "no feeds" && session.state.stack.count == 0)
    let long = try run(&session, "list")
    _ = session.state.reduce(.programs(.printed(long, "\ta\n1234567\tb\n12345678\tc\n")))
    _ = session.state.reduce(.programs(.printed(long, (1...50).map { "line \($0)\n" }.joined())))
    _ = session.state.reduce(.programs(.ended(long, .exited(3))))
    #expect(session.lines[0].contains("list") && session.lines[0].contains("status 3"))
    #expect(session.lines[0].contains("53 lines") == false)
    #expect(session.lines[1].hasPrefix(" " + String(repeating: " ", count: 8) + "a"))
    #expect(session.lines[2].hasPrefix(" 1234567 b"))
    #expect(session.lines[3].hasPrefix(" 12345678        c"))
    #expect(session.lines[4].contains("line 1"))
    session.send(keys: "G")
    #expect(session.lines.contains { $0.contains("line 50") })
    #expect(session.send(keys: "q") == [])
    #expect(session.state.stack.count == 0 && session.state.programs.isEmpty)
  }

  @Test(arguments: [
    (ProgramEnd.exited(0), "list: done."), (.exited(2), "list ended with status 2."),
    (.killed(9), "list ended by signal 9."), (.failed("cannot be started"), "cannot be started"),
  ])
  func `A program that prints nothing says how it has ended`(
    _ end: ProgramEnd, _ notice: String
  ) throws {
    var session = session()
    let id = try run(&session, "list")
    _ = session.state.reduce(.programs(.ended(id, end)))
    #expect(session.state.notice?.text == notice)
    #expect((session.state.notice?.kind == .error) == (end != .exited(0)))
  }

  @Test func `A slow one has a page before it ends, and leaving that ends it`() throws {
    var session = session()
    let id = try run(&session, "refresh --all-pages")
    _ = session.state.reduce(.reminded(.program(id)))
    #expect(session.lines[0].contains("running …"))
    _ = session.state.reduce(.programs(.printed(id, "one\n")))
    #expect(session.lines[1].contains("one"))
    #expect(session.send(keys: "q").first == .cancel(.programs(.run(id))))
    #expect(session.state.notice?.text == "Stopped refresh --all-pages.")
    _ = session.state.reduce(.programs(.ended(id, .killed(15))))
    #expect(session.state.stack.count == 0 && session.state.programs.isEmpty)
  }
}

extension CommandLineTests {
  @Test func `An import that is left says how it goes on`() throws {
    var session = session()
    _ = ProgramRuns.run(
      verb: ["import", "--from", "newsboat"], in: &session.state)
    let id = try #require(session.state.programs.last?.id)
    _ = session.state.reduce(.reminded(.program(id)))
    session.send(keys: "q")
    let notice = session.state.notice?.text ?? ""
    #expect(notice.contains(":import --from newsboat continues."))
  }
}

/// The words of a line.
struct CommandWordsTests {
  @Test(
    arguments: [
      ("", []), ("  ", []), ("a b", ["a", "b"]), (" a  'b c' ", ["a", "b c"]),
      ("say \"a \\\"b\\\" c\"", ["say", "a \"b\" c"]), ("a\\ b", ["a b"]), ("''", [""]),
      ("it''s", ["its"]), ("'\\'", ["\\"]),
    ] as [(String, [String])])
  func `A line is taken apart as by a shell`(
    _ line: String, _ words: [String]
  ) throws {
    #expect(try TypedWords.split(line) == words)
  }

  @Test(arguments: ["a 'b", "a \"b", "a \\"])
  func `What is left open is a mistake`(_ line: String) {
    #expect(throws: TypedWords.Mistake.self) { try TypedWords.split(line) }
  }
}
