internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// How a feed is asked for where its address does not tell, and what its server tells beside its articles.
@Suite struct RecipeTests {
  private static let recipe = FeedRecipe(#"{"query":"{ a }"}"#)

  @Test func `A recipe stays with its feed, also over another start`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.recipe } == nil)
    try await test.store.edit { try $0.feeds.setRecipe(Self.recipe, of: feed) }
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.feeds.all().first?.recipe } == Self.recipe)
  }

  @Test func `Another recipe forgets what the feed has answered so far, and the same does not`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.store.edit { try $0.feeds.setRecipe(Self.recipe, of: feed) }
    let page = PreparedPage(
      Page(entries: [entry("a")], nextCursor: News.Cursor("c"), bodyDigest: 7))
    func merge() async throws {
      _ = try await test.store.edit {
        try $0.articles.merge(page, into: feed, at: .newest, now: noon)
      }
    }
    try await merge()
    try await test.store.edit { try $0.feeds.setRecipe(Self.recipe, of: feed) }
    #expect(
      try await test.store.view { try $0.feeds.knownPage(of: feed, now: noon).bodyDigest } == 7)
    #expect(try await test.store.view { try $0.feeds.olderCursor(of: feed) } == News.Cursor("c"))
    try await test.store.edit { try $0.feeds.setRecipe(FeedRecipe("{}"), of: feed) }
    #expect(
      try await test.store.view { try $0.feeds.knownPage(of: feed, now: noon).bodyDigest } == nil)
    #expect(try await test.store.view { try $0.feeds.olderCursor(of: feed) } == nil)
    // Its articles stay.
    #expect(try await test.titles(feed).count == 1)
  }

  @Test func `What a server tells beside its articles stays until it answers without it`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func remark() async throws -> String? {
      try await test.store.view { try $0.feeds.feed(feed)?.state.remark }
    }
    var page = Page(entries: [entry("a")])
    page.remark = "Some were left out."
    let (told, plain) = (PreparedPage(page), PreparedPage(Page(entries: [entry("a")])))
    try await test.store.edit { try $0.articles.merge(told, into: feed, at: .newest, now: noon) }
    #expect(try await remark() == "Some were left out.")
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.state.error } == nil)
    #expect(try await test.titles(feed).count == 1)
    // The same answer holds the same errors.
    try await test.store.edit { try $0.fetches.recordUnchanged(feed, Validators(), now: noon) }
    #expect(try await remark() != nil)
    try await test.store.edit { try $0.articles.merge(plain, into: feed, at: .newest, now: noon) }
    #expect(try await remark() == nil)
  }

  @Test func `A recipe survives the repair of a damaged store`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.store.edit { try $0.feeds.setRecipe(Self.recipe, of: feed) }
    _ = try await test.store.repair()
    #expect(try await test.store.view { try $0.feeds.feed(feed)?.recipe } == Self.recipe)
  }
}
