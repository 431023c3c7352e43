import News
import Testing

@testable import OtherReaders

@Suite("Newsboat's list of feeds")
struct NewsboatURLsTests {
  private func read(_ text: String, star: Character? = nil) -> ReaderLibrary {
    NewsboatURLs.read(text, file: "urls", star: star)
  }

  @Test("Tags become folders, the one with a tilde the name")
  func feeds() {
    let library = read(
      """
      # comment
      https://a.example/feed news "long reads" "~My \\"A\\""
      https://user:secret@b.example/feed
      """)
    #expect(library.left == [])
    #expect(
      library.feeds == [
        LibraryFeed(
          url: "https://a.example/feed", ownTitle: "My \"A\"", folders: [["news"], ["long reads"]],
          at: LibraryPlace("urls", line: 2)),
        LibraryFeed(
          url: "https://user:secret@b.example/feed", at: LibraryPlace("urls", line: 3)),
      ])
  }

  @Test("A hidden feed is hidden", arguments: ["!", "!old"])
  func hidden(tag: String) {
    let library = read("https://a.example/feed \(tag) news\nhttps://b.example/feed news")
    #expect(library.feeds.map(\.isHidden) == [true, false])
    #expect(library.feeds.first?.folders == [["news"]])
    #expect(library.left.isEmpty)
  }

  @Test("Lists by a filter become smart feeds")
  func queries() {
    let library = read(
      #"""
      "query:Unread of A:unread = \"yes\" and feedtitle =~ \"A\""
      query:Flagged:flags # "s"
      """#, star: "s")
    #expect(library.smartFeeds.map(\.name) == ["Unread of A"])
    #expect(library.smartFeeds.first?.query.text == "unread feed:/A/")
    // Without quotes around the whole, newsboat sees a name and tags.
    #expect(library.left.map(\.place.text) == ["urls:2"])
    #expect(
      read(#""query:F:flags # \"s\"""#, star: "s").smartFeeds.map(\.query.text) == ["is:starred"])
  }

  @Test("Programs come only where they are asked for, and only as plain words")
  func programs() {
    let text = #"""
      "exec:~/bin/feed 'a b'" news
      filter:sift:http://u:secret@x.example/feed !
      "exec:feed | sort"
      filter:sift
      """#
    #expect(read(text).feeds.isEmpty && read(text).left.count == 4)
    let library = NewsboatURLs.read(text, file: "urls", programsOf: "/h")
    #expect(library.feeds.map(\.command) == [["/h/bin/feed", "a b"], nil])
    #expect(library.feeds.map(\.filter) == [nil, ["sift"]])
    #expect(library.feeds.last?.address == "http://u:secret@x.example/feed")
    #expect(library.feeds.map(\.isHidden) == [false, true])
    #expect(library.left.map(\.place.line) == [3, 4])
    #expect(library.left.first?.reason.contains("shell") == true)
  }

  @Test("Programs, words, and filters that have no counterpart are told by line")
  func others() {
    let library = read(
      #"""
      exec:~/bin/feed.sh news
      "filter:~/bin/f.py:http://u:secret@x.example/feed"
      nonsense
      "query:Third:articleindex = 3"
      "query:Broken:title = "
      query:
      """#)
    #expect(library.feeds == [] && library.smartFeeds == [])
    #expect(library.left.map(\.place.line) == [1, 2, 3, 4, 5, 6])
    #expect(library.left.allSatisfy { !$0.reason.isEmpty && !$0.subject.contains("secret") })
  }
}
