internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// How often feeds publish, as fetches note it.
@Suite struct PaceTests {
  private func pace(_ test: borrowing TestStore, _ feed: FeedID) async throws -> PublishingPace? {
    try await test.store.view { try $0.feeds.feed(feed) }?.state.pace
  }

  @Test func `The twenty newest articles of a feed count, and no other's`() async throws {
    let test = try TestStore()
    let (feed, other) = (try await test.subscribe("a"), try await test.subscribe("b"))
    // Newer ones each hour, older ones each minute.
    let newer = (0..<20).map { entry("new \($0)", at: -3_600 * $0) }
    let older = (1...50).map { entry("old \($0)", at: -100_000 - 60 * $0) }
    try await test.merge(newer + older, into: feed)
    try await test.merge([entry("x", at: -7)], into: other)
    #expect(try await pace(test, feed) == PublishingPace(gap: 3_600, newest: noon))
    #expect(try await pace(test, other) == PublishingPace(gap: nil, newest: noon - 7))
  }

  @Test func `Articles without a date or with one in the future tell nothing`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a"), entry("b"), entry("c", at: 60)], into: feed)
    #expect(try await pace(test, feed) == nil)
    // The future comes, without a change of the page.
    try await test.store.edit {
      try $0.fetches.recordUnchanged(feed, Validators(), now: noon + 60)
    }
    #expect(try await pace(test, feed) == PublishingPace(gap: nil, newest: noon + 60))
  }

  @Test func `Skipped times are those of the last page`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    var skips = SkippedTimes()
    skips.add(hour: 3)
    for skips in [skips, nil] {
      var page = Page(entries: [])
      page.description = FeedDescription(format: .rss, skips: skips)
      let prepared = PreparedPage(page)
      try await test.store.edit {
        _ = try $0.articles.merge(prepared, into: feed, at: .newest, now: noon)
      }
      #expect(try await test.store.view { try $0.feeds.feed(feed) }?.state.skips == skips)
    }
  }

  @Test func `The articles of a feed are found by an index`() async throws {
    let test = try TestStore()
    let plan = try RawDatabase(test.folder).strings(
      """
      EXPLAIN QUERY PLAN SELECT articleID FROM articleStatus INDEXED BY statusByFeed
      WHERE feedID = 1 ORDER BY sortDate DESC, articleID DESC LIMIT 20
      """)
    #expect(
      plan.joined().contains("COVERING INDEX statusByFeed") && !plan.joined().contains("TEMP"))
  }
}
