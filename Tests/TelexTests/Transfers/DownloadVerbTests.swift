import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// `transfers --download`, with the process that downloads.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DownloadVerbTests {
  /// A home that is subscribed to the shelf.
  private func subscribed(to shelf: FileShelf, _ config: String = "") async throws -> Sandbox {
    let sandbox = try Sandbox()
    if !config.isEmpty {
      try FileManager.default.createDirectory(
        atPath: sandbox.folder + "/.config/telex", withIntermediateDirectories: true)
      try sandbox.file(".config/telex/config.toml", config)
    }
    try await sandbox.add(shelf.feed)
    return sandbox
  }

  private func state(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.transfers().compactMap { $0["state"] as? String }
  }

  @Test func `A file is downloaded under a safe name, and nothing is overwritten`() async throws {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/a/episode.mp3?token=hidden"),
      FileShelf.item(2, files: "$/x/..%2F..%2F..%2Fevil", "$/second.ogg"),
    ])
    let sandbox = try await subscribed(to: shelf)
    let ids = try await sandbox.numbers()
    let one = try #require(ids["Episode 1"])
    let first = try await sandbox.telex("transfers", "--download", one)
    #expect(first.status == 0, "\(first.testDescription)")
    #expect(first.lines == [sandbox.folder + "/Downloads/Telex/episode.mp3"])
    #expect(sandbox.download("episode.mp3") == FileShelf.contents())
    let again = try await sandbox.telex("transfers", "--download", one, "--json").json()
    #expect(again["target"] as? String == sandbox.folder + "/Downloads/Telex/episode (2).mp3")
    #expect(again["percent"] as? Int == 100 && again["state"] as? String == "done")
    let two = try #require(ids["Episode 2"])
    #expect(try await sandbox.telex("transfers", "--download", two).status == 0)
    #expect(try await sandbox.telex("transfers", "--download", two, "--enclosure", "2").status == 0)
    #expect(
      sandbox.downloads == ["episode (2).mp3", "episode.mp3", "evil.mp3", "second.ogg"])
    // The query of an address is in the store only.
    let book = try #require(sandbox.contents(of: ".local/share/telex/transfers/jobs.json"))
    #expect(!book.contains("hidden") && book.contains("episode.mp3"))
    #expect(await eventually { sandbox.helper == nil })
  }

  @Test func `What there is not is told, and leaves no file`() async throws {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/gone.mp3"), FileShelf.item(2),
    ])
    shelf.set("/gone.mp3") { $0.status = 404 }
    let sandbox = try await subscribed(to: shelf)
    let ids = try await sandbox.numbers()
    let gone = try await sandbox.telex("transfers", "--download", try #require(ids["Episode 1"]))
    #expect(gone.status == 1 && gone.errors.contains("404"))
    #expect(sandbox.downloads.isEmpty)
    #expect(try await state(sandbox) == ["failed"])
    let none = try await sandbox.telex("transfers", "--download", try #require(ids["Episode 2"]))
    #expect(none.status == 2 && none.errors.contains("no file"))
    #expect(try await sandbox.telex("transfers", "--download", "4711").status == 2)
    let far = try await sandbox.telex(
      "transfers", "--download", try #require(ids["Episode 1"]), "--enclosure", "9", "--json")
    #expect(far.status == 2)
    #expect((try far.json()["error"] as? [String: Any])?["stage"] as? String == "arguments")
    #expect(try await sandbox.telex("transfers", "--pause", "99").status == 2)
  }

  @Test func `A kill of the process that downloads costs nothing, however often`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hangAfter = 300_000 }
    let sandbox = try await subscribed(to: shelf)
    defer { sandbox.killHelper() }
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    let running = Task { try await sandbox.telex("transfers", "--download", id) }
    for number in 1...3 {
      #expect(await eventually { sandbox.download("a.mp3.part")?.count == number * 300_000 })
      #expect(sandbox.download("a.mp3") == nil)
      if number == 3 { shelf.set("/a.mp3") { $0.hangAfter = nil } }
      sandbox.killHelper()
    }
    let outcome = try await running.value
    #expect(outcome.status == 0, "\(outcome.testDescription)")
    #expect(sandbox.download("a.mp3") == FileShelf.contents())
    #expect(sandbox.downloads == ["a.mp3"])
    #expect(shelf.offsets == [nil, 300_000, 600_000, 900_000])
  }

  @Test func `A file that has changed starts over after a kill`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hangAfter = 300_000 }
    let sandbox = try await subscribed(to: shelf)
    defer { sandbox.killHelper() }
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    #expect(try await sandbox.telex("transfers", "--download", id, "--background").status == 0)
    #expect(await eventually { sandbox.download("a.mp3.part")?.count == 300_000 })
    sandbox.killHelper()
    shelf.set("/a.mp3") {
      $0.hangAfter = nil
      $0.version = 2
    }
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    #expect(sandbox.download("a.mp3") == FileShelf.contents(2))
    #expect(sandbox.downloads == ["a.mp3"])
  }

  @Test func `Downloads are paused, ordered, dropped and taken up again`() async throws {
    let shelf = try FileShelf((1...4).map { FileShelf.item($0, files: "$/\($0).mp3") })
    for number in 1...4 { shelf.set("/\(number).mp3") { $0.hangAfter = 100_000 } }
    let sandbox = try await subscribed(to: shelf)
    defer { sandbox.killHelper() }
    let ids = try await sandbox.numbers()
    for number in 1...4 {
      let id = try #require(ids["Episode \(number)"])
      #expect(try await sandbox.telex("transfers", "--download", id, "--background").status == 0)
    }
    // Two at a time, in their order.
    #expect(await eventually { sandbox.downloads == ["1.mp3.part", "2.mp3.part"] })
    try await eventuallyStates(sandbox, ["running", "running", "waiting", "waiting"])
    #expect(try await sandbox.telex("transfers", "--first", "4").status == 0)
    #expect(try await sandbox.telex("transfers", "--pause", "1").status == 0)
    #expect(
      await eventually { sandbox.downloads == ["1.mp3.part", "2.mp3.part", "4.mp3.part"] })
    // The one that is dropped goes with its part.
    #expect(try await sandbox.telex("transfers", "--cancel", "2").status == 0)
    #expect(
      await eventually { sandbox.downloads == ["1.mp3.part", "3.mp3.part", "4.mp3.part"] })
    let listed = try await sandbox.transfers().compactMap { $0["id"] as? Int }
    #expect(listed == [4, 1, 3])
    for number in 1...4 { shelf.set("/\(number).mp3") { $0.hangAfter = nil } }
    sandbox.killHelper()
    #expect(try await sandbox.telex("transfers", "--resume", "all").status == 0)
    #expect(await eventually { sandbox.downloads == ["1.mp3", "3.mp3", "4.mp3"] })
    #expect(sandbox.download("1.mp3") == FileShelf.contents())
    #expect(shelf.requests.filter { $0.path == "/2.mp3" }.count == 1)
    try await eventuallyStates(sandbox, ["done", "done", "done"])
    #expect(try await sandbox.transfers("--clear").isEmpty)
    #expect(sandbox.downloads == ["1.mp3", "3.mp3", "4.mp3"])
  }

  private func eventuallyStates(_ sandbox: Sandbox, _ expected: [String]) async throws {
    let end = ContinuousClock.now + .seconds(20)
    var found: [String] = []
    while ContinuousClock.now < end {
      found = try await state(sandbox)
      if found == expected { return }
    }
    #expect(found == expected)
  }

  @Test func `A server that asks for patience is left alone until then`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") {
      $0.status = 503
      $0.headers = ["Retry-After": "900"]
    }
    let sandbox = try await subscribed(to: shelf)
    defer { sandbox.killHelper() }
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    let outcome = try await sandbox.telex("transfers", "--download", id)
    #expect(outcome.status == 1 && outcome.errors.contains("503"))
    let transfer = try #require(try await sandbox.transfers().first)
    #expect(transfer["state"] as? String == "waiting" && transfer["nextAttempt"] is String)
    #expect(shelf.requests.count == 1)
    #expect(sandbox.downloads.isEmpty)
  }

  @Test func `A password goes to its own origin only`() async throws {
    let other = try FileShelf([])
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/own.mp3"),
      FileShelf.item(2, files: other.origin + "/foreign.mp3"),
      FileShelf.item(3, files: "$/away.mp3"),
    ])
    shelf.set("/away.mp3") {
      $0.status = 302
      $0.headers = ["Location": other.origin + "/target.mp3"]
    }
    let sandbox = try Sandbox()
    try await sandbox.add("http://ada:secret@127.0.0.1:\(shelf.port)/feed")
    let ids = try await sandbox.numbers()
    for number in 1...3 {
      let outcome = try await sandbox.telex(
        "transfers", "--download", try #require(ids["Episode \(number)"]))
      #expect(outcome.status == 0, "\(outcome.testDescription)")
    }
    #expect(shelf.requests.allSatisfy { $0.header("Authorization")?.hasPrefix("Basic ") == true })
    #expect(other.requests.map { String($0.path) } == ["/foreign.mp3", "/target.mp3"])
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
    let book = try #require(sandbox.contents(of: ".local/share/telex/transfers/jobs.json"))
    #expect(!book.contains("secret") && !book.contains("ada"))
  }

  @Test func `Names follow the pattern, the server's own name, and the folder of the settings`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(1, title: "AC/DC: ../live", files: "$/download")
    ])
    shelf.set("/download") {
      $0.headers = ["Content-Disposition": "attachment; filename=\"../../.x.flac\""]
    }
    let sandbox = try await subscribed(
      to: shelf,
      """
      [downloads]
      folder = "~/pods"
      name = "{feed}/{date} {title}"
      """)
    let id = try #require(try await sandbox.numbers()["AC/DC: ../live"])
    let outcome = try await sandbox.telex("transfers", "--download", id)
    #expect(outcome.lines == [sandbox.folder + "/pods/Casts/2026-03-01 AC-DC_ ..-live.flac"])
    #expect(outcome.status == 0, "\(outcome.testDescription)")
  }

  @Test(arguments: [
    ("name = \"{titel}\"", "no field of the name titel"), ("name = \"../{name}\"", "folders"),
    ("name = \"/{name}\"", "folders"), ("name = \"x\"", "same name"),
    ("name = \"{name\"", "brace"), ("folder = \"pods\"", "begins with /"),
    ("concurrent = 0", "from 1 to 16"),
  ])
  func `A wrong setting is told with its line`(line: String, words: String) async throws {
    let sandbox = try Sandbox()
    let config = try sandbox.file("config.toml", "[downloads]\n\(line)\n")
    let outcome = try await sandbox.telex("transfers", "--config", config)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(words) && outcome.errors.contains(":2:"))
  }

  @Test func `New files of a feed are downloaded where its settings say so`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/1.mp3")])
    let sandbox = try await subscribed(
      to: shelf, "[feeds.\"http://127.0.0.1:\(shelf.port)/feed\"]\ndownload = true\n")
    defer { sandbox.killHelper() }
    // What a new feed brings is its archive.
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(try await sandbox.transfers().isEmpty)
    shelf.add(FileShelf.item(2, files: "$/2.mp3"))
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(await eventually { sandbox.downloads == ["2.mp3"] })
    #expect(try await sandbox.transfers().first?["automatic"] as? Bool == true)
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(try await sandbox.transfers().count == 1)
    #expect(sandbox.download("2.mp3") == FileShelf.contents())
    // The settings go on to know it by the address that it had.
    shelf.set("/feed") { ($0.status, $0.headers) = (301, ["Location": "/feed-moved"]) }
    #expect(try await sandbox.telex("refresh").status == 0)
    let list = try await sandbox.telex("list", "--json").jsonLines()
    #expect((list.first?["url"] as? String)?.hasSuffix("/feed-moved") == true)
    shelf.add(FileShelf.item(3, files: "$/3.mp3"))
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(await eventually { sandbox.downloads == ["2.mp3", "3.mp3"] })
  }

  @Test func `Progress is a line on the terminal, and Ctrl-C pauses`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hangAfter = 1_000_000 }
    let sandbox = try await subscribed(to: shelf)
    defer { sandbox.killHelper() }
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    let terminal = try sandbox.reader("transfers", "--download", id)
    try await terminal.wait(for: "50 % · 1.0 MB of 2.0 MB")
    try terminal.send("\u{3}")
    try await terminal.wait(for: "Paused; telex transfers --resume 1")
    try await eventuallyStates(sandbox, ["paused"])
    shelf.set("/a.mp3") { $0.hangAfter = nil }
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    #expect(shelf.offsets == [nil, 1_000_000])
    #expect(sandbox.download("a.mp3") == FileShelf.contents())
  }

  private let book = ".local/share/telex/transfers/jobs.json"

  @Test func `A kill between the last step and the note of it costs nothing`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    let sandbox = try await subscribed(to: shelf)
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    #expect(await eventually { sandbox.helper == nil })
    // As it was before the note.
    let text = try #require(sandbox.contents(of: book))
    let part = sandbox.folder + "/Downloads/Telex/a.mp3.part"
    try sandbox.file(
      book,
      text.replacing("\"state\" : \"done\"", with: "\"state\" : \"waiting\"")
        .replacing("\"target\"", with: "\"part\" : \"\(part)\", \"target\""))
    let again = try await sandbox.telex("transfers", "--download", id)
    #expect(again.status == 0, "\(again.testDescription)")
    #expect(sandbox.downloads == ["a.mp3"])
    #expect(shelf.requests.count == 1)
    #expect(try await state(sandbox) == ["done"])
  }

  @Test func `A damaged list is put aside, and one of the future is refused`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    let sandbox = try await subscribed(to: shelf)
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    try sandbox.file(book, "{\"version\": 1, \"jobs\": [")
    #expect(try await sandbox.transfers().isEmpty)
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    #expect(sandbox.downloads == ["a (2).mp3", "a.mp3"])
    #expect(sandbox.contents(of: book.replacing("jobs.json", with: "jobs.damaged.json")) != nil)
    try sandbox.file(book, "{\"version\": 9}")
    let future = try await sandbox.telex("transfers")
    #expect(future.status == 1 && future.errors.contains("newer Telex"))
    #expect(sandbox.contents(of: book) == "{\"version\": 9}")
  }

  @Test func `A list that is there and cannot be read is not taken for an empty one`() async throws
  {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    let sandbox = try await subscribed(to: shelf)
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    let path = sandbox.folder + "/" + book
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // As EMFILE and EACCES do, a link to itself lets nobody read the file, but replace it.
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "jobs.json")
    for words in [["transfers", "--download", id], ["transfers"]] {
      let outcome = try await sandbox.telex(words)
      #expect(
        outcome.status == 1 && outcome.errors.contains("list of downloads cannot be read")
          && outcome.errors.contains("jobs.json"), "\(outcome.testDescription)")
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: path) == "jobs.json")
  }

  @Test func `Automatic downloads that failed are forgotten in time, and those of the user stay`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/gone.mp3"), FileShelf.item(2, files: "$/b.mp3"),
    ])
    shelf.set("/gone.mp3") { $0.status = 404 }
    let sandbox = try await subscribed(to: shelf)
    let ids = try await sandbox.numbers()
    let (gone, good) = (try #require(ids["Episode 1"]), try #require(ids["Episode 2"]))
    #expect(try await sandbox.telex("transfers", "--download", gone).status == 1)
    #expect(await eventually { sandbox.helper == nil })
    // So many more, by the settings, half of a file each.
    let text = try #require(sandbox.contents(of: book))
    var contents = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let asked = try #require((contents["jobs"] as? [[String: Any]])?.first)
    let parts = try (2...232).map { try sandbox.file("\($0).part", "half") }
    let automatic = parts.enumerated().map { index, part in
      asked.merging([
        "id": index + 2, "isAutomatic": true, "isReported": index != 0, "part": part,
        "addressDigest": index,
      ]) { $1 }
    }
    (contents["jobs"], contents["lastID"]) = ([asked] + automatic, 232)
    let data = try JSONSerialization.data(withJSONObject: contents)
    try sandbox.file(book, String(decoding: data, as: UTF8.self))

    #expect(try await sandbox.telex("transfers", "--download", good).status == 0)
    #expect(await eventually { sandbox.helper == nil })
    // What nobody was told of yet stays as well.
    let left = try await sandbox.transfers().compactMap { $0["id"] as? Int }
    #expect(left == [1, 2] + Array(33...232) + [233])
    let there = parts.map { FileManager.default.fileExists(atPath: $0) }
    #expect(there.count(where: \.self) == 201 && there[0] && !there[1] && !there[30])
  }

  @Test func `Several commands at once share one process and lose nothing`() async throws {
    let shelf = try FileShelf((1...5).map { FileShelf.item($0, files: "$/\($0).mp3") })
    let sandbox = try await subscribed(to: shelf)
    let ids = try await sandbox.numbers()
    try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 1...5 {
        let id = try #require(ids["Episode \(number)"])
        group.addTask { try await sandbox.telex("transfers", "--download", id).status }
      }
      for try await status in group { #expect(status == 0) }
    }
    #expect(sandbox.downloads == (1...5).map { "\($0).mp3" })
    #expect(shelf.requests.count == 5)
    #expect(try await state(sandbox) == Array(repeating: "done", count: 5))
  }

  @Test func `An unknown length is told in bytes alone`() async throws {
    let shelf = try FileShelf([FileShelf.item(1, files: "$/a.mp3")])
    shelf.set("/a.mp3") { $0.hasLength = false }
    let sandbox = try await subscribed(to: shelf)
    let id = try #require(try await sandbox.numbers()["Episode 1"])
    #expect(try await sandbox.telex("transfers", "--download", id).status == 0)
    #expect(sandbox.download("a.mp3") == FileShelf.contents())
  }
}
