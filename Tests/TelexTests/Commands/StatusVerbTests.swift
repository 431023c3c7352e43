import Foundation
import Testing

/// `status`.
@Suite(.timeLimit(.minutes(10)))
struct StatusVerbTests {
  @Test func `The numbers of a store stand in the places of their names`() async throws {
    let shelf = try FileShelf([FileShelf.item(1), FileShelf.item(2), FileShelf.item(3)])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let ids = try await sandbox.numbers()
    try await sandbox.succeed("read", try #require(ids["Episode 1"]))
    try await sandbox.succeed("star", try #require(ids["Episode 2"]))
    #expect(try await sandbox.telex("status").output == "2 unread\n")
    let text = try await sandbox.telex("status", "--format", "{unread}/{total} ★{starred} {x")
    #expect(text.output == "2/3 ★1 {x\n")
    let json = try await sandbox.telex("status", "--json").jsonLines().first as? [String: Int]
    #expect(
      json == ["unread": 2, "total": 3, "starred": 1, "feeds": 1, "failing": 0, "waiting": 0])
    let wrong = try await sandbox.telex("status", "--format", "{unraed}")
    #expect(wrong.status == 2 && wrong.errors.contains("{unread}"), "\(wrong.testDescription)")
    try await sandbox.succeed("set", "1", "--interval", "5h")
    let feeds = try await sandbox.telex("status", "--feeds", "--json").jsonLines()
    #expect(feeds.count == 1 && feeds[0]["why"] as? String == "set to 5 h")
    #expect(feeds[0]["id"] as? Int == 1 && feeds[0]["next"] is String)
    try await sandbox.succeed("set", "1", "--interval", "0")
    let never = try await sandbox.telex("status", "--feeds").output
    #expect(never.contains("never") && never.contains("only when you ask"), "\(never)")
    #expect(try await sandbox.telex("status", "--feeds", "--format", "x").status == 2)
    await shelf.stop()
    #expect(try await sandbox.telex("refresh").status == 1)
    #expect(try await sandbox.telex("status").output == "2 unread, 1 failing\n")
  }
}
