import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Newsraft's files")
struct NewsraftTests {
  @Test(
    "Feeds have names, sections and settings; programs and what has no counterpart are reported")
  func feeds() {
    let library = NewsraftFeeds.read(
      #"""
      # comment
      https://a.example/feed/
        https://b.example/feed   "B {x}" < reload-period 30; item-limit 5; pager-width 60
      $(cat "$HOME/x" | y) "Program"
      @ News [60] {100}
      https://user:hush@c.example/ "C"
      https://d.example/d [0]
      nothing "x"
      @ All
      https://e.example/e
      """#, file: "feeds", config: NewsraftConfig("set global-section-name 'All'", file: "config"))
    #expect(
      library.feeds.map(\.url) == [
        "https://a.example/feed/", "https://b.example/feed", "https://user:hush@c.example/",
        "https://d.example/d", "https://e.example/e",
      ])
    #expect(library.feeds.map(\.ownTitle) == [nil, "B {x}", "C", nil, nil])
    #expect(library.feeds.map(\.interval) == [nil, 1_800, 3_600, nil, nil])
    #expect(library.feeds.map(\.settings.keepAtMost) == [nil, 5, 100, 100, nil])
    #expect(library.feeds.map(\.folders) == [[], [], [["News"]], [["News"]], []])
    #expect(library.feeds.map(\.place.line) == [2, 3, 6, 7, 10])
    #expect(library.left.map(\.place.line) == [3, 4, 8])
    #expect(library.left[0].subject == "https://b.example/feed: pager-width")
  }

  @Test("A feed's own settings go before those of its section, of all feeds and of the settings")
  func layers() {
    let library = NewsraftFeeds.read(
      #"""
      @ Global < reload-period 10; user-agent "All/1"
      https://a.example/a
      @ News < suppress-errors; user-agent auto; open-in-browser-command mpv "%l" &
      https://a.example/b < suppress-errors false; proxy ""
      https://a.example/c < item-rule title NOT LIKE '%ad%'; bind b mark-read
      https://b.example/d < proxy socks5h://localhost:9050; user-agent ""
      """#, file: "feeds",
      config: NewsraftConfig("suppress-errors true\nuser-agent X/1", file: "config"))
    let settings = library.feeds.map(\.settings)
    #expect(library.feeds.map(\.interval) == [600, 600, 600, 600])
    #expect(settings.map(\.userAgent) == ["All/1", nil, nil, nil])
    #expect(settings.map(\.isSilent) == [true, false, true, true])
    #expect(settings.map(\.browser) == [nil, "mpv %u", "mpv %u", "mpv %u"])
    #expect(
      library.settings == [
        LibrarySetting("[network.proxies]", "\"a.example\" = \"direct\""),
        LibrarySetting("[network.proxies]", "\"b.example\" = \"socks5h://localhost:9050\""),
      ])
    #expect(library.rules.map(\.query.text) == ["-title:/ad/"])
    #expect(
      library.rules.map(\.action) == [.keepOnly(of: #"feed:/^https:\/\/a\.example\/c$/"#)])
    #expect(library.left.map(\.place.line) == [5, 6])
  }

  @Test(
    "Programs of plain words come where they are asked for",
    arguments: [
      ("$(~/feed --top 'a) b') \"Mine\" < reload-period 5", ["/home/ada/feed", "--top", "a) b"]),
      ("$(cat /x.xml)", ["cat", "/x.xml"]), ("$(cat ~/a | sort)", nil), ("$(echo $(date))", nil),
      ("$(bin/feed)", nil), ("$()", nil), ("$(", nil), ("$(cat 'x", nil),
    ] as [(String, [String]?)])
  func programs(line: String, words: [String]?) {
    let library = NewsraftFeeds.read(line, file: "feeds", programsOf: "/home/ada")
    #expect(library.feeds.first?.command == words)
    #expect(library.left.count == (words == nil ? 1 : 0))
    if line.contains("Mine") {
      #expect(library.feeds.map(\.url) == ["$(~/feed --top 'a) b')"])
      #expect(library.feeds.map(\.ownTitle) == ["Mine"] && library.feeds[0].interval == 300)
    }
    #expect(NewsraftFeeds.read(line, file: "feeds").feeds == [])
  }

  private func article(
    guid: String? = "g", title: String? = "T", link: String? = nil, content: String? = nil,
    files: String? = nil, persons: String? = nil, unread: Int64 = 1, important: Int64 = 0
  ) -> ImportedArticle? {
    let texts = [guid, title, link, content, files, persons, "\u{1F}^\u{1F}category=c d"]
    return NewsraftItems.article(
      [.integer(1)] + texts.map { $0.map { .text($0) } ?? .null } + [
        .integer(1_700_000_000), .integer(0), .integer(unread), .integer(important),
      ], of: "https://a.example/feed")?.article
  }

  @Test("The longest text, files, authors and marks of a row")
  func rows() throws {
    let whole = try #require(
      article(
        link: "/1",
        content: "\u{1F}^\u{1F}type=text/plain\u{1F}text=a < b\u{1F}^\u{1F}type=text/html"
          + "\u{1F}text=<p>x=y <a href=\"/z\">z</a></p>",
        files: "\u{1F}^\u{1F}url=/1.mp3\u{1F}type=audio/mpeg\u{1F}size=7"
          + "\u{1F}^\u{1F}url=/c\u{1F}content=comments\u{1F}^\u{1F}url=/page",
        persons: "\u{1F}^\u{1F}type=author\u{1F}name=Jo\u{1F}email=jo@a.example"
          + "\u{1F}^\u{1F}type=editor\u{1F}name=Ed", unread: 0, important: 1))
    #expect(whole.isRead && whole.isStarred && whole.entry.id == "g")
    #expect(
      whole.entry.contentHTML == "<p>x=y <a href=\"https://a.example/z\">z</a></p>")
    #expect(whole.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
    #expect(whole.entry.enclosures.first?.length == 7)
    #expect(whole.entry.authors == [Author("Jo", email: "jo@a.example")])
    #expect(whole.entry.categories.map(\.term) == ["c d"])
    #expect(
      article(content: "\u{1F}^\u{1F}type=text/plain\u{1F}text=a < b")?.entry.contentHTML
        == "<p>a &lt; b</p>")
    #expect(NewsraftItems.article([.integer(1)], of: "x") == nil)
  }

  @Test("An entry without an id has that of its address, else one derived from it")
  func ids() {
    #expect(
      article(guid: "https://a.example/1", link: "https://a.example/1")?.entry.id
        == "https://a.example/1")
    #expect(article(guid: "/1", link: "/1")?.entry.id == "https://a.example/1")
    #expect(article(guid: "T")?.entry.id.hasPrefix("telex:") == true)
    #expect(article(guid: nil, link: "/2")?.entry.id == "https://a.example/2")
    #expect(article(guid: "T", link: "/2")?.entry.id == "T")
  }
}
