import Foundation
import PseudoTerminal
import Screen
import Testing

@testable import CursesTerminal

@Suite(.timeLimit(.minutes(10)))
struct DrawingTests {
  @Test func `Attributes and colours reach the terminal`() async throws {
    let terminal = try startSample("styles")
    let screen = try await terminal.wait(for: "grey")
    let plain = try #require(screen.cell(of: "plain"))
    #expect(!plain.isBold && !plain.isItalic && !plain.isUnderlined && !plain.isReversed)
    #expect(plain.foreground == .standard && plain.background == .standard)
    #expect(try #require(screen.cell(of: "bold")).isBold)
    #expect(try #require(screen.cell(of: "italic")).isItalic)
    #expect(try #require(screen.cell(of: "underline")).isUnderlined)
    #expect(try #require(screen.cell(of: "reverse")).isReversed)
    #expect(try #require(screen.cell(of: "red")).foreground == .palette(1))
    #expect(try #require(screen.cell(of: "orange")).foreground == .palette(208))
    let blue = try #require(screen.cell(of: "on blue"))
    #expect(blue.foreground == .palette(15) && blue.background == .palette(4))
    // libvterm knows no dim text, so its sequence has to do.
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("2mdim"))
  }

  @Test func `A frame is one synchronized update`() async throws {
    let terminal = try startSample("styles")
    try await terminal.wait(for: "grey")
    let output = String(decoding: terminal.output, as: UTF8.self)
    let frame = try #require(
      output.components(separatedBy: "\u{1B}[?2026h").last { $0.contains("grey") })
    let parts = frame.components(separatedBy: "\u{1B}[?2026l")
    #expect(parts.count == 2)
    for word in ["plain", "bold", "orange", "grey"] { #expect(parts[0].contains(word)) }
  }

  #if os(Linux)
    /// Each write wakes the terminal, and ncurses writes with each movement of the cursor.
    @Test func `A frame is gathered in memory and sent in one piece`() async throws {
      let terminal = try startSample("styles")
      try await terminal.wait(for: "grey")
      let output = String(decoding: terminal.output, as: UTF8.self)
      let (begin, end) = ("\u{1B}[?2026h", "\u{1B}[?2026l")
      let frame = try #require(
        output.components(separatedBy: begin).last?.components(separatedBy: end).first)
      // What was written to the file last is the frame, to the byte.
      let folder = "/proc/\(terminal.processID)/"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "fd").filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "fd/\($0)")
        return target?.contains("telex-frame") == true
      }
      // ncurses' own descriptor is the terminal's again.
      let file = try #require(files.first)
      #expect(files.count == 1)
      let facts = try String(contentsOfFile: folder + "fdinfo/\(file)", encoding: .utf8)
      #expect(facts.contains("pos:\t\((begin + frame + end).utf8.count)\n"), "\(facts)")
    }
  #endif

  @Test func `A terminal of eight colours gets the nearest ones`() async throws {
    let terminal = try startSample("styles", environment: ["TERM": "xterm-color"])
    let screen = try await terminal.wait(for: "grey")
    #expect(try #require(screen.cell(of: "orange")).foreground == .palette(3))
    let blue = try #require(screen.cell(of: "on blue"))
    #expect(blue.foreground == .palette(7) && blue.background == .palette(4))
    // Bright black is not black on black.
    #expect(try #require(screen.cell(of: "grey")).foreground == .palette(7))
  }

  @Test func `NO_COLOR leaves the attributes`() async throws {
    let terminal = try startSample("styles", environment: ["NO_COLOR": "1"])
    let screen = try await terminal.wait(for: "grey")
    #expect(screen.rows.joined().allSatisfy { $0.foreground == .standard })
    #expect(screen.rows.joined().allSatisfy { $0.background == .standard })
    #expect(try #require(screen.cell(of: "bold")).isBold)
    #expect(try #require(screen.cell(of: "reverse")).isReversed)
  }

  @Test(
    arguments: [
      ([:], 256), (["TERM": "xterm"], 8), (["TERM": "vt100"], 0),
      (["NO_COLOR": ""], 256),
      (["NO_COLOR": "1"], 0),
      // No description of this one on any machine.
      (["TERM": "no-such-terminal"], 256),
    ] as [([String: String], Int)])
  func `The number of colours is known`(environment: [String: String], colors: Int) async throws {
    let terminal = try startSample(environment: environment)
    try await terminal.wait(for: "size 60x16 colors \(colors)")
  }

  @Test func `Sixteen colours are told from eight`() async throws {
    let folder = NSTemporaryDirectory() + "telex-terminfo-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Few machines have a description of one, and every one has the compiler.
    let source = folder + "/source"
    try #"""
    xterm-16color|xterm with sixteen colours, colors#16, pairs#256,
    	setab=\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm,
    	setaf=\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm, use=xterm,
    """#.write(toFile: source, atomically: true, encoding: .utf8)
    let compiler = try Process.run(
      URL(filePath: "/usr/bin/env"), arguments: ["tic", "-x", "-o", folder, source])
    compiler.waitUntilExit()
    let environment = ["TERM": "xterm-16color", "TERMINFO": folder]
    try await startSample(environment: environment).wait(for: "size 60x16 colors 16")
    let screen = try await startSample("styles", environment: environment).wait(for: "grey")
    #expect(try #require(screen.cell(of: "orange")).foreground == .palette(3))
    let blue = try #require(screen.cell(of: "on blue"))
    #expect(blue.foreground == .palette(15) && blue.background == .palette(4))
    #expect(try #require(screen.cell(of: "grey")).foreground == .palette(8))
    // Without the description, eight are better than a guess at 256.
    try await startSample(environment: ["TERM": "xterm-16color", "TERMINFO": folder + "/none"])
      .wait(until: "it has no more than sixteen") {
        $0.contains("colors 8") || $0.contains("colors 16")
      }
  }

  @Test func `More pairs than the terminal has do not end the colours`() async throws {
    let terminal = try startSample("pairs", environment: ["TERM": "xterm"])
    try await terminal.wait(for: "turn 0")
    for turn in 1...3 {
      try terminal.send(" ")
      let screen = try await terminal.wait(for: "turn \(turn)")
      // 63 pairs fit: the first rows have theirs.
      let cell = screen.rows[5][(2 + turn) % 8]
      #expect(cell.foreground == .palette(2) && cell.background == .palette(5))
    }
  }

  @Test func `Wide and combining characters keep their columns`() async throws {
    let terminal = try startSample("text", size: (40, 10))
    let screen = try await terminal.wait(for: "heart")
    #expect(screen.position(of: "wide").map { $0.x } == 5)
    #expect(screen.rows[0][0].width == 2 && screen.rows[0][1].width == 0)
    #expect(screen.rows[1][0].text == "e\u{301}")
    #expect(screen.position(of: "combining").map { $0.x } == 4)
    #expect(screen.rows[2][0].text == "👩")
    #expect(screen.position(of: "family").map { $0.x } == 3)
    #expect(screen.position(of: "heart").map { $0.x } == 3)
    // The lower right corner is filled, and the screen has not scrolled for it.
    #expect(screen.rows[9][38].text == "漢")
  }

  @Test func `Emoji are drawn by their bases where the columns of the whole are not known`()
    async throws
  {
    let terminal = try startSample("emoji")
    let screen = try await terminal.wait(for: "whole")
    #expect(screen.lines.prefix(5) == ["aJPb", "a☀ b", "a2\u{20E3} b", "a👋b", "a🧑b"])
  }

  @Test func `Emoji are whole where the terminal draws them in two columns`() async throws {
    let terminal = try startSample(
      "emoji", arguments: ["asks"],
      answers: [
        ("🇳🇴\u{1B}[6n", "\u{1B}[2;3R"), ("❤️\u{1B}[6n", "\u{1B}[2;2R"),
        ("👍🏽\u{1B}[6n", "\u{1B}[2;3R"), ("👩🏽‍🚀\u{1B}[6n", "\u{1B}[2;5R"),
      ])
    func shows(_ text: String) -> Bool {
      String(decoding: terminal.output, as: UTF8.self).contains(text)
    }
    let screen = try await terminal.wait(until: "the emoji are whole") { _ in shows("👋🏿") }
    #expect(shows("\u{1B}[1;2H\u{1B}[0;97;44m🇯🇵") && shows("2️⃣") && !shows("🧑‍🚒"))
    #expect(screen.lines[1] == "a☀️ b" && screen.lines[4] == "a🧑b")
    // The cells below are unchanged for ncurses, so these rows have to be sent whole.
    try terminal.send("x")
    let parts = try await terminal.wait(for: "parts")
    #expect(parts.lines.prefix(5) == ["aJPb", "a☀zb", "a2zb", "a👋b", "a🧑b"])
    try terminal.send("x")
    let again = try await terminal.wait(for: "whole")
    #expect(again.lines[1] == "a☀️ b" && again.lines[6] == "whole")
  }

  @Test(
    arguments: [
      (Style(.palette(1), on: .standard, [.bold, .reverse]), 256, "0;1;7;31"),
      (Style(.palette(9), on: .palette(236)), 256, "0;91;48;5;236"),
      (Style(.palette(9), on: .palette(236)), 8, "0;31;40"),
      (Style(.rgb(0x10_2030), on: .palette(4)), ColorPair.direct, "0;38;2;16;32;48;44"),
      (Style(.palette(9), on: .standard, .dim), 0, "0;2"),
    ] as [(Style, Int, String)])
  func `A style is a sequence`(style: Style, colors: Int, codes: String) {
    #expect(style.sequence(colors: colors) == "\u{1B}[\(codes)m")
  }

  @Test func `A change in a cluster or across a wide character is drawn`() async throws {
    let terminal = try startSample("text", size: (40, 10))
    let before = try await terminal.wait(for: "heart")
    #expect(before.rows[5][0].text == "a\u{301}")
    #expect(before.lines[6] == "漢漢|")
    try terminal.send("x")
    let after = try await terminal.wait(until: "the accent turns") {
      $0.rows[5][0].text == "a\u{300}"
    }
    #expect(after.lines[6] == " 漢 |")
  }

  @Test func `Controls in a frame do not reach the terminal`() async throws {
    let terminal = try startSample("text", size: (40, 10))
    let screen = try await terminal.wait(for: "heart")
    #expect(screen.lines[4] == "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d")
    #expect(screen.rows[4][6].foreground == .standard)
  }

  @Test func `The cursor is shown where the frame has it`() async throws {
    let terminal = try startSample("cursor")
    try await terminal.wait(until: "the cursor is on the third column of the second row") {
      $0.isCursorVisible && $0.cursor == (2, 1)
    }
    try terminal.send("x")
    try await terminal.wait(until: "the cursor is hidden") { !$0.isCursorVisible }
  }

  @Test func `The window may shrink to one cell and grow again`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    for (width, height) in [(20, 5), (1, 5), (20, 1), (1, 1), (2, 2), (80, 24)] {
      terminal.resize(width: width, height: height)
      try await terminal.wait(until: "a \(width)×\(height) frame fills the window") { screen in
        let corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
        return corners.allSatisfy { x, y in screen.rows[y][x].text == "#" }
          && screen.text.count { $0 == "#" } == Set(corners.map { $0 + $1 * width }).count
      }
    }
    try await terminal.wait(for: "size 80x24")
  }

  @Test func `A blank between words of one colour takes no change of colours`() async throws {
    let terminal = try startSample("gaps")
    let screen = try await terminal.wait(for: "one4")
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.contains("one0 two  three"))
    #expect(output.contains("one1 two  three"))
    for (y, row) in screen.rows.prefix(5).enumerated() {
      #expect(screen.lines[y] == "one\(y) two  three")
      for gap in [4, 8, 9] {
        #expect(!row[gap].isUnderlined && !row[gap].isReversed && row[gap].background == .standard)
      }
    }
    #expect(screen.rows[2][3].isUnderlined && screen.rows[2][5].isUnderlined)
    #expect(screen.rows[3][3].background == screen.rows[3][5].background)
  }

  @Test func `A frame that has not changed writes nothing`() async throws {
    let terminal = try startSample("styles")
    try await terminal.wait(for: "grey")
    // The key is drawn by nothing in this scene; the end of the program is what shows it was read.
    let before = terminal.output.count
    try terminal.send("xxx")
    try terminal.send(.control("c"))
    _ = try await terminal.waitForEnd()
    let after = String(decoding: terminal.output.dropFirst(before), as: UTF8.self)
    // The first that follows is the end of the mouse's reports.
    #expect(after.hasPrefix("\u{1b}[?1006l"))
  }
}
