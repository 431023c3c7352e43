internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import Testing

@Suite struct CutDocumentTests {
  private static func rss(_ items: [(id: String, text: String)]) -> String {
    let items = items.map {
      "<item><guid>\($0.id)</guid><title>\($0.id)</title><description>\($0.text)</description></item>"
    }
    return "<rss version='2.0'><channel><title>T</title>\(items.joined())</channel></rss>"
  }

  /// Answers with the document that stands for a moment, whole or to the end of a text in it.
  private func withFeed(
    _ body: (borrowing TestReader, Feed, RawServer, Shared)
      async throws -> Void
  ) async throws {
    let state = Shared()
    try await withAnswers({ _ in
      let (text, cutAt) = state.now.withLock { $0 }
      let whole = WireReply(
        type: "application/rss+xml", headers: [("ETag", "\"\(text.utf8.count)\"")], text: text)
      guard let cutAt, let place = text.firstRange(of: cutAt) else { return .reply(whole) }
      return .cut(whole, after: text[..<place.upperBound].utf8.count)
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/feed")[0]
      try await body(reader, feed, server, state)
    }
  }

  private final class Shared: Sendable {
    let now = Mutex<(text: String, cutAt: String?)>(("", nil))
  }

  @Test func `After an answer that broke off, the next one is asked for in full`() async throws {
    try await withFeed { reader, feed, server, state in
      let repository = reader.repository
      let now = reader.clock.now
      let text = Self.rss([("a", "one"), ("b", "two and a half")])
      state.now.withLock { $0 = (text, "two and") }
      let report = try await repository.refresh(.all)
      #expect(report.outcomes.first?.error?.kind == .cutShort)
      #expect(report.inserted == 2)
      #expect(try await reader.titles() == ["a", "b"])
      let failed = try await reader.feed(feed).state
      #expect(failed.error?.kind == .cutShort && failed.failing?.count == 1)
      #expect(failed.exchange?.status == 200)
      // How far the feed has been walked is not known yet.
      #expect(failed.paging == .notStarted)
      #expect(
        try await reader.store.view { try $0.feeds.knownPage(of: feed.id, now: now) } == KnownPage()
      )

      state.now.withLock { $0 = (text, nil) }
      server.forgetRequests()
      _ = try await repository.refresh(.all)
      #expect(server.requests.map { $0.header("If-None-Match") } == [nil])
      let mended = try await reader.feed(feed).state
      #expect(mended.error == nil && mended.paging == .end)
      #expect(
        try await reader.store.view { try $0.feeds.knownPage(of: feed.id, now: now) }.bodyDigest
          != nil)
      #expect(try await self.text("b", reader) == "two and a half")
    }
  }

  @Test func `A document that its server has without an end is told of until it has one`()
    async throws
  {
    try await withFeed { reader, feed, _, state in
      let text = Self.rss([("a", "one"), ("b", "two")])
      let place = try #require(text.firstRange(of: "two"))
      state.now.withLock { $0 = (String(text[..<place.lowerBound]), nil) }
      let report = try await reader.repository.refresh(.all)
      #expect(report.failed.isEmpty && report.outcomes.first?.remark != nil)
      let cut = try await reader.feed(feed).state
      #expect(cut.error == nil && cut.remark?.contains("ends before it is complete") == true)
      state.now.withLock { $0 = (text, nil) }
      _ = try await reader.repository.refresh(.all)
      #expect(try await reader.feed(feed).state.remark == nil)
    }
  }

  @Test func `An entry that was cut does not take the place of the whole one`() async throws {
    try await withFeed { reader, feed, _, state in
      let repository = reader.repository
      let now = reader.clock.now
      let items = [("b", "two and a half")]
      state.now.withLock { $0 = (Self.rss(items), nil) }
      _ = try await repository.refresh(.all)
      state.now.withLock { $0 = (Self.rss([("c", "new")] + items), "two") }
      _ = try await repository.refresh(.all)
      #expect(try await Set(reader.titles()) == ["b", "c"])
      #expect(try await self.text("b", reader) == "two and a half")
      // What was kept of the whole document before does not stand for this one.
      #expect(
        try await reader.store.view { try $0.feeds.knownPage(of: feed.id, now: now) } == KnownPage()
      )
    }
  }

  @Test func `An answer that broke off before what is known makes no gap`() async throws {
    try await withFeed { reader, feed, _, state in
      let repository = reader.repository
      state.now.withLock { $0 = (Self.rss([("a", "one")]), nil) }
      _ = try await repository.refresh(.all)
      let text = Self.rss([("c", "three"), ("b", "two"), ("a", "one")])
      state.now.withLock { $0 = (text, "three</desc") }
      reader.clock.advance(100)
      _ = try await repository.refresh(.all)
      #expect(try await reader.titles() == ["a"])
      #expect(try await reader.feed(feed).state.error?.kind == .cutShort)
      state.now.withLock { $0 = (text, nil) }
      _ = try await repository.refresh(.all)
      #expect(try await reader.titles() == ["c", "b", "a"])
      let rows = try await reader.store.view { try $0.timeline.slice(TimelineQuery(.all)).rows }
      #expect(!rows.contains { if case .gap = $0 { true } else { false } })
    }
  }

  private func text(_ title: String, _ reader: borrowing TestReader) async throws -> String? {
    try await reader.store.view { view in
      for case .article(let row) in try view.timeline.slice(TimelineQuery(.all)).rows
      where row.title == title {
        let article = try view.articles.article(row.id)
        return article?.entry.contentHTML ?? article?.entry.summary
      }
      return nil
    }
  }
}
