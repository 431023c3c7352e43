internal import News
internal import Testing

@testable internal import Syndication

/// Namespaces of documents that declare more of them than are kept.
@Suite struct XMLNamespaceTests {
  private static func many(_ count: Int) -> String {
    (1...count).map { "<a xmlns=\"https://example.org/\($0)\"/>" }.joined()
  }

  @Test func `Beyond the limit one number stands for all others, and those before keep theirs`() {
    var spaces = XMLNamespaces(xml: 1, xmlns: 2)
    func declare(_ address: String) -> Int32 {
      spaces.declare(3, address)
      let space = spaces.space(of: 3)
      spaces.end(downTo: 0)
      return space
    }
    var numbers: Set<Int32> = []
    var count = 0
    while count < XMLNamespaces.limit + 1_000 {
      count += 1
      let number = declare("https://example.org/\(count)")
      if number == XMLNamespaces.beyondLimit { break }
      #expect(numbers.insert(number).inserted)
    }
    #expect(numbers.count <= XMLNamespaces.limit && !numbers.contains(XMLNamespaces.beyondLimit))
    #expect(!numbers.contains(XMLNamespaces.none))
    #expect(declare("https://example.org/another") == XMLNamespaces.beyondLimit)
    #expect(spaces.address(of: XMLNamespaces.beyondLimit) == nil)
    let first = declare("https://example.org/1")
    #expect(numbers.contains(first) && spaces.address(of: first) == "https://example.org/1")
  }

  @Test func `A feed that declares a hundred thousand of them is read`() throws {
    let text = """
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>\
      <item><guid>1</guid><title>First</title>\(Self.many(100_000))\
      <dc:creator>Ada</dc:creator></item>\
      <item xmlns:x="https://example.org/late"><guid>2</guid><title>Second</title>\
      <x:title>Other</x:title><atom:updated xmlns:atom="http://www.w3.org/2005/Atom">\
      2024-05-06T07:08:09Z</atom:updated></item></channel></rss>
      """
    let page = try FeedParser.parse(Array(text.utf8), baseURL: "https://example.org/feed.xml")
    #expect(page.entries.map(\.title) == ["First", "Second"])
    #expect(page.entries.first?.authors.map(\.name) == ["Ada"])
    #expect(page.entries.last?.updated != nil)
  }
}
