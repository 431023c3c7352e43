import Foundation
import News
import Syndication
import TestSupport
import Testing

private let folder = fixtures.appending(path: "opml")

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

  @Test(arguments: ["\0\0\0", "\0"])
  func `Stray zeros before a list do not make it UTF-32`(_ zeros: String) throws {
    let text = "<opml><body><outl\0ine xmlUrl=\"https://example.org/feed\"/></body></opml>"
    #expect(
      try OPML.parse(Array((zeros + text).utf8)).feeds.map(\.url) == ["https://example.org/feed"])
  }

  @Test(arguments: [
    ("feed://https://e.example/f", "https://e.example/f"),
    ("feed:http://e.example/f", "http://e.example/f"),
    ("feeds://e.example/f", "https://e.example/f"),
    ("itpc://e.example/f", "https://e.example/f"), ("pcast://e.example/f", "https://e.example/f"),
    ("podcast://e.example/f", "https://e.example/f"),
    ("feed://http//e.example/f", "http://e.example/f"),
  ])
  func `The schemes of feeds stand for those of the web`(_ written: String, _ url: String) throws {
    let document = try list("<outline xmlUrl='\(written)'/>")
    #expect(document.feeds == [.init(url: url)] && document.skipped.isEmpty)
  }

  @Test func `A host outside ASCII is the same in its ASCII form`() throws {
    let document = try list(
      "<outline xmlUrl='https://bücher.example/f'/>"
        + "<outline xmlUrl='https://xn--bcher-kva.example/f'/>"
        + "<outline xmlUrl='https://BU\u{308}CHER.example/f'/>")
    #expect(document.feeds.map(\.url) == ["https://bücher.example/f"])
    #expect(document.skipped.count == 2)
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

  @Test(arguments: [
    ("", "empty"), ("  ", "empty"), ("no xml", "no XML"), ("<html></html>", "web page"),
    ("<rss><channel/></rss>", "feed (RSS)"), ("<feed/>", "feed (Atom)"), ("{}", "JSON"),
    ("<?xml version='1.0'?><x:RDF xmlns:x='urn:x'/>", "feed (RDF)"), ("<kml/>", "“kml”"),
  ])
  func `What is no list is refused by its name`(_ text: String, _ name: String) throws {
    let error = try #require(throws: SourceError.self) { try OPML.parse(Array(text.utf8)) }
    #expect(error.message.contains(name), "\(error.message)")
    #expect(error.next != nil)
  }

  @Test(arguments: [1, 40, 1_000])
  func `Folders as deep as a list has them are read, written and read again`(depth: Int) throws {
    let feed = "<outline text='F' xmlUrl='https://e.org/'/>"
    let document = try list(
      (0..<depth).map { "<outline text='\($0)'>" }.joined() + feed
        + String(repeating: "</outline>", count: depth))
    #expect(document.feeds.map(\.categories) == [[(0..<depth).map(String.init)]])
    #expect(document.skipped.isEmpty && document.warnings.isEmpty)
    let again = try OPML.parse(Array(OPML.write(document).utf8))
    #expect(again == document)
  }

  @Test func `Feeds that lie too deep are left out, and said to be`() throws {
    let document = try list(
      "<outline text='A' xmlUrl='https://a.example/'/>"
        + String(repeating: "<outline text='f'>", count: 5_000)
        + "<outline text='B' xmlUrl='https://b.example/'/>"
        + String(repeating: "</outline>", count: 5_000)
        + "<outline text='C' xmlUrl='https://c.example/'/>")
    #expect(document.feeds.map(\.url) == ["https://a.example/", "https://c.example/"])
    #expect(document.skipped.map(\.url) == ["https://b.example/"])
  }

  @Test func `A long list is read whole, and written`() throws {
    let document = try list(
      (0..<20_000).map { "<outline text='\($0)' xmlUrl='https://e.org/\($0)'/>" }.joined())
    #expect(document.feeds.count == 20_000)
    #expect(try OPML.parse(Array(OPML.write(document).utf8)).feeds == document.feeds)
  }

  @Test func `Deep folders with a feed in each stay within bounds`() throws {
    let levels = 1_000
    let branch =
      String(repeating: "<outline text='f'>", count: levels)
      + "<outline xmlUrl='https://e.org/NO'/>"
      + String(repeating: "</outline>", count: levels)
    let document = try list((0..<620).map { branch.replacing("NO", with: "\($0)") }.joined())
    #expect(
      document.feeds.reduce(0) { $0 + $1.categories.reduce(0) { $0 + $1.count } } <= 600_000)
    #expect(document.feeds.count + document.skipped.count == 620)
  }

  @Test func `Files are feeds for who trusts the list only`() throws {
    let text = Array("<opml><body><outline xmlUrl='file:///a.xml'/></body></opml>".utf8)
    #expect(try OPML.parse(text).feeds.isEmpty)
    #expect(try OPML.parse(text, takesFiles: true).feeds.map(\.url) == ["file:///a.xml"])
  }

  @Test func `Two meanings of one prefix are told apart`() throws {
    let feeds = ["urn:one", "urn:two", "urn:telex:other"].enumerated().map { index, space in
      OPMLDocument.Feed(
        url: "https://e.org/\(index)",
        attributes: [OutlineAttribute("x:note", namespace: space, value: "v\(index)")])
    }
    let read = try OPML.parse(Array(OPML.write(OPMLDocument(feeds: feeds)).utf8)).feeds
    #expect(
      read.map { $0.attributes.first?.namespace } == ["urn:one", "urn:two", "urn:telex:other"])
    #expect(read.map { $0.attributes.first?.value } == ["v0", "v1", "v2"])
    #expect(Set(read.compactMap { $0.attributes.first?.name }).count == 3)
  }

  @Test(arguments: ["a b", "1a", "a:b:c", "", "xmlns", "xmlns:x", "a=\"", "text", "xmlUrl"])
  func `What cannot be an attribute of another feed reader is not written`(_ name: String) throws {
    let feed = OPMLDocument.Feed(
      url: "https://e.org/", title: "T", attributes: [OutlineAttribute(name, value: "<&\">")])
    let read = try OPML.parse(Array(OPML.write(OPMLDocument(feeds: [feed])).utf8)).feeds
    #expect(read == [.init(url: "https://e.org/", title: "T")])
  }

  @Test func `White space and markup in the attributes of others survive`() throws {
    let value = "//div[@class = \"a\"]  |\n\t<b> & 'c'"
    let feed = OPMLDocument.Feed(
      url: "https://e.org/", attributes: [OutlineAttribute("xpath", value: value)])
    let read = try OPML.parse(Array(OPML.write(OPMLDocument(feeds: [feed])).utf8)).feeds
    #expect(read.first?.attributes == feed.attributes)
  }
}
