import ChildProcess
import FeedServer
import Foundation
import News
import TestSupport
import Testing

/// `import --articles`: from the feed's own server, a file, standard input.
@Suite(.timeLimit(.minutes(10)))
struct ImportArticlesTests {
  private let jsonKeys: Set = ["inserted", "updated", "known", "lines", "bad", "error"]

  /// The numbers of a report: inserted, updated, known, lines, bad.
  private func numbers(_ outcome: TelexCommand.Outcome) throws -> [Int] {
    let report = try outcome.json()
    #expect(Set(report.keys) == jsonKeys)
    return ["inserted", "updated", "known", "lines", "bad"].map { report[$0] as? Int ?? -1 }
  }

  /// The articles of an archive as somebody has kept them.
  private func lines(_ archive: Archive) throws -> [String] {
    try archive.articles.map { article in
      let object: [String: Any] = [
        "id": article.entry.id, "title": article.entry.title ?? "",
        "contentHTML": article.entry.contentHTML ?? "",
        "published": article.published.formatted(.iso8601),
      ]
      return String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys),
        as: UTF8.self)
    }
  }

  @Test func `Without a file everything comes from the feed's server, once`() async throws {
    try await withNewspaper(newspaper(230)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try await sandbox.telex("import", "--articles", "--feed", "1", "--json")
      #expect(first.status == 0, "\(first.testDescription)")
      #expect(try numbers(first) == [180, 0, 50, 230, 0])
      #expect(server.requests.count { $0.path == "/api/articles.ndjson" } == 1)
      let again = try await sandbox.telex("import", "--articles", "--feed", server.apiURL, "--json")
      #expect(try numbers(again) == [0, 0, 230, 230, 0])

      let titles = try await sandbox.articles().compactMap { $0["title"] as? String }
      #expect(titles == (1...230).map { "Story " + String(format: "%03d", $0) })
      #expect(try await sandbox.articles("--unread").count == 230)
      #expect(try await sandbox.telex("search", "quokka").lines.count == 1)
      let told = try await sandbox.telex("import", "--articles", "--feed", "1")
      #expect(told.output == "0 articles added, 230 were already there\n")
      #expect(told.errors == "")
    }
  }

  @Test func `How far the feed is fetched and walked stays as it was`() async throws {
    try await withNewspaper(newspaper(160)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let before = try await sandbox.telex("list", "--json").json()
      #expect(try await sandbox.telex("import", "--articles", "--feed", "1").status == 0)
      let after = try await sandbox.telex("list", "--json").json()
      #expect(after["updated"] as? String == before["updated"] as? String)
      #expect(after["total"] as? Int == 160)
      // The validators are the same, and the way through the pages begins where it began.
      let same = try await sandbox.telex("refresh", "--all-pages", "--json").json()
      #expect(same["unchanged"] as? Int == 1)
      #expect(same["olderPages"] as? Int == 3 && same["older"] as? Int == 0)
      #expect(server.askedCursors.count == 3)
    }
  }

  @Test func `A file and standard input say the same, for a feed of any kind`() async throws {
    try await withNewspaper(newspaper(130)) { server, sandbox in
      let text = try lines(server.archive).joined(separator: "\n")
      let file = try sandbox.file("articles.ndjson", text)
      try await sandbox.add(server.baseURL + "/rss.xml")
      let started = try await sandbox.articles().count
      let fromFile = try await sandbox.telex("import", "--articles", "--feed", "1", file, "--json")
      #expect(fromFile.status == 0)
      #expect(started > 0 && started < 130)
      let counts = try numbers(fromFile)
      #expect(counts[0] == 130 - started && counts[1] + counts[2] == started)
      #expect(counts[3...] == [130, 0])
      let fromInput = try await sandbox.telex(
        "import", "--articles", "--feed", "1", "-", "--json", stdin: text)
      #expect(try numbers(fromInput) == [0, 0, 130, 130, 0])
      #expect(try await sandbox.articles().count == 130)

      let nothing = try await sandbox.telex("import", "--articles", "--feed", "1", "--json")
      #expect(nothing.status == 2)
      let error = try #require(try nothing.json()["error"] as? [String: Any])
      #expect(error["stage"] as? String == "arguments")
      let missing = try await sandbox.telex("import", "--articles", "--feed", "1", "nowhere.ndjson")
      #expect(missing.status == 1 && missing.errors.contains("There is no such file"))
    }
  }

  @Test func `A changed article is replaced, and marks stay`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      #expect(try await sandbox.telex("read", "\(first)").status == 0)
      let line = try #require(try lines(server.archive).first)
      let changed = line.replacing("number 001", with: "wombats")
      let outcome = try await sandbox.telex(
        "import", "--articles", "--feed", "1", "-", "--json", stdin: changed)
      #expect(try numbers(outcome) == [0, 1, 0, 1, 0])
      #expect(try await sandbox.telex("search", "wombats").lines.count == 1)
      #expect(try await sandbox.articles("--unread").count == 2)
    }
  }

  @Test func `With --read what is new is read, and what was there is as it was`() async throws {
    try await withNewspaper(newspaper(70)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      #expect(try await sandbox.telex("import", "--articles", "--feed", "1", "--read").status == 0)
      #expect(try await sandbox.articles().count == 70)
      #expect(try await sandbox.articles("--unread").count == 50)
      #expect(try await sandbox.telex("list", "--json").json()["unread"] as? Int == 50)
    }
  }

  @Test func `Bad lines are skipped, counted, and the first of them named`() async throws {
    try await withNewspaper(newspaper(60)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      for line in [1, 7, 60] { server.inject(.badLine(after: line), on: "/api/articles.ndjson") }
      let outcome = try await sandbox.telex("import", "--articles", "--feed", "1", "--json")
      #expect(outcome.status == 0)
      #expect(try numbers(outcome) == [10, 0, 50, 63, 3])
      #expect(
        outcome.errors.split(separator: "\n") == [
          "warning: line 2 is no JSON", "warning: line 9 is no JSON",
          "warning: line 63 is no JSON",
        ])
      let text = String(repeating: "{}\n", count: 13) + #"{"id": "good"}"#
      let mostlyBad = try await sandbox.telex(
        "import", "--articles", "--feed", "1", "-", stdin: text)
      #expect(mostlyBad.status == 0)
      #expect(mostlyBad.output == "1 articles added, 13 lines skipped\n")
      #expect(mostlyBad.errors.contains("warning: line 1 lacks “id”\n"))
      #expect(mostlyBad.errors.contains("warning: 3 more lines are no articles\n"))
      for text in ["", "not an article\n"] {
        let none = try await sandbox.telex("import", "--articles", "--feed", "1", "-", stdin: text)
        #expect(none.status == 1, "\(none.testDescription)")
        #expect(none.errors.contains("There is no article in it"))
      }
    }
  }

  @Test func `Of an export that breaks off, what came is kept`() async throws {
    try await withNewspaper(newspaper(400)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.cut(afterBytes: 80_000), on: "/api/articles.ndjson")
      let broken = try await sandbox.telex("import", "--articles", "--feed", "1", "--json")
      #expect(broken.status == 1)
      let error = try #require(try broken.json()["error"] as? [String: Any])
      #expect(error["stage"] as? String == "fetch")
      let added = try numbers(broken)[0]
      #expect(added > 0 && added < 350)
      #expect(try await sandbox.articles().count == 50 + added)
      let rest = try await sandbox.telex("import", "--articles", "--feed", "1", "--json")
      #expect(rest.status == 0)
      #expect(try numbers(rest) == [350 - added, 0, 50 + added, 400, 0])
      #expect(try await sandbox.articles().count == 400)

      server.inject(.status(404), on: "/api/articles.ndjson")
      let none = try await sandbox.telex("import", "--articles", "--feed", "1")
      #expect(none.status == 1 && none.errors.contains("404"))
      #expect(none.output == "0 articles added\n")
    }
  }

  // MARK: Stopping

  /// Starts an import and stops it once a batch of it is stored.
  private func stopImport(
    of arguments: [String], in sandbox: Sandbox,
    meanwhile: () throws -> Void = {}
  ) async throws -> TelexCommand.Outcome {
    let environment = ProcessInfo.processInfo.environment.merging(
      sandbox.home.compactMapValues { $0 }
    ) { $1 }
    let process = try ChildProcess(
      BuiltProduct.path(of: "telex"),
      ["import", "--articles", "--feed", "1", "--json"] + arguments,
      environment: environment, in: sandbox.folder)
    try meanwhile()
    var stored = 0
    let end = ContinuousClock.now + .seconds(60)
    while stored < 100, process.isRunning, ContinuousClock.now < end {
      stored = try await sandbox.articles("--limit", "100").count
    }
    process.signal(SIGINT)
    let ending = try #require(await process.end())
    #expect(ending == .exited(130), "\(process.errors)")
    return .init(status: 130, output: process.output, errors: process.errors)
  }

  /// Holds what a stopped import says against what is stored: whole batches.
  private func check(_ outcome: TelexCommand.Outcome, in sandbox: Sandbox) async throws {
    let counts = try numbers(outcome)
    #expect(counts[0] >= 100 && counts[0] % 100 == 0)
    #expect(try await sandbox.telex("list", "--json").json()["total"] as? Int == counts[0])
    let error = try #require(try outcome.json()["error"] as? [String: Any])
    #expect(error["message"] as? String == "The import was stopped.")
  }

  @Test func `Ctrl-C closes the connection and keeps what is stored`() async throws {
    let server = RawServer { request in
      switch request.path {
      case "/api":
        return .reply(
          WireReply(
            type: "application/json", text: #"{"api": "telex-feed", "version": 1, "title": "E"}"#))
      case "/api/articles":
        return .reply(
          WireReply(type: "application/json", text: #"{"items": [], "nextCursor": null}"#))
      default:
        // Without an end.
        return .reply(
          WireReply(headers: [("Content-Type", "application/x-ndjson")]) { number in
            Array("{\"id\": \"\(number)\", \"title\": \"Title \(number)\"}\n".utf8)
          })
      }
    }
    let port = try server.start()
    let sandbox = try Sandbox()
    try await sandbox.add("http://127.0.0.1:\(port)/api")
    let outcome = try await stopImport(of: [], in: sandbox)
    try await check(outcome, in: sandbox)
    #expect(await eventually { server.openConnections == 0 })
    await server.stop()
  }

  @Test func `Ctrl-C ends the waiting for a pipe`() async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let pipe = sandbox.folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      // Held open for both directions: nobody waits for the other end, and the pipe does not close.
      let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      let outcome = try await stopImport(of: [pipe], in: sandbox) {
        let lines = (0..<150).map { "{\"id\": \"\($0)\"}\n" }.joined()
        #expect(write(descriptor, lines, lines.utf8.count) == lines.utf8.count)
      }
      let counts = try numbers(outcome)
      #expect(counts == [100, 0, 0, 100, 0])
      #expect(try await sandbox.articles().count == 101)
    }
  }
}
