internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The screens above each other, and their commands.
struct StackTests {
  /// A session in which a screen answers first.
  private func session(_ kind: any ReaderScreen.Type) throws -> Session {
    var settings = ReaderSettings()
    settings.verbs = [.init("list", help: "List the feeds.")]
    var session = Session(Sample.rows(1...20), width: 80, height: 12, settings: settings)
    switch kind.name {
    case SidebarPane.name: session.send(keys: "h")
    case ListPane.name: break
    case ArticlePane.name:
      session.send(keys: "<Enter>")
      try session.articleArrives(html: Sample.paragraphs(20) + Sample.links(3))
    case HealthState.name: session.send(keys: "H")
    case OutboxState.name:
      session.send(keys: "O")
      _ = session.state.reduce(.outbox(.arrived(.sample)))
    case TransfersState.name:
      _ = session.state.reduce(.transfers(.arrived(.sample)))
      session.send(keys: "T")
    case QueueState.name:
      session.send(keys: "E")
      _ = session.state.reduce(.queue(.arrived(QueueTests.files)))
    case StatisticsState.name:
      session.send(keys: "S")
      _ = session.state.reduce(.statistics(.counted(.sample, .sample)))
      session.send(keys: "j")
    case TripState.name: session.send(keys: "<C-t>")
    case SettingsState.name:
      session.send(keys: "$")
      _ = session.state.reduce(.settings(.arrived(SettingsScreenTests.values)))
    case FeedForm.name: session.openFeedForm()
    case ConflictState.name:
      _ = session.state.reduce(.outbox(.conflictsArrived([.inConflict])))
    case Choice.name:
      _ = session.state.reduce(.subscriptions(.found("example.org", ChoiceTests.links)))
    case HelpState.name: session.send(keys: "?")
    case Prompt.name: session.send(keys: "/")
    case CommandLine.name: session.send(keys: ":")
    case LinkHints.name:
      session.send(keys: "<Enter>")
      try session.articleArrives(html: Sample.links(3))
      session.send(keys: "f")
    case PictureView.name:
      session.send(keys: "<Enter>")
      try session.articleArrives(
        html: "<img src=\"https://example.org/a.png\"><img src=\"https://example.org/b.png\">",
        pictures: PictureRoom(rows: 5) { _ in nil })
      session.send(keys: ":show-picture<Enter>")
    case DeckState.name:
      session.send(keys: "P")
      _ = session.state.reduce(.deck(.collected(DeckTests.rows)))
    case ConversationState.name:
      session.send(keys: "C")
      _ = session.state.reduce(.conversation(.arrived(ConversationTests.conversation(of: 20))))
    case Palette.name: session.send(keys: "<C-p>")
    case JumpPage.name: session.send(keys: ";")
    case OutputState.name:
      session.send(keys: ":list<Enter>")
      let id = try #require(session.state.programs.last?.id)
      _ = session.state.reduce(.programs(.printed(id, "one\ntwo\n")))
      _ = session.state.reduce(.programs(.ended(id, .exited(0))))
    default: Issue.record("how does \(kind.name) open?")
    }
    return session
  }

  /// Prompts take keys as letters, and any key closes the help.
  private static let pages = ScreenStack.kinds.filter { $0.layer < .help }

  @Test func `A key does on a page what the page says it does, or says that it does nothing`()
    throws
  {
    for kind in Self.pages {
      let session = try session(kind)
      #expect(type(of: session.state.front) == kind)
      let possible = Set(session.state.commands(on: kind))
      for declaration in Command.table {
        for key in declaration.keys(of: "vi").flatMap(\.keys) {
          var session = session
          _ = session.state.reduce(.input(.key(key), milliseconds: session.milliseconds))
          let told = session.state.notice?.text ?? ""
          #expect(
            told.contains("does not work on this page") != possible.contains(declaration.command),
            "\(declaration.command.name) in \(kind.name): \(told)")
        }
      }
    }
  }

  @Test func `A page's own words are about its commands`() {
    #expect(Set(ScreenStack.kinds.map { $0.name }).count == ScreenStack.kinds.count)
    for kind in ScreenStack.kinds {
      #expect(kind.help.keys.allSatisfy { kind.commands.contains($0) }, "\(kind.name)")
    }
  }

  @Test func `A hint names commands that the page has`() throws {
    for kind in Self.pages {
      let session = try session(kind)
      let keys = Set(
        session.state.commands(on: kind).flatMap { $0.declaration?.keys(of: "vi") ?? [] }
          .map(KeyMap.name))
      for hint in session.state.front.hints(in: session.state) {
        for name in (hint.key(in: .standard) ?? "none").split(separator: " ") {
          #expect(keys.contains(String(name)), "\(hint.text) in \(kind.name)")
        }
      }
    }
  }

  @Test func `A screen lies above those that it may cover, whenever it comes`() throws {
    var session = try session(HealthState.self)
    session.send(keys: "?")
    _ = session.state.reduce(.subscriptions(.found("example.org", ChoiceTests.links)))
    #expect(type(of: session.state.front) == HelpState.self)
    session.send(keys: "q")
    #expect(type(of: session.state.front) == Choice.self)
    session.send(keys: "q")
    #expect(type(of: session.state.front) == HealthState.self)
    session.send(keys: "q")
    #expect(type(of: session.state.front) == ListPane.self)
  }

  @Test func `A question goes back to the screen that asked`() throws {
    var session = try session(HealthState.self)
    session.send(keys: "jd")
    #expect(type(of: session.state.front) == Prompt.self)
    session.send(keys: "n")
    #expect(type(of: session.state.front) == HealthState.self)
    #expect(session.state.stack.count == 1)
  }

  @Test func `States are equal where their screens are`() throws {
    let (a, b) = (try session(HealthState.self), try session(HealthState.self))
    #expect(a.state == b.state && a.state.hashValue == b.state.hashValue)
    var c = b
    c.send(keys: "j")
    #expect(c.state != b.state)
    #expect(c.state.stack != b.state.stack)
  }
}
