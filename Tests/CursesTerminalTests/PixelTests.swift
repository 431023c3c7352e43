import ChildProcess
import Foundation
import PseudoTerminal
import Testing

/// Pictures in pixels on terminals that take them, and on those that do not.
@Suite(.timeLimit(.minutes(10)))
struct PixelTests {
  private static let name = (question: "\u{1B}[>0q", answer: "\u{1B}P>|kitty(0.40.0)\u{1B}\\")
  private static let attributes = (question: "\u{1B}[c", answer: "\u{1B}[?62;22c")
  private static let kitty = [
    name, attributes,
    (
      question: "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\", answer: "\u{1B}_Gi=31;OK\u{1B}\\"
    ),
  ]
  private static let iterm = [
    (question: "\u{1B}[>0q", answer: "\u{1B}P>|iTerm2 3.5.0\u{1B}\\"), attributes,
  ]
  private static let sixel = [
    (question: "\u{1B}[c", answer: "\u{1B}[?62;4;22c"),
    (question: "\u{1B}[?1;1;0S", answer: "\u{1B}[?1;0;256S"),
    (question: "\u{1B}[?2;1;0S", answer: "\u{1B}[?2;0;1000;1000S"),
  ]

  private func start(
    _ answers: [(question: String, answer: String)], environment: [String: String?] = [:]
  ) throws -> PseudoTerminal {
    try startSample(
      "picture", arguments: ["pixels"], environment: environment, size: (40, 12), cell: (10, 20),
      answers: answers)
  }

  private func sent(_ terminal: PseudoTerminal) -> TerminalPictures {
    TerminalPictures(terminal.output)
  }

  /// Waits until what was sent of pictures is as it should be.
  @discardableResult
  private func wait(
    _ terminal: PseudoTerminal, until expectation: String, _ isMet: (TerminalPictures) -> Bool
  ) async throws -> TerminalPictures {
    try await terminal.wait(until: expectation) { _ in isMet(sent(terminal)) }
    let pictures = sent(terminal)
    #expect(pictures.mistakes.isEmpty)
    return pictures
  }

  private func placement(_ pictures: TerminalPictures) -> TerminalPictures.Placement? {
    pictures.placements.count == 1 ? pictures.placements.first?.value : nil
  }

  // MARK: Asking

  @Test(arguments: [
    // Neither a name nor sixel graphics.
    [(question: "\u{1B}[c", answer: "\u{1B}[?62;22c")],
    // A name, and no answer to kitty's question.
    [name, attributes],
    [name, attributes, (question: "i=31", answer: "\u{1B}_Gi=31;EBADF\u{1B}\\")],
    // No answer at all.
    [],
  ])
  func `A terminal that does not say that it shows pixels gets cells`(
    answers: [(question: String, answer: String)]
  ) async throws {
    let terminal = try start(answers)
    try await terminal.wait(for: "######")
    // The number of events.
    try await terminal.wait(until: "it was asked") { $0.lines[3].hasPrefix("1") }
    try terminal.send("k")
    try await terminal.wait(until: "a key counts") { $0.lines[3].hasPrefix("2") }
    let pictures = sent(terminal)
    #expect(pictures.transmissions == 0 && pictures.sixels.isEmpty && pictures.files.isEmpty)
    // A question that some terminals print goes only to those that know their name.
    #expect(pictures.questions == (answers.contains { $0 == Self.name } ? 1 : 0))
    #expect(terminal.screen.contains("######"))
  }

  @Test(arguments: ["linux", "vt100", "tmux-256color", "screen", "dumb-color"])
  func `A terminal that could not answer is not asked`(type: String) async throws {
    let terminal = try start(Self.kitty, environment: ["TERM": type])
    try await terminal.wait(until: "it is known") { $0.lines[3].hasPrefix("1") }
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(!output.contains("\u{1B}[>0q") && !output.contains("\u{1B}_G"))
    #expect(terminal.screen.contains("######"))
  }

  // MARK: Kitty

