import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Liferea's files")
struct LifereaTests {
  @Test("Feeds, folders and times of the list; servers, programs and filters are reported")
  func list() {
    let list = LifereaFeedList(
      #"""
      <?xml version="1.0"?>
      <opml version="1.0"><body>
      <outline title="A &amp; B" type="folder" id="f">
        <outline title="One" type="rss" id="one" xmlUrl="https://a.example/1?x=1&amp;y=2" htmlUrl="https://a.example/" updateInterval="30"/>
        <outline title="Inner" type="folder" id="g"><outline text="Two" type="atom" id="two" xmlUrl="https://a.example/2" updateInterval="-2" filtercmd="sort"></outline></outline>
      </outline>
      <outline title="Program" type="rss" id="p" xmlUrl="|cat x"/>
      <outline title="File" type="rss" id="q" xmlUrl="/home/jo/a b.xml"/>
      <outline title="Server" type="source" id="s" sourceType="fl_ttrss"/>
      <outline title="Kept" type="newsbin" id="k"/>
      """#, file: "feedlist.opml")
    #expect(
      list.library.feeds.map(\.url) == [
        "https://a.example/1?x=1&y=2", "https://a.example/2", "file:///home/jo/a%20b.xml",
      ])
    #expect(list.library.feeds.map(\.folders) == [[["A & B"]], [["A & B", "Inner"]], []])
    #expect(list.library.feeds.map(\.interval) == [1_800, nil, nil])
    #expect(list.library.feeds.map(\.isPaused) == [false, true, false])
    #expect(list.library.feeds[0].place == LibraryPlace("feedlist.opml", line: 4))
    #expect(list.nodes["https://a.example/2"] == "two")
    #expect(list.library.left.map(\.place.line) == [5, 7, 9, 10])
  }

  @Test(
    "A search folder is a query",
    arguments: [
      (#"matchType="any""#, #"rule="unread" value="" additive="true""#, "unread"),
      (#"matchType="any""#, #"rule="flagged" value="" additive="false""#, "-starred"),
      (
        #"matchType="all" unreadOnly="true""#, #"rule="exact_title" value="a.b/c" additive="true""#,
        #"title:/a\.b\/c/ unread"#
      ),
      (
        #"matchType="any""#, #"rule="exact_author" value="Jo X" additive="true""#, #"author:"Jo X""#
      ),
      (#"matchType="any""#, #"rule="podcast" value="" additive="true""#, "has:audio"),
      (
        #"matchType="any""#, #"rule="exact" value="x" additive="false""#,
        #"-(title:/x/ OR text:"x")"#
      ),
    ])
  func search(attributes: String, rule: String, query: String) {
    let list = LifereaFeedList(
      "<outline title=\"S\" type=\"vfolder\" \(attributes)><outline type=\"rule\" \(rule)/></outline>",
      file: "feedlist.opml")
    #expect(list.library.smartFeeds.map(\.query.text) == [query], "\(list.library.left)")
  }

  @Test("Several rules are joined as the folder says, and an unknown one is reported")
  func severalRules() {
    let rules = #"""
      <outline type="rule" rule="unread" value="" additive="true"/><outline type="rule" rule="enclosure" value="" additive="true"/></outline>
      """#
    func query(_ type: String) -> String? {
      LifereaFeedList(
        "<outline title=\"S\" type=\"vfolder\" \(type)>" + rules, file: "f"
      ).library.smartFeeds.first?.query.text
    }
    #expect(query(#"matchType="any""#) == "unread OR has:enclosure")
    #expect(query(#"matchType="all""#) == "unread has:enclosure")
    #expect(query(#"unreadOnly="true""#) == "(unread OR has:enclosure) unread")
    let other = LifereaFeedList(
      #"<outline title="S" type="vfolder"><outline type="rule" rule="moon" value=""/></outline>"#,
      file: "f")
    #expect(other.library.smartFeeds.isEmpty && other.library.left.count == 1)
  }

  @Test("Texts, files, authors and marks of a row")
  func rows() throws {
    func article(
      source: String? = nil, id: String? = nil, more: String? = nil, html: String = "<p>x</p>"
    ) -> ImportedArticle? {
      LifereaItems.article(
        [
          .integer(3), .text("T"), .integer(1), .integer(1), source.map { .text($0) } ?? .null,
          id.map { .text($0) } ?? .null, .text(html), .integer(1_700_000_000),
          more.map { .text($0) } ?? .null,
        ], of: "https://a.example/feed")?.article
    }
    let whole = try #require(
      article(
        source: "https://a.example/1", id: "tag:1",
        more:
          "author\u{1F}Jo\u{1E}category\u{1F}c\u{1E}enclosure\u{1F}enc:0:audio/mpeg:10:https://a.example/1.mp3\u{1E}enclosure\u{1F}enc::::/2.ogg",
        html: #"<div xmlns="x" xml:base="https://b.example/x/"><a href="y">y</a></div>"#))
    #expect(whole.isRead && whole.isStarred && whole.entry.id == "tag:1")
    #expect(
      whole.entry.enclosures.map(\.url) == ["https://a.example/1.mp3", "https://a.example/2.ogg"])
    #expect(
      whole.entry.enclosures[0].type == "audio/mpeg" && whole.entry.enclosures[0].length == 10)
    #expect(whole.entry.authors == [Author("Jo")] && whole.entry.categories.map(\.term) == ["c"])
    #expect(whole.entry.contentHTML?.contains(#"href="https://b.example/x/y""#) == true)
    #expect(article(source: "https://a.example/1")?.entry.id == "https://a.example/1")
    #expect(article()?.entry.id.hasPrefix("telex:") == true)
  }
}
