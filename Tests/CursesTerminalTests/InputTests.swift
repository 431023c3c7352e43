import ChildProcess
import Foundation
import PseudoTerminal
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InputTests {
  @Test(arguments: [
    (Key.up, "up"), (.down, "down"), (.left, "left"), (.right, "right"), (.pageUp, "pageUp"),
    (.pageDown, "pageDown"), (.home, "home"), (.end, "end"), (.delete, "delete"),
    (.enter, "enter"), (.tab, "tab"), (.backTab, "backTab"), (.backspace, "backspace"),
    (.escape, "escape"), (.function(1), "function(1)"), (.function(12), "function(12)"),
    (.control("a"), "control a"), (.character("q"), "character q"),
    (.character("é"), "character é"),
    (.character("漢"), "character 漢"), (.character("🦊"), "character 🦊"),
  ])
  func `A key arrives as itself`(key: Key, name: String) async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.send(key)
    try terminal.send("|")
    let screen = try await terminal.wait(for: "character |")
    #expect(Array(screen.lines[1...2].map(withoutCorners)) == [name, "character |"])
  }

  @Test func `Keys sent in one burst keep their order`() async throws {
    let terminal = try startSample(size: (60, 60))
    try await terminal.wait(for: "size 60x60")
    try terminal.write(Array("ab\u{1b}OA\u{1b}[6~é漢\u{1b}OB\r".utf8))
    let screen = try await terminal.wait(for: "enter")
    #expect(
      screen.lines[1...8].map(withoutCorners) == [
        "character a", "character b", "up", "pageDown", "character é", "character 漢", "down",
        "enter",
      ])
  }

  @Test func `A paste arrives as one line of text`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.paste("https://example.org/\r\nq\u{1b}[31m\u{7}\tünïcode")
    try await terminal.wait(for: "paste <https://example.org/ q ünïcode>")
    #expect(withoutCorners(terminal.screen.lines[2]) == "")
  }

  @Test func `A click, a second one and the wheel tell where they happened`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.click(x: 7, y: 3)
    try terminal.click(x: 8, y: 3)
    try terminal.turnWheel(.up, x: 59, y: 15)
    try terminal.turnWheel(.down, x: 0, y: 0)
    let screen = try await terminal.wait(for: "wheelDown at (0, 0)")
    #expect(
      screen.lines[1...3].map(withoutCorners) == [
        "click at (7, 3)", "click at (8, 3)", "wheelUp at (59, 15)",
      ])
  }

  @Test func `The terminal is asked for its background, and its answer is an event`() async throws {
    let terminal = try startSample(arguments: ["asks"])
    try await terminal.wait(for: "size 60x16")
    try await terminal.wait(until: "it is asked") { _ in asks(terminal) }
    try terminal.send("a")
    try await terminal.wait(for: "character a")
    // Byte for byte, as a slow line may bring it.
    for byte in "\u{1b}]11;rgb:fafa/fafa/fafa\u{1b}\\".utf8 { try terminal.write([byte]) }
    try terminal.send("b")
    let screen = try await terminal.wait(for: "character b")
    #expect(
      screen.lines[1...3].map(withoutCorners) == ["character a", "background light", "character b"])
  }

  @Test func `Esc works on a terminal that does not answer`() async throws {
    let terminal = try startSample(arguments: ["asks"])
    try await terminal.wait(until: "it is asked") { _ in asks(terminal) }
    try terminal.send(.escape)
    try await terminal.wait(for: "escape")
    // An answer that nothing ends does not take it either.
    try terminal.write(Array("\u{1b}]11;rgb:fafa/fafa/fafa".utf8))
    try terminal.send("x")
    try await terminal.wait(for: "character x")
    try terminal.send(.escape)
    try await terminal.wait(until: "Esc is read again") { screen in
      screen.lines.map(withoutCorners).filter { $0 == "escape" }.count == 2
    }
  }

  @Test func `Questions follow the first frame`() async throws {
    let terminal = try startSample(arguments: ["asks"])
    try await terminal.wait(until: "it is asked") { _ in asks(terminal) }
    let output = String(decoding: terminal.output, as: UTF8.self)
    for question in ["\u{1b}]", "\u{1b}[?u", "\u{1b}[c", "\u{1b}[6n"] {
      let before = output[..<(output.range(of: question)?.lowerBound ?? output.endIndex)]
      #expect(before.contains("60x16") && before.contains("\u{1b}[?2026l"), "\(question)")
    }
  }

  /// A terminal with kitty's keyboard protocol.
  private static let kitty = [
    (question: "\u{1b}[?u", answer: "\u{1b}[?0u"),
    (question: "\u{1b}[6n", answer: "\u{1b}[2;3R"),
  ]

  @Test func `Keys of kitty's protocol are those of any terminal, and go with the screen`()
    async throws
  {
    let terminal = try startSample(arguments: ["asks"], answers: Self.kitty)
    try await terminal.wait(until: "the protocol is on") { _ in keyModes(terminal) == ["?u", ">5u"]
    }
    try terminal.write(Array("\u{1b}[27u\u{1b}[97;5u\u{1b}[120;3u\u{1b}[13;2u".utf8))
    let screen = try await terminal.wait(for: "enter")
    #expect(
      screen.lines[1...5].map(withoutCorners) == [
        "escape", "control a", "escape", "character x", "enter",
      ])
    try terminal.write(Array("\u{1b}[108;5u".utf8))
    try await terminal.wait(for: "lent: press Return")
    #expect(keyModes(terminal).last == "<u")
    try terminal.send(.enter)
    try await terminal.wait(until: "the protocol is on again") { _ in
      keyModes(terminal).last == ">5u"
    }
    try terminal.write(Array("\u{1b}[99;5u".utf8))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(keyModes(terminal) == ["?u", ">5u", "<u", ">5u", "<u"])
    // The main screen has modes of its own.
    let output = String(decoding: terminal.output, as: UTF8.self)
    let off = try #require(output.range(of: "\u{1b}[<u", options: .backwards))
    #expect(output[off.upperBound...].contains("\u{1b}[?1049l"))
  }

  @Test func `A crash gives the keys back`() async throws {
    let terminal = try startSample(arguments: ["asks"], answers: Self.kitty)
    try await terminal.wait(until: "the protocol is on") { _ in keyModes(terminal).count == 2 }
    terminal.signal(SIGSEGV)
    #expect(try await terminal.waitForEnd() == .signaled(SIGSEGV))
    #expect(keyModes(terminal) == ["?u", ">5u", "<u"])
    #expect(isGivenBack(terminal))
  }

  @Test func `A terminal without the protocol keeps its keys`() async throws {
    let terminal = try startSample(
      arguments: ["asks"], answers: [("\u{1b}[6n", "\u{1b}[2;3R")])
    try await terminal.wait(until: "it is asked") { _ in keyModes(terminal) == ["?u"] }
    try terminal.send(.control("a"))
    try await terminal.wait(for: "control a")
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(keyModes(terminal) == ["?u"])
  }

  @Test(arguments: ["linux", "vt100", "xterm-256color"])
  func `A terminal that would print the question is not asked`(type: String) async throws {
    let terminal = try startSample(arguments: ["asks"], environment: ["TERM": type])
    try await terminal.wait(for: "size 60x16")
    try terminal.send("a")
    try await terminal.wait(for: "character a")
    #expect(asks(terminal) == (type == "xterm-256color"))
  }

  @Test func `The answer does not go to whoever has the terminal next`() async throws {
    let shell = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-i"], environment: ["PS1": "ready> ", "ENV": nil],
      size: (60, 16))
    try await shell.wait(for: "ready>")
    try shell.send("\(BuiltProduct.path(of: "terminal-sample")) events asks\r")
    try await shell.wait(until: "it is asked") { _ in asks(shell) }
    // The end is asked for before the answer comes.
    try shell.write(Array("\u{3}\u{1b}]11;rgb:fafa/fafa/fafa\u{7}".utf8))
    try await shell.wait(for: "sample ended: Ctrl-C")
    try shell.send("echo done\r")
    let screen = try await shell.wait(until: "the shell goes on") {
      // What is typed before the shell reads stands above its prompt.
      $0.lines.contains("done") || $0.lines.contains("ready> done")
    }
    #expect(!screen.text.contains("fafa"))
  }

  /// The deaf program ignores SIGHUP: the end of its input is all it gets.
  @Test(arguments: [[], ["deaf"]])
  func `A terminal that goes away ends the program`(hearing: [String]) async throws {
    let terminal = try startSample(arguments: hearing)
    try await terminal.wait(for: "size 60x16")
    terminal.hangUp()
    #expect(try await terminal.waitForEnd() == .exited(0))
  }
}

/// Whether all questions have been asked, that about emoji last.
private func asks(_ terminal: PseudoTerminal) -> Bool {
  let output = String(decoding: terminal.output, as: UTF8.self)
  return output.contains("\u{1b}]11;?\u{7}") && output.split(separator: "\u{1b}[6n").count > 4
}

/// The sequences about kitty's protocol, in their order.
private func keyModes(_ terminal: PseudoTerminal) -> [String] {
  String(decoding: terminal.output, as: UTF8.self).split(separator: "\u{1b}[").compactMap { part in
    ["?u", ">5u", "<u"].first { part.hasPrefix($0) }
  }
}

/// A row of the sample without the marks of the frame's corners.
private func withoutCorners(_ line: String) -> String {
  String(line.drop { $0 == "#" || $0 == " " }.prefix { $0 != "#" })
}
