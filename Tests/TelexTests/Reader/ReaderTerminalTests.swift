import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the reader does to its terminal.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderTerminalTests {
  @Test func `The reader is drawn at every size`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      for (width, height, last) in [(40, 10, 8), (200, 50, 45), (80, 24, 20)] {
        reader.resize(width: width, height: height)
        let story = "Story 0" + (last < 10 ? "0" : "") + "\(last)"
        try await reader.wait(until: "\(width)×\(height) is filled") { screen in
          screen.width == width && screen.contains(story)
        }
        let written = reader.output.count
        reader.resize(width: 1, height: 1)
        try await reader.wait(until: "one cell is drawn") { _ in reader.output.count > written }
      }
      reader.resize(width: 80, height: 24)
      try await reader.wait(until: "it is as before") {
        $0.contains("Story 001") && $0.contains("The Loopba")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `The window is named after what is unread, and has its own name back afterwards`()
    async throws
  {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      func written() -> String { String(decoding: reader.output, as: UTF8.self) }
      #expect(await eventually { written().contains("\u{1B}]2;Telex (2)\u{1B}\\") })
      try reader.send("m")
      #expect(await eventually { written().contains("\u{1B}]2;Telex (1)\u{1B}\\") })
      #expect(try await reader.quit() == .exited(0))
      let parts = written().components(separatedBy: "\u{1B}[23;2t")
      #expect(parts.count == 2 && parts[0].components(separatedBy: "\u{1B}[22;2t").count == 2)

      let old = try sandbox.reader(environment: ["TERM": "vt100"])
      try await old.wait(for: "Story 001")
      #expect(try await old.quit() == .exited(0))
      #expect(!String(decoding: old.output, as: UTF8.self).contains("Telex ("))
      let config = try sandbox.file("config.toml", "[screen]\ntitle = false\n")
      let plain = try sandbox.reader("--config", config)
      try await plain.wait(for: "Story 001")
      #expect(try await plain.quit() == .exited(0))
      #expect(!String(decoding: plain.output, as: UTF8.self).contains("Telex ("))
    }
  }

  @Test func `Ctrl-Z gives the terminal to the shell, and fg brings the reader back`()
    async throws
  {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let environment = sandbox.home.merging(["PS1": "ready> ", "ENV": nil]) { $1 }
      let shell = try PseudoTerminal(
        executable: "/bin/sh", arguments: ["-i"], environment: environment, size: (100, 24))
      try await shell.wait(for: "ready>")
      try shell.send("'\(BuiltProduct.path(of: "telex"))'\r")
      try await shell.wait(until: "the reader is there") {
        $0.isAlternateScreen && $0.contains("Story 001")
      }
      for _ in 1...2 {
        try shell.send(.control("z"))
        try await shell.wait(until: "the shell has the terminal") {
          $0.contains("Stopped") && shell.isGivenBack
        }
        try shell.send("fg\r")
        try await shell.wait(until: "the reader is drawn again") {
          $0.isAlternateScreen && $0.contains("Story 001")
        }
      }
      try shell.send("s")
      try await shell.wait(until: "keys work") { $0.isStarred("Story 001") }
      try shell.send("Q")
      try await shell.wait(until: "the shell is back") { _ in shell.isGivenBack }
    }
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
  func `A signal ends the reader and restores the terminal`(
    number: Int32, status: Int32
  ) async throws {
    let sandbox = try Sandbox()
    let reader = try sandbox.reader()
    try await reader.wait(for: "No feeds yet.")
    #expect(reader.screen.isAlternateScreen && !reader.modes.echoes)
    reader.signal(number)
    #expect(try await reader.waitForEnd() == .exited(status))
    #expect(reader.isGivenBack)
  }

  @Test(arguments: [Key.character("Q"), .control("c")])
  func `Quitting restores the terminal`(key: Key) async throws {
    let sandbox = try Sandbox()
    let reader = try sandbox.reader()
    try await reader.wait(for: "No feeds yet.")
    try reader.send(key)
    #expect(try await reader.waitForEnd() == .exited(0))
    #expect(reader.isGivenBack)
    #expect(!reader.screen.contains("No feeds yet."))
  }

  @Test(arguments: [SIGTERM, 0])
  func `The end does not wait for a server that hangs`(number: Int32) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      server.inject(.hang, on: "/", times: nil)
      let before = server.refreshes
      try reader.send("r")
      try await reader.wait(until: "it is asked") { _ in server.refreshes > before }
      // Keys are answered meanwhile.
      try reader.send("s")
      try await reader.wait(until: "the star shows") { $0.isStarred("Story 001") }
      if number == 0 { try reader.send("Q") } else { reader.signal(number) }
      #expect(try await reader.waitForEnd() == .exited(number == 0 ? 0 : 128 + number))
      #expect(reader.isGivenBack)
    }
  }

  @Test func `q goes back step by step, and quits at the start`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send(.enter)
      try await reader.wait(for: "The body of number 001.")
      try reader.send("q")
      try await reader.wait(for: "Story 002")
      try reader.send("qq")
      #expect(try await reader.waitForEnd() == .exited(0))
      #expect(reader.isGivenBack)
    }
  }

  @Test func `NO_COLOR leaves only the terminal's own colours`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let colored = try sandbox.reader()
      try await colored.wait(for: "Story 001")
      #expect(colorCount(colored.screen) > 0)
      let plain = try sandbox.reader(environment: ["NO_COLOR": "1"])
      try await plain.wait(for: "Story 001")
      #expect(colorCount(plain.screen) == 0)
      let configured = try sandbox.file("plain.toml", "[screen]\ncolors = false\n")
      let chosen = try sandbox.reader("--config", configured)
      try await chosen.wait(for: "Story 001")
      #expect(colorCount(chosen.screen) == 0)
    }
  }

  @Test func `The background is asked for, and the answer is no key`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(environment: ["COLORFGBG": "15;0"])
      try await reader.wait(for: "Story 001")
      func heading(_ screen: ScreenText) -> ScreenText.Color? {
        screen.cell(of: "All ·")?.foreground
      }
      let dark = heading(reader.screen)
      try await reader.wait(until: "it is asked") { _ in
        String(decoding: reader.output, as: UTF8.self).contains("\u{1b}]11;?")
      }
      try reader.send("j")
      for byte in "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\".utf8 { try reader.write([byte]) }
      try await reader.wait(until: "it is drawn for a light background") { heading($0) != dark }
      let title = try #require(reader.screen.cell(of: "Story 003"))
      #expect(title.foreground == .standard && title.isBold)
      try reader.send("s")
      let screen = try await reader.wait(until: "the second is starred") {
        $0.isStarred("Story 002")
      }
      #expect(!screen.contains("does not work on this page"))
      // What the settings say is not asked for.
      let config = try sandbox.file("light.toml", "[screen]\nbackground = \"light\"\n")
      let chosen = try sandbox.reader("--config", config)
      try await chosen.wait(for: "Story 001")
      #expect(heading(chosen.screen) == heading(screen))
      try chosen.write(Array("\u{1b}]11;rgb:0000/0000/0000\u{7}s".utf8))
      try await chosen.wait(until: "the star shows") { $0.isStarred("Story 001") }
      #expect(heading(chosen.screen) == heading(screen))
      #expect(!String(decoding: chosen.output, as: UTF8.self).contains("\u{1b}]11;?"))
    }
  }

  @Test(arguments: [("xterm-16color", 16), ("xterm", 8)])
  func `Few colours are colours`(type: String, count: Int) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      for environment in [[:], ["COLORFGBG": "0;15"], ["COLORFGBG": "15;0"]] as [[String: String]] {
        let reader = try sandbox.reader(environment: environment.merging(["TERM": type]) { $1 })
        let screen = try await reader.wait(for: "Story 001")
        #expect(colorCount(screen) > 0)
        for cell in screen.rows.joined() {
          if case .palette(let index) = cell.foreground { #expect(index < count) }
          if case .palette(let index) = cell.background { #expect(index < count) }
        }
      }
    }
  }

  @Test func `A mistake in the configuration is told on the plain screen`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("config.toml", "[network]\n  low_data = \"yes\"\n")
    let reader = try sandbox.reader("--config", config, size: (160, 24))
    #expect(try await reader.waitForEnd() == .exited(1))
    #expect(reader.screen.contains("config.toml:2:3: network.low_data: this must be true or false"))
    #expect(reader.isGivenBack)
    #expect(!String(decoding: reader.output, as: UTF8.self).contains("\u{1b}[?1049h"))
  }

  @Test func `Without a terminal there is an error instead of a screen`() async throws {
    let outcome = try await Sandbox().telex()
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("telex: terminal: standard input is not a terminal"))
  }
}

private func colorCount(_ screen: ScreenText) -> Int {
  screen.rows.joined().count { $0.foreground != .standard || $0.background != .standard }
}
