import News
import Syndication
import Testing

/// RFC 5005, JSON Feed's `next_url`, and what tells of pages besides.
@Suite struct PagingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var document: String
    var next: String?
    var isComplete = false
    var isArchive = false

    init(
      _ name: String, _ document: String, next: String?, isComplete: Bool = false,
      isArchive: Bool = false
    ) {
      testDescription = name
      self.document = document
      self.next = next
      self.isComplete = isComplete
      self.isArchive = isArchive
    }
  }

  private static func atom(_ head: String, root: String = "") -> String {
    """
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0" \
    \(root)><title>T</title>\(head)<entry><id>1</id><title>One</title></entry></feed>
    """
  }

  private static func rss(_ head: String) -> String {
    """
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
    xmlns:fh="http://purl.org/syndication/history/1.0"><channel><title>T</title>\
    <link>https://example.org/blog/</link>\(head)<item><guid>1</guid></item></channel></rss>
    """
  }

  private static func json(_ member: String) -> String {
    """
    {"version": "https://jsonfeed.org/version/1.1", "title": "T",
    "home_page_url": "https://example.org/blog/", \(member), "items": [{"id": "1"}]}
    """
  }

  /// All come from `https://example.org/feeds/feed`.
  static let cases = [
    Case("nothing", atom(""), next: nil),
    Case("next", atom("<link rel='next' href='/p2'/>"), next: "https://example.org/p2"),
    Case(
      "a relation by its address",
      atom("<link rel='http://www.iana.org/assignments/relation/next' href='/p2'/>"),
      next: "https://example.org/p2"),
    Case(
      "an archive before", atom("<link rel='prev-archive' href='a3'/>"),
      next: "https://example.org/feeds/a3"),
    Case(
      "an archive",
      atom("<fh:archive/><link rel='current' href='f'/><link rel='prev-archive' href='a2'/>"),
      next: "https://example.org/feeds/a2", isArchive: true),
    Case(
      "the oldest archive", atom("<fh:archive/><link rel='next-archive' href='a2'/>"), next: nil,
      isArchive: true),
    Case(
      "next before an archive",
      atom("<link rel='next' href='p2'/><link rel='prev-archive' href='a3'/>"),
      next: "https://example.org/feeds/p2"),
    Case(
      "next behind an archive",
      atom("<link rel='prev-archive' href='a3'/><link rel='next' href='p2'/>"),
      next: "https://example.org/feeds/p2"),
    Case(
      "previous and last are not older",
      atom(
        "<link rel='previous' href='p'/><link rel='last' href='l'/><link rel='first' href='f'/>"),
      next: nil),
    Case("complete", atom("<fh:complete/>"), next: nil, isComplete: true),
    Case(
      "complete, whatever it links to", atom("<link rel='next' href='p2'/><fh:complete/>"),
      next: nil,
      isComplete: true),
    Case(
      "complete behind an archive link", atom("<link rel='prev-archive' href='a3'/><fh:complete/>"),
      next: nil, isComplete: true),
    Case(
      "xml:base", atom("<link rel='next' href='p2'/>", root: "xml:base='https://other.org/x/'"),
      next: "https://other.org/x/p2"),
    Case(
      "xml:base of the link itself",
      atom(
        "<link rel='prev-archive' xml:base='/y/' href='a3'/>",
        root: "xml:base='https://other.org/x/'"),
      next: "https://other.org/y/a3"),
    Case("an address that is none", atom("<link rel='next' href='javascript:x'/>"), next: nil),
    Case(
      "an entry's links are not the feed's",
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:fh='http://purl.org/syndication/history/1.0'>"
        + "<entry><id>1</id><link rel='next' href='p2'/><fh:complete/></entry></feed>", next: nil),
    // The page of the site lies elsewhere than the feed.
    Case(
      "RSS", rss("<atom:link rel='next' href='?page=2'/>"),
      next: "https://example.org/feeds/feed?page=2"),
    Case(
      "an archive in RSS", rss("<fh:archive/><atom:link rel='prev-archive' href='a1'/>"),
      next: "https://example.org/feeds/a1", isArchive: true),
    Case("complete in RSS", rss("<fh:complete/>"), next: nil, isComplete: true),
    Case(
      "a prefix that nobody declared",
      "<rss version='2.0'><channel><title>T</title><fh:complete/><item><guid>1</guid></item></channel></rss>",
      next: nil, isComplete: true),
    Case(
      "JSON Feed", json("\"next_url\": \"?page=2\""), next: "https://example.org/feeds/feed?page=2"),
    Case("JSON Feed, another host", json("\"next_url\": \"https://a.b/c\""), next: "https://a.b/c"),
    Case("JSON Feed, no address", json("\"next_url\": \"data:x\""), next: nil),
    Case("JSON Feed, a number", json("\"next_url\": 2"), next: nil),
  ]

  @Test(arguments: cases)
  func `Where a feed goes on`(_ item: Case) throws {
    let feed = try FeedParser.parse(
      Array(item.document.utf8), baseURL: "https://example.org/feeds/feed")
    #expect(feed.description.nextURL == item.next)
    #expect(feed.description.isComplete == item.isComplete)
    #expect(feed.description.isArchive == item.isArchive)
    #expect(feed.entries.map(\.id) == ["1"])
  }

  @Test(
    arguments: [
      (rss("<generator>https://wordpress.org/?v=6.8</generator>"), "https://wordpress.org/?v=6.8"),
      (
        atom("<generator uri='https://wordpress.org/' version='6.8'>WordPress</generator>"),
        "https://wordpress.org/"
      ),
      (atom("<generator>Hugo -- gohugo.io</generator>"), "Hugo -- gohugo.io"),
      (atom("<generator>  </generator>"), nil), (rss(""), nil),
    ] as [(String, String?)])
  func `The program that wrote a feed`(document: String, generator: String?) throws {
    let feed = try FeedParser.parse(Array(document.utf8))
    #expect(feed.description.generator == generator)
    #expect(feed.description.title == "T")
    #expect(feed.entries.count == 1)
  }

  @Test(
    arguments: [
      (
        "<o:totalResults xmlns:o='http://a9.com/-/spec/opensearch/1.1/'>300</o:totalResults>",
        300
      ),
      // Blogger's.
      (
        "<openSearch:totalResults xmlns:openSearch='http://a9.com/-/spec/opensearchrss/1.0/'>7"
          + "</openSearch:totalResults>", 7
      ),
      ("<openSearch:totalResults>-3</openSearch:totalResults>", nil),
      ("<openSearch:totalResults>many</openSearch:totalResults>", nil), ("", nil),
    ] as [(String, Int?)])
  func `Where a feed stands in a list`(elements: String, total: Int?) throws {
    for document in [Self.atom(elements), Self.rss(elements)] {
      #expect(try FeedParser.parse(Array(document.utf8)).description.listTotal == total)
    }
  }
}
