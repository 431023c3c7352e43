internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Keys that the user has chosen, and the built-in sets.
struct KeySchemeTests {
  private func scheme(_ keys: [String: [String]], set: String = "vi") -> KeyScheme {
    KeyScheme(
      set: set,
      assignments: keys.sorted { $0.key < $1.key }.map {
        KeyScheme.Assignment($0.key, $0.value, place: "config.toml:1:1")
      })
  }

  private func session(_ scheme: KeyScheme) -> Session {
    var settings = ReaderSettings()
    settings.keys = scheme
    return Session(Sample.rows(1...5), settings: settings)
  }

  // MARK: Sets

  @Test(arguments: KeyScheme.sets)
  func `A key is one command's whatever the page, and begins no other`(_ set: String) {
    var owners: [KeySequence: String] = [:]
    for declaration in Command.table {
      for key in declaration.keys(of: set) {
        let other = owners.updateValue(declaration.command.name, forKey: key)
        #expect(other == nil, "\(KeyMap.name(of: key)): \(other ?? ""), \(declaration.command)")
      }
    }
    #expect(owners.keys.allSatisfy { $0.beginnings.allSatisfy { owners[$0] == nil } })
    #expect(Set(Command.table.map(\.command)).count == Command.table.count)
  }

  /// Commands that sets of keys of other readers, or settings, ask for; the palette has them for everyone.
  private static let withoutKeys: Set<Command> = [
    .markRead, .markUnread, .markAllFeedsRead, .openAndMarkRead, .clearFilter, .addFolder, .rename,
    .showPicture, .togglePictures, .addComment, .clearQueue, .theme,
    .offline,
  ]

  @Test(arguments: KeyScheme.sets)
  func `Every command has a key, but for a few`(_ set: String) {
    let none = Command.table.filter { $0.keys(of: set).isEmpty }.map(\.command)
    let motions: Set = [Command(.halfDown), Command(.halfUp), .foldAll]
    #expect(Set(none).subtracting(Self.withoutKeys).isSubset(of: motions), "\(none)")
  }

