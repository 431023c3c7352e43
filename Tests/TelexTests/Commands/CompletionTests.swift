import ChildProcess
import Foundation
import PseudoTerminal
import Requirements
import Testing

/// What shells complete.
@Suite(.timeLimit(.minutes(10)))
struct CompletionTests {
  @Test func `Shells complete feeds, folders, tags and smart feeds of the store`() async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("feed.xml", richFeed())
    try await sandbox.succeed("add", path, "--folder", "News/World")
    try await sandbox.succeed("tag", "big news", "\"first\"")
    try await sandbox.succeed("smart", "add", "Mine", "unread")
    let address = try #require(try await sandbox.telex("list", "--format", "{url}").lines.first)
    func complete(_ verb: [String], _ name: String, _ words: [String]) async throws -> [String] {
      try await sandbox.telex(
        ["---completion"] + verb
          + ["--", name, "\(words.count - 1)", "\(words.last?.count ?? 0)"] + words
      ).lines
    }
    #expect(try await complete(["remove"], "positional@0", ["telex", "remove", ""]) == [address])
    #expect(try await complete(["set"], "positional@0", ["telex", "set", "file:"]) == [address])
    let feed = try await complete(["articles"], "--feed", ["telex", "articles", "--feed", "f"])
    #expect(feed == [address])
    let folder = ["telex", "articles", "--folder", ""]
    #expect(try await complete(["articles"], "--folder", folder) == ["News/World"])
    #expect(
      try await complete(["articles"], "--smart", ["telex", "articles", "--smart", ""]) == ["Mine"])
    #expect(try await complete(["tag"], "positional@0", ["telex", "tag", "b"]) == ["big news"])
    #expect(try await complete(["tag"], "positional@0", ["telex", "tag", "x"]) == [])
    #expect(
      try await complete(["list"], "--account", ["telex", "list", "--account", ""]) == ["local"])

    #expect(
      try await complete(["cache"], "--feed", ["telex", "cache", "--feed", "f"]) == [address])
    let tags = ["telex", "rules", "add", "--tag", "b"]
    #expect(try await complete(["rules", "add"], "--tag", tags) == ["big news"])
    let places = ["telex", "folders", "rename", ""]
    #expect(try await complete(["folders", "rename"], "positional@0", places) == ["News/World"])
    let target = ["telex", "import", "--articles", "--feed", "f"]
    #expect(try await complete(["import"], "--feed", target) == [address])

    // No store is made by looking for names in it.
    let nowhere = sandbox.folder + "/nowhere"
    let words = ["telex", "remove", "--store", nowhere, ""]
    #expect(try await complete(["remove"], "positional@0", words) == [])
    #expect(!FileManager.default.fileExists(atPath: nowhere))
  }

  @Test func `bash completes with the script that telex writes`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.succeed(
      "add", try sandbox.file("feed.xml", richFeed()), "--folder", "News/World")
    let bash = ["/bin/bash", "/usr/bin/bash"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    let script = try await sandbox.telex("--generate-completion-script", "bash")
    try sandbox.file("telex.bash", script.output)
    let test = try sandbox.file(
      "test.bash",
      """
      source telex.bash
      telex() { "$TELEX_PROGRAM" "$@"; }
      COMP_WORDS=("$@")
      COMP_CWORD=$(( $# - 1 ))
      COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      _telex telex "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    func completed(_ words: String...) async throws -> [String] {
      try await TelexCommand.run(
        [test, "telex"] + words, executable: try #require(bash),
        environment: sandbox.home.merging(["TELEX_PROGRAM": BuiltProduct.path(of: "telex")]) { $1 },
        in: sandbox.folder
      ).lines
    }
    #expect(try await completed("articles", "--folder", "") == ["News/World"])
    for verb in [
      ["opml"], ["parse"], ["render"], ["apply"], ["import"], ["add"], ["list", "--config"],
    ] {
      let words = verb + ["fee"]
      let found = try await TelexCommand.run(
        [test, "telex"] + words, executable: try #require(bash),
        environment: sandbox.home.merging(["TELEX_PROGRAM": BuiltProduct.path(of: "telex")]) { $1 },
        in: sandbox.folder)
      #expect(found.lines == ["feed.xml"], "\(words)")
    }
    #expect(try await completed("remove", "f").first?.hasPrefix("file:///") == true)
  }

  /// What is typed, and what the line is after the tabulator key.
  private static let typed = [
    ("telex articles --folder N", #"telex articles --folder News\ World/It\'s"#),
    ("telex tag bi", #"telex tag big\ news"#), (#"telex tag big\ n"#, #"telex tag big\ news"#),
    ("telex tag it", #"telex tag it\'s\ \"odd\""#), ("telex tag tw", "telex tag two:parts"),
    ("telex articles --smart M", "telex articles --smart Mine"),
    ("telex list --account l", "telex list --account local"), ("telex jour", "telex journal"),
  ]

  /// Types into a shell with the script that telex writes for it.
  private func check(_ shell: String, arguments: (Sandbox) throws -> [String]) async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("feed.xml", richFeed())
    try await sandbox.succeed("add", path, "--folder", "News World/It's")
    for tag in ["big news", "it's \"odd\"", "two:parts"] {
      try await sandbox.succeed("tag", tag, "\"first\"")
    }
    try await sandbox.succeed("smart", "add", "Mine", "unread")
    let address = try #require(try await sandbox.telex("list", "--format", "{url}").lines.first)
    let script = try await sandbox.telex("--generate-completion-script", shell)
    try sandbox.file("_telex", script.output)
    let program = BuiltProduct.path(of: "telex")
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.folder + "/telex", withDestinationPath: program)
    let environment = sandbox.home.merging([
      "PATH": "\(sandbox.folder):/usr/local/bin:/usr/bin:/bin"
    ]) { $1 }
    let terminal = try PseudoTerminal(
      executable: try #require(Program.path(of: shell)), arguments: try arguments(sandbox),
      environment: environment, size: (200, 24))
    try terminal.send("printf 'rea%s\\n' dy\r")
    try await terminal.wait(for: "ready")
    for (line, completed) in Self.typed + [("telex set fi", "telex set \(address)")] {
      try terminal.send("\u{15}\(line)")
      try await terminal.wait(for: line)
      try terminal.send("\t")
      try await terminal.wait(for: completed)
    }
    try terminal.send("\u{15}exit\r")
    #expect(try await terminal.waitForEnd() == .exited(0))
  }

  @Test(.needs(.zsh)) func `zsh completes with the script that telex writes`() async throws {
    try await check("zsh") { sandbox in
      try sandbox.file(
        ".zshrc",
        """
        fpath=(~ $fpath)
        autoload -Uz compinit
        compinit -u -D
        PROMPT='> '
        """)
      return ["-d", "-i"]
    }
  }

  @Test(.needs(.fish)) func `fish completes with the script that telex writes`() async throws {
    try await check("fish") { sandbox in
      ["--no-config", "--init-command", "source \(sandbox.folder)/_telex"]
    }
  }
}
