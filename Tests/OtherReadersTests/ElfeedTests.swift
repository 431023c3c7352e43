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
    #expect(settings.folder == "~/feeds" && settings.files.map(\.path) == ["~/a.org", "b.org"])
    #expect(ElfeedFeeds.settings("(setq x", file: "f").library.left.count == 1)
  }

  @Test("Names of files are read where no more than a folder is joined to them")
  func files() {
    let settings = ElfeedFeeds.settings(
      #"""
      (setq rmh-elfeed-org-files '("/a.org" "b.org")
            rmh-elfeed-org-tree-id "feeds" rmh-elfeed-org-ignore-tag "off" org-directory "~/notes")
      (setq rmh-elfeed-org-files
        (list (concat org-directory "/c.org") (locate-user-emacs-file "d.org")
              (concat "e" ".org") (my-files)))
      """#, file: "init.el")
    #expect(settings.files.map(\.path) == ["/a.org", "b.org", "c.org", "d.org"])
    #expect(settings.library.left.map(\.place.line) == [5, 5])
    #expect(settings.outlineNames.tree == "feeds" && settings.outlineNames.ignored == "off")
    #expect(settings.outlineFolder == "~/notes")
  }

  private func outline(_ text: String) -> ReaderLibrary {
    ElfeedFeeds.outline(text, file: "elfeed.org")
  }

  @Test("Headlines of elfeed-org are feeds in the folders of their tags")
  func headlines() {
    let library = outline(
      """
      #+LINK: tube https://t.example/feeds?id=
      #+LINK: wrap https://w.example/%s.xml
      * Other
      ** https://a.example/no
      * Above :above:
      ** Blogs                :elfeed:
      *** https://a.example/1   :mustread:
      text https://a.example/text
      # *** https://a.example/comment
      *** Development :dev:
      **** [[https://a.example/2][Two of them]] :emacs:dev:
      **** https://a.example/3 :ignore:
      *** Quiet ones
      **** And smaller
      ***** COMMENT https://a.example/4
      ***** TODO [#A] A blog at https://a.example/5
      *** [[tube:7][Tube]] :video:
      *** [[wrap:x]]
      *** [[nowhere:x]]
      *** [[file:notes.org]] and *bold*
      *bold* https://a.example/6
      * More
      :PROPERTIES:
      :ID: elfeed
      :END:
      ** https://a.example/7
      *
      *** :dev:
      """)
    #expect(
      library.feeds.map(\.url) == [
        "https://a.example/1", "https://a.example/2", "https://a.example/4", "https://a.example/5",
        "https://t.example/feeds?id=7", "https://w.example/x.xml", "https://a.example/7",
      ])
    #expect(
      library.feeds.map(\.folders) == [
        [["mustread"]], [["dev"], ["emacs"]], [["Quiet ones", "And smaller"]],
        [["Quiet ones", "And smaller"]], [["video"]], [], [],
      ])
    #expect(library.feeds.map(\.ownTitle) == [nil, "Two of them", nil, nil, "Tube", nil, nil])
    #expect(library.left.map(\.place.line) == [12, 19])
    #expect(outline("") == ReaderLibrary() && outline("*\n* \n*\t:elfeed:") == ReaderLibrary())
  }

  @Test("A tree and what does not count may have tags of other names")
  func names() {
    var names = ElfeedFeeds.OutlineNames()
    (names.tree, names.ignored) = ("feeds", "off")
    let library = ElfeedFeeds.outline(
      "* A :feeds:\n** https://a.example/1 :ignore:\n** https://a.example/2 :off:\n"
        + "* B :elfeed:\n** https://a.example/3", file: "f", names: names)
    #expect(library.feeds.map(\.url) == ["https://a.example/1"])
    #expect(library.left.map(\.place.line) == [3])
  }

  @Test("Rules by titles tag, where their expressions have a counterpart")
  func rules() {
    let library = outline(
      #"""
      * Blogs :elfeed:blog:
      ** entry-title: \(linux\|linus\)   :linux:star:
      ** entry-title: \cg :odd:
      ** entry-title: x :ignore:
      ** entry-title:
      * Bare :elfeed:
      ** entry-title: y
      """#)
    #expect(library.rules.map(\.query.text) == Array(repeating: "title:/(linux|linus)/", count: 3))
    #expect(library.rules.map(\.action) == [.tag("blog"), .tag("linux"), .star])
    #expect(library.left.map(\.place.line) == [3, 4, 5, 7])
  }

  @Test(
    "Regular expressions of Emacs become those of ICU",
    arguments: [
      (#"\(emacs\|org-mode\)"#, "(emacs|org-mode)"), (#"a{2}(b|c)/"#, #"a\{2\}\(b\|c\)\/"#),
      (#"x\{1,2\}\(?:y\)\1"#, #"x{1,2}(?:y)\1"#), (#"\<C\+\+\_>"#, #"\bC\+\+\b"#),
      (#"\`[]/[:alpha:]]+\s-\w\'"#, #"^[\]\/[:alpha:]]+\s\w$"#), (#"\."#, #"\."#),
      (#"\(?3:x\)"#, nil), (#"\s."#, nil), (#"\cg"#, nil), (#"[a"#, nil), (#"a\"#, nil),
      (#"\="#, nil), (#"\_x"#, nil), (#"\s"#, nil),
    ] as [(String, String?)])
  func expressions(emacs: String, icu: String?) {
    #expect(EmacsExpression.translated(emacs) == icu)
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
