import Foundation
import Testing

@testable import telex

/// Commands that read simple command lines themselves.
@Suite(.timeLimit(.minutes(5)))
struct SimpleCommandTests {
  private static let shared = [
    ["--json"], ["--offline"], ["--store", "/news"], ["--config", "/settings"],
  ]

  @Test(arguments: [
    (
      "list",
      [
        ["--folder", "Tech"], ["--account", "local"], ["--failing"], ["--unread"],
        ["--format", "{id}"],
      ]
    ),
    ("status", [["--feeds"], ["--format", "{unread} {total}"]]),
  ])
  func `A command reads its options as the parser does`(command: String, own: [[String]]) {
    let options = own + Self.shared
    let pairs = zip(options, options.dropFirst() + options.prefix(1)).map { $0 + $1 }
    for words in [[]] + options + pairs {
      let line = [command] + words
      // Nil for options that do not go together.
      let parsed = (try? Telex.parsed(line)).map { "\($0)" }
      #expect(Telex.simple(line).map { "\($0)" } == parsed, "\(line)")
    }
    #expect(Telex.simple([command] + own[0]) != nil)
  }

  @Test(arguments: [
    "", "help list", "lists", "folders", "--store /news list", "list Tech", "list -h",
    "list --help",
    "list --version", "list --", "list -- --json", "list --json --json", "list --json yes",
    "list --folder", "list --folder --json Tech", "list --folder -x", "list --folder A --folder B",
    "list --format={id}", "list --store --json", "list --wait", "list --wait 5m", "list --wait=5m",
    "list --unred", "list --json Tech --folder", "status --failing", "status --feeds --format x",
  ])
  func `The parser reads all other lines`(line: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(Telex.simple(words) == nil)
  }

  @Test func `The parser refuses an empty value`() {
    #expect(Telex.simple(["list", "--folder", ""]) == nil)
  }

  @Test(arguments: ["list", "status"])
  func `A command that only reads leaves the file of the store alone`(command: String) async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.succeed("folders", "add", "Tech")
    let path = sandbox.folder + "/.local/share/telex/telex.sqlite"
    func changed() throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
    let before = try #require(try changed())
    try await sandbox.succeed(command)
    #expect(try changed() == before)
  }
}
