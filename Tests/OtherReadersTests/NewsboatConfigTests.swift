import News
import Testing

@testable import OtherReaders

@Suite("Newsboat's settings")
struct NewsboatConfigTests {
  private func read(_ text: String, _ files: [String: String] = [:]) -> ReaderLibrary {
    NewsboatConfig.read(text, file: "config") { files[$0] }
  }

  @Test func `Operations with a counterpart keep their keys`() {
    let library = read(
      """
      bind-key j next articlelist,article
      bind-key ^D pagedown
      bind-key SPACE open all
      bind-key y sort feedlist
      bind-key z sort
      unbind-key G
      bind-key x purge-deleted
      bind-key y next podboat
      unbind-key -a
      bind-key \u{1} open
      """)
    #expect(
      library.keys == [
        LibraryKey("page-down", key: "Ctrl-d"), LibraryKey("open", key: "Space"),
        LibraryKey("sort", key: "z"), LibraryKey(nil, key: "G"),
        LibraryKey("next-article", key: "j", isOfOneDialog: true),
        LibraryKey("sort", key: "y", isOfOneDialog: true),
      ])
    #expect(library.left.map(\.place.line) == [7, 8, 9, 10])
  }

  @Test func `Included files are read, in a circle not for ever, and a missing one is reported`() {
    let library = read(
      "include more\ninclude none", ["more": "bind-key x quit\ninclude more\nbind-key y nothing"])
    #expect(library.keys.contains(LibraryKey("leave", key: "x")))
    #expect(library.left.contains { $0.place.text == "more:3" })
    #expect(library.left.contains { $0.place.text == "config:2" })
  }

  @Test func `Articles that newsboat ignores are hidden by rules`() {
    let library = read(
      """
      ignore-article "*" "title =~ \\"ad\\""
      ignore-article "https://u:hush@a.example/feed" "author = \\"Jo\\" or unread = \\"no\\""
      """)
    #expect(
      library.rules.map(\.query.text) == [
        "title:/ad/", #"feed:/^https:\/\/a\.example\/feed$/ (author:/^Jo$/ OR is:read)"#,
      ])
    let regular = read("ignore-article \"regex:a.*b\" \"author = \\\"Jo\\\"\"")
    #expect(regular.rules.map(\.query.text) == ["feed:/a.*b/ (author:/^Jo$/)"])
    #expect(library.rules.allSatisfy { $0.action == .hide } && library.left == [])
    // What is only not shown there is not lost here, wherever the line stands.
    for text in ["ignore-mode display\n%", "%\nignore-mode \"display\""] {
      let rule = "ignore-article \"*\" \"title =~ \\\"ad\\\"\""
      let library = read(text.replacing("%", with: rule))
      #expect(library.rules.map(\.action) == [.read] && library.left == [])
    }
    #expect(read("ignore-mode download").left == [])
  }

  @Test func `Other settings are reported in one line, and no password with it`() {
    let library = read(
      """
      show-read-feeds no
      miniflux-password "hush"
      browser `cat secret`
      urls-source "miniflux"
      ignore-article "*" "articleindex = 3"
      ignore-article "*" `cat secret`
      cache-file ~/nb.db
      """)
    #expect(library.left.map(\.place.text) == ["config:4", "config:5", "config:6", "config"])
    #expect(!library.left.map { $0.subject + $0.reason }.joined().contains("hush"))
    #expect(library.cachePath == "~/nb.db")
    #expect(read("urls-source local\nunbind-key G").left == [])
  }
}