  @Test func `A command that was renamed is told with its present name`() {
    for (former, present) in Command.renamed {
      #expect(Command(present).declaration != nil, "\(former)")
      #expect(Command(former).declaration == nil, "\(former)")
    }
    let told = scheme(["next-unread": ["x"], "list.open": ["y"]]).mistakes.map(\.message)
    #expect(told.contains("“next-unread” is now “next”."))
    #expect(told.contains("A key does the same on every page. Write open without list."))
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

  /// Keys of newsboat, by the manual of 2.21 and later, with what they do in Telex; nil for nothing.
  @Test(
    arguments: [
      ("D", "remove"), ("u", "show-addresses"), ("C", "mark-all-feeds-read"),
      ("O", "open-in-browser-and-mark-read"), ("^N", "next-unread-feed"),
      ("^P", "previous-unread-feed"), ("g", "sort"), ("G", "sort"), ("^F", "clear-filter"),
      ("F", "filter"), ("^E", "tag"), ("t", "go-to"), ("#", "link-hints"),
      ("^K", "random-unread"), ("A", "mark-all-read"), ("s", "save"), ("n", "next"),
      ("p", "previous"), ("e", "download"), ("l", "hide-read"), ("|", "pipe"), ("^X", nil),
      ("r", "refresh"), ("R", "refresh-all"), ("J", "next-article"), ("K", "previous-article"),
      ("N", "toggle-read"), ("o", "open-in-browser"), ("?", "help"), ("q", "leave"),
    ] as [(String, String?)])
  func `A key of newsboat does in its set what it does in newsboat`(
    _ name: String, _ command: String?
  ) throws {
    let map = KeyMap(KeyScheme(set: "newsboat"))
    #expect(map.command(for: try #require(KeyMap.key(named: name)))?.name == command)
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
    #expect(session.state.notice?.text == "This list has no filter.")
    session.send(keys: "Fstarred<Enter>")
    #expect(session.state.list.isLimited)
    session.send(keys: "<C-f>")
    #expect(!session.state.list.isLimited)
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

  @Test func `What the status line and the help say follows the keys`() {
    var session = session(scheme(["help": ["F1"], "refresh": ["Ctrl-r"], "find": []]))
    #expect(session.lines.last?.contains("F1") == true)
    #expect(session.lines.last?.contains("^R refresh") == true)
    #expect(session.lines.last?.contains("search") == false)
    session.send(keys: "<F1>")
    let help = session.lines.joined(separator: "\n")
    #expect(help.contains("^R        Refresh this list"), "\(help)")
    #expect(!help.contains("Find in all articles"))
  }

  @Test func `A message goes with the next key that does something`() {
    var session = session(scheme(["toggle-star": ["x s"]]))
    func tell(_ session: inout Session) {
      _ = session.state.reduce(.article(.saved(path: "a.txt")))
    }
    tell(&session)
    session.send(keys: "x")
    #expect(session.state.notice?.text == "Saved to a.txt.")
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
    #expect(session.state.notice?.text.contains("does not work on this page") == true)
  }

  @Test func `Sentences name the keys that there are`() {
    let scheme = scheme(["add": ["+"], "undo": ["Ctrl-r"], "outbox": [], "help": ["F1"]])
    var session = session(scheme)
    _ = session.state.reduce(.marks(.markedAllRead(3)))
    #expect(session.state.notice?.text == "Marked 3 articles as read. ^R undoes this.")
    _ = session.state.reduce(
      .subscriptions(
        .waits(
          WaitingChange(id: 1, kind: .mark(.starred(true)), created: Sample.date(secondsAgo: 5)))))
    #expect(
      session.state.notice?.text == "The change is waiting to be sent. “outbox” shows the outbox.")
    session.send(keys: "u")
    #expect(session.state.notice?.text == "u does not work on this page. Press F1 to see the keys.")
    var settings = ReaderSettings()
    settings.keys = scheme
    let empty = Session([], sidebar: SidebarSnapshot(feeds: []), settings: settings)
    let text = empty.lines.joined(separator: "\n")
    #expect(text.contains("Press + and type the address") && text.contains("F1 shows all keys"))
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
  }

  @Test
  func `A sequence takes the key that it begins with, and the key's command keeps its others`() {
    var session = session(scheme(["toggle-star": ["g s"]]))
    session.send(keys: "G")
    #expect(session.selected == 1)
    session.send(keys: "g")
    #expect(session.selected == 1)
    let keys = session.state.keys
    #expect(keys.keyName(of: Command(.first)) == "Home")
    session.send(keys: "<Esc><Home>")
    #expect(session.selected == 5)
    #expect(session.state.focus == .list)
  }

  @Test func `A sequence that is none says so, and one is given up by the mouse`() {
    var session = session(scheme(["toggle-star": ["g s"]]))
    session.send(keys: "gz")
    #expect(
      session.state.notice?.text == "g z does not work on this page. Press ? to see the keys.")
    session.send(keys: "g")
    session.mouse(.wheelDown, x: 50, y: 3)
    #expect(session.state.begun == nil)
    session.send(keys: "s")
    #expect(session.state.notice?.text == "s does not work on this page. Press ? to see the keys.")
  }

  // MARK: Mistakes

  @Test(arguments: [
    (["toggle-stra": ["x"]], "Did you mean “toggle-star”?"),
    (["toggle-star": ["Hyper-x"]], "no key"),
    (["toggle-star": ["x"], "undo": ["x"]], "is already the key of toggle-star"),
    (["article.fold": ["x"]], "without article"), (["toggle-star": ["g Hyper-x"]], "no key"),
    (["find": ["x"], "toggle-star": ["x y"]], "one begins with the other"),
    (["toggle-star": ["a b c d e f"]], "no key"),
  ])
  func `A mistake is told with its place, and the key stays where it was`(
    _ keys: [String: [String]], _ message: String
  ) {
    let scheme = scheme(keys)
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
    ("next-unread-f", "next-unread-feed"), ("mark-all", "mark-all-read"),
  ])
  func `A mistyped command is told with the one that begins like it`(
    _ typed: String, _ meant: String
  ) {
    let message = scheme([typed: ["x"]]).mistakes.first?.message ?? ""
    #expect(message.hasSuffix("Did you mean “\(meant)”?"))
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
    for key in Command.table.flatMap({ $0.keys(of: "vi") }) {
      #expect(KeyMap.sequence(named: KeyMap.name(of: key)) == key)
    }
  }

  @Test(arguments: ["", "jj", "Hyper-x", "F99", "Ctrl-", "Ctrl-ü"])
  func `What is no key is none`(_ name: String) { #expect(KeyMap.key(named: name) == nil) }
}