  @Test func `Kitty gets a picture once in parts, and then where it stands`() async throws {
    let terminal = try start(Self.kitty)
    let whole = TerminalPictures.Placement(x: 3, y: 2, columns: 6, rows: 4, pixelRows: 0..<80)
    var pictures = try await wait(terminal, until: "it is placed") { placement($0) == whole }
    #expect(pictures.kept.values.map(\.width) == [60] && pictures.transmissions == 1)
    // Under it is nothing that would show through.
    try await terminal.wait(until: "its cells are blank") { !$0.contains("#") }
    // Up to the edge and beyond.
    try terminal.send("kkk")
    let cut = TerminalPictures.Placement(x: 3, y: 0, columns: 6, rows: 3, pixelRows: 20..<80)
    pictures = try await wait(terminal, until: "it is cut off above") { placement($0) == cut }
    #expect(pictures.transmissions == 1)
    // A line beside it changes, and nothing of it is sent.
    let placings = pictures.placings
    try terminal.send("x")
    try await terminal.wait(until: "the line has changed") { $0.lines[3].hasPrefix("5") }
    #expect(sent(terminal).placings == placings)
    // Past the edge.
    try terminal.send("kkk")
    try await wait(terminal, until: "it is gone") { $0.placements.isEmpty }
  }

  @Test func `A picture that moves while it is on its way is placed in the end`() async throws {
    let terminal = try start(Self.kitty)
    try await terminal.wait(until: "it is on its way") { _ in
      String(decoding: terminal.output, as: UTF8.self).contains("a=t,")
    }
    try terminal.send("o")
    try terminal.send("k")
    try await wait(terminal, until: "it is placed") { placement($0)?.y == 1 }
  }

  @Test func `What lies over a picture is not covered by it`() async throws {
    let terminal = try start(Self.kitty)
    try await wait(terminal, until: "it is placed") { $0.placements.count == 1 }
    try terminal.send("o")
    let pictures = try await wait(terminal, until: "it is in two") { $0.placements.count == 2 }
    let parts = pictures.placements.values.sorted { $0.y < $1.y }
    #expect(parts.map(\.y) == [2, 4] && parts.map(\.rows) == [1, 2])
    #expect(parts.map(\.pixelRows) == [0..<20, 40..<80])
    #expect(try await terminal.wait(for: "over").contains("#over#"))
    try terminal.send("h")
    try await wait(terminal, until: "it is gone") { $0.placements.isEmpty }
  }

  @Test func `A picture comes back after the window has another size`() async throws {
    let terminal = try start(Self.kitty)
    try await wait(terminal, until: "it is placed") { $0.placements.count == 1 }
    let placings = sent(terminal).placings
    terminal.resize(width: 50, height: 12, cell: (10, 20))
    let pictures = try await wait(terminal, until: "it is placed again") { $0.placings > placings }
    #expect(pictures.placements.count == 1 && pictures.transmissions == 1)
  }

  @Test(arguments: ["\u{3}", "\u{14}"])
  func `Nothing is left after the end, nor after a crash`(key: String) async throws {
    let terminal = try start(Self.kitty)
    try await wait(terminal, until: "it is placed") { $0.placements.count == 1 }
    try terminal.send(key)
    _ = try await terminal.waitForEnd()
    let pictures = sent(terminal)
    #expect(pictures.placements.isEmpty && pictures.kept.isEmpty && pictures.mistakes.isEmpty)
    #expect(isGivenBack(terminal))
  }

  @Test func `Another program gets the terminal without pictures`() async throws {
    let terminal = try start(Self.kitty)
    try await wait(terminal, until: "it is placed") { $0.placements.count == 1 }
    try terminal.send("\u{C}")
    try await terminal.wait(for: "lent: press Return")
    let pictures = sent(terminal)
    #expect(pictures.placements.isEmpty && pictures.kept.isEmpty)
    try terminal.send("\r")
    try await wait(terminal, until: "it is back") { $0.placements.count == 1 }
    #expect(sent(terminal).transmissions == 2)
  }

