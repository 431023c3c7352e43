import ChildProcess
import Foundation
import Testing

/// What shells complete.
@Suite(.timeLimit(.minutes(5)))
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
    #expect(try await completed("remove", "f").first?.hasPrefix("file:///") == true)
  }
}
