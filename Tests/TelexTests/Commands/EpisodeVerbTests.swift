import Foundation
import Testing

/// `queue`, with chapters and transcripts.
@Suite(.timeLimit(.minutes(10)))
struct EpisodeVerbTests {
  private static let names = #" xmlns:podcast="https://podcastindex.org/namespace/1.0""#

  private static func shelf() throws -> FileShelf {
    let shelf = try FileShelf([
      FileShelf.item(2, files: "$/2.mp3")
        + #"<podcast:chapters\#(names) url="$/chapters.json" type="application/json+chapters"/>"#
        + #"<podcast:transcript\#(names) url="$/2.html" type="text/html"/>"#
        + #"<podcast:transcript\#(names) url="$/2.vtt" type="text/vtt"/>"#,
      FileShelf.item(1, files: "$/1.mp3"),
    ])
    shelf.set("/chapters.json") {
      $0.text =
        #"{"chapters":[{"startTime":3725,"title":"End","url":"https://e.org"},{"startTime":0,"title":"Begin"}]}"#
    }
    shelf.set("/2.vtt") {
      $0.text = "WEBVTT\n\n01:02.000 --> 01:03.000\n<v Ada>Hello &amp; welcome."
    }
    shelf.set("/2.html") { $0.text = "<html><body><p>As <b>a</b> page</p></body></html>" }
    return shelf
  }

  @Test func `Chapters and transcripts are fetched and printed with their times`() async throws {
    let (shelf, sandbox) = (try Self.shelf(), try Sandbox())
    try await sandbox.add(shelf.feed)
    let ids = try await sandbox.numbers()
    let (one, two) = (try #require(ids["Episode 1"]), try #require(ids["Episode 2"]))
    let chapters = try await sandbox.telex("queue", "--chapters", two)
    #expect(chapters.output == "0:00\tBegin\n1:02:05\tEnd\thttps://e.org\n")
    let transcript = try await sandbox.telex("queue", "--transcript", two)
    #expect(transcript.output == "1:02\tAda: Hello & welcome.\n")
    let json = try await sandbox.telex("queue", "--transcript", two, "--json").jsonLines()
    #expect(json.first?["speaker"] as? String == "Ada" && json.first?["seconds"] as? Int == 62)
    let files = try await sandbox.telex("show", two, "--json").jsonLines().first?["enclosures"]
    let addresses = (files as? [[String: Any]] ?? []).map { $0["url"] as? String }
    let page = try #require(addresses.firstIndex(of: shelf.origin + "/2.html"))
    let html = try await sandbox.telex("queue", "--transcript", two, "--enclosure", "\(page + 1)")
    #expect(html.output.contains("As a page"))

    let none = try await sandbox.telex("queue", "--chapters", one)
    #expect(none.status == 2 && none.errors.contains("names no chapters"))
    shelf.set("/chapters.json") { $0.text = "<html>not found</html>" }
    let wrong = try await sandbox.telex("queue", "--chapters", two)
    #expect(wrong.status == 1 && wrong.errors.contains("not a list of chapters"))
    shelf.set("/2.vtt") { $0.status = 404 }
    #expect(try await sandbox.telex("queue", "--transcript", two).status == 1)
    await shelf.stop()
  }

  @Test func `The queue is filled, ordered and emptied by the verb`() async throws {
    let (shelf, sandbox) = (try Self.shelf(), try Sandbox())
    try await sandbox.add(shelf.feed)
    let ids = try await sandbox.numbers()
    let (one, two) = (try #require(ids["Episode 1"]), try #require(ids["Episode 2"]))
    #expect(try await sandbox.telex("queue").output == "")
    let filled = try await sandbox.telex("queue", "--add", one, "--add", two, "--json").jsonLines()
    #expect(
      filled.map { $0["url"] as? String } == [shelf.origin + "/1.mp3", shelf.origin + "/2.mp3"])
    let numbers = filled.compactMap { $0["number"] as? Int }.map(String.init)
    let moved = try await sandbox.telex("queue", "--up", try #require(numbers.last))
    #expect(moved.lines.map { $0.split(separator: "\t")[5] } == ["Episode 2", "Episode 1"])
    #expect(try await sandbox.telex("queue", "--remove", "4711").status == 2)
    #expect(try await sandbox.telex("queue", "--remove", numbers[1]).lines.count == 1)
    #expect(try await sandbox.telex("queue", "--clear").output == "")
    await shelf.stop()
  }
}
