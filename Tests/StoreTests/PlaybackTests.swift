internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// How far the files of articles were played.
@Suite struct PlaybackTests {
  private let sound = "https://e.org/a.mp3"

  private func withArticle(
    _ body: (borrowing TestStore, FeedID, ArticleID) async throws -> Void
  ) async throws {
    let test = try TestStore()
    let feed = try await test.store.edit {
      try $0.feeds.subscribe(url: "http://e.org/a", of: .local, isUserEntered: false, now: noon)
        .feed
    }
    var entry = entry("a")
    entry.enclosures = [Enclosure(url: sound), Enclosure(url: "https://e.org/b.mp3")]
    try await test.merge([entry], into: feed)
    let id = try #require(try await test.articles(feed).first).id
    try await body(test, feed, id)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `The latest place of each file is kept, and how long it is`() async throws {
    try await withArticle { test, _, id in
      for playback in [
        Playback(seconds: 10, duration: 600), Playback(seconds: 125), Playback(isHeard: true),
      ] {
        try await test.store.edit { try $0.playback.set(playback, of: sound, in: id) }
        let found = try await test.store.view { try $0.articles.article(id)?.playback }
        var kept = playback
        kept.duration = 600
        #expect(found == [sound: kept])
      }
    }
  }

  @Test func `A refresh keeps it, an article that goes takes it along`() async throws {
    try await withArticle { test, feed, id in
      try await test.store.edit {
        try $0.playback.set(Playback(seconds: 5), of: sound, in: id)
        try $0.playback.set(Playback(seconds: 5), of: sound, in: ArticleID(99_999))
      }
      var changed = entry("a", title: "Another title")
      changed.enclosures = [Enclosure(url: sound)]
      try await test.merge([changed], into: feed)
      #expect(
        try await test.store.view { try $0.articles.article(id)?.playback } == [
          sound: Playback(seconds: 5)
        ])
      let raw = try RawDatabase(test.folder)
      let count = "SELECT count(*) FROM playback"
      #expect(try raw.strings(count) == ["1"])
      try await test.store.edit { try $0.feeds.unsubscribe(feed) }
      #expect(try raw.strings(count) == ["0"])
    }
  }
}
