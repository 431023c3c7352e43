import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import TestSupport
import Testing

/// Links and the program that opens them.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderBrowserTests {
  @Test(arguments: [
    "https://example.org/a?b=c&d=e",
    "https://example.org/$(touch${IFS}pwned);touch${IFS}pwned",
    "https://example.org/`touch${IFS}pwned`|touch${IFS}pwned",
    "https://example.org/'%22;touch%20pwned;'",
    "https://example.org/%25u/%25s",
  ])
  func `An address reaches the browser as one argument and no shell`(url: String) async throws {
    try await withNewspaper(newspaper(1, url: { _ in url })) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try browserScript(in: sandbox)
      let reader = try sandbox.reader(environment: ["BROWSER": browser])
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      let arrived = await eventually { sandbox.contents(of: "opened") != nil }
      try #require(arrived, "\(reader.screen.drawing)")
      let id = try #require(try await sandbox.articles().first?["id"] as? Int)
      let shown = try await sandbox.telex("show", "\(id)", "--json").json()["url"] as? String
      #expect(sandbox.contents(of: "opened") == "1\n\(shown ?? "")\n")
      #expect(sandbox.contents(of: "pwned") == nil)
    }
  }

  @Test func `A browser with a window that fails is told, and O marks nothing then`() async throws {
    try await withNewspaper(newspaper(2, url: { "https://example.org/\($0)" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try sandbox.file(
        "a browser", "case \"$1\" in *two*) exit 4;; *) exit 0;; esac")
      let config = try sandbox.file(
        "config.toml",
        """
        [keys]
        set = "newsboat"
        [browser]
        command = "/bin/sh '\(browser)' 'two words'"
        """)
      let reader = try sandbox.reader("--config", config, size: (width: 120, height: 24))
      try await reader.wait(for: "Story 001")
      try reader.send("O")
      try await reader.wait(for: "has ended with status 4")
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.articles("--unread").count == 2)
      // One that has taken the page, and the program is ended at once.
      _ = try sandbox.file("a browser", "exec sleep 3")
      let again = try sandbox.reader("--config", config, size: (width: 120, height: 24))
      try await again.wait(for: "Story 001")
      try again.send("O")
      try await again.wait(for: "Opened https://example.org/")
      #expect(try await again.quit() == .exited(0))
      #expect(try await sandbox.articles("--unread").count == 1)
    }
  }

  @Test func `Mail is written by the program of the settings, and without one not at all`()
    async throws
  {
    let server = RawServer { _ in
      .reply(
        WireReply(
          type: "application/rss+xml",
          text: """
            <rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>One</title>
            <description>&lt;p&gt;&lt;a href="mailto:ada@e.org?subject=$(touch${IFS}pwned)"&gt;Write&lt;/a&gt;</description>
            </item></channel></rss>
            """))
    }
    let sandbox = try Sandbox()
    try await sandbox.add("http://127.0.0.1:\(try server.start())/feed")
    let script = try browserScript(in: sandbox)
    for (mail, target) in [
      ("", nil),
      ("mail = \"\(script) --to %u\"", "2\n--to\nmailto:ada@e.org?subject=$(touch${IFS}pwned)\n"),
    ] as [(String, String?)] {
      let config = try sandbox.file(
        "config.toml", "[browser]\ncommand = \"/bin/false\"\n\(mail)\n")
      let reader = try sandbox.reader("--config", config, size: (width: 120, height: 24))
      try await reader.wait(for: "One")
      try reader.send("\r")
      try await reader.wait(for: "Write")
      try reader.send("1\r")
      if target == nil {
        try await reader.wait(for: "browser.mail")
      } else {
        #expect(await eventually { sandbox.contents(of: "opened") == target })
      }
      #expect(try await reader.quit() == .exited(0))
    }
    #expect(sandbox.contents(of: "pwned") == nil)
    await server.stop()
  }

  @Test(arguments: [
    ("[browser]\nmail = \"sh -c 'mutt %u'\"", "could be a command"),
    ("[browser]\ncommand = \"sh -c 'w3m %u'\"", "could be a command"),
    ("[browser]\nbackground = \"firefox %u &\"", "means something to a shell only"),
    ("[player]\ncommand = \"bash -c 'mpv %u'\"", "could be a command"),
  ])
  func `A command of the configuration in which an address could be one is refused`(
    text: String, message: String
  ) async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("config.toml", text)
    let outcome = try await sandbox.telex("list", "--config", config)
    #expect(outcome.status != 0 && outcome.errors.contains(message), "\(outcome.testDescription)")
  }

  @Test func `A browser inherits no descriptor of the reader`() async throws {
    try await withNewspaper(newspaper(1, url: { _ in "https://example.org/a" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try sandbox.file(
        "browser",
        """
        cd '\(sandbox.folder)' || exit 1
        if test -e /dev/fd/9; then echo leaked; else echo closed; fi > looking
        mv looking looked
        """)
      // Without a mark to be closed, as sockets of libraries may be.
      let reader = try PseudoTerminal(
        executable: "/bin/sh",
        arguments: ["-c", "exec \"$0\" 9</dev/null", BuiltProduct.path(of: "telex")],
        environment: sandbox.home.merging(["BROWSER": "/bin/sh \(browser)"]) { $1 },
        size: (80, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      #expect(await eventually { sandbox.contents(of: "looked") == "closed\n" })
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A browser in the terminal that fails is told`() async throws {
    try await withNewspaper(newspaper(1, url: { _ in "https://example.org/a" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try sandbox.file("browser", "exit 4")
      let config = try sandbox.file(
        "config.toml",
        "[browser]\ncommand = \"/bin/sh \(browser)\"\nuses_terminal = true\n")
      let reader = try sandbox.reader("--config", config, size: (width: 120, height: 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      try await reader.wait(for: "has ended with status 4")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `An address is copied by the terminal and by a program, and what was opened is said`()
    async throws
  {
    try await withNewspaper(newspaper(1, url: { _ in "https://example.org/a?b=c" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      let copier = try sandbox.file(
        "copier",
        "cat > '\(sandbox.folder)/copying'; mv '\(sandbox.folder)/copying' '\(sandbox.folder)/copied'"
      )
      let config = try sandbox.file(
        "config.toml", "[screen]\ncopy_command = \"/bin/sh \(copier)\"\n")
      let browser = try browserScript(in: sandbox)
      let reader = try sandbox.reader(
        "--config", config, environment: ["BROWSER": browser], size: (width: 120, height: 24))
      try await reader.wait(for: "Story 001")
      try reader.send("y")
      try await reader.wait(for: "Copied https://example.org/a?b=c")
      #expect(sandbox.contents(of: "copied") == "https://example.org/a?b=c")
      let code = Data("https://example.org/a?b=c".utf8).base64EncodedString()
      let written = String(decoding: reader.output, as: UTF8.self)
      #expect(written.contains("\u{1B}]52;c;\(code)\u{7}"))
      try reader.send("o")
      try await reader.wait(for: "Opened https://example.org/a?b=c")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A browser that is missing is named, and so is the setting`() async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(
        environment: ["BROWSER": nil, "PATH": sandbox.folder], size: (width: 120, height: 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      let screen = try await reader.wait(for: "browser.command")
      #if os(macOS)
        #expect(screen.contains("open"))
      #else
        #expect(screen.contains("There is no program xdg-open"))
      #endif
    }
  }

  @Test func `A template keeps its arguments apart`() async throws {
    try await withNewspaper(newspaper(1, url: { _ in "https://example.org/a%20b;c" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try browserScript(in: sandbox)
      let config = try sandbox.file(
        "config.toml", "[browser]\ncommand = \"\(browser) --new %u --end\"\n")
      let reader = try sandbox.reader("--config", config)
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      let arrived = await eventually { sandbox.contents(of: "opened") != nil }
      try #require(arrived, "\(reader.screen.drawing)")
      #expect(
        sandbox.contents(of: "opened") == "3\n--new\nhttps://example.org/a%20b;c\n--end\n")
    }
  }

  @Test(arguments: [
    ("BROWSER", ""), ("", "[browser]\ncommand = \"$\"\n"),
  ])
  func `A browser that is known to draw on the terminal gets it without being told so`(
    _ variable: String, _ settings: String
  ) async throws {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try program("w3m", "echo browsing\nread line\n", in: sandbox)
      let config = try sandbox.file("config.toml", settings.replacing("$", with: browser))
      let reader = try sandbox.reader(
        "--config", config, environment: variable.isEmpty ? [:] : [variable: browser])
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      try await reader.wait(until: "the browser has the terminal") {
        $0.contains("browsing") && reader.isGivenBack
      }
      try reader.send("s\r")
      try await reader.wait(for: "Story 001")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  /// A tmux that takes the buffer, and one of a version without `-w`.
  @Test(arguments: [
    (
      "cat > '$/buffer'; printf '%s ' \"$@\" > '$/words'", "Copied https://example.org/a with tmux."
    ),
    ("exit 1", "if set-clipboard is on in tmux"),
  ])
  func `Within tmux an address is put into its buffer, else the terminal is asked`(
    _ script: String, _ message: String
  ) async throws {
    try await withNewspaper(newspaper(1, url: { _ in "https://example.org/a" })) {
      server, sandbox in
      try await sandbox.add(server.apiURL)
      _ = try program("tmux", script.replacing("$/", with: sandbox.folder + "/"), in: sandbox)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let reader = try sandbox.reader(
        environment: ["TMUX": "/tmp/none,1,0", "PATH": "\(sandbox.folder):\(path)"],
        size: (width: 120, height: 24))
      try await reader.wait(for: "Story 001")
      try reader.send("y")
      try await reader.wait(for: message)
      let isAsked = String(decoding: reader.output, as: UTF8.self).contains("\u{1B}]52;c;")
      if script.hasPrefix("exit") {
        #expect(isAsked)
      } else {
        #expect(!isAsked && sandbox.contents(of: "buffer") == "https://example.org/a")
        #expect(sandbox.contents(of: "words") == "load-buffer -w - ")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A browser on this terminal has it to itself until it ends`() async throws {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try sandbox.file(
        "lynx", "echo browsing\nread line\n")
      let config = try sandbox.file(
        "config.toml", "[browser]\ncommand = \"/bin/sh \(browser)\"\nuses_terminal = true\n")
      let reader = try sandbox.reader("--config", config)
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      try await reader.wait(until: "the browser has the terminal") {
        $0.contains("browsing") && reader.isGivenBack
      }
      try reader.send("s\r")
      let screen = try await reader.wait(until: "the reader is back") {
        $0.isAlternateScreen && $0.contains("Story 001")
      }
      #expect(!screen.isStarred("Story 001"))
    }
  }

  private static let other = [
    "javascript:alert(1)", "file:///etc/passwd", "data:text/html,hello", "--version",
  ]

  @Test(arguments: other)
  func `Other than web addresses are not opened`(url: String) async throws {
    let sandbox = try Sandbox()
    // A file has no base that would make a web address of everything.
    let feed = try sandbox.file(
      "feed.json",
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "Files",
       "items": [{"id": "1", "url": "\(url)", "title": "Story 001", "content_text": "x"}]}
      """)
    try await sandbox.add(feed)
    let browser = try browserScript(in: sandbox)
    let reader = try sandbox.reader(environment: ["BROWSER": browser], size: (120, 24))
    try await reader.wait(for: "Story 001")
    try reader.send("o")
    try await reader.wait(until: "the refusal shows") {
      $0.contains("Only http and https addresses are opened")
        || $0.contains("This article has no address")
    }
    #expect(sandbox.contents(of: "opened") == nil)
  }

  /// As somebody else may have written it there.
  @Test(arguments: other)
  func `Nor are they where they lie in the store`(url: String) async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let database = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await database.write {
        try $0.execute(sql: "UPDATE article SET url = ?", arguments: [url])
      }
      try database.close()
      let browser = try browserScript(in: sandbox)
      let reader = try sandbox.reader(environment: ["BROWSER": browser], size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      try await reader.wait(for: "Only http and https addresses are opened")
      #expect(sandbox.contents(of: "opened") == nil)
    }
  }

  /// What a feed names is an argument, and never a part of a script.
  @Test(arguments: ["%u", "%s"])
  func `An address is in no script of a shell`(sign: String) async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(
      try sandbox.file(
        "feed.json",
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Files", "items": [
          {"id": "1", "url": "https://example.org/$(touch${IFS}\(sandbox.folder)/done)",
           "title": "Story 001", "content_text": "x"}]}
        """))
    let reader = try sandbox.reader(
      environment: ["BROWSER": "sh -c 'echo \(sign) > \(sandbox.folder)/opened'"], size: (120, 24))
    try await reader.wait(for: "Story 001")
    try reader.send("o")
    try await reader.wait(for: "the script of a shell")
    #expect(sandbox.contents(of: "done") == nil && sandbox.contents(of: "opened") == nil)
    #expect(try await reader.quit() == .exited(0))
  }

  /// The convention of the variable.
  @Test func `The first browser of a list that is there gets the address for its sign`()
    async throws
  {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let browser = try browserScript(in: sandbox)
      let reader = try sandbox.reader(
        environment: ["BROWSER": "/nowhere/x:\(browser) --to=%s"], size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      #expect(
        await eventually {
          (sandbox.contents(of: "opened") ?? "").contains("--to=http")
        })
    }
  }

  @Test func `A browser that does not exist is an error on the screen`() async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(
        environment: ["BROWSER": "/nowhere/browser"], size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("o")
      try await reader.wait(for: "There is no program /nowhere/browser")
      try reader.send("s")
      try await reader.wait(until: "the reader goes on") { $0.isStarred("Story 001") }
    }
  }
}

/// A browser that writes down how many arguments it got, and each on a line of its own.
///
/// The shell is named rather than the script made executable: what has just been written may still
/// be open in a process that another test is starting, and then is too busy to be run.
/// A script that can be started by its name.
private func program(_ name: String, _ text: String, in sandbox: Sandbox) throws -> String {
  let path = try sandbox.file(name, "#!/bin/sh\n" + text + "\n")
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  return path
}

private func browserScript(in sandbox: Sandbox) throws -> String {
  let path = try sandbox.file(
    "browser",
    """
    cd '\(sandbox.folder)' || exit 1
    printf '%s\\n' "$#" "$@" > opening
    mv opening opened
    """)
  return "/bin/sh " + path
}
