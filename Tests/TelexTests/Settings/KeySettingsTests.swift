import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// `[keys]` of the configuration, in the reader and by `telex config`.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct KeySettingsTests {
  @Test func `A mistake does not keep the reader shut, which says where it is`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file(
      "telex.toml",
      """
      [keys]
      search = "Hyper-x"
      toggle-stra = "x"
      refresh = ["F5", "Ctrl-r"]
      open = 7

      [keys.sidebar]
      add = "Y"
      """)
    let reader = try sandbox.reader("--config", config)
    try await reader.wait(for: "telex.toml:")
    #expect(reader.screen.lines.joined(separator: " ").contains("telex config check"))
    try reader.send("?")
    try await reader.wait(for: "Move")
    #expect(try await reader.quit() == .exited(0))

    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 1, "\(check.testDescription)")
    let lines = check.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.contains { $0.contains("telex.toml:2:1: There is no key “Hyper-x”") })
    #expect(lines.contains { $0.contains("telex.toml:3:1: There is no command “toggle-stra”") })
    #expect(lines.contains { $0.contains("telex.toml:5:1: There is no key") })
    #expect(lines.contains { $0.contains("telex.toml:8:1: A key does the same on every page") })
  }

  @Test func `A theme of one's own and what stands out are drawn, and mistakes in them are told`()
    async throws
  {
    let sandbox = try Sandbox()
    let feed = """
      <rss version="2.0"><channel><title>Daily</title><item><title>A swift title</title>
      <description>text</description></item><item><title>Another</title></item></channel></rss>
      """
    try await sandbox.add(try sandbox.file("feed.xml", feed))
    let config = try sandbox.file(
      "telex.toml",
      """
      [screen]
      theme = "mine"
      background = "dark"

      [themes.mine]
      base = "gruvbox"
      heading = "color201 bold"

      [themes.mine.light]
      heading = "color17"

      [[highlights]]
      title = "ANOTHER"
      style = "color46"
      """)
    let reader = try sandbox.reader("--config", config)
    try await reader.wait(for: "A swift title")
    let output = String(decoding: reader.output, as: UTF8.self)
    #expect(output.contains("38;5;201m") && !output.contains("38;5;17m"))
    #expect(output.contains("38;5;46m"))
    try reader.send(":theme\r")
    try await reader.wait(for: "Theme ")
    try reader.send("g\r")
    try await reader.wait(for: "screen.theme is telex, set in config.toml")
    #expect(try await reader.quit() == .exited(0))

    let wrong = try sandbox.file(
      "wrong.toml",
      """
      [screen]
      theme = "none"

      [themes.mine]
      base = "nobody"
      headings = "red"
      link = "purple"
      dim = 7

      [[highlights]]
      title = "("
      style = "red"

      [[highlights]]
      body = "x"
      style = "red on"
      """)
    let check = try await sandbox.telex("config", "check", "--config", wrong)
    #expect(check.status == 1, "\(check.testDescription)")
    for line in [
      "wrong.toml:2:1: there is no theme “none”", "wrong.toml:4:1: there is no theme “nobody”",
      "wrong.toml:6:1: no part of the screen is called headings",
      "wrong.toml:7:1: “purple” is no colour", "wrong.toml:8:1: dim must be a string",
      "wrong.toml:10:1: “(” is not a regular expression",
      "wrong.toml:14:1: a highlight has no “body”",
    ] {
      #expect(check.output.contains(line), "\(line) in \(check.output)")
    }
    let bad = try sandbox.reader("--config", wrong)
    try await bad.wait(for: "telex config check")
    #expect(try await bad.quit() == .exited(0))
  }

  @Test func `Keys of one's own work in the reader`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("telex.toml", "[keys]\nset = \"newsboat\"\nhelp = \"F1\"\n")
    let reader = try sandbox.reader("--config", config)
    try await reader.wait(for: "F1 keys")
    try reader.send("\u{1B}OP")
    try await reader.wait(for: "Move")
    #expect(try await reader.quit() == .exited(0))
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 0 && check.output.contains("the settings have no mistakes"))
  }

  @Test(arguments: ["vi", "emacs", "newsboat"])
  func `What is printed as the keys of a set is taken without a mistake`(
    _ set: String
  ) async throws {
    let sandbox = try Sandbox()
    let printed = try await sandbox.telex("config", "default", "--set", set)
    #expect(printed.status == 0 && printed.output.contains("toggle-star"))
    // Each line counts once the sign before it is gone.
    let text = printed.output.split(separator: "\n").map {
      $0.hasPrefix("# ") ? String($0.dropFirst(2)) : String($0)
    }.joined(separator: "\n")
    let config = try sandbox.file("telex.toml", text + "\n")
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 0, "\(check.testDescription)")
  }

  @Test func `What is no TOML is an error of the check too`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("telex.toml", "[keys]\nset = vi\n")
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 1 && check.errors.contains("telex.toml:2:"))
  }
}
