internal import ChildProcess
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// What feeds change in their articles: `set --update changed`, `show --changes`, and the reader.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ChangesVerbTests {
  private static func item(_ text: String) -> String {
    FileShelf.item(1)
      + "<description><![CDATA[<p>The council met.</p><p>\(text)</p>]]></description>"
  }

  @Test func `A change is marked, shown by a verb and a key, and seen once it was opened`()
    async throws
  {
    let shelf = try FileShelf([FileShelf.item(2), Self.item("It said yes.")])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    try await sandbox.succeed("set", "1", "--update", "changed")
    let number = try #require(try await sandbox.numbers()["Episode 1"])
    let none = try await sandbox.telex("show", number, "--changes")
    #expect(none.status == 2 && none.errors.contains("--update changed"), "\(none.testDescription)")

    shelf.replaceLast(with: Self.item("It said no."))
    try await sandbox.succeed("refresh")
    let marked = try await sandbox.telex("articles", "is:changed", "--json").jsonLines()
    #expect(marked.count == 1 && marked.first?["changed"] as? Bool == true)
    let shown = try await sandbox.telex("show", number, "--changes")
    #expect(shown.output.contains("− It said yes.") && shown.output.contains("+ It said no."))
    let room = try await sandbox.telex("cache", "--json").jsonLines()
    #expect((room.last?["former"] as? Int ?? 0) > 0)

    let reader = try sandbox.reader(size: (80, 24))
    try await reader.wait(for: "±")
    try reader.send("j\r")
    try await reader.wait(for: "changed by its feed")
    try reader.send("W")
    try await reader.wait(for: "− It said yes.")
    try reader.send("W")
    try await reader.wait(until: "the article is back") {
      !$0.text.contains("−") && $0.text.contains("It said no.")
    }
    try reader.send("q")
    try await reader.wait(until: "the mark is gone") {
      $0.text.contains("Episode 2") && !$0.text.contains("±")
    }
    #expect(try await reader.quit() == .exited(0))
    #expect(try await sandbox.telex("articles", "is:changed").output.isEmpty)
    // What it said stays to be seen.
    let again = try await sandbox.telex("show", number, "--changes", "--json").jsonLines().first
    #expect(again?["changed"] as? Bool == false && again?["changedAt"] is String)
    #expect((again?["text"] as? String)?.contains("− It said yes.") == true)
    await shelf.stop()
  }
}
