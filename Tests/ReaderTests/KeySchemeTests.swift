internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Keys that the user has chosen, and the built-in sets.
struct KeySchemeTests {
  private func scheme(_ wishes: [String: [String]], set: String = "vi") -> KeyScheme {
    KeyScheme(
      set: set,
      wishes: wishes.sorted { $0.key < $1.key }.map {
        KeyScheme.Wish($0.key, $0.value, place: "config.toml:1:1")
      })
  }

  private func session(_ scheme: KeyScheme) -> Session {
    var settings = ReaderSettings()
    settings.keys = scheme
    return Session(Sample.rows(1...5), settings: settings)
  }

  @Test func `A key of the whole program that leaves a command of a screen without one is told`() {
    let told = scheme(["quit": ["s"]]).mistakes.map(\.message)
    #expect(told.count == 2, "\(told)")
    #expect(told.contains { $0.hasPrefix("s is the key of toggle-star (") })
    #expect(told.contains { $0.hasPrefix("s is the key of keep-card (deck), which has none left") })
    let others = ["quit": ["s"], "keep-card": ["k"]]
    #expect(scheme(others.merging(["toggle-star": ["*"]]) { $1 }).mistakes.isEmpty)
    #expect(scheme(others.merging(["toggle-star": []]) { $1 }).mistakes.isEmpty)
    // It has another one.
    #expect(scheme(["quit": ["j"]]).mistakes.isEmpty)
    // One of a single screen takes it there only, and is meant for that.
    #expect(scheme(["list.page-down": ["s"]]).mistakes.isEmpty)
  }

  @Test func `A key for one screen goes before the same key for all`() {
    let scheme = scheme([
      "down": ["j", "Down"], "up": ["k"], "list.next-article": ["j"],
      "list.previous-article": ["k"],
    ])
    #expect(scheme.mistakes.filter { $0.message.contains("already") } == [])
    func keys(_ name: String, _ screen: String) -> [String]? {
      scheme.keys(of: Command(name), on: screen)?.keys.map { KeyMap.name(of: $0) }
    }
    #expect(keys("next-article", "list") == ["j"])
    #expect(keys("down", "list") == ["↓"] && keys("down", "article") == ["j", "↓"])
    #expect(keys("up", "list") == [] && keys("up", "article") == ["k"])
    // Two for all, or two for one screen, are a mistake still.
    #expect(self.scheme(["down": ["j"], "up": ["j"]]).mistakes.count == 1)
    #expect(self.scheme(["list.down": ["j"], "list.up": ["j"]]).mistakes.count == 1)
  }

  // MARK: Sets

