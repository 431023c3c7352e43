internal import News
internal import Testing
internal import Text

@testable import Services

@Suite struct NumberedPageTests {
  private static let entries = [Entry(id: "a"), Entry(id: "b")]

  private static func feed(
    generator: String? = nil, listTotal: Int? = nil, isComplete: Bool = false,
    isArchive: Bool = false
  ) -> FeedDescription {
    FeedDescription(
      format: .rss, generator: generator, listTotal: listTotal, isComplete: isComplete,
      isArchive: isArchive)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var feed: FeedDescription
    var url: String
    /// The address of the second page.
    var next: String?
  }

  static let cases = [
    Case(
      testDescription: "WordPress", feed: feed(generator: "https://wordpress.org/?v=6.8"),
      url: "https://a.org/feed/", next: "https://a.org/feed/?paged=2"),
    Case(
      testDescription: "WordPress without pretty addresses", feed: feed(generator: "WordPress"),
      url: "https://a.org/?feed=rss2#top", next: "https://a.org/?feed=rss2&paged=2"),
    Case(
      testDescription: "WordPress, subscribed at a later page", feed: feed(generator: "WordPress"),
      url: "https://a.org/feed/?paged=3&x=paged=1", next: "https://a.org/feed/?x=paged=1&paged=4"),
    Case(
      testDescription: "another program", feed: feed(generator: "Hugo"), url: "https://a.org/feed/",
      next: nil),
    Case(testDescription: "nobody says", feed: feed(), url: "https://a.org/feed/", next: nil),
    Case(
      testDescription: "WordPress, complete",
      feed: feed(generator: "WordPress", isComplete: true), url: "https://a.org/feed/", next: nil),
    Case(
      testDescription: "WordPress, an archive", feed: feed(generator: "WordPress", isArchive: true),
      url: "https://a.org/feed/", next: nil),
    Case(
      testDescription: "a listing with an offset", feed: feed(listTotal: 9),
      url: "https://a.org/query?q=x&start=0&max=2", next: "https://a.org/query?q=x&max=2&start=2"),
    Case(
      testDescription: "a listing counted from 1",
      feed: feed(listTotal: 9),
      url: "https://a.org/feeds?start-index=1", next: "https://a.org/feeds?start-index=3"),
    Case(
      testDescription: "a listing without an offset in its address",
      feed: feed(listTotal: 9), url: "https://a.org/query?q=x", next: nil),
    Case(
      testDescription: "a listing that is all there",
      feed: feed(listTotal: 2), url: "https://a.org/q?start=0",
      next: nil),
    Case(
      testDescription: "a listing without its length", feed: feed(),
      url: "https://a.org/q?start=0", next: nil),
    Case(
      testDescription: "an offset that is no number", feed: feed(listTotal: 9),
      url: "https://a.org/q?start=monday", next: nil),
  ]

  @Test(arguments: cases)
  func `Where a feed without links goes on`(_ item: Case) {
    let place = NumberedPage.following(item.feed, Self.entries, of: item.url, at: nil)
    #expect(place?.url(of: item.url) == item.next)
    // As a cursor it is the same, and no address.
    #expect(place.flatMap { NumberedPage($0.cursor) } == place)
    #expect(place.map { WebAddress.isWeb($0.cursor.rawValue) } != true)
  }

  @Test func `A page without entries has none after it`() {
    let wordPress = Self.feed(generator: "WordPress")
    #expect(NumberedPage.following(wordPress, [], of: "https://a.org/feed/", at: nil) == nil)
  }

  @Test(
    arguments: [
      ("https://a.org/feed/?paged=9223372036854775807", "WordPress", nil),
      ("https://a.org/feed/?paged=-9223372036854775808", "WordPress", nil),
      ("https://a.org/q?start=9223372036854775807", nil, Int.max),
      ("https://a.org/q?offset=9223372036854775806", nil, Int.max),
    ] as [(String, String?, Int?)])
  func `A number that no feed has leads nowhere`(
    _ url: String, _ generator: String?, _ total: Int?
  ) {
    let feed = Self.feed(
      generator: generator, listTotal: total)
    #expect(NumberedPage.following(feed, Self.entries, of: url, at: nil) == nil)
  }

  @Test func `A listing goes on until its end`() throws {
    let url = "https://a.org/q?start=0"
    let feed = Self.feed(listTotal: 5)
    var place: NumberedPage?
    var asked: [String] = []
    repeat {
      place = NumberedPage.following(feed, Self.entries, of: url, at: place)
      if let place { asked.append(place.url(of: url)) }
    } while place != nil && asked.count < 10
    #expect(asked == ["https://a.org/q?start=2", "https://a.org/q?start=4"])
  }

  @Test func `The entries of the page before are known again, in any order`() throws {
    let wordPress = Self.feed(generator: "WordPress")
    let place = try #require(
      NumberedPage.following(wordPress, Self.entries, of: "https://a.org/feed/", at: nil))
    #expect(place.repeats(Self.entries))
    #expect(place.repeats(Self.entries.reversed()))
    #expect(!place.repeats([Entry(id: "a"), Entry(id: "c")]))
    #expect(!place.repeats([Entry(id: "a")]))
    #expect(!place.repeats([Entry(id: "ab")]))
  }

  @Test(arguments: [
    "", "https://a.org/feed/?paged=2", "numbered/1", "numbered/1 paged 2", "numbered/2 paged 2 ff",
    "numbered/1 paged -2 ff", "numbered/1 paged two ff", "numbered/1 paged 2 xyz",
    "numbered/1 cmd 2 ff", "numbered/1 paged 2 ff ff", "numbered/1  2 ff",
    "numbered/1 paged 9223372036854775807 ff", "numbered/1 start 99999999999999999999 ff",
  ])
  func `Another text is no such cursor`(_ text: String) {
    #expect(NumberedPage(Cursor(text)) == nil)
  }
}
