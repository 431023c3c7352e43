import Foundation
import News
import TestSupport
import Testing

/// Contracts with scripts and other programs: the JSON and the exit statuses of every verb, and the stored forms, as
/// `Fixtures/contracts` has them.
@Suite(.contractStore, .timeLimit(.minutes(10)))
struct ContractTests {
  @Test(arguments: Transcript.names(in: "verbs"))
  func `The output of a verb is as it was recorded`(name: String) async throws {
    try await #require(ContractStore.current).check(Transcript(name))
  }

  @Test(arguments: Transcript.names(in: "forms"))
  func `A stored form is as it was recorded`(name: String) async throws {
    try await #require(ContractStore.current).check(Transcript(name))
  }
}

/// Completeness of the transcripts.
@Suite struct ContractCoverageTests {
  @Test func `Every verb has a transcript with its JSON and each exit status`() async throws {
    let help = try await Sandbox().telex("--experimental-dump-help").output
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(help.utf8)) as? [String: Any])
    let verbs = Self.verbs(try #require(root["command"] as? [String: Any]), [])
    #expect(verbs.count > 50)
    let names = verbs.map { "verbs/" + $0.words.joined(separator: "-") }
    #expect(Set(Transcript.names(in: "verbs")) == Set(names))
    for (verb, name) in zip(verbs, names) {
      let steps = ((try? Transcript(name))?.steps ?? []).filter {
        "\($0.command) ".contains("telex \(verb.words.joined(separator: " ")) ")
      }
      #expect(
        !verb.hasJSON || steps.contains { $0.status == 0 && $0.command.contains("--json") },
        "\(name) has JSON")
      // These have nothing that could fail.
      let canFail = !["verbs/config-settings", "verbs/config-default"].contains(name)
      let wanted: Set<Int32> = canFail ? [0, 1, 2] : [0, 2]
      #expect(wanted.isSubset(of: steps.map(\.status)), "\(name) has each exit status")
    }
  }

  /// The commands without others below them that are shown.
  private static func verbs(
    _ command: [String: Any], _ words: [String]
  ) -> [(words: [String], hasJSON: Bool)] {
    let below = (command["subcommands"] as? [[String: Any]] ?? []).filter {
      $0["commandName"] as? String != "help" && $0["shouldDisplay"] as? Bool == true
    }
    guard below.isEmpty else {
      return below.flatMap { verbs($0, words + [$0["commandName"] as? String ?? ""]) }
    }
    let options = (command["arguments"] as? [[String: Any]] ?? [])
      .flatMap { $0["names"] as? [[String: Any]] ?? [] }
    return [(words, options.contains { $0["name"] as? String == "json" })]
  }

  @Test func `The transcript of the journal has each kind of action`() throws {
    let lines = try Transcript("forms/journal").steps.flatMap(\.result)
    for kind in UserActionKind.allCases {
      #expect(lines.contains { $0.contains("\"action\":\"\(kind.rawValue)\"") }, "\(kind)")
    }
  }
}
