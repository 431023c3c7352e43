internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// The queue of what is to be played.
@Suite struct QueueTests {
  private func url(_ name: String) -> String { "https://e.org/\(name).mp3" }

  private func withEpisodes(
    _ body: (borrowing TestStore, FeedID, [ArticleID]) async throws -> Void
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("a")
    let entries = ["a", "b", "c"].enumerated().map { index, name in
      var entry = entry(name, title: "Episode \(name)", at: -index)
      entry.enclosures = [Enclosure(url: url(name), type: "audio/mpeg", duration: 60)]
      return entry
    }
    try await test.merge(entries, into: feed)
    try await body(test, feed, try await test.articles(feed).map(\.id))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  private func queue(_ test: borrowing TestStore) async throws -> [QueuedFile] {
    try await test.store.view { try $0.playback.queue() }
  }

  private func change(_ change: QueueChange, _ test: borrowing TestStore) async throws {
    try await test.store.edit { try $0.playback.changeQueue(change) }
  }

  @Test func `Files wait in the order in which they were put there, each once, and are moved`()
    async throws
  {
    try await withEpisodes { test, _, ids in
      for (id, name) in zip(ids, ["a", "b", "c"]) {
        try await change(.add(id, url: url(name)), test)
      }
      try await change(.add(ids[0], url: url("a")), test)
      try await change(.add(ArticleID(4711), url: url("a")), test)
      var files = try await queue(test)
      #expect(files.map(\.title) == ["Episode a", "Episode b", "Episode c"])
      #expect(files.map(\.article) == ids)
      #expect(files.first?.file == Enclosure(url: url("a"), type: "audio/mpeg", duration: 60))
      #expect(files.first?.duration == 60 && files.first?.playback == nil)
      let first = try #require(files.first?.id)
      try await change(.up([first]), test)
      try await change(.down([first]), test)
      files = try await queue(test)
      #expect(files.map(\.title) == ["Episode b", "Episode a", "Episode c"])
      try await change(.down([first]), test)
      try await change(.down([first]), test)
      files = try await queue(test)
      #expect(files.map(\.title) == ["Episode b", "Episode c", "Episode a"])
      // Those at the end stay, with those next to them.
      let (second, last) = (files[1].id, files[2].id)
      try await change(.down([second, last]), test)
      #expect(try await queue(test).map(\.id) == files.map(\.id))
      try await change(.up([second, last]), test)
      #expect(try await queue(test).map(\.id) == [second, last, files[0].id])
      try await change(.down([second, last]), test)
      #expect(try await queue(test).map(\.id) == files.map(\.id))
      try await change(.up([try #require(files.last?.id)]), test)
      try await change(.remove([files[0].id]), test)
      files = try await queue(test)
      #expect(files.map(\.title) == ["Episode a", "Episode c"])
      try await change(.clear, test)
      #expect(try await queue(test) == [])
    }
  }

  @Test func `What was played to its end leaves it, what was begun stays with its place`()
    async throws
  {
    try await withEpisodes { test, _, ids in
      for (id, name) in zip(ids, ["a", "b"]) {
        try await change(.add(id, url: url(name)), test)
      }
      let (a, b) = (url("a"), url("b"))
      try await test.store.edit { edit in
        try edit.playback.set(Playback(isHeard: true), of: a, in: ids[0])
        try edit.playback.set(Playback(seconds: 12, duration: 61), of: b, in: ids[1])
      }
      let files = try await queue(test)
      #expect(files.map(\.file.url) == [b])
      #expect(files.first?.playback == Playback(seconds: 12, duration: 61))
      #expect(files.first?.duration == 61)
    }
  }

  @Test
  func `A file that its feed has taken away can still be played, an article that is gone cannot`()
    async throws
  {
    try await withEpisodes { test, feed, ids in
      try await change(.add(ids[0], url: url("gone")), test)
      #expect(try await queue(test).map(\.file) == [Enclosure(url: url("gone"))])
      try await test.store.edit { try $0.feeds.unsubscribe(feed) }
      #expect(try await queue(test) == [])
    }
  }
}
