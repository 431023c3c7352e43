import News
import Syndication
import Testing

private func rss(_ items: String) -> [UInt8] {
  Array(
    "<rss version=\"2.0\"><channel><title>T</title><link>https://example.org/</link>\(items)</channel></rss>"
      .utf8)
}

private func parse(_ bytes: [UInt8], inPieces size: Int) throws -> ParsedFeed {
  var parser = FeedParser(baseURL: "https://example.org/feed")
  for start in stride(from: 0, to: bytes.count, by: size) {
    parser.consume(bytes[start..<min(start + size, bytes.count)])
  }
  return try parser.finish()
}

/// As zlib packs what it cannot make smaller (RFC 1950; RFC 1951 §3.2.4).
private func packed(_ bytes: [UInt8]) -> [UInt8] {
  let (low, high) = (UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8))
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in bytes {
    a = (a + UInt32(byte)) % 65_521
    b = (b + a) % 65_521
  }
  let sum = [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
  return [0x78, 0x01, 1, low, high, ~low, ~high] + bytes + sum
}

@Suite struct FeedParserTests {
  @Test(
    arguments: [
      ("<thr:in-reply-to ref='urn:c:1' href='/1'/>", "urn:c:1"),
      ("<thr:in-reply-to href='/1#c'/>", "https://example.org/1#c"),
      ("<thr:in-reply-to ref='urn:c:1'/><thr:in-reply-to ref='urn:c:2'/>", "urn:c:1"),
      ("<thr:in-reply-to ref=' '/>", nil), ("<in-reply-to ref='urn:c:1'/>", nil),
    ] as [(String, String?)])
  func `A comment names what it answers`(_ elements: String, _ answered: String?) throws {
    let text =
      "<rss xmlns:thr='http://purl.org/syndication/thread/1.0'><channel><title>T</title>"
      + "<item><guid>1</guid><title>C</title>\(elements)</item></channel></rss>"
    let feed = try FeedParser.parse(
      Array(text.utf8), contentType: nil, baseURL: "https://example.org/feed")
    #expect(feed.entries.map(\.inReplyTo) == [answered])
  }

  @Test(
    arguments: [
      (
        "<itunes:new-feed-url> https://new.example/f?a=1&amp;b=2 </itunes:new-feed-url>",
        "https://new.example/f?a=1&b=2"
      ),
      (
        "<itunes:new-feed-url>/podcast.xml</itunes:new-feed-url>",
        "https://example.org/podcast.xml"
      ),
      (
        "<itunes:new-feed-url/><itunes:new-feed-url>https://a.example/</itunes:new-feed-url>"
          + "<itunes:new-feed-url>https://b.example/</itunes:new-feed-url>", "https://a.example/"
      ),
      ("<itunes:new-feed-url>javascript:alert(1)</itunes:new-feed-url>", nil),
      ("<new-feed-url>https://a.example/</new-feed-url>", nil),
      // What a feed calls itself says nothing of where it has gone, and an entry speaks for itself.
      ("<atom:link rel='self' href='https://a.example/'/>", nil),
      (
        "<item><guid>1</guid><itunes:new-feed-url>https://a.example/</itunes:new-feed-url></item>",
        nil
      ),
      // Half an address is none.
      ("<itunes:new-feed-url>https://a.exam", nil),
    ] as [(String, String?)])
  func `A podcast says where it has moved to`(_ elements: String, _ address: String?) throws {
    let text =
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' "
      + "xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>T</title>\(elements)"
    let end = elements.hasSuffix(">") ? "</channel></rss>" : ""
    let feed = try FeedParser.parse(Array((text + end).utf8), baseURL: "https://example.org/feed")
    #expect(feed.description.movedTo == address)
  }

  @Test(
    arguments: [
      ("<skipHours><hour>0</hour><hour> 3 </hour><hour>x</hour></skipHours>", 0b1001),
      // Midnight of RSS 0.91.
      ("<skipHours><hour>24</hour><hour>25</hour></skipHours>", 0b1),
      (
        "<skipDays><day>Monday</day><day>sunday</day><day>Someday</day></skipDays>",
        1 << 24 | 1 << 30
      ),
      ("<hour>3</hour><skipHours/>", nil),
      ("<item><skipHours><hour>3</hour></skipHours><guid>1</guid></item>", nil),
    ] as [(String, Int?)])
  func `A feed says when it is not to be fetched`(_ elements: String, _ skips: Int?) throws {
    let text = "<rss version='2.0'><channel><title>T</title>\(elements)</channel></rss>"
    let feed = try FeedParser.parse(Array(text.utf8), baseURL: "https://example.org/feed")
    #expect(feed.description.skips?.rawValue == skips)
    #expect(feed.description.title == "T")
  }