  @Test(arguments: KeyScheme.sets)
  func `No key is bound twice on one screen, and every command has one`(_ set: String) {
    let scheme = KeyScheme(set: set)
    for kind in ScreenStack.kinds {
      let table = KeyMap.bindings(of: kind, among: ScreenStack.kinds)
      let bindings = KeyMap.bindings(of: kind, among: ScreenStack.kinds, scheme)
      var owners: [KeySequence: Command] = [:]
      for (binding, standard) in zip(bindings, table) {
        // A screen's own keys go before those of the whole program.
        let isOfProgram = KeyBinding.program.contains { $0.command == binding.command }
        for key in binding.keys where !isOfProgram || owners[key] == nil {
          let other = owners.updateValue(binding.command, forKey: key)
          #expect(
            other == nil || other == binding.command,
            "\(KeyMap.name(of: key)) is \(other?.name ?? "") and \(binding.command.name) on \(kind.name)"
          )
        }
        let names = [binding.command.name, "\(kind.name).\(binding.command.name)"]
        let isLeftOut = names.contains { scheme.builtIn[$0]?.isEmpty == true }
        #expect(
          !binding.keys.isEmpty || standard.keys.isEmpty || isLeftOut,
          "\(binding.command.name) has no key on \(kind.name)")
      }
      for (keys, command) in owners {
        for begun in keys.beginnings {
          #expect(owners[begun] == nil, "\(command.name) on \(kind.name)")
        }
      }
    }
  }

  @Test(arguments: KeyScheme.sets)
  func `A set names commands that there are`(_ set: String) {
    for name in KeyScheme(set: set).builtIn.keys {
      #expect(!KeyMap.screens(ofCommand: name).isEmpty, "\(name)")
    }
  }

  @Test func `The keys of newsboat do what they do there`() {
    var session = session(KeyScheme(set: "newsboat"))
    #expect(
      session.send(keys: "N")
        == [.apply(.mark([ArticleID(5)], .read(true), isUndoable: true))])
    session.send(keys: "J")
    #expect(session.selected == 4)
    #expect(session.send(keys: "<Enter>").last?.id == .article(.page))
  }

  /// Keys of newsboat, by the manual of 2.21 and later, with what they do on pages of Telex; nil for nothing at all.
  @Test(
    arguments: [
      ("D", "delete-article", nil, "delete-article"), ("u", nil, nil, "show-addresses"),
      ("C", "mark-all-feeds-read", "mark-all-feeds-read", "mark-all-feeds-read"),
      ("O", "open-in-browser-and-mark-read", nil, "open-in-browser-and-mark-read"),
      ("^N", "next-unread-feed", "next-unread-feed", "next-unread-feed"),
      ("^P", "previous-unread-feed", "previous-unread-feed", "previous-unread-feed"),
      ("$", nil, nil, nil), ("E", nil, nil, nil), ("^R", nil, nil, nil), ("^T", nil, nil, nil),
      ("g", "change-order", "change-feed-order", nil),
      ("G", "change-order", "change-feed-order", nil),
      ("^F", "clear-limit", "clear-limit", nil), ("F", "limit", "limit", nil),
      ("^B", "save-for-later", nil, "save-for-later"), ("^E", "tag", nil, "tag"),
      ("t", "jump", "jump", "jump"), ("#", nil, nil, "link-hints"),
      ("^K", "random-unread", "random-unread", "random-unread"),
      ("A", "mark-all-read", "mark-all-read", "mark-all-read"), ("s", "save", nil, "save"),
      ("n", "next-unread", "next-unread", "next-unread"),
      ("p", "previous-unread", nil, "previous-unread"),
      ("e", "download", "rename-feed", "download"),
      ("l", "toggle-unread-only", "toggle-unread-only", nil), ("|", "pipe", nil, "pipe"),
      ("^V", nil, nil, nil), ("^X", nil, nil, nil), ("^G", nil, nil, nil),
      ("r", "refresh", "refresh", "refresh"), ("R", "refresh-all", "refresh-all", "refresh-all"),
    ] as [(String, String?, String?, String?)])
  func `A key of newsboat does there what it does in newsboat, or nothing`(
    _ name: String, _ onList: String?, _ onSidebar: String?, _ inArticle: String?
  ) throws {
    let map = KeyMap(ScreenStack.kinds, scheme: KeyScheme(set: "newsboat"))
    let key = try #require(KeyMap.key(named: name))
    #expect(map.command(for: key, on: ListPane.self)?.name == onList)
    #expect(map.command(for: key, on: SidebarPane.self)?.name == onSidebar)
    #expect(map.command(for: key, on: ArticlePane.self)?.name == inArticle)
  }

  @Test func `All feeds are marked read once that is answered with yes`() {
    var session = session(KeyScheme(set: "newsboat"))
    session.send(keys: "C")
    #expect(session.lines.last?.contains("?") == true)
    let intents = session.send(keys: "y").compactMap { effect -> Intent? in
      if case .apply(let intent) = effect { intent } else { nil }
    }
    let isWhole = intents.contains { intent in
      if case .markAllRead(let timeline, _, _, _) = intent {
        timeline == .all
      } else {
        false
      }
    }
    #expect(isWhole, "\(intents)")
  }

  @Test func `An article that is opened in the browser can be read with that`() {
    var session = session(KeyScheme(set: "newsboat"))
    #expect(
      session.send(keys: "O") == [.opening(.openToRead(ArticleID(5), link: nil))])
    #expect(
      session.state.reduce(.opening(.openedToRead(ArticleID(5)))) == [
        .apply(.mark([ArticleID(5)], .read(true), isUndoable: true))
      ])
  }

  @Test func `What limits the list is taken away by a key`() {
    var session = session(KeyScheme(set: "newsboat"))
    session.send(keys: "<C-f>")
    #expect(session.state.notice?.text == "nothing limits this list")
    session.send(keys: "Fstarred<Enter>")
    #expect(session.state.list.isLimited)
    session.send(keys: "<C-f>")
    #expect(!session.state.list.isLimited)
  }

  @Test(arguments: KeyScheme.sets)
  func `The help lists each command once`(_ set: String) {
    let map = KeyMap(ScreenStack.kinds, scheme: KeyScheme(set: set))
    for section in map.sections {
      let helps = section.bindings.map { "\($0.command.name): \($0.help)" }
      #expect(Set(helps).count == helps.count, "\(helps)")
    }
  }

  // MARK: Own keys

  @Test func `A key of one's own takes it from the command that had it, which keeps its others`() {
    var session = session(scheme(["toggle-star": ["j"]]))
    #expect(
      session.send(keys: "j")
        == [.apply(.mark([ArticleID(5)], .starred(true), isUndoable: true))])
    session.send(keys: "<Down>")
    #expect(session.selected == 4)
    #expect(
      session.send(keys: "s") != [.apply(.mark([ArticleID(4)], .starred(true), isUndoable: true))])
  }

  @Test func `A command of one screen can have keys of its own there`() {
    var session = session(scheme(["list.toggle-star": ["x"]]))
    #expect(
      session.send(keys: "x") == [.apply(.mark([ArticleID(5)], .starred(true), isUndoable: true))])
    session.send(keys: "<Enter>")
    let inArticle = session.send(keys: "s")
    #expect(inArticle == [.apply(.mark([ArticleID(5)], .starred(false), isUndoable: true))])
  }

  @Test func `What the status line and the help say follows the keys`() {
    var session = session(scheme(["help": ["F1"], "refresh": ["Ctrl-r"], "search": []]))
    #expect(session.lines.last?.contains("F1") == true)
    #expect(session.lines.last?.contains("^R refresh") == true)
    #expect(session.lines.last?.contains("search") == false)
    session.send(keys: "<F1>")
    let help = HelpPage(session.state.keys, session.state.settings.keys, page: "list").lines(
      width: 80)
    #expect(help.contains { $0.keys == "^R" && $0.text == "refresh this list" })
    #expect(!help.contains { $0.text == "search everything" })
  }

  @Test func `A message goes with the next key that does something`() {
    var session = session(scheme(["toggle-star": ["x s"]]))
    func tell(_ session: inout Session) {
      _ = session.state.reduce(.article(.saved(path: "a.txt")))
    }
    tell(&session)
    session.send(keys: "x")
    #expect(session.state.notice?.text == "saved to a.txt")
    session.send(keys: "s")
    #expect(session.state.notice == nil)
    tell(&session)
    session.send(keys: "2")
    #expect(session.state.notice != nil)
    session.send(keys: "j")
    #expect(session.state.notice == nil)
    tell(&session)
    session.send(keys: "?")
    #expect(session.state.notice == nil)
    // What a key says itself stays.
    session.send(keys: "q<C-y>")
    #expect(session.state.notice?.text.contains("does nothing here") == true)
  }

  @Test func `Sentences name the keys that there are`() {
    let scheme = scheme(["add-feed": ["+"], "undo": ["Ctrl-r"], "outbox": [], "help": ["F1"]])
    var session = session(scheme)
    _ = session.state.reduce(.marks(.markedAllRead(3)))
    #expect(session.state.notice?.text == "3 articles marked read; ^R takes it back")
    _ = session.state.reduce(
      .subscriptions(
        .waits(
          WaitingChange(id: 1, kind: .mark(.starred(true)), created: Sample.date(secondsAgo: 5)))))
    #expect(session.state.notice?.text == "waits to be sent; “outbox” shows it")
    session.send(keys: "u")
    #expect(session.state.notice?.text == "u does nothing here; F1 shows the keys")
    var settings = ReaderSettings()
    settings.keys = scheme
    let empty = Session([], sidebar: SidebarSnapshot(feeds: []), settings: settings)
    let text = empty.lines.joined(separator: "\n")
    #expect(text.contains("Press + and type the address") && text.contains("F1 shows every key"))
  }

  // MARK: Sequences

  @Test func `Keys pressed one after the other are one command`() {
    var session = session(scheme(["toggle-star": ["x s", "x x"], "down": ["g d", "j"]]))
    #expect(session.send(keys: "x") == [])
    #expect(session.lines.last?.contains("x … s toggle-star x toggle-star") == false)
    #expect(session.lines.last?.contains("x …  s toggle-star  x toggle-star") == true)
    #expect(
      session.send(keys: "s") == [.apply(.mark([ArticleID(5)], .starred(true), isUndoable: true))])
    session.send(keys: "gd")
    #expect(session.selected == 4)
    session.send(keys: "2gd")
    #expect(session.selected == 2)
    // Another screen has no such sequence.
    session.send(keys: "Hx")
    #expect(session.state.begun == nil)
  }

  @Test
  func `A sequence takes the key that it begins with, and the key's command keeps its others`() {
    var session = session(scheme(["toggle-star": ["g s"]]))
    session.send(keys: "G")
    #expect(session.selected == 1)
    session.send(keys: "g")
    #expect(session.selected == 1)
    let keys = session.state.keys
    #expect(keys.keyName(of: Command(.first), on: ListPane.self) == "Home")
    session.send(keys: "<Esc><Home>")
    #expect(session.selected == 5)
    #expect(session.state.focus == .list)
  }

  @Test func `A sequence that is none says so, and one is given up by the mouse`() {
    var session = session(scheme(["toggle-star": ["g s"]]))
    session.send(keys: "gz")
    #expect(session.state.notice?.text == "g z does nothing here; ? shows the keys")
    session.send(keys: "g")
    session.mouse(.wheelDown, x: 50, y: 3)
    #expect(session.state.begun == nil)
    session.send(keys: "s")
    #expect(session.state.notice?.text == "s does nothing here; ? shows the keys")
  }

  // MARK: Mistakes

  @Test(arguments: [
    (["toggle-stra": ["x"]], "did you mean toggle-star?"), (["toggle-star": ["Hyper-x"]], "no key"),
    (["toggle-star": ["x"], "undo": ["x"]], "is the key of toggle-star already"),
    (["article.fold": ["x"]], "no command"), (["toggle-star": ["g Hyper-x"]], "no key"),
    (["search": ["x"], "toggle-star": ["x y"]], "one begins the other"),
    (["toggle-star": ["a b c d e f"]], "no key"),
  ])
  func `A mistake is told with its place, and the key stays where it was`(
    _ wishes: [String: [String]], _ message: String
  ) {
    let scheme = scheme(wishes)
    #expect(scheme.mistakes.count == 1)
    #expect(scheme.mistakes.first?.line.hasPrefix("config.toml:1:1: ") == true)
    #expect(scheme.mistakes.first?.message.contains(message) == true, "\(scheme.mistakes)")
    var session = session(scheme)
    _ = session.state.reduce(.started)
    #expect(session.state.notice?.text.contains(message) == true)
    #expect(session.state.notice?.kind == .error)
    #expect(session.send(keys: "u") == [.apply(.undoAsking(agreedTo: nil))])
  }

  @Test(arguments: [["x"], ["g x"], []])
  func `Whatever quits, an interrupt does so too`(_ keys: [String]) {
    var session = session(scheme(["quit": keys]))
    for key in keys {
      #expect(session.send(keys: key.filter { $0 != " " }).contains(.quit))
    }
    #expect(session.send(keys: "<C-c>").contains(.quit))
    #expect(!session.send(keys: "Q").contains(.quit))
  }

  @Test(arguments: [("Ctrl-c", "<C-c>"), ("Ctrl-c x", "<C-c>x")])
  func `An interrupt that the user has bound to another command is that`(
    _ key: String, _ typed: String
  ) {
    var session = session(scheme(["quit": ["x"], "toggle-star": [key]]))
    let star = Effect.apply(.mark([ArticleID(5)], .starred(true), isUndoable: true))
    #expect(session.send(keys: typed) == [star])
  }

  @Test(arguments: [
    ("toggle-sta", "toggle-star"), ("toggle-stra", "toggle-star"), ("undoo", "undo"),
    ("next-unread-f", "next-unread-feed"), ("next-unred", "next-unread"),
  ])
  func `A mistyped command is told with the one that begins like it`(
    _ typed: String, _ meant: String
  ) {
    let message = scheme([typed: ["x"]]).mistakes.first?.message ?? ""
    #expect(message.hasSuffix("did you mean \(meant)?"))
  }

  @Test(arguments: [
    ("j", KeyEvent.character("j")), ("Space", .character(" ")), ("Ctrl-d", .control("d")),
    ("^D", .control("d")), ("C-d", .control("d")), ("PgDn", .pageDown), ("F5", .function(5)),
    ("Enter", .enter), ("Shift-Tab", .backTab), ("Ctrl-m", .enter), ("ü", .character("ü")),
  ])
  func `A key has the names that people give it`(_ name: String, _ key: KeyEvent) {
    #expect(KeyMap.key(named: name) == key)
  }

  @Test func `The help's own names of keys are read back`() {
    for binding in KeyMap.standard.sections.flatMap(\.bindings) {
      for key in binding.keys { #expect(KeyMap.sequence(named: KeyMap.name(of: key)) == key) }
    }
  }

  @Test(arguments: ["", "jj", "Hyper-x", "F99", "Ctrl-", "Ctrl-ü"])
  func `What is no key is none`(_ name: String) { #expect(KeyMap.key(named: name) == nil) }
}
