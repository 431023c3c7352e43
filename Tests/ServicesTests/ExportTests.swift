internal import FeedServer
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite struct ExportTests {
  private func collected(
    _ export: ArticleExport
  ) async throws -> (entries: [Entry], sizes: [Int], report: NDJSONReport) {
    var (entries, sizes, report) = ([Entry](), [Int](), NDJSONReport())
    for try await batch in export {
      entries += batch.entries
      sizes.append(batch.entries.count)
      report = batch.report
    }
    return (entries, sizes, report)
  }

  @Test func `An export is what the pages say, in one answer`() async throws {
    try await withServer { server, sources in
      let feed = feed(server.apiURL, format: .api)
      var paged: [Entry] = []
      for try await page in sources.source(for: feed).pages() { paged += page.page.entries }
      server.forgetRequests()
      let (entries, sizes, report) = try await collected(sources.export(of: feed, batchSize: 50))
      #expect(entries == paged)
      #expect(sizes == [50, 50, 30])
      #expect(report.lines == 130)
      #expect(report.bad == 0)
      #expect(server.requests.map(\.target) == ["/api/articles.ndjson"])
    }
  }

  @Test func `A line has all that an article of Telex has`() async throws {
    let line = """
      {"id": "1", "feedURL": "https://example.org/feed", "language": "de", "image": "/i.png", \
      "comments": {"page": "/c", "count": -1}, "rights": "© Ada", \
      "source": {"title": "S", "url": "/s", "feed_url": "/s/feed"}}

      """
    try await withAnswers({ _ in .reply(WireReply(type: "application/x-ndjson", text: line)) }) {
      base, _, sources in
      let found = try await collected(sources.export(of: feed(base, format: .api))).entries
      var entry = Entry(id: "1")
      entry.language = "de"
      entry.image = "https://example.org/i.png"
      entry.comments = CommentLinks(page: "https://example.org/c")
      entry.source = EntrySource(
        title: "S", url: "https://example.org/s", feedURL: "https://example.org/s/feed")
      entry.rights = "© Ada"
      #expect(found == [entry])
    }
  }

  @Test func `Bad lines are passed over, counted and named`() async throws {
    try await withServer { server, sources in
      for line in [1, 7, 130] { server.inject(.badLine(after: line), on: "/api/articles.ndjson") }
      let (entries, _, report) = try await collected(
        sources.export(of: feed(server.apiURL, format: .api)))
      #expect(entries.count == 130)
      #expect(report.lines == 133)
      #expect(report.bad == 3)
      #expect(report.faults.map(\.line) == [2, 9, 133])
      #expect(report.faults.allSatisfy { $0.reason == "is no JSON" })
    }
  }

  @Test func `An export that breaks off goes on where it ended`() async throws {
    try await withServer { server, sources in
      let feed = feed(server.apiURL, format: .api)
      let whole = try await collected(sources.export(of: feed)).entries
      server.inject(.cut(afterBytes: 60_000), on: "/api/articles.ndjson")
      var entries: [Entry] = []
      var cursor: Cursor?
      let error = await #expect(throws: SourceError.self) {
        for try await batch in try await sources.export(of: feed, batchSize: 10) {
          entries += batch.entries
          cursor = batch.cursor
        }
      }
      #expect(error?.kind == .cutShort)
      #expect(error?.subject == server.apiURL)
      #expect(entries.count > 5)
      #expect(entries.count < 130)
      // What is published meanwhile moves nothing.
      server.insertFresh(3)
      entries += try await collected(sources.export(of: feed, after: cursor)).entries
      #expect(entries == whole)
    }
  }

  /// Lines of some 10 kB, each piece made as it is sent; as many pieces as `count`.
  private func withLines(
    _ count: Int,
    _ body: (_ feed: Feed, RawServer, Sources, _ sent: @Sendable () -> Int) async throws -> Void
  ) async throws {
    let text = String(repeating: "All work and no play. ", count: 450)
    let line = Array("{\"id\": \"#\", \"contentHTML\": \"\(text)\"}\n".utf8)
    let sent = Mutex(0)
    try await withAnswers({ _ in
      let reply = WireReply(headers: [("Content-Type", "application/x-ndjson")]) { number in
        guard number < count else { return nil }
        sent.withLock { $0 += line.count }
        return line
      }
      return .reply(reply)
    }) { base, server, sources in
      try await body(feed(base, format: .api), server, sources) { sent.withLock { $0 } }
    }
  }

  @Test func `Stopping closes the connection`() async throws {
    try await withLines(.max) { feed, server, sources, _ in
      for try await batch in try await sources.export(of: feed) {
        #expect(batch.entries.count == 100)
        #expect(server.openConnections == 1)
        break
      }
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })

      let task = Task {
        for try await _ in try await sources.export(of: feed) {}
      }
      #expect(await eventually { server.openConnections == 1 })
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
    }
  }

  @Test func `A hundred megabytes pass through, and what is not read yet is not sent`() async throws
  {
    let count = 11_000
    try await withLines(count) { feed, _, sources, sent in
      var (read, bytes, most) = (0, 0, 0)
      for try await batch in try await sources.export(of: feed) {
        #expect(batch.report.bad == 0)
        read += batch.entries.count
        bytes += batch.entries.reduce(0) { $0 + ($1.contentHTML?.utf8.count ?? 0) }
        most = max(most, sent() - bytes)
      }
      #expect(read == count)
      #expect(bytes > 100_000_000)
      // What fits into the buffers of two sockets, and a batch.
      #expect(most < 25_000_000)
    }
  }

  @Test func `A server without exports says so`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 404)) }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.export(of: feed(base, format: .api))
      }
      #expect(error?.status == 404)
      #expect(server.requests.count == 1)
    }
  }
}
