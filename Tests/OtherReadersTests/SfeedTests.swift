import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Sfeed's files")
struct SfeedTests {
  @Test("Lines of feed in the function of feeds are read, and nothing is run")
  func config() {
    let config = SfeedConfig(
      #"""
      sfeedpath="$HOME/news/feeds"
      maxjobs=4
      other=x
      # feeds() {
      fetch() {
        curl -s "$2"
      }
      feeds() {
        # feed <name> <feedurl> [basesiteurl] [encoding]
        feed "code madness" "https://a.example/atom.xml"
        feed 'b/c' 'https://user:hush@b.example/x?a=1&b=2' 'https://b.example/' "iso-8859-1"
        feed "d" "$(cat secret)"
        for f in x; do feed "$f" "https://$f/"; done
        feed "e"
        feed f g
      }
      rm -rf /
      """#, file: "sfeedrc")
    #expect(
      config.library.feeds == [
        LibraryFeed(
          url: "https://a.example/atom.xml", ownTitle: "code madness",
          at: LibraryPlace("sfeedrc", line: 10)),
        LibraryFeed(
          url: "https://user:hush@b.example/x?a=1&b=2", ownTitle: "b/c",
          page: "https://b.example/", at: LibraryPlace("sfeedrc", line: 11)),
      ])
    #expect(config.names["https://a.example/atom.xml"] == "code madness")
    #expect(config.folder == "~/news/feeds")
    #expect(config.library.left.compactMap(\.place.line) == [2, 3, 5, 12, 13, 14, 15, 17])
    #expect(SfeedArticles.file(ofFeed: "b/c") == "b_c")
  }

  @Test("A line is an article; signs in its text are written with a backslash")
  func articles() throws {
    func article(_ line: String, read: Set<String>? = nil) -> ImportedArticle? {
      SfeedArticles.article(line[...], of: "https://a.example/feed", read: read)
    }
    let whole = try #require(
      article(
        "1700000000\tTitle\t/1\t<p>a\\tb\\\\n</p>\thtml\ttag:1\tJo\thttps://a.example/1.mp3\tnews|two words",
        read: ["/1"]))
    #expect(whole.isRead && whole.entry.id == "tag:1" && whole.entry.title == "Title")
    #expect(whole.entry.url == "https://a.example/1")
    #expect(whole.entry.published == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(whole.entry.contentHTML == "<p>a\tb\\n</p>")
    #expect(whole.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
    #expect(whole.entry.categories.map(\.term) == ["news", "two words"])
    let plain = try #require(article("\tT\thttps://a.example/2\ta & b\\nc < d\tplain\t\t\t\t"))
    #expect(!plain.isRead && plain.entry.id == "https://a.example/2")
    #expect(plain.entry.contentHTML == "<p>a &amp; b</p><p>c &lt; d</p>")
    #expect(plain.entry.published == nil && plain.entry.authors == [])
    #expect(article("1\tOnly a title\t")?.entry.id.hasPrefix("telex:") == true)
    #expect(article("nothing") == nil)
  }
}
