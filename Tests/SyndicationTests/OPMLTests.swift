import Foundation
import News
import Syndication
import Testing

private let folder = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Fixtures/opml")

private func list(_ body: String) throws -> OPMLDocument {
  try OPML.parse(
    Array("<opml version=\"1.0\"><head><title>L</title></head><body>\(body)</body></opml>".utf8))
}

@Suite struct OPMLTests {
  @Test func `A list with folders, categories and odd spellings is read`() throws {
    let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "mixed.opml")))
    let list = try OPML.parse(bytes)
    #expect(list.title == "My & feeds")
    #expect(
      list.feeds == [
        .init(
          url: "https://example.org/feed?a=1&b=2", title: "Top level",
          htmlUrl: "https://example.org/"),
        .init(
          url: "https://swift.example/rss", title: "Swift",
          categories: [["Tech"], ["Tech", "Languages"], ["Favourites"]]),
        .init(url: "https://deep.example/", title: "Café", categories: [["Tech", "Languages"]]),
        .init(url: "https://cats.example/", title: "Cats", categories: [["a", "b"], ["c"]]),
        .init(url: "https://untitled.example/"),
      ])
  }

  @Test func `What is written is read back`() throws {
    let document = OPMLDocument(
      title: "A \"list\" & <more>",
      feeds: [
        .init(
          url: "https://example.org/?a=1&b=\"2\"", title: "R&D <b>", htmlUrl: "https://e.org/'"),
        .init(
          url: "https://b.example/", categories: [["Tech"], ["Tech", "Swift & Co"], ["News"]]),
        .init(url: "https://c.example/", title: "C", categories: [["Tech", "Swift & Co"]]),
      ])
    let text = OPML.write(document)
    let read = try OPML.parse(Array(text.utf8))
    #expect(read.title == document.title)
    // Folders come before loose feeds, so the order may differ.
    let byAddress = { (feeds: [OPMLDocument.Feed]) in
      feeds.map { feed in
        var feed = feed
        feed.categories.sort { $0.joined(separator: "/") < $1.joined(separator: "/") }
        return feed
      }.sorted { $0.url < $1.url }
    }
    #expect(byAddress(read.feeds) == byAddress(document.feeds))
    #expect(OPML.write(read) == OPML.write(try OPML.parse(Array(OPML.write(read).utf8))))
  }

  @Test func `Control characters do not get into the file`() {
    let text = OPML.write(OPMLDocument(title: "a\u{1B}b\u{0}", feeds: [.init(url: "x\u{7}y")]))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func `Titles lose their control characters`() throws {
    let feeds = try list("<outline text=\"a&#27;[31m\u{202E}b\" xmlUrl=\"https://e.org/\"/>").feeds
    #expect(feeds.map(\.title) == ["a[31mb"])
  }

  @Test func `A list that is cut keeps what came before`() throws {
    let feeds = try OPML.parse(
      Array(
        "<opml><body><outline text='F'><outline xmlUrl='https://a.example/'/><outline xmlUrl='https://b"
          .utf8)
    ).feeds
    #expect(feeds == [.init(url: "https://a.example/", categories: [["F"]])])
  }

  @Test(arguments: ["", "  ", "no xml", "<html></html>", "<rss><channel/></rss>", "{}"])
  func `What is no list is refused`(_ text: String) {
    #expect(throws: SourceError.self) { try OPML.parse(Array(text.utf8)) }
  }

  @Test func `Deep and long lists are read in bounds`() throws {
    let deep = String(repeating: "<outline text='f'>", count: 5000)
    let feeds = try list(deep + "<outline xmlUrl='https://e.org/'/>").feeds
    #expect(feeds.count <= 1)
    let many = try list((0..<20_000).map { "<outline xmlUrl='https://e.org/\($0)'/>" }.joined())
      .feeds
    #expect(many.count == 20_000)
  }
}
