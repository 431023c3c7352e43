import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Newsboat's articles")
struct NewsboatCacheTests {
  private func article(
    guid: String = "g", title: String = "T", url: String = "", content: String = "<p>x</p>",
    unread: Int64 = 1, flags: String? = nil, deleted: Int64 = 0, mime: String? = nil,
    star: Character? = nil
  ) -> ImportedArticle? {
    NewsboatCache.article(
      [
        .integer(1), .text(guid), .text(title), .text("Jo"), .text(url), .integer(1_700_000_000),
        .text(content), .integer(unread), .text(""), .text(""), flags.map { .text($0) } ?? .null,
        .integer(deleted), .text(""), mime.map { .text($0) } ?? .null,
      ], of: "https://a.example/feed", star: star)?.article
  }

  @Test(
    "An entry without an id has that of its address, whatever date stands behind it",
    arguments: [
      "", "Sun, 01 Nov 2026 12:00:00 GMT", "Sun, 1 Nov 2026 12:00:00 +0200",
      "01 Nov 2026 12:00:00 EST", "2026-11-01T12:00:00Z", "2026-11-01", "Sunday, 01 Nov 2026 (MEZ)",
    ])
  func addresses(date: String) {
    let url = "https://a.example/1?a=1"
    #expect(article(guid: url + date, url: url)?.entry.id == url)
  }

  @Test("An id that only begins with the address is one")
  func ids() {
    let url = "https://a.example/1"
    for id in ["https://a.example/1#comment", "https://a.example/12", "tag:a,1"] {
      #expect(article(guid: id, url: url)?.entry.id == id)
    }
    #expect(article(guid: "T")?.entry.id.hasPrefix("telex:") == true)
    // The date is that of newsboat's first look at an entry that has none.
    #expect(
      article(guid: "T", content: "")?.entry.id
        == EntryIdentity.derived(from: Entry(id: "", title: "T")))
  }

  @Test("Marks, flags and texts")
  func marks() {
    let flagged = article(unread: 0, flags: "aZ", star: "a")
    #expect(
      flagged?.isRead == true && flagged?.isStarred == true && flagged?.tags == ["flag-upper-z"])
    #expect(article(deleted: 1)?.isDeleted == true)
    #expect(
      article(content: "a < b\n\nc & d", mime: "text/plain")?.entry.contentHTML
        == "<p>a &lt; b</p><p>c &amp; d</p>")
    #expect(article()?.entry.published == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(article(url: "/2")?.entry.url == "https://a.example/2")
    #expect(NewsboatCache.article([.integer(1)], of: "x") == nil)
  }

  @Test("Columns that a version does not have are empty")
  func columns() {
    let query = NewsboatCache.query(columns: ["id", "guid", "feedurl"])
    #expect(query.hasPrefix("SELECT id, guid, NULL, NULL"))
  }
}
