import FeedServer
import Foundation
import News
import TelexKit
import TestSupport
import Testing

@Suite struct LineReaderTests {
  @Test func `a second front end lists, refreshes and marks`() async throws {
    try await withServer { server, folder in
      let reader = try LineReader(folder: folder)
      #expect(try await reader.answer("add \(server.baseURL)/rss.xml") == ["added The Line"])
      #expect(try await reader.answer("feeds") == ["1 The Line 1/1"])

      server.insert([article("Second")])
      #expect(try await reader.answer("refresh") == ["1 feeds, 1 new"])
      let unread = try await reader.answer("unread")
      #expect(unread.map { $0.split(separator: " ").last } == ["Second", "First"])

      let number = try #require(unread.first?.split(separator: " ").first)
      #expect(try await reader.answer("read \(number)") == ["read Second"])
      // What was marked is in the store, not in the front end.
      for reader in [reader, try LineReader(folder: folder)] {
        #expect(try await reader.answer("unread") == [unread[1]])
        #expect(try await reader.answer("feeds") == ["1 The Line 1/2"])
      }
    }
  }

  @Test func `a refresh that fails says so and keeps what is there`() async throws {
    try await withServer { server, folder in
      let reader = try LineReader(folder: folder)
      _ = try await reader.answer("add \(server.baseURL)/rss.xml")
      server.inject(.status(404), on: "/rss.xml")
      let lines = try await reader.answer("refresh")
      #expect(lines.first == "1 feeds, 0 new")
      #expect(lines.count == 2 && lines.last?.hasPrefix("The Line: ") == true, "\(lines)")
      #expect(try await reader.answer("feeds") == ["1 The Line 1/1"])
    }
  }
}

/// Runs the body while a feed of one article is served, with a new folder for a store.
func withServer(_ body: (FeedServer, _ folder: String) async throws -> Void) async throws {
  let server = try FeedServer(archive: Archive(title: "The Line", articles: [article("First")]))
  let folder = try temporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await server.whileServing { _ in try await body(server, folder) }
}

/// An article of the demo server. Its title is its identity.
func article(_ title: String) -> Archive.Article {
  Archive.Article(
    entry: Entry(id: title, url: "/read/\(title)", title: title), section: "",
    published: Date(timeIntervalSince1970: title == "First" ? 1_773_039_900 : 1_773_040_000))
}
