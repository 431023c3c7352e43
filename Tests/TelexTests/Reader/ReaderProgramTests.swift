import ChildProcess
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Programs of the user's own that are run for an article, and lists of commands.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderProgramTests {
  private static let feed = """
    <rss version="2.0"><channel><title>Daily -x</title>
    <item><title>--help; $(touch pwned)</title><link>https://news.example/a?b='c'</link>
    <description>&lt;p&gt;The &lt;b&gt;own&lt;/b&gt; text&lt;/p&gt;</description></item>
    </channel></rss>
    """

  /// A reader with these settings on one article, and the folder that programs work in.
  private func reader(_ settings: String, in sandbox: Sandbox) async throws -> PseudoTerminal {
    try await sandbox.add(try sandbox.file("feed.xml", Self.feed))
    let config = try sandbox.file("telex.toml", settings)
    let reader = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await reader.wait(for: "touch pwned")
    return reader
  }

  /// A script that writes its arguments and what it reads to a file.
  private func script(_ end: String = "", in sandbox: Sandbox) throws -> String {
    try sandbox.file(
      "spy",
      """
      { printf '[%s]\\n' "$@"; printf '<%s>\\n' "$TELEX_URL"; cat; } > "\(sandbox.folder)/spied.new"
      mv "\(sandbox.folder)/spied.new" "\(sandbox.folder)/spied"
      \(end)
      """)
  }

  @Test
  func `A program gets the article as arguments, variables and input, and no shell is between`()
    async throws
  {
    let sandbox = try Sandbox()
    let spy = try script("echo one line", in: sandbox)
    let reader = try await reader(
      """
      [commands.spy]
      keys = "X"
      run = ["/bin/sh", "\(spy)", "%t", "at %u", "100%%", "%f"]
      input = "html"
      help = "spy on it"
      """, in: sandbox)
    try reader.send("X")
    try await reader.wait(for: "one line")
    let spied = try #require(sandbox.contents(of: "spied"))
    #expect(
      spied == """
        [help; $(touch pwned)]
        [at https://news.example/a?b='c']
        [100%]
        [Daily -x]
        <https://news.example/a?b='c'>
        <p>The <b>own</b> text</p>
        """, "\(spied)")
    #expect(sandbox.contents(of: "pwned") == nil)
    try reader.send("??")
    try await reader.wait(for: "All commands of this page")
    try reader.send("spy")
    try await reader.wait(for: "spy on it")
    try reader.send(.escape)
    try await reader.wait(until: "it is closed") { !$0.contains("spy on it") }
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `What it prints takes the place of the text, and back brings that again`() async throws
  {
    let sandbox = try Sandbox()
    let reader = try await reader(
      """
      [commands.shout]
      keys = "X"
      run = ["tr", "a-z", "A-Z"]
      output = "article"
      """, in: sandbox)
    try reader.send("\r")
    try await reader.wait(for: "The own text")
    try reader.send("X")
    try await reader.wait(for: "THE OWN TEXT")
    #expect(reader.screen.contains("Output of shout."))
    try reader.send("q")
    try await reader.wait(for: "The own text")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `Output is a page without control characters, and a program without an end is ended`()
    async throws
  {
    let sandbox = try Sandbox()
    let noisy = try sandbox.file(
      "noisy", "printf '\\033[31mred\\033[0m\\nsecond \\033]0;title\\007line\\n'; exec sleep 600")
    let reader = try await reader(
      "[commands.noisy]\nkeys = \"X\"\nrun = [\"/bin/sh\", \"\(noisy)\"]\n", in: sandbox)
    try reader.send("X")
    try await reader.wait(for: "second line")
    #expect(reader.screen.contains("running …"))
    #expect(reader.screen.lines.contains { $0.hasPrefix(" red") })
    try reader.send("q")
    try await reader.wait(for: "touch pwned")
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A program may have the terminal, and reads the text there`() async throws {
    let sandbox = try Sandbox()
    let pager = try sandbox.file(
      "pager", "cat; printf 'press a key '; head -c 1 /dev/tty > /dev/null; exit 3")
    let reader = try await reader(
      """
      [commands.pager]
      keys = "X"
      run = ["/bin/sh", "\(pager)"]
      output = "terminal"
      """, in: sandbox)
    try reader.send("X")
    try await reader.wait(for: "press a key")
    #expect(reader.screen.contains("The own text") && !reader.screen.isAlternateScreen)
    try reader.send("\r")
    try await reader.wait(for: "ended with status 3")
    #expect(reader.screen.isAlternateScreen)
    #expect(try await reader.quit() == .exited(0))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `A signal that ends the reader ends a program that has the terminal`(
    number: Int32, status: Int32
  ) async throws {
    let sandbox = try Sandbox()
    let reader = try await reader(
      "[commands.slow]\nkeys = \"X\"\nrun = [\"sleep\", \"1000\"]\noutput = \"terminal\"\n",
      in: sandbox)
    try reader.send("X")
    try await reader.wait(until: "the program has the terminal") { !$0.isAlternateScreen }
    reader.signal(number)
    #expect(try await reader.waitForEnd() == .exited(status))
  }

  @Test
  func `Ctrl-Z in a program with the terminal stops the reader too, Ctrl-C ends the program alone`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", Self.feed))
    let group = "\(sandbox.folder)/group"
    let slow = try sandbox.file(
      "slow",
      """
      echo $$ > '\(group)'; echo 'working …'
      while read -r line < /dev/tty; do [ "$line" = done ] && break; done
      echo over; exit 4
      """)
    let config = try sandbox.file(
      "telex.toml",
      "[commands.slow]\nkeys = \"X\"\nrun = [\"/bin/sh\", \"\(slow)\"]\noutput = \"terminal\"\n")
    let environment = sandbox.home.merging(["PS1": "ready> ", "ENV": nil]) { $1 }
    let shell = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-i"], environment: environment, size: (100, 24))
    try await shell.wait(for: "ready>")
    try shell.send("'\(BuiltProduct.path(of: "telex"))' --config '\(config)'\r")
    try await shell.wait(for: "touch pwned")
    try shell.send("X")
    try await shell.wait(for: "working …")
    try shell.send(.control("z"))
    try await shell.wait(until: "the shell has the terminal") { $0.contains("Stopped") }
    // What is typed before the shell reads may be lost, and Ctrl-C before the program has the terminal
    // again would be for the shell. A second `fg` is a line that the program ignores.
    let program = try #require(sandbox.contents(of: "group").flatMap { Int32($0.dropLast()) })
    let goesOn = await eventually(within: .seconds(40)) {
      try? shell.send("fg\r")
      return await eventually(within: .seconds(8)) { shell.foregroundGroup == program }
    }
    #expect(goesOn, "\(shell.screen.drawing)")
    try shell.send(.control("c"))
    try await shell.wait(until: "the reader is back") {
      $0.isAlternateScreen && $0.contains("touch pwned")
    }
    try shell.send("X")
    try await shell.wait(until: "it runs again") {
      !$0.isAlternateScreen && $0.lines.filter { $0.contains("working …") }.count > 1
    }
    try shell.send("done\r")
    try await shell.wait(for: "ended with status 4")
    try shell.send("Q")
    try await shell.wait(until: "the shell is back") { _ in shell.isGivenBack }
  }

  @Test func `What a program leaves to itself goes on after its end`() async throws {
    let sandbox = try Sandbox()
    let path = "\(sandbox.folder)/left"
    let fork = try sandbox.file(
      "fork", "(sleep 1; echo still here > '\(path)') > /dev/null 2>&1 &\necho begun")
    let reader = try await reader(
      "[commands.fork]\nkeys = \"X\"\nrun = [\"/bin/sh\", \"\(fork)\"]\n", in: sandbox)
    try reader.send("X")
    try await reader.wait(for: "begun")
    #expect(await eventually { sandbox.contents(of: "left") == "still here\n" })
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `A file with the text is there as long as the program runs`() async throws {
    let sandbox = try Sandbox()
    let reader = try await reader(
      """
      [commands.file]
      keys = "X"
      run = ["sh", "-c", 'ls -l "$1" | cut -c1-10; cat "$1"', "sh", "%p"]

      [commands.missing]
      keys = "Y"
      run = ["telex-no-such-program"]
      """, in: sandbox)
    try reader.send("X")
    try await reader.wait(for: "-rw-------")
    #expect(reader.screen.contains("The own text"))
    try reader.send("q")
    try await reader.wait(for: "touch pwned")
    try reader.send("Y")
    try await reader.wait(for: "telex-no-such-program cannot be started")
    #expect(try await reader.quit() == .exited(0))
    let left = try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory())
    #expect(!left.contains { $0.hasPrefix("telex-") && $0.hasSuffix(".txt") })
  }

  @Test
  func `The text of an article is piped into a program, or saved to a file that is not there yet`()
    async throws
  {
    let sandbox = try Sandbox()
    let reader = try await reader("", in: sandbox)
    try reader.send("|")
    try await reader.wait(for: "Pipe into:")
    try reader.send("grep -c 'own text'\r")
    try await reader.wait(until: "the count is told") { $0.lines.last == " 1" }
    for name in ["saved.txt", "saved.html", "saved.epub", "saved.md", "saved.txt"] {
      try reader.send("\u{13}")
      try await reader.wait(for: "another format): ~/help touch pwned.txt")
      try reader.send("\u{15}\(sandbox.folder)/\(name)\r")
      try await reader.wait(until: "it is told") { !$0.contains("Save to") }
    }
    try await reader.wait(until: "the file is told of", timeout: .seconds(20)) { screen in
      screen.lines.joined(separator: " ").split(separator: " ").joined(separator: " ").contains(
        "file already")
    }
    #expect(sandbox.contents(of: "saved.txt")?.contains("The own text") == true)
    let html = try #require(sandbox.contents(of: "saved.html"))
    #expect(html.contains("<strong>own</strong>"))
    #expect(html.contains("<h1>") && html.contains("--help; $(touch pwned)"))
    #expect(sandbox.contents(of: "saved.md")?.contains("The **own** text") == true)
    #expect(try await BookReader("saved.epub", in: sandbox).faults == [])
    #expect(try await reader.quit() == .exited(0))
  }

  @Test func `What is wrong with a command of one's own is told with its place`() async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file(
      "telex.toml",
      """
      [macros.read-on]
      run = ["toggle-read", "fly"]
      keys = "x"

      [commands.translate]
      run = ["trans"]
      output = "nowhere"
      colour = "red"
      """)
    let check = try await sandbox.telex("config", "check", "--config", config)
    #expect(check.status == 1)
    let lines = check.output.split(separator: "\n")
    #expect(lines.contains { $0.contains("telex.toml:1:1: read-on cannot run “fly”") })
    #expect(lines.contains { $0.contains("telex.toml:8:1: translate.colour is not a setting") })
    #expect(lines.contains { $0.contains("translate.output must be one of: page, article") })
  }

  @Test func `New articles run a program and tell the terminal, those of a first refresh do not`()
    async throws
  {
    let sandbox = try Sandbox()
    func feed(_ titles: [String]) -> String {
      let items = titles.enumerated().map { index, title in
        let day = index < 9 ? "0\(index + 1)" : "\(index + 1)"
        return """
          <item><title>\(title)</title><guid>\(title)</guid>
          <pubDate>\(day) Nov 2026 10:00:00 GMT</pubDate></item>
          """
      }
      return "<rss version=\"2.0\"><channel><title>Daily</title>\(items.joined())</channel></rss>"
    }
    let path = try sandbox.file("feed.xml", feed(["Swift one"]))
    let note = try sandbox.file(
      "note",
      """
      printf '%s|%s|%s\\n' "$TELEX_NEW" "$TELEX_TITLE" "$1" >> "\(sandbox.folder)/noted"
      """)
    let config = try sandbox.file(
      "telex.toml",
      """
      [commands.note]
      run = ["/bin/sh", "\(note)", "%f"]

      [commands.started]
      run = ["touch", "\(sandbox.folder)/started"]

      [events]
      on_start = "started"

      [[events.on_new]]
      query = "swift"
      run = "note"

      [[events.on_new]]
      notify = "osc777"
      """)
    let reader = try sandbox.reader("--config", config, size: (width: 100, height: 24))
    try await reader.wait(for: "? keys")
    try await reader.add(path)
    try await reader.wait(for: "Swift one")
    #expect(await eventually { sandbox.contents(of: "started") != nil })
    _ = try sandbox.file("feed.xml", feed(["Swift one", "Rust two", "Swift three", "Swift four"]))
    try reader.send("R")
    try await reader.wait(for: "3 new")
    let noted = "2|Swift four|Daily\n"
    #expect(await eventually { sandbox.contents(of: "noted") == noted })
    // The program may be faster than what reads the terminal.
    let told = "\u{1B}]777;notify;Telex;3 new: Swift four (Daily)\u{7}"
    let isTold = await eventually(within: .seconds(20)) {
      String(decoding: reader.output, as: UTF8.self).contains(told)
    }
    #expect(isTold)
    let written = String(decoding: reader.output, as: UTF8.self)
    #expect(!written.contains("Telex;Swift one"))
    #expect(try await reader.quit() == .exited(0))
  }
}
