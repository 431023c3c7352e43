import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import Requirements
import Testing

/// Wrong usage, stores that cannot be used, and output that nobody reads.
@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
  @Test(
    .needs(.fullDevice),
    arguments: [("/dev/full", "No space left"), ("&-", "Bad file descriptor")])
  func `Output that cannot be written is a failure of every verb that has some`(
    target: String, reason: String
  ) async throws {
    let sandbox = try Sandbox()
    try sandbox.file("feed.xml", rss)
    try sandbox.file(
      "list.opml",
      "<opml version='2.0'><body><outline xmlUrl='http://127.0.0.1:9/'/></body></opml>")
    try await sandbox.add("./feed.xml")
    let verbs = [
      "--help", "--version", "help add", "--generate-completion-script bash", "list", "list --json",
      "articles", "articles --json", "search length", "show 1", "show 1 --json", "status", "stats",
      "cache", "journal", "export", "digest --output -", "parse feed.xml", "opml list.opml",
      "render feed.xml", "doctor",
      "config default", "config settings", "import list.opml", "read 1", "star 1",
      "set 1 --title T",
      "undo", "refresh", "edit --print", "add ./feed.xml", "remove 1 --yes",
    ]
    let lines = verbs.map { "telex \($0) >\(target) 2>errors; echo \"$? \($0)\"; cat errors" }
    let outcome = try await sandbox.shell(lines.joined(separator: "\n"))
    for verb in verbs {
      #expect(outcome.lines.contains("1 \(verb)"), "\(outcome.testDescription)")
    }
    let told = "standard output cannot be written: \(reason)"
    #expect(outcome.lines.count { $0.contains(told) } == verbs.count)
  }

  @Test(arguments: [
    ["--no-such-option"], ["nonsense"], ["articles", "--no-such-option"], ["show"],
    ["show", "abc"], ["read"], ["star", "1.5"], ["read", "12", "x"],
    ["read", ""], ["articles", "titel:x"], ["read", "(a"], ["smart", "add", "Name", "is:new"],
    ["smart", "remove", "None"], ["queue", "--chapters", "1", "--enclosure=-9223372036854775808"],
    ["articles", "--limit", "-1"],
    ["articles", "--limit=-1"], ["articles", "--limit", "99999999999999999999"],
    ["articles", "--cursor", "nonsense"], ["articles", "--cursor=1.2.3"], ["search"],
    ["search", "x", "--limit=-5"], ["fetch"], ["fetch", "http://127.0.0.1:1/", "--timeout", "0"],
    ["fetch", "http://127.0.0.1:1/", "--timeout", "nan"], ["refresh", "--timeout", "0"],
    ["refresh", "--timeout", "nan"], ["refresh", "--timeout=-1"], ["render", "-", "--width", "0"],
    ["parse"], ["parse", "-x"], ["add"], ["add", "-x"], ["remove"], ["remove", "4711"],
    ["articles", "--feed", "4711"], ["refresh", "4711"], ["doctor", "4711"],
    ["doctor", "--timeout", "0"], ["doctor", "a", "b"], ["prefetch", "foo:"],
    ["show", "1", "--width", "0"], ["refresh", "--due", "1"], ["import", "--starter", "list.opml"],
    ["import", "--starter", "--from", "newsboat"],
  ])
  func `Wrong usage is exit status 2 and a word on standard error`(
    arguments: [String]
  ) async throws {
    let outcome = try await Sandbox().telex(arguments)
    #expect(outcome.status == 2, "\(outcome.testDescription)")
    #expect(outcome.output == "" && outcome.errors != "")
  }

  @Test(arguments: ["list", "refresh", "doctor", "config check", ""])
  func `A path in the environment that is not whole is refused, for it would be passed over`(
    verb: String
  ) async throws {
    let sandbox = try Sandbox()
    let words = verb.split(separator: " ").map(String.init)
    for name in ["TELEX_STORE", "TELEX_CONFIG"] {
      let outcome = try await sandbox.telex(words, environment: [name: "news"])
      #expect(outcome.status == 2, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("\(name) has to be a whole path"))
    }
    #expect(sandbox.contents(of: ".local/share/telex/telex.sqlite") == nil)
    let named = try await sandbox.telex(
      ["list", "--store", "here"], environment: ["TELEX_STORE": "news"])
    #expect(named.status == 0, "\(named.testDescription)")
    #expect(try await sandbox.telex(["list"], environment: ["TELEX_STORE": ""]).status == 0)
    #expect(try await sandbox.telex(["list"], environment: ["XDG_DATA_HOME": "data"]).status == 0)
  }

  @Test func `Settings that the environment names have to be there`() async throws {
    let sandbox = try Sandbox()
    for verb in [["list"], ["config", "check"]] {
      let outcome = try await sandbox.telex(
        verb, environment: ["TELEX_CONFIG": sandbox.folder + "/none.toml"])
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("check the path given with TELEX_CONFIG"))
    }
  }

  @Test(arguments: [["articles", "-tag:work"], ["search", "-title:x"], ["read", "-is:unread"]])
  func `A query that begins with a hyphen is told where it belongs`(
    arguments: [String]
  ) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex(arguments)
    #expect(outcome.status == 2, "\(outcome.testDescription)")
    #expect(outcome.errors.contains("behind --: telex … -- '\(arguments[1])'"))
    let right = try await sandbox.telex([arguments[0], "--", arguments[1]])
    #expect(right.status == 0, "\(right.testDescription)")
  }

  @Test(arguments: [
    ["refresh", "--timeout", "1e300"], ["refresh", "--timeout", "inf"],
    ["articles", "--cursor", "5.-9223372036854775808"],
    ["articles", "--cursor", "9223372036854775807.9223372036854775807"],
    ["articles", "--limit", "9223372036854775807"],
    ["articles", "--cursor", "-9223372036854775808.-9223372036854775808"],
  ])
  func `The largest numbers are numbers`(arguments: [String]) async throws {
    let outcome = try await Sandbox().telex(arguments)
    #expect([0, 2].contains(outcome.status), "\(outcome.testDescription)")
  }

  @Test(arguments: [
    [], ["add"], ["remove"], ["list"], ["refresh"], ["articles"], ["show"], ["read"], ["star"],
    ["search"], ["import"], ["export"], ["parse"], ["fetch"], ["opml"], ["render"],
    ["extract"], ["later"], ["doctor"],
  ])
  func `Every command has help`(verb: [String]) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex(verb + ["--help"])
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.contains(verb.isEmpty ? "Telex reads news." : "USAGE: telex"))
    #expect(sandbox.contents(of: ".local/share/telex/telex.sqlite") == nil)
  }

  @Test func `--help is one screen with all commands by their groups`() async throws {
    let sandbox = try Sandbox()
    let help = try await sandbox.telex("--help")
    #expect(help.status == 0 && help.errors == "")
    let lines = help.output.components(separatedBy: "\n")
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 }, "\(help.output)")
    for words in [["help"], ["-h"], ["--store", "x", "--help"]] {
      #expect(try await sandbox.telex(words).output == help.output)
    }
    let groups = [
      "Read", "Subscribe", "Organise", "Accounts", "Offline", "Move", "Scripts", "Mend",
    ]
    let rows = lines.filter { line in groups.contains { line.hasPrefix("  \($0)  ") } }
    #expect(rows.count == groups.count)
    for (group, row) in zip(groups, rows) {
      let topic = try await sandbox.telex("help", group)
      let names = row.split(separator: " ").dropFirst().map(String.init)
      #expect(topic.status == 0 && !names.isEmpty)
      for name in names {
        let line = try #require(topic.lines.first { $0.hasPrefix("  \(name)  ") })
        #expect(line.count <= 80 && line.hasSuffix("."), "\(line)")
        #expect(try await sandbox.telex("help", name).output.contains("USAGE: telex \(name)"))
      }
    }
    #expect(try await sandbox.telex("help", "offline").output.hasPrefix("Offline\n"))
  }

  @Test func `The help of every command fits 80 columns and speaks of commands`() async throws {
    let sandbox = try Sandbox()
    let dump = try #require(
      try JSONSerialization.jsonObject(
        with: Data(try await sandbox.telex("--experimental-dump-help").output.utf8))
        as? [String: Any])
    var open = [(words: [String](), command: try #require(dump["command"] as? [String: Any]))]
    var count = 0
    while let (words, command) = open.popLast() {
      for below in command["subcommands"] as? [[String: Any]] ?? []
      where below["shouldDisplay"] as? Bool == true {
        open.append((words + [try #require(below["commandName"] as? String)], below))
      }
      let help = try await sandbox.telex(words + ["--help"]).output
      for line in help.components(separatedBy: "\n") {
        #expect(line.count <= 80, "telex \(words): \(line)")
      }
      #expect(!help.contains(#/(?i)\b(sub-?commands?|verbs?)\b/#), "\(help)")
      count += 1
    }
    #expect(count > 50)
  }

  @Test(arguments: [
    ("lsit", "did you mean list?"), ("serach", "did you mean search?"),
    ("Show", "did you mean show?"), ("xyzzy", "telex --help lists the commands"),
    ("tags", "type telex tag."), ("comment", "telex comments ARTICLE --write TEXT"),
    ("download", "telex transfers --download ARTICLE"),
    ("upload", "telex transfers --upload FILE --to ARTICLE"),
    ("chapters", "telex queue --chapters ARTICLE"),
    ("transcript", "telex queue --transcript ARTICLE"),
    ("import-articles", "telex import --articles FILE"),
    ("example.org", "telex add example.org subscribes to it"),
    ("https://example.org/feed?key=1", "telex add https://example.org/feed"),
  ])
  func `A word that is no command leads to one`(word: String, advice: String) async throws {
    let sandbox = try Sandbox()
    for words in [[word], ["--store", "here", word, "--json"]] {
      let outcome = try await sandbox.telex(words)
      #expect(outcome.status == 2 && outcome.output == "", "\(outcome.testDescription)")
      #expect(outcome.errors.contains(advice), "\(outcome.testDescription)")
      #expect(!outcome.errors.contains("key=1"))
    }
    #expect(sandbox.contents(of: ".local/share/telex/telex.sqlite") == nil)
  }

  @Test func `An address in place of a command is added after a question`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for (answer, status) in [("n", 1), ("y", 0)] {
        let terminal = try sandbox.reader(server.apiURL)
        try await terminal.wait(for: "Subscribe to")
        #expect(try await sandbox.telex("list").output == "")
        try terminal.send("\(answer)\r")
        #expect(try await terminal.waitForEnd() == .exited(Int32(status)))
      }
      #expect(try await sandbox.telex("list").lines.count == 1)
    }
  }

  @Test func `--version says which Telex it is, and what it was built with and finds`() async throws
  {
    for words in [["--version"], ["add", "--version"]] {
      let outcome = try await Sandbox().telex(words)
      #expect(outcome.status == 0 && outcome.errors == "")
      let lines = outcome.output.split(separator: "\n").map(String.init)
      try #require(lines.count == 5)
      #expect(try #/telex \d+\.\d+\.\d+( \(\S+\))?/#.wholeMatch(in: lines[0]) != nil)
      #expect(lines[1].hasPrefix("built with Swift 6."))
      #expect(
        try #/linked: SQLite 3\.[\d.]+, zstd 1\.[\d.]+, zlib 1\..* ncurses .*/#.wholeMatch(
          in: lines[2]) != nil)
      #expect(lines[3].hasPrefix("opened when needed: ") && lines[4].hasPrefix("not found: "))
      #expect((lines[3] + lines[4]).contains("FriBidi"))
      let library = (lines[3] + lines[4]).firstMatch(of: #/libcurl( \d+\.\d+\.\d+ \([^)]+\))?/#)
      #expect(library != nil)
    }
  }

  @Test func `A store of a newer Telex is refused with words, and left as it is`() async throws {
    let sandbox = try Sandbox()
    #expect(try await sandbox.telex("list").status == 0)
    let path = sandbox.folder + "/.local/share/telex/telex.sqlite"
    let database = try DatabaseQueue(path: path)
    try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 999") }
    for verb in [["list"], ["articles"], ["refresh"], ["add", "https://example.org/feed"]] {
      let outcome = try await sandbox.telex(verb)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errors.contains("written by a newer Telex (schema 999, known "))
      #expect(outcome.errors.contains("install the newer Telex"))
    }
    let version = try await database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(version == 999)
  }

  @Test(arguments: [
    "", " ", "http://", "http://exa mple.org/", "http://example.org:99999/", "ftp://example.org/",
    "javascript:alert(1)", "mailto:a@example.org", "http://[::1", "https:///path",
    "http://127.0.0.1:1/feed",
  ])
  func `An address that leads nowhere is an error`(address: String) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex("add", "--json", "--", address)
    #expect(outcome.status == 1, "\(outcome.testDescription)")
    try expectError(outcome)
    let fetched = try await sandbox.telex("fetch", "--json", "--", address)
    #expect(fetched.status == 1)
    try expectError(fetched, keys: ProbeVerbTests.parseKeys)
    #expect(try await sandbox.telex("list").output == "")
  }

  @Test func `An address that begins with a dash is no option`() async throws {
    let outcome = try await Sandbox().telex("add", "--json", "--", "--config=/etc/passwd")
    #expect(outcome.status == 1)
    try expectError(outcome, stage: "address")
  }

  @Test func `Errors are sentences, and a refused connection names its port`() async throws {
    let sandbox = try Sandbox()
    let refused = try await sandbox.telex("add", "http://localhost:1/feed")
    #expect(
      refused.errors
        == "telex: connect: localhost does not accept connections on port 1; check the address, or "
        + "try again later.\n")
    let missing = try await sandbox.telex("parse", "nothing.xml")
    #expect(
      missing.errors == "telex: fetch: nothing.xml: There is no such file; check the path.\n")
    let object = try await sandbox.telex("add", "ftp://example.org/", "--json").json()
    let error = try #require(object["error"] as? [String: Any])
    #expect(
      error["message"] as? String == "Telex reads feeds over http and https only, not ftp.")
    #expect(error["next"] as? String == "type an address such as https://example.org/feed")
  }

  @Test func `An error names no password and no query`() async throws {
    let outcome = try await Sandbox().telex(
      "add", "http://ada:sesame@127.0.0.1:1/feed?token=sesame")
    #expect(outcome.status == 1)
    #expect(!outcome.errors.contains("sesame"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ["list"], ["articles"], ["refresh"], ["export"], ["search", "x"], ["fetch", "http://[::1"],
    ["add", "x"],
  ])
  func `A store that is a file is an error`(verb: [String]) async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("store", "not a folder")
    let outcome = try await sandbox.telex(verb + ["--store", path, "--json"])
    #expect(outcome.status == 1, "\(outcome.testDescription)")
    try expectError(outcome, stage: "store")
    #expect(sandbox.contents(of: "store") == "not a folder")
  }

  @Test(.needs(.unprivileged))
  func `A store that cannot be entered is an error`() async throws {
    let sandbox = try Sandbox()
    let path = sandbox.folder + "/closed"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0])
    let words = try #require(Program.unprivileged) + [BuiltProduct.path(of: "telex")]
    let outcome = try await TelexCommand.run(
      words.dropFirst() + ["list", "--store", path + "/inner", "--json"], executable: words[0],
      environment: sandbox.home, in: sandbox.folder)
    #expect(outcome.status == 1)
    try expectError(outcome, stage: "store")
  }

  @Test func `A store that cannot be made is an error`() async throws {
    // Nobody may make folders there, not even root.
    let outcome = try await Sandbox().telex("list", "--store", "/dev/null/telex", "--json")
    #expect(outcome.status == 1)
    try expectError(outcome, stage: "store")
  }

  @Test(arguments: [
    "telex articles --json", "telex articles", "telex export", "telex parse feed.xml",
    "telex --help",
  ])
  func `Output that nobody reads ends quietly`(command: String) async throws {
    try await withNewspaper(newspaper(40)) { server, sandbox in
      try sandbox.file("feed.xml", rss)
      try await sandbox.add(server.apiURL)
      for line in [
        "\(command) | head -n 1", "\(command) | true", "trap '' PIPE; \(command) | true",
      ] {
        let outcome = try await sandbox.shell(line)
        #expect(outcome.status == 0 && outcome.errors == "", "\(line): \(outcome.errors)")
      }
    }
  }

  /// What is opened next would get its number.
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
  func `Verbs do their work where standard streams are closed`(closing: String) async throws {
    let sandbox = try Sandbox()
    try sandbox.file("feed.xml", rss)
    let outcome = try await sandbox.shell(
      """
      telex add ./feed.xml \(closing); echo "add $?"
      telex list \(closing); echo "list $?"
      telex parse feed.xml \(closing); echo "parse $?"
      telex remove 4711 \(closing); echo "remove $?"
      telex articles; echo "articles $?"
      """)
    // Without standard output nobody gets the result.
    let status = closing.split(separator: " ").contains(">&-") ? 1 : 0
    #expect(
      outcome.lines.filter { $0.contains(/^[a-z]+ \d+$/) } == [
        "add \(status)", "list \(status)", "parse \(status)", "remove 2", "articles 0",
      ], "\(outcome.testDescription)")
    #expect(outcome.lines.count { $0.contains("\tSmall & plain\t") } >= 2)
    for name in ["telex.sqlite", "telex.sqlite-wal", "telex.sqlite-shm"] {
      let path = sandbox.folder + "/.local/share/telex/" + name
      let contents = FileManager.default.contents(atPath: path)
      #expect(contents?.range(of: Data("telex: ".utf8)) == nil, "\(name)")
    }
  }

  @Test func `A database begun on a full disk is the user's alone from its first byte`()
    async throws
  {
    let sandbox = try Sandbox()
    // No file may grow beyond a few bytes, and the folder is open to all.
    let outcome = try await sandbox.shell(
      """
      umask 000
      mkdir store
      (trap '' XFSZ; ulimit -f 1; telex list --store store) >/dev/null 2>&1; echo "list $?"
      find store -type f -perm /077
      find store -name telex.sqlite
      """)
    #expect(outcome.lines == ["list 1", "store/telex.sqlite"], "\(outcome.testDescription)")
    #expect(try await sandbox.telex("list", "--store", "store").status == 0)
  }

  #if os(Linux)
    @Test func `Closed standard streams are /dev/null before any file is opened`() async throws {
      // A pipe that nobody writes to holds the program where it has its file open. No store is opened
      // by this verb: SQLite keeps clear of the three numbers by itself.
      let outcome = try await Sandbox().shell(
        """
        mkfifo feed
        exec 9<>feed
        '\(BuiltProduct.path(of: "telex"))' parse feed <&- >&- 2>&- 9>&- &
        pid=$!
        tries=0
        # Before it is the program it is the shell, which has the pipe too.
        program=$(readlink -f '\(BuiltProduct.path(of: "telex"))')
        until [ "$(readlink /proc/$pid/exe)" = "$program" ] &&
          ls -l /proc/$pid/fd | grep -q /feed || [ $tries -ge 3000 ]; do
          tries=$((tries+1))
          sleep 0.01
        done
        for number in 0 1 2; do readlink /proc/$pid/fd/$number; done
        exec 9>&-
        kill $pid
        wait $pid
        """)
      #expect(Array(outcome.lines.prefix(3)) == ["/dev/null", "/dev/null", "/dev/null"])
    }
  #endif

  @Test func `Results go to standard output, and everything else to standard error`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.status(404), on: "/api", times: nil)
      let outcome = try await sandbox.telex("fetch", server.apiURL)
      #expect(outcome.status == 1)
      #expect(outcome.lines.count == 3)
      #expect(outcome.errors.hasPrefix("telex: fetch:"))
    }
  }

  @Test func `An option that set does not know is named, with the one that is meant`() async throws
  {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex("set", "1", "--titel", "Foo")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("'--titel'"), "\(outcome.errors)")
    #expect(outcome.errors.contains("'--title'"))
    let nothing = try await sandbox.telex("set", "1")
    #expect(nothing.status == 2 && nothing.errors.contains("Say what is to be set"))
  }

  @Test func `Ctrl-C ends a command that waits for a server`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.hang, on: "/api", times: nil)
      let before = server.refreshes
      let command = try sandbox.reader("refresh")
      try await command.wait(until: "it is asked") { _ in server.refreshes > before }
      try command.send(.control("c"))
      #expect([.signaled(SIGINT), .exited(130)].contains(try await command.waitForEnd()))
      #expect(try await sandbox.articles().count == 3)
      server.clearFaults()
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test func `Two commands at once use one store`() async throws {
    try await withNewspaper(newspaper(120)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let statuses = try await withThrowingTaskGroup { group in
        for verb in ["refresh", "articles", "refresh", "list", "export", "refresh"] {
          group.addTask { try await sandbox.telex(verb).status }
        }
        return try await group.reduce(into: [Int32]()) { $0.append($1) }
      }
      #expect(statuses == [0, 0, 0, 0, 0, 0])
      #expect(try await sandbox.articles().count == 50)
    }
  }
}
