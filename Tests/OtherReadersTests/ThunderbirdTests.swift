import Foundation
import News
import Testing

@testable import OtherReaders

@Suite("Thunderbird's files")
struct ThunderbirdTests {
  @Test("The list in RDF, and folders of feeds in both")
  func lists() {
    let list = ThunderbirdFeeds(
      rdf: #"""
        <?xml version="1.0"?>
        <RDF:RDF xmlns:NS1="http://purl.org/rss/1.0/" xmlns:fz="urn:forumzilla:">
          <fz:feed RDF:about="https://a.example/1" dc:title="One &amp; only" NS1:link="https://a.example/"
                   dc:identifier="https://a.example/1?x=1&amp;y=2">
            <fz:destFolder RDF:resource="mailbox://nobody@Feeds/News/One%20%26%20only"/>
          </fz:feed>
          <fz:feed RDF:about="https://a.example/2"><fz:destFolder RDF:resource="mailbox://nobody@Feeds/../x"/></fz:feed>
          <fz:feed RDF:about="nothing"/>
        </RDF:RDF>
        """#, file: "Feeds/feeds.rdf")
    #expect(
      list.library.feeds.map(\.url) == ["https://a.example/1?x=1&y=2", "https://a.example/2"])
    #expect(list.library.feeds[0].ownTitle == "One & only")
    #expect(list.library.feeds.map(\.folders) == [[["News"]], []])
    #expect(list.folders["https://a.example/1?x=1&y=2"] == ["News", "One & only"])
    #expect(list.folders["https://a.example/2"] == ["x"])
    #expect(list.library.left.map(\.place.line) == [8])
    #expect(ThunderbirdFeeds(json: "{", file: "f").library.left.count == 1)
    #expect(
      ThunderbirdFeeds.sources(ofItems: #"{"i": {"feedURLs": ["u"]}, "j": {}}"#) == ["i": ["u"]])
  }

  @Test("Messages are told apart by the line before them, in any piece of a file")
  func mailbox() {
    let text = "From - x\nA: 1\n\nFrom me\nFrom - no header\n\nFrom \nB: 2\n\nend\n"
    let bytes = Array(text.utf8)
    func texts(_ found: [Range<Int>], of bytes: [UInt8]) -> [String] {
      found.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    let whole = Mailbox.messages(in: bytes, isEnd: true)
    let expected = ["A: 1\n\nFrom me\nFrom - no header\n\n", "B: 2\n\nend\n"]
    #expect(texts(whole.messages, of: bytes) == expected && whole.rest == bytes.count)
    for cut in 1..<bytes.count {
      let first = Mailbox.messages(in: Array(bytes[..<cut]), isEnd: false)
      let rest = Array(bytes[(first.messages.isEmpty ? 0 : first.rest)...])
      let second = Mailbox.messages(in: rest, isEnd: true)
      #expect(
        texts(first.messages, of: bytes) + texts(second.messages, of: rest) == expected, "\(cut)")
    }
  }

  private func article(_ message: String, title: String? = nil) -> ImportedArticle? {
    ThunderbirdMessage(Array(message.utf8))?.article(of: "https://a.example/feed", titled: title)
  }

  @Test("Marks, tags, headers and files of a message")
  func message() throws {
    let whole = try #require(
      article(
        """
        X-Mozilla-Status: 0005\r
        X-Mozilla-Keys: $label4 mine NonJunk $Forwarded\r
        Date: Sun, 1 Nov 2026 12:00:00 +0130\r
        Message-Id: <tag:a@b,1@localhost.localdomain>\r
        From: <Jo>\r
        Subject: =?UTF-8?B?R3LDvMOfZQ==?= =?ISO-8859-1?Q?_=E4=5F?=\r
        Keywords: one,\r
          two\r
        Content-Base: https://a.example/1\r
        Content-Type: multipart/mixed; boundary="------------42"\r
        \r
        This is a multi-part message in MIME format.\r
        --------------42\r
        Content-Type: text/html; charset=UTF-8\r
        \r
        <html><head><base href="https://a.example/x/"></head>\r
          <body id="msgFeedSummaryBody" selected="false">\r
        <a href="y">y</a>\r
        >From me</body></html>\r
        \r
        --------------42\r
        Content-Type: audio/mpeg; name="1.mp3"; size=10\r
        X-Mozilla-External-Attachment-URL: https://a.example/1.mp3\r
        \r
        stored\r
        --------------42--\r

        """))
    #expect(whole.isRead && whole.isStarred && !whole.isDeleted)
    #expect(whole.tags == ["to-do", "mine"])
    #expect(whole.entry.id == "tag:a@b,1" && whole.entry.title == "Grüße ä_")
    #expect(whole.entry.authors == [Author("Jo")])
    #expect(whole.entry.categories.map(\.term) == ["one", "two"])
    #expect(whole.entry.published == Date(timeIntervalSince1970: 1_793_529_000))
    #expect(
      whole.entry.contentHTML == "<a href=\"https://a.example/x/y\">y</a>\nFrom me")
    #expect(
      whole.entry.enclosures == [
        Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 10)
      ])
  }

  @Test(
    "Marks stand in the name of a file of a maildir too",
    arguments: [
      ("1793966405000000.eml", ""), ("1.eml:2,", ""), ("1.eml:2,FS", "read starred"),
      ("1.host;2,RST", "read deleted"), ("1!2,DF", "starred"), ("1.eml:1,S", ""), ("S", ""),
      ("1:S2,", ""), (":2,S", "read"), ("1:2,F:2,S", "read"), ("", ""),
    ])
  func maildir(name: String, marks: String) {
    let article = ImportedArticle(Entry(id: "1")).with(Maildir.Marks(ofName: name))
    let told = [
      article.isRead ? "read" : nil, article.isStarred ? "starred" : nil,
      article.isDeleted ? "deleted" : nil,
    ]
    #expect(told.compactMap(\.self).joined(separator: " ") == marks)
    let marked = ImportedArticle(Entry(id: "1"), isRead: true, isStarred: true, isDeleted: true)
    #expect(marked.with(Maildir.Marks(ofName: name)) == marked)
  }

  @Test("The line before a message of a mailbox may stand in a file of its own too")
  func openingLine() throws {
    let text = "X-Mozilla-Status: 0005\nMessage-Id: <1>\nSubject: T\n\nx"
    let plain = try #require(article(text))
    #expect(article("From - Fri Nov  6 13:00:00 2026\n" + text) == plain)
    #expect(article("From \n" + text) == plain && plain.isRead && plain.isStarred)
    #expect(!Maildir.isMessage(".hidden") && Maildir.isMessage("1.eml"))
  }

  @Test("An id that Thunderbird has made is that of the address, or derived")
  func ids() {
    func id(_ id: String, base: String, subject: String = "T") -> String? {
      article(
        "Message-Id: <\(id)@localhost.localdomain>\nContent-Base: \(base)\nSubject: \(subject)\n\nx"
      )?
      .entry.id
    }
    #expect(id("https://a.example/1#T#text", base: "https://a.example/1") == "https://a.example/1")
    #expect(id("https://a.example/feed#T#text", base: "null")?.hasPrefix("telex:") == true)
    #expect(id("https://a.example/1#x", base: "https://a.example/1") == "https://a.example/1#x")
    #expect(id("tag:1", base: "https://a.example/1") == "tag:1")
    #expect(article("Subject: T\n\nx") == nil)
    let loaded = article(
      "Message-Id: <1>\n\n<body><iframe id=\"_mailrssiframe\" src=\"x\"></iframe>")
    #expect(loaded?.entry.contentHTML == nil && loaded?.entry.id == "1")
    #expect(article("Message-Id: <1>\nFrom: <Feed>\n\nx", title: "Feed")?.entry.authors == [])
  }
}