  @Test func `A terminal that is lent before it has answered is asked again`() async throws {
    let terminal = try startSample(
      "picture", arguments: ["pixels", "lends"], size: (40, 12), cell: (10, 20), answers: [])
    try await terminal.wait(for: "lent: press Return")
    terminal.answer(Self.kitty)
    try terminal.send("\r")
    try await wait(terminal, until: "it is placed") { $0.placements.count == 1 }
    try terminal.send("\u{3}")
    #expect(try await terminal.waitForEnd() == .exited(0))
  }

  /// A terminal that takes nothing more in the middle of a picture, for longer than the line is
  /// waited for. Where that is too short on a slow machine, less is shown by the test.
  private func hangWithinPicture(
    _ answers: [(question: String, answer: String)] = kitty
  ) async throws -> PseudoTerminal {
    let terminal = try startSample(
      "picture", arguments: ["pixels", "hasty", "large"], size: (40, 12), cell: (10, 20),
      answers: answers)
    try terminal.send("h")
    try await terminal.wait(until: "it is known, and hidden") { $0.lines[3].hasPrefix("2") }
    terminal.takeNothing(true)
    try terminal.send("h")
    try await Task.sleep(for: .milliseconds(1_500))
    return terminal
  }

  @Test func `A terminal that hangs within a picture gets it whole afterwards`() async throws {
    let terminal = try await hangWithinPicture()
    let before = terminal.output.count
    terminal.takeNothing(false)
    try await terminal.wait(until: "it is placed") { _ in sent(terminal).placements.count == 1 }
    let pictures = sent(terminal)
    #expect(pictures.received.values.allSatisfy { $0 == 400_000 })
    #expect(terminal.output.count > before)
    try await terminal.wait(until: "the text around it is whole") {
      $0.contains("above") && $0.contains("below") && !$0.contains("AAAA")
    }
    try terminal.send("\u{3}")
    #expect(try await terminal.waitForEnd() == .exited(0))
  }

  /// A picture of iTerm2's is one sequence: the end of the program comes within it. Those of kitty have many, and a
  /// terminal mostly hangs between two.
  @Test(arguments: [kitty, iterm])
  func `A terminal that hangs within a picture is given back whole all the same`(
    answers: [(question: String, answer: String)]
  ) async throws {
    let terminal = try await hangWithinPicture(answers)
    try terminal.send("\u{3}")
    try await Task.sleep(for: .milliseconds(300))
    terminal.takeNothing(false)
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(isGivenBack(terminal) && modesLeftOn(by: terminal) == [])
    #expect(terminal.screen.contains("sample ended: Ctrl-C"))
  }

  // MARK: Through tmux

  private static let tmux = [
    (
      question: "\u{1B}Ptmux;\u{1B}\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\u{1B}\\\u{1B}\\",
      answer: "\u{1B}_Gi=31;OK\u{1B}\\"
    ),
    // Tmux answers at once what it knows itself.
    attributes,
  ]

  private func startInTmux(_ answers: [(question: String, answer: String)]) throws
    -> PseudoTerminal
  {
    try startSample(
      "picture", arguments: ["pixels", "tmux"], environment: ["TERM": "tmux-256color"],
      size: (40, 12), cell: (10, 20), answers: answers)
  }

  @Test func `Through tmux a picture is text, cut off as text is`() async throws {
    let terminal = try startInTmux(Self.tmux)
    try await terminal.wait(until: "it is text") {
      $0.rows[2][3].text.unicodeScalars.first == "\u{10EEEE}"
    }
    let pictures = try await wait(terminal, until: "it is placed") { $0.placedAsText.count == 1 }
    let (number, size) = try #require(pictures.placedAsText.first)
    #expect(size == (6, 4) && pictures.kept.keys.contains(number) && pictures.placements.isEmpty)
    #expect(pictures.received[number] == 400_000)
    // 70 000 is 160 beyond 291 times 240.
    #expect(number == (291 % 255 + 1) << 24 | 176)
    func cell(_ x: Int, _ y: Int) -> ScreenText.Cell { terminal.screen.rows[y][x] }
    // Row, column and high byte: 0, 0 and 37; 3, 5 and 37.
    #expect(cell(3, 2).text == "\u{10EEEE}\u{305}\u{305}\u{594}")
    #expect(cell(8, 5).text == "\u{10EEEE}\u{310}\u{33D}\u{594}")
    #expect(cell(3, 2).foreground == .palette(176))
    try terminal.send("kkk")
    try await terminal.wait(until: "it is cut off above") {
      $0.rows[0][3].text == "\u{10EEEE}\u{30D}\u{305}\u{594}"
    }
    #expect(sent(terminal).transmissions == 1)
    try terminal.send("\u{3}")
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(sent(terminal).kept.isEmpty && isGivenBack(terminal))
  }

