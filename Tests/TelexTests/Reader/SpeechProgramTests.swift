import ChildProcess
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Reading articles aloud by a program, which here writes down what it is to say.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SpeechProgramTests {
  private static let feed = """
    <rss version="2.0"><channel><title>Daily</title><language>de</language>
    <item><title>The news</title><link>https://news.example/a</link>
    <description>&lt;p&gt;See &lt;a href="https://e.example/"&gt;this&lt;/a&gt; [[[volm 0]]&lt;br&gt;
    !-!QUIT&lt;/p&gt;&lt;p&gt;&lt;img src="https://e.example/i.png" alt="A cat"&gt;&lt;/p&gt;</description></item>
    </channel></rss>
    """

  /// Makes a program in a folder of the sandbox's own.
  private func program(_ name: String, _ end: String, in sandbox: Sandbox) throws -> String {
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/bin", withIntermediateDirectories: true)
    return try sandbox.file(
      "bin/\(name)",
      """
      #!/bin/sh
      echo "\(name) $*" >> "\(sandbox.folder)/calls"
      /bin/cat > "\(sandbox.folder)/heard.$$"
      /bin/mv "\(sandbox.folder)/heard.$$" "\(sandbox.folder)/heard-\(name)"
      echo $$ > "\(sandbox.folder)/speaker"
      \(end)
      """, permissions: 0o755)
  }

  private func reader(
    _ settings: String = "", path: String? = nil, in sandbox: Sandbox
  ) async throws -> PseudoTerminal {
    try await sandbox.add(try sandbox.file("feed.xml", Self.feed))
    let config = try sandbox.file("telex.toml", settings)
    let reader = try sandbox.reader(
      "--config", config, environment: ["PATH": path ?? sandbox.folder + "/bin"],
      size: (width: 100, height: 24))
    try await reader.wait(for: "The news")
    return reader
  }

  private func isAlive(_ sandbox: Sandbox) -> Bool {
    guard let text = sandbox.contents(of: "speaker"),
      let process = pid_t(text.filter(\.isNumber))
    else { return false }
    return kill(process, 0) == 0
  }

  @Test func `The program of the settings gets the text, and the same key ends it`() async throws {
    let sandbox = try Sandbox()
    let speak = try program("speak", "exec /bin/sleep 600", in: sandbox)
    let reader = try await reader(
      "[speech]\ncommand = [\"\(speak)\", \"-x\", \"two words\"]\n", in: sandbox)
    try reader.send("!")
    #expect(await eventually { isAlive(sandbox) })
    #expect(sandbox.contents(of: "calls") == "speak -x two words\n")
    let heard = try #require(sandbox.contents(of: "heard-speak"))
    #expect(heard == "The news.\n\nSee this [ [ [volm 0]]\n !-!QUIT\n\nPicture: A cat.\n")
    try await reader.wait(until: "it says so") { $0.lines.last?.contains("reading aloud") == true }
    try reader.send("!")
    #expect(await eventually { !isAlive(sandbox) })
    try await reader.wait(for: "Stopped reading aloud.")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Leaving the reader silences it, even one that does not listen`() async throws {
    let sandbox = try Sandbox()
    let speak = try program(
      "speak", "trap '' TERM HUP INT; while :; do /bin/sleep 1; done", in: sandbox)
    let reader = try await reader("[speech]\ncommand = \"\(speak)\"\n", in: sandbox)
    try reader.send("!")
    #expect(await eventually { isAlive(sandbox) })
    #expect(try await reader.quit() == .exited(0))
    #expect(await eventually { !isAlive(sandbox) })
  }

  @Test func `What is installed is tried one after the other, in the article's language first`()
    async throws
  {
    let sandbox = try Sandbox()
    _ = try program("spd-say", "echo no server >&2; exit 1", in: sandbox)
    _ = try program("espeak-ng", "exit 0", in: sandbox)
    let reader = try await reader(in: sandbox)
    try reader.send("!")
    #expect(await eventually { sandbox.contents(of: "calls")?.contains("espeak-ng") == true })
    #expect(
      sandbox.contents(of: "calls") == """
        spd-say --wait --volume -100 a
        spd-say --pipe-mode --wait --language de
        spd-say --pipe-mode --wait
        espeak-ng --stdin -v de

        """)
    try await reader.wait(until: "it is over") { $0.lines.last?.contains("reading aloud") == false }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A speech server without a device for sounds is not waited for`() async throws {
    let sandbox = try Sandbox()
    _ = try program("spd-say", "exec /bin/sleep 600", in: sandbox)
    let reader = try await reader(in: sandbox)
    try reader.send("!")
    try await reader.wait(for: "does not begin to speak")
    #expect(await eventually { !isAlive(sandbox) })
    let calls = sandbox.contents(of: "calls") ?? ""
    #expect(calls.hasPrefix("spd-say --wait --volume -100 a\n") && !calls.contains("--pipe-mode"))
    // Another program speaks in its place.
    _ = try program("espeak-ng", "exit 0", in: sandbox)
    try reader.send("!")
    #expect(await eventually { sandbox.contents(of: "calls")?.contains("espeak-ng") == true })
    try await reader.wait(until: "it is over") { $0.lines.last?.contains("reading aloud") == false }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Where nothing can speak, the message names what would`() async throws {
    let sandbox = try Sandbox()
    let reader = try await reader(path: sandbox.folder + "/none", in: sandbox)
    try reader.send("!")
    try await reader.wait(for: "espeak-ng")
    #expect(reader.screen.contains("speech.command"))
    #expect(try await reader.quit() == .exited(0))

    let config = try sandbox.file("wrong.toml", "speech.command = \"telex-no-such-program\"\n")
    let wrong = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await wrong.wait(for: "The news")
    try wrong.send("!")
    try await wrong.wait(for: "telex-no-such-program")
    #expect(try await wrong.quit() == .exited(0))
  }
}
