internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Recipes of feeds that change while the feed is being obtained.
@Suite(.timeLimit(.minutes(10))) struct RecipeTests {
  private static let watching = FeedRecipe(#"{"document":1,"reading":{"watch":{"_0":{}}}}"#)
  private static let filtering = DocumentRecipe(filter: ["cat"]).stored

  private func recipe(_ feed: Feed, _ reader: borrowing TestReader) async throws -> FeedRecipe? {
    try await reader.feed(feed).recipe
  }

  @Test func `A watched page that comes late leaves the recipe that was set meanwhile`()
    async throws
  {
    let gate = Gate()
    try await withAnswers({ _ in
      gate.wait()
      return .reply(WireReply(type: "text/html", text: "<p>one"))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/page")[0]
      try await reader.store.edit { try $0.feeds.setRecipe(Self.watching, of: feed.id) }
      let repository = reader.repository
      async let report = repository.refresh(.all)
      #expect(await eventually { !server.requests.isEmpty })
      try await reader.store.edit { try $0.feeds.setRecipe(Self.filtering, of: feed.id) }
      gate.open()
      #expect(try await report.inserted == 0)
      #expect(try await recipe(feed, reader) == Self.filtering)
      #expect(try await reader.titles() == [])

      // Without a change in between, the page is kept for the next look.
      try await reader.store.edit { try $0.feeds.setRecipe(Self.watching, of: feed.id) }
      #expect(try await repository.refresh(.all).inserted == 1)
      #expect(try await recipe(feed, reader)?.rawValue.contains("one") == true)
    }
  }

  @Test func `A recipe that was made from a former one does not replace a newer one`()
    async throws
  {
    let reader = try TestReader()
    let feed = try await reader.add("http://127.0.0.1/page")[0]
    try await reader.store.edit { try $0.feeds.setRecipe(Self.watching, of: feed.id) }
    let located = LocatedFeed(url: feed.url, page: Page(), isUserEntered: true)
    let error = await #expect(throws: SourceError.self) {
      try await reader.repository.setRecipe(Self.filtering, of: feed, located)
    }
    #expect(error?.message == "How the feed is obtained has changed meanwhile.")
    #expect(try await recipe(feed, reader) == Self.watching)

    let now = try await reader.feed(feed)
    let changed = try await reader.repository.setRecipe(Self.filtering, of: now, located)
    #expect(changed.recipe == Self.filtering)
  }
}