  @Test func `Where no answer comes through tmux, pictures are cells`() async throws {
    let terminal = try startInTmux([Self.attributes])
    try await terminal.wait(until: "it is known") { $0.lines[3].hasPrefix("1") }
    #expect(terminal.screen.contains("######"))
    #expect(sent(terminal).transmissions == 0)
  }

  // MARK: Sixel

  @Test func `Sixel graphics are drawn when they stand still, whole or in part`() async throws {
    let terminal = try start(Self.sixel)
    var pictures = try await wait(terminal, until: "it is drawn") { $0.sixels.count == 1 }
    let first = try #require(pictures.sixels.first)
    #expect(first.x == 3 && first.y == 2 && first.raster.map { $0 == (60, 80) } == true)
    try terminal.send("kkk")
    pictures = try await wait(terminal, until: "it is drawn cut off") {
      $0.sixels.last?.raster.map { $0 == (60, 60) } == true
    }
    #expect(pictures.sixels.last?.y == 0)
    // A line beside it changes, and it stays.
    let count = pictures.sixels.count
    try terminal.send("x")
    try await terminal.wait(until: "the line has changed") { $0.lines[3].hasPrefix("5") }
    try terminal.send("h")
    try await terminal.wait(until: "the line has changed") { $0.lines[3].hasPrefix("6") }
    #expect(sent(terminal).sixels.count == count)
  }

  @Test func `A size of cells that is told by an answer is believed`() async throws {
    let terminal = try startSample(
      "picture", arguments: ["pixels"], size: (40, 12),
      answers: Self.sixel + [(question: "\u{1B}[16t", answer: "\u{1B}[6;20;10t")])
    try await wait(terminal, until: "it is drawn") { $0.sixels.count == 1 }
  }

  @Test func `A picture larger than the terminal takes is cells`() async throws {
    var answers = Self.sixel
    answers[2].answer = "\u{1B}[?2;0;50;50S"
    let terminal = try start(answers)
    try await terminal.wait(until: "it is known") { $0.lines[3].hasPrefix("1") }
    try terminal.send("k")
    try await terminal.wait(until: "a key counts") { $0.lines[3].hasPrefix("2") }
    #expect(sent(terminal).sixels.isEmpty)
  }

  // MARK: iTerm2

  @Test func `iTerm2 gets a file where all of a picture shows`() async throws {
    let terminal = try start(Self.iterm)
    let pictures = try await wait(terminal, until: "it is drawn") { $0.files.count == 1 }
    let parts = pictures.files[0].data.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    let head = String(decoding: parts[0], as: UTF8.self).replacing("1337;File=", with: "")
    let file = Data(base64Encoded: Data(parts[1]))
    // Its size, which must not be exceeded; cells, all of which are filled.
    #expect(
      head.split(separator: ";").sorted() == [
        "doNotMoveCursor=1", "height=4", "inline=1", "preserveAspectRatio=0",
        "size=\(file?.count ?? 0)", "width=6",
      ])
    #expect(file?.count == 298 && (pictures.files[0].x, pictures.files[0].y) == (3, 2))
    try terminal.send("kkk")
    try await terminal.wait(until: "the rest is cells") { $0.lines[0].contains("######") }
    #expect(sent(terminal).files.count == 1)
  }
}
