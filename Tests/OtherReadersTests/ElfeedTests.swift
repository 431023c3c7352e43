import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Elfeed's files")
struct ElfeedTests {
  @Test("Lisp is read as Emacs does, and never evaluated")
  func lisp() throws {
    let forms = try LispReader.read(
      #"""
      ; comment ) (
      (a "b\"c\
      d" ?\( ?x 1.5 -3 . (4 nil)) #("t" 0 1 (face bold)) [1 'x] ("k" . "v") `(,@a #'b)
      """#)
    #expect(forms.count == 5)
    #expect(forms[0].elements.map(\.symbol) == ["a", nil, nil, nil, nil, nil, nil, "nil"])
    #expect(forms[0].elements[1].string == "b\"cd")
    #expect(forms[0].elements.compactMap(\.number) == [40, 120, 1.5, -3, 4])
    #expect(forms[1].string == "t" && forms[1].line == 3)
    #expect(forms[3].elements.map(\.string) == ["k", "v"])
  }

  @Test(
    "What is no Lisp is told with its line",
    arguments: ["(a\n(b)", "a\n)", "\n#<buffer x>", "\n(')"])
  func noLisp(text: String) {
    #expect(throws: LispError.self) { try LispReader.read(text) }
  }

  @Test("Expressions that are too deep are refused")
  func deep() {
    let text = String(repeating: "(", count: 100_000)
    #expect(throws: LispError.self) { try LispReader.read(text) }
  }

  @Test("Quoted lists of feeds are taken wherever they stand, others are reported")
  func settings() {
    let settings = ElfeedFeeds.settings(
      #"""
      (use-package elfeed
        :custom (elfeed-feeds '("https://a.example/1" ("https://a.example/2" news tech)))
        :config (setq elfeed-db-directory "~/feeds" elfeed-feeds (append a b)))
      (add-to-list 'elfeed-feeds "https://a.example/3")
      (setq rmh-elfeed-org-files (list "~/a.org" "b.org"))
      (setq-default elfeed-feeds '((nothing x)))
      (dolist (feed elfeed-feeds) (print feed))
      """#, file: "init.el")
    #expect(settings.library.feeds.map(\.url) == ["https://a.example/1", "https://a.example/2"])
    #expect(settings.library.feeds.map(\.folders) == [[], [["news"], ["tech"]]])
    #expect(Set(settings.library.left.map(\.place.line)) == [3, 4, 6])
    #expect(settings.folder == "~/feeds" && settings.files == ["~/a.org", "b.org"])
    #expect(ElfeedFeeds.settings("(setq x", file: "f").library.left.count == 1)
  }

  @Test("Headlines of elfeed-org are feeds in the folders of their tags")
  func outline() {
    let library = ElfeedFeeds.outline(
      """
      * Other
      ** https://a.example/no
      * Blogs                :elfeed:
      ** entry-title: \\(linux\\)   :linux:
      ** https://a.example/1   :mustread:
      text https://a.example/text
      ** Development :dev:
      *** [[https://a.example/2][Two of them]] :emacs:web:
      *** https://a.example/3 :ignore:
      * More
      :PROPERTIES:
      :ID: elfeed
      :END:
      ** https://a.example/4
      """, file: "elfeed.org")
    #expect(
      library.feeds.map(\.url) == [
        "https://a.example/1", "https://a.example/2", "https://a.example/4",
      ])
    #expect(library.feeds.map(\.folders) == [[["mustread"]], [["dev"], ["emacs"], ["web"]], []])
    #expect(library.feeds.map(\.ownTitle) == [nil, "Two of them", nil])
    #expect(library.left.map(\.place.line) == [4, 9])
  }

  @Test("The index of versions before Emacs 26, and what is none")
  func index() throws {
    let database = try ElfeedDatabase(
      #"""
      (:version "0.0.3" :feeds #s(hash-table test equal data ("https://a.example/f" [cl-struct-elfeed-feed "https://a.example/f" "https://a.example/f" "F" nil (:title "Mine")]))
       :entries #s(hash-table test equal data (("a.example" . "urn:sha1:00") [cl-struct-elfeed-entry ("a.example" . "urn:sha1:00") "T" "/1" 1700000000.4 "a < b" nil (("/1.mp3" "audio/mpeg" "5")) (star x) "https://a.example/f" (:categories ("c"))])))
      """#, file: "index")
    #expect(database.feeds.map(\.ownTitle) == ["Mine"])
    let article = try #require(database.articles["https://a.example/f"]?.first)
    let imported = ElfeedDatabase.imported(
      article, content: "a < b", of: "https://a.example/f", except: [])
    #expect(imported.isRead && imported.isStarred && imported.tags == ["x"])
    #expect(imported.entry.id == "https://a.example/1")
    #expect(imported.entry.contentHTML == "<p>a &lt; b</p>")
    #expect(
      imported.entry.enclosures == [
        Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 5)
      ])
    #expect(imported.entry.published == Date(timeIntervalSince1970: 1_700_000_000))
    for text in ["", "(a b)", "(:version 4"] {
      #expect(throws: LeftOut.self) { try ElfeedDatabase(text, file: "index") }
    }
  }

  @Test("A reference that is no name of a file is none")
  func reference() throws {
    let database = try ElfeedDatabase(
      #"""
      (:version 4 :feeds nil :entries #s(hash-table data (x #s(elfeed-entry ("a" . "i") "T" "" 1 #s(elfeed-ref "../../../etc/passwd") html nil nil "https://a.example/f" nil))))
      """#, file: "index")
    #expect(database.articles["https://a.example/f"]?.first?.content == nil)
  }
}