  @Test(arguments: [1000, 16_384, 300_001, 10_000_000])
  func `A long document comes to the same in pieces of any size`(_ size: Int) throws {
    // Longer than what is read at once, with characters of every length at the borders.
    let item = { (index: Int) in
      "<item><guid>\(index)</guid><title>Nr &amp; \(index) äöü €😀</title>"
        + "<description><![CDATA[<p>\(String(repeating: "ä€😀 x&y ]] > ", count: index % 97))</p>]]>"
        + "</description></item>\n"
    }
    let bytes = rss((0..<2000).map(item).joined())
    try #require(bytes.count > 1_000_000)
    let whole = try FeedParser.parse(bytes, baseURL: "https://example.org/feed")
    #expect(whole.entries.count == 2000)
    #expect(whole.entries[1999].title == "Nr & 1999 äöü €😀")
    #expect(whole.entries[96].contentHTML?.utf8.count == 96 * 19 + 7)
    #expect(whole.warnings == [])
    #expect(try parse(bytes, inPieces: size) == whole)
  }

  /// A tag may begin in one of the parser's own pieces, and the document end in the next.
  @Test(arguments: 0..<40)
  func `Half an address is none, wherever the pieces end`(_ offset: Int) throws {
    let item = "<item><guid>1</guid><title>Cut</title><enclosure url=\"https://example.org/a"
    let space = String(repeating: " ", count: 256 * 1024 - item.utf8.count + 20 - offset)
    let feed = try FeedParser.parse(Array("<rss><channel>\(space)\(item)".utf8))
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(feed.entries.first?.enclosures == [])
    let whole = try FeedParser.parse(Array("<rss><channel>\(space)\(item)\"/></item>".utf8))
    #expect(whole.entries.first?.enclosures.map(\.url) == ["https://example.org/a"])
  }

  @Test func `A text of 20 MB is one text`() throws {
    let text = String(repeating: "twenty bytes of text", count: 1 << 20)
    let feed = try parse(rss("<item><title>\(text)</title></item>"), inPieces: 16_384)
    #expect(feed.entries.first?.title?.utf8.count == text.utf8.count)
  }

  @Test func `References after a broken place are still read`() throws {
    let feed = try FeedParser.parse(
      rss(
        "<item x=\"1\" x=\"2\"><title>a</title><description>&lt;i&gt; &amp; é</description></item>")
    )
    #expect(feed.entries.first?.contentHTML == "<i> & é")
  }

  @Test func `A stray end tag costs no text`() throws {
    let feed = try FeedParser.parse(
      rss(
        "<item><guid>1</guid><description>a</b> b</description></item>"
          + "<item><guid>2</guid><title>Next &amp; last</title></item>"))
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.entries.first?.contentHTML == "a b")
    #expect(feed.warnings.contains { $0.contains("“</b>” closes nothing") })
    #expect(feed.entries.last?.title == "Next & last")
  }

  @Test func `A tag with too many attributes keeps the first of them`() throws {
    let attributes = (0..<10_000).map { " a\($0)=\"\"" }.joined()
    let feed = try FeedParser.parse(
      rss(
        "<item><guid>1</guid></item><item><link href=\"https://example.org/2\"\(attributes)/></item>"
      ))
    #expect(feed.entries.map(\.id) == ["1", "https://example.org/2"])
    #expect(feed.warnings.contains { $0.contains("too many attributes") })
  }

  @Test(arguments: [(0, false), (-1, true), (-3_000, true)])
  func `A packed document is read up to the limit`(more: Int, isCut: Bool) throws {
    let title = String(repeating: "x", count: 4_000)
    let text = rss("<item><guid>1</guid></item><item><guid>2</guid><title>\(title)</title></item>")
    var parser = FeedParser(unpackedLimit: text.count + more)
    parser.consume(packed(text))
    let feed = try parser.finish()
    #expect(feed.entries.first?.id == "1")
    #expect(feed.warnings.contains { $0.contains("longer than") } == isCut, "\(feed.warnings)")
    // The checksum behind the text may come later than the text.
    var slow = FeedParser(unpackedLimit: text.count + more)
    for byte in packed(text) { slow.consume([byte]) }
    let warnings = try slow.finish().warnings
    #expect(warnings.contains { $0.contains("longer than") } == isCut, "\(warnings)")
  }

  @Test func `Values that are nested too deep are left out with the quotes and comments in them`()
    throws
  {
    let open = String(repeating: "[", count: 300)
    let close = String(repeating: "]", count: 300)
    let feed = try FeedParser.parse(
      Array(
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [
          {"id": "1", "_deep": \(open) ']}', "]", // it's ]
            /* don't ] */ 1 \(close), "title": "One"},
          {"id": "2", "title": "Two"}
        ]}
        """.utf8))
    #expect(feed.entries.map(\.title) == ["One", "Two"])
    #expect(feed.warnings.contains { $0.contains("nested too deep") })
  }

  @Test func `A tag longer than a megabyte is left out, and what follows is read`() throws {
    let value = String(repeating: "x", count: 1 << 20)
    let feed = try FeedParser.parse(
      rss("<item><guid>1</guid><a b=\"\(value)\">c</a></item><item><guid>2</guid></item>"))
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.warnings.contains { $0.contains("too long") })
  }

  /// Around the longest tag there is, with the end of the document at every place near it.
  @Test(arguments: [-2, -1, 0, 1, 2, 40], ["", ">", "><item><guid>2</guid></item>"])
  func `An end tag that does not end is left out with what belongs to it`(
    _ more: Int, _ rest: String
  ) throws {
    let tag = "</" + String(repeating: "x", count: (1 << 20) - 2 + more)
    let text = "<rss><channel><item><guid>1</guid></item><title>T</title>" + tag + rest
    let feed = try FeedParser.parse(Array(text.utf8))
    #expect(feed.entries.map(\.id) == (rest.count > 1 ? ["1", "2"] : ["1"]))
    #expect(feed.description.title == "T")
  }

  @Test(arguments: [254, 255, 256, 257, 300])
  func `Whatever can be opened can be closed`(_ length: Int) throws {
    let name = String(repeating: "n", count: length)
    let feed = try FeedParser.parse(
      rss("<item><guid>1</guid><\(name)>a</\(name)><title>T</title></item>"))
    #expect(feed.entries.map(\.title) == ["T"])
    #expect(feed.warnings.contains { $0.contains("closes nothing") } == (length > 256))
  }

  @Test func `A base that every entry repeats counts for each of them`() throws {
    let entries = (1...5_000).map { index in
      let base = index == 5_000 ? "https://last.example/" : "https://a.example/\(index % 2)/"
      return "<entry xml:base='\(base)'><id>u:\(index)</id><link href='p'/></entry>"
    }
    let text = "<feed xmlns='http://www.w3.org/2005/Atom'>\(entries.joined())</feed>"
    let feed = try FeedParser.parse(Array(text.utf8), baseURL: "https://example.org/")
    #expect(feed.entries.last?.url == "https://last.example/p")
    #expect(feed.entries[4_998].url == "https://a.example/1/p")
  }

  @Test func `More bases than anybody has are left out with a warning`() throws {
    let entries = (0...4_096).map {
      "<entry xml:base='https://a.example/\($0)/'><id>u:\($0)</id><link href='p'/></entry>"
    }
    let text = "<feed xmlns='http://www.w3.org/2005/Atom'>\(entries.joined())</feed>"
    let feed = try FeedParser.parse(Array(text.utf8), baseURL: "https://example.org/")
    #expect(feed.entries[4_095].url == "https://a.example/4095/p")
    #expect(feed.entries[4_096].url == "https://example.org/p")
    #expect(feed.warnings.contains { $0.contains("xml:base") })
  }

  /// Each comma behind an address might end a person: to look at all before it anew at each would
  /// take minutes.
  @Test func `Authors full of commas cost little and are no crowd`() throws {
    let text = "a@b@c " + String(repeating: "x@, y, ", count: 600)
    let items = (1...50).map { "<item><guid>\($0)</guid><author>\(text)</author></item>" }
    let feed = try FeedParser.parse(rss(items.joined()))
    #expect(feed.entries.count == 50)
    #expect(feed.entries.allSatisfy { $0.authors.count <= 32 })
  }

  @Test func `A million open elements cost neither the text in them nor what follows`() throws {
    let open = String(repeating: "<x>", count: 1_000_000)
    let feed = try FeedParser.parse(
      rss(
        "<item><guid>1</guid><description>\(open)deep</description></item>"
          + "<item><guid>2</guid></item>"))
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.entries.first?.contentHTML?.contains(">deep<") == true)
    #expect(feed.warnings.contains { $0.contains("nested too deep") })
  }

  @Test func `Elements that HTML does not close do not pile up between items`() throws {
    let items = (1...3_000).map { "<br><hr><img src=\"x\"><item><guid>\($0)</guid></item>" }
    let feed = try FeedParser.parse(rss(items.joined()))
    #expect(feed.entries.count == 3_000)
  }

  /// To read on behind each section from its own end would take minutes.
  @Test func `Thousands of sections that nothing closes end with their elements`() throws {
    let items = (1...5_000).map {
      "<item><title><![CDATA[\($0)</title><description><![CDATA[Text</description></item>"
    }.joined()
    let feed = try FeedParser.parse(Array("<rss><channel>\(items)</channel></rss>".utf8))
    #expect(feed.entries.count == 5_000)
    #expect(feed.entries.last?.title == "5000")
    #expect(feed.entries.last?.contentHTML == "Text")
    let warning = "Line 1: A CDATA section is not closed; it ends with its element (10000 times)."
    #expect(feed.warnings == [warning])
  }

  @Test func `An entry without an id keeps its derived one from fetch to fetch`() throws {
    let bytes = rss("<item><title>A</title><description>B</description></item>")
    let first = try FeedParser.parse(bytes).entries.first?.id
    #expect(first?.hasPrefix("telex:") == true)
    #expect(try FeedParser.parse(bytes).entries.first?.id == first)
    let other = rss("<item><title>A</title><description>C</description></item>")
    #expect(try FeedParser.parse(other).entries.first?.id != first)
  }

  @Test(arguments: [
    ("", SourceError.Kind.decoding), ("   \n", .decoding), ("<?xml version=\"1.0\"?>", .decoding),
    ("<!DOCTYPE html><html></html>", .notAFeed), ("<html><body>x</body></html>", .notAFeed),
    ("<head><title>x</title></head>", .notAFeed), ("<svg/>", .notAFeed), ("plain", .notAFeed),
    ("{\"items\": 1}", .notAFeed), ("[1, 2]", .notAFeed), ("{\"a\": ", .decoding),
  ])
  func `What is no feed says so`(_ text: String, _ kind: SourceError.Kind) {
    #expect {
      try FeedParser.parse(Array(text.utf8), baseURL: "https://u:p@example.org/f?key=1")
    } throws: {
      let error = $0 as? SourceError
      return error?.kind == kind && error?.stage == .parse
        && error?.subject == "https://example.org/f" && error?.message.hasSuffix(".") == true
    }
  }

  @Test(arguments: [
    "<rss", "<rss><channel><item><title>&", "<rss>\u{0}\u{1}", "<feed xmlns='", "<?xml",
    "<!DOCTYPE rss [<!ENTITY a '&a;'>", "<rss><![CDATA[", "<rss><!--", "{\"items\":[[[[",
    "<rdf:RDF><item/></rdf:RDF>", "<rss>" + String(repeating: "&", count: 5000),
    "<rss>" + String(repeating: "<", count: 5000), "<rss>" + String(repeating: "]]>", count: 5000),
    String(repeating: "[", count: 100_000), "{\"a\":" + String(repeating: "[", count: 100_000),
  ])
  func `Broken documents are read to their end`(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Result { try FeedParser.parse(bytes) }
    let cut = Result { try parse(bytes, inPieces: 3) }
    switch (whole, cut) {
    case (.success(let a), .success(let b)): #expect(a.entries == b.entries)
    case (.failure, .failure): break
    default: Issue.record("\(whole) is not \(cut)")
    }
  }

  @Test(arguments: [
    ("ann@example.org (Ann Author)", "Ann Author"), ("Ann Author <ann@example.org>", "Ann Author"),
    ("\"Ann\" <ann@example.org>", "Ann"), ("ann@example.org", "ann@example.org"),
    ("Ann (the author)", "Ann (the author)"), ("ann@example.org ()", "ann@example.org"),
    ("mailto:ann@example.org (Ann)", "Ann"), ("Ann (ann@example.org)", "Ann"),
    ("ann@example.org Ann", "Ann"), ("<ann@example.org>", "ann@example.org"), ("@ann", "@ann"),
  ])
  func `The name is taken from an RSS author`(_ author: String, _ name: String) throws {
    let escaped = author.replacing("<", with: "&lt;")
    let feed = try FeedParser.parse(rss("<item><author>\(escaped)</author><guid>1</guid></item>"))
    #expect(feed.entries.first?.authors.map(\.name) == [name])
  }
}
