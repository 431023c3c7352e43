import News
import Syndication
import Testing

private func feed(_ content: String, root: String = "<rss version=\"2.0\">") throws -> ParsedFeed {
  try FeedParser.parse(
    Array("\(root)<channel><title>T</title>\(content)</channel></rss>".utf8),
    baseURL: "https://example.org/feed")
}

@Suite struct XMLReaderTests {
  @Test(arguments: ["<“quoted”>", "<li\u{A0}class=\"x\">", "<a×b>", "<\u{2014}>", "<a\u{FFFE}b>"])
  func `A tag with a character that no name may have is text`(_ tag: String) throws {
    let feed = try feed(
      "<item><guid>1</guid><title>Before \(tag)</title></item><item><guid>2</guid></item>")
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.entries[0].title?.hasPrefix("Before") == true)
    #expect(feed.warnings == ["Line 1: A “<” stands by itself."])
    #expect(!feed.isCut)
  }

  @Test(arguments: ["é", "日本", "_a", "a\u{301}", "a·"])
  func `A name may have letters of any script`(_ name: String) throws {
    let feed = try feed("<item><\(name)>hidden</\(name)><guid>1</guid></item>")
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(feed.warnings == [])
  }

  @Test func `An attribute with a character that no name may have is left out`() throws {
    let feed = try feed(
      "<item><guid “a”='b' isPermaLink='false'>https://example.org/1</guid></item>")
    #expect(feed.entries.first?.id == "https://example.org/1")
    #expect(feed.entries.first?.url == nil)
    #expect(feed.warnings == ["Line 1: A tag is not written as XML has it."])
  }

  @Test func `White space in an attribute is a space, but for what a reference stands for`() throws
  {
    let feed = try feed(
      "<item><guid>1</guid><category domain='a\tb\r\nc\nd&#x26;&amp;e&lt;'>x</category></item>")
    #expect(feed.entries.first?.categories == [Category("x", scheme: "a b c d&&e<")])
  }

  @Test func `A comment and a stray end tag leave nothing in a text, not even their line ends`()
    throws
  {
    let feed = try feed("<item><guid>1</guid><title>Foot<!-- a\nb -->ball</b\n>s</title></item>")
    #expect(feed.entries.first?.title == "Footballs")
  }

  @Test func `A namespace is in force within the element that declares it`() throws {
    let atom = "http://www.w3.org/2005/Atom"
    let feed = try feed(
      """
      <item xmlns:d='http://purl.org/dc/elements/1.1/'><guid>1</guid><d:creator>A</d:creator>\
      <x xmlns:d='\(atom)'/><d:creator>B</d:creator></item>\
      <item><guid>2</guid><d:creator>C</d:creator></item>
      """)
    #expect(feed.entries[0].authors == [Author("A"), Author("B")])
    #expect(feed.entries[1].authors == [])
    #expect(feed.warnings == ["Line 1: The prefix “d” is not declared."])
  }

  @Test func `A default namespace ends with its element, and can be taken away`() throws {
    let feed = try feed(
      """
      <item><guid>1</guid><title xmlns='http://www.w3.org/2005/Atom'>A</title></item>\
      <item xmlns='http://example.org/ns'><guid xmlns=''>2</guid></item>\
      <item><guid>3</guid></item>
      """)
    #expect(feed.entries.map(\.id).contains("1"))
    #expect(feed.entries.first?.title == "A")
    #expect(feed.entries.last?.id == "3")
  }

  @Test func `What names a namespace is an address`() throws {
    let feed = try feed(
      "<item><guid>1</guid></item>",
      root: "<rss xmlns:a='urn:a' xmlns:b='http:// b/'\n xmlns:c='c' xmlns:d='' d='1' d='2'>")
    #expect(
      feed.warnings == [
        "Line 2: A tag has the attribute “d” twice.",
        "Line 2: The namespace “c” is no address.",
        "Line 2: The namespace “http:// b/” is no address.",
      ])
  }

  @Test func `A namespace that is declared twice in a tag counts once`() throws {
    let feed = try feed(
      "<item><guid>1</guid><dc:creator>A</dc:creator></item>",
      root: "<rss xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:dc='urn:x'>")
    #expect(feed.entries.first?.authors == [Author("A")])
    #expect(feed.warnings == ["Line 1: A tag has the attribute “xmlns:dc” twice."])
  }

  @Test func `What follows a root that closes itself is not read`() throws {
    let feed = try FeedParser.parse(
      Array("<rss version='2.0'/>\n<item><guid>1</guid></item>".utf8))
    #expect(feed.entries == [])
    #expect(feed.warnings == ["Line 2: What follows the root element was not read."])
  }

  @Test func `Names without number are told apart`() throws {
    // More than are remembered, and more than fit into the first table.
    let fields = (0..<5000).map { "<n\($0)>x</N\($0)>" }.joined()
    let feed = try feed("<item>\(fields)<guid>1</guid></item><item><guid>2</guid></item>")
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.warnings == [])
  }

  @Test func `End tags close elements of their name, in other case where need be, and no others`()
    throws
  {
    let feed = try feed("<item><a><A><b></a></B></B></A></c><guid>1</guid></item>")
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(
      feed.warnings == [
        "Line 1: “</A>” closes nothing.", "Line 1: “</B>” closes nothing (2 times).",
        "Line 1: “</c>” closes nothing.", "Line 1: “A” is not closed.",
        "Line 1: “b” is not closed.",
      ])
  }

  @Test func `Of many attributes each one that is there twice is told of`() throws {
    let names = (0..<200).map { "attribute\($0)=''" }.joined(separator: " ")
    let feed = try feed("<item><guid \(names) attribute7='' attribute17=''>1</guid></item>")
    #expect(
      feed.warnings == [
        "Line 1: A tag has the attribute “attribute17” twice.",
        "Line 1: A tag has the attribute “attribute7” twice.",
      ])
  }

  @Test func `A long text with references is decoded whole`() throws {
    let body = String(
      repeating: "&lt;p&gt;Käse &amp;amp; Brot &#8217;&#x1F600;&nbsp;&lt;/p&gt;", count: 3000)
    let feed = try feed("<item><guid>1</guid><description>\(body)</description></item>")
    let read = String(repeating: "<p>Käse &amp; Brot ’😀\u{A0}</p>", count: 3000)
    #expect(feed.entries.first?.contentHTML == read)
  }

  @Test func `Names without end leave the rest of a feed as it is`() throws {
    let names = (0..<70_000).map { "<a\($0)></a\($0)></B\($0)>" }.joined()
    let feed = try feed(
      "<item><guid>1</guid></item>\(names)<item><guid>2</guid><title>Last</title></item>")
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.entries.last?.title == "Last")
  }

  @Test func `A warning quotes the beginning of a long name`() throws {
    let long = String(repeating: "a", count: 100_000)
    let feed = try feed("<item><guid \(long):b='1' c:d:\(long)=''>1</guid></item>")
    #expect(feed.entries.map(\.id) == ["1"])
    #expect(!feed.warnings.isEmpty)
    #expect(feed.warnings.allSatisfy { $0.count < 200 })
  }

  @Test func `An end tag closes its element whatever the case of both`() throws {
    let feed = try feed("<Item><GUID>1</guid><title>One</TITLE></ITEM><item><guid>2</Guid></iTem>")
    #expect(feed.entries.map(\.id) == ["1", "2"])
    #expect(feed.entries[0].title == "One")
  }

  @Test(arguments: ["<a! x='1'>", "<a@b.org>", "<http://e.org>", "<x+y z='<a! >'>"])
  func `What looks like a tag and is none is text up to the next tag`(_ text: String) throws {
    let feed = try feed("<item><guid>1</guid><title>See \(text) there</title></item>")
    #expect(feed.entries.first?.title?.hasPrefix("See") == true)
    #expect(feed.entries.first?.title?.hasSuffix("there") == true)
    #expect(feed.warnings.first?.hasPrefix("Line 1: A “<” stands by itself") == true)
  }

  @Test func `A section that is not closed takes in nothing behind the end of the root either`()
    throws
  {
    let item = "<item><guid>2</guid><description><![CDATA[Two</description></item>"
    let feed = try FeedParser.parse(
      Array(
        ("<rss version='2.0'><channel><item><guid>1</guid></item></channel></rss>\n"
          + item + "<item><guid>3</guid></item>").utf8),
      baseURL: "https://example.org/feed")
    let closed = try FeedParser.parse(
      Array(
        ("<rss version='2.0'><channel><item><guid>1</guid></item></channel></rss>\n"
          + item.replacing("Two", with: "Two]]>") + "<item><guid>3</guid></item>").utf8),
      baseURL: "https://example.org/feed")
    #expect(feed.entries.map(\.id) == closed.entries.map(\.id))
  }

  @Test func `The line of an outline is that in which its tag begins`() throws {
    let list = try OPML.parse(
      Array("<opml><body>\n<outline type=rss\n text='a'\n/>\n</body></opml>".utf8))
    #expect(list.skipped.map(\.line) == [2])
  }
}
