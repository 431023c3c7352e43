import Foundation
import TestSupport
import Testing

/// `articles --as epub` and `show --as`: books, pages with their pictures, and Markdown.
@Suite(.timeLimit(.minutes(10)))
struct BookTests {
  /// Articles with pictures, links to each other and what XML does not take.
  private static func shelf() throws -> FileShelf {
    func item(_ number: Int, _ title: String, _ body: String) -> String {
      FileShelf.item(number, title: escaped(title))
        + "<link>$/story/\(number)</link><description>\(escaped(body))</description>"
    }
    let shelf = try FileShelf([
      item(
        4, "]]> </title> & \"x\" <y>",
        "<p>]]&gt; &#xFFFE;&#xFFFF;&#11; <b>a<i>b</b>c</i><br><hr><p>Ünï 世界 🎉<script>x</script>"
          + "<a href='http://e.example/a b{c}|^\"'>odd</a> <a href='javascript:x'>none</a>"
          + "<dl><dt>T<dd>D</dl><table><tr><td>1<th>2</table><pre>a &lt;b&gt;</pre>"),
      item(
        3, "Pictures",
        "<p><img src='$/a.gif' alt='A &quot;red&quot; one' title='The joke'></p>"
          + "<p>Here <img src='$/a.gif'>.</p><p><a href='https://e.example/'><img src='$/b.gif' alt=b></a>"
          + "</p><p><img src='$/never.gif' alt='not here'></p>"),
      item(
        2, "Notes",
        "<p id=r>Text<a href='#n'>1</a> and <a href='$/story/3#top'>that</a>, <a href='$/story/3'>"
          + "the pictures</a>.</p><ol start=3><li id=n>A note <a href='#r'>back</a></ol>"),
      item(1, "", "<p></p>"),
    ])
    for (index, name) in ["a", "b"].enumerated() {
      shelf.set("/\(name).gif") { $0.bytes = picture(UInt8(index)) }
    }
    return shelf
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  private static func picture(_ number: UInt8) -> [UInt8] {
    Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0, number]
  }

  @Test func `A book is what Python's zipfile and expat take, hostile texts included`()
    async throws
  {
    let shelf = try Self.shelf()
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    try await sandbox.add(try sandbox.file("rich.xml", richFeed()))
    try await sandbox.succeed("prefetch", "--metered")
    await shelf.stop()
    let written = try await sandbox.telex("articles", "--as", "epub", "-o", "a.epub")
    #expect(written.status == 0 && written.output.isEmpty, "\(written.testDescription)")
    let book = try await BookReader("a.epub", in: sandbox)
    #expect(book.faults == [])
    #expect(book.paths.first == "mimetype")
    #expect(book.paths.count { $0.hasPrefix("EPUB/article") } == 126)
    // Two pictures, one of which is in two places.
    #expect(book.paths.count { $0.hasPrefix("EPUB/picture") } == 2)
    let navigation = try #require(book.texts["EPUB/nav.xhtml"])
    #expect(navigation.contains("<span>The rich feed</span>"))
    #expect(navigation.contains(">]]&gt; &lt;/title&gt; &amp; &quot;x&quot; &lt;y&gt;</a>"))
    let pages = book.texts.values
    let pictures = try #require(pages.first { $0.contains("<figure>") })
    #expect(
      pictures.contains(
        "<figure><img src=\"picture1.gif\" alt=\"A &quot;red&quot; one\"/>"
          + "<figcaption>The joke</figcaption></figure>"))
    #expect(
      pictures.contains("<a href=\"https://e.example/\"><img src=\"picture2.gif\" alt=\"b\"/></a>"))
    #expect(pictures.contains("/never.gif\">[not here]</a>"))
    let notes = try #require(pages.first { $0.contains("A note") })
    // Into the book, and to the place in the same text.
    #expect(notes.contains(/<a href="article\d+\.xhtml">the pictures<\/a>/))
    #expect(notes.contains("<a href=\"#place1\">1</a>") && notes.contains("<span id=\"place1\">"))
    #expect(notes.contains("/story/3#top\">that</a>"))
    let odd = try #require(pages.first { $0.contains(">odd</a>") })
    #expect(odd.contains("\"http://e.example/a%20b%7Bc%7D%7C%5E%22\""))
    #expect(!odd.contains("javascript") && !odd.contains("\u{FFFE}"))

    // The same articles are the same bytes, in another process and at another time.
    try await sandbox.succeed("articles", "--as", "epub", "-o", "b.epub")
    let bytes = FileManager.default.contents(atPath: sandbox.folder + "/a.epub")
    #expect(FileManager.default.contents(atPath: sandbox.folder + "/b.epub") == bytes)
    let few = try await sandbox.telex(
      "articles", "title:pictures", "--as", "epub", "--output", "c.epub")
    #expect(few.status == 0)
    let one = try await BookReader("c.epub", in: sandbox)
    #expect(one.faults == [] && one.identifier != book.identifier)
    #expect(one.identifier.hasPrefix("urn:uuid:") && one.identifier.count == 45)
  }

  @Test func `An article is shown as a book, a page that stands alone, and Markdown`() async throws
  {
    let shelf = try Self.shelf()
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    try await sandbox.succeed("prefetch", "--metered")
    await shelf.stop()
    let id = try #require(try await sandbox.numbers()["Pictures"])
    try await sandbox.succeed("show", id, "--as", "epub", "-o", "one.epub")
    let book = try await BookReader("one.epub", in: sandbox)
    #expect(book.faults == [] && book.paths.count { $0.hasPrefix("EPUB/article") } == 1)
    #expect(book.texts["EPUB/package.opf"]?.contains("<dc:title>Pictures</dc:title>") == true)
    #expect(book.texts["EPUB/package.opf"]?.contains("idref=\"nav\"") == false)
    let page = try await sandbox.telex("show", id, "--as", "html").output
    let data = Data(Self.picture(0)).base64EncodedString()
    #expect(
      page.contains("<img src=\"data:image/gif;base64,\(data)\" alt=\"A &quot;red&quot; one\">"))
    #expect(page.contains("<h1>") && !page.contains("<nav>") && !page.contains("src=\"http"))
    #expect(page.contains("img-src data:"))
    let text = try await sandbox.telex("show", id, "--as", "md").output
    #expect(text.hasPrefix("# [Pictures]("))
    // What is on the screen of a terminal has to be text.
    #expect(try await sandbox.telex("show", id, "--as", "epub", "--json").status == 2)
    #expect(try await sandbox.telex("show", id, "-o", "x").status == 2)
    #expect(try await sandbox.telex("articles", "-o", "x").status == 2)
    // The list of pages has the same pictures.
    let all = try await sandbox.telex("articles", "--as", "html").output
    #expect(all.contains("data:image/gif;base64,\(data)"))
  }

  @Test func `A picture whose head claims more pixels than can be is left out`() async throws {
    let text = "<p>text <img src='$/big.png' alt='a big one'></p>"
    let shelf = try FileShelf([
      FileShelf.item(1, title: "Big") + "<description>\(Self.escaped(text))</description>"
    ])
    shelf.set("/big.png") {
      $0.bytes =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [UInt8](repeating: 0xFF, count: 8) + [8, 2, 0, 0, 0] + [0, 0, 0, 0]
    }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    try await sandbox.succeed("prefetch", "--metered")
    await shelf.stop()
    for form in ["epub", "html"] {
      try await sandbox.succeed("articles", "--as", form, "-o", "a.\(form)")
    }
    let page = try await sandbox.telex("articles", "--as", "html").output
    #expect(page.contains("a big one") && !page.contains("data:image"))
  }

  @Test func `A mail has the pictures that are here with it, and links to the others`() async throws
  {
    let shelf = try Self.shelf()
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    try await sandbox.succeed("prefetch", "--metered")
    await shelf.stop()
    func read(_ options: String...) async throws -> [String: Any] {
      let mail = try await sandbox.telex(
        ["digest", "--since", "2000-01-01", "--format", "mail"] + options)
      #expect(mail.status == 0 && mail.output.utf8.allSatisfy { $0 < 0x80 })
      try sandbox.file("mail.eml", mail.output)
      let script = try sandbox.file(
        "mail.py",
        """
        import email, json, re
        message = email.message_from_bytes(open('mail.eml', 'rb').read())
        parts = list(message.walk())
        page = [p for p in parts if p.get_content_type() == 'text/html'][0]
        html = page.get_payload(decode=True).decode('utf-8')
        related = [p for p in parts if p.get_content_type() == 'multipart/related']
        print(json.dumps({
            'shape': [p.get_content_type() for p in parts],
            'root': [p.get_param('type') for p in related],
            'ids': [p['Content-ID'] for p in parts if p.get_content_maintype() == 'image'],
            'sizes': [len(p.get_payload(decode=True)) for p in parts
                if p.get_content_maintype() == 'image'],
            'shown': re.findall('src="cid:([^"]*)"', html), 'html': html,
            'defects': sum(len(p.defects) for p in parts)}))
        """)
      return try await TelexCommand.run(
        [script], executable: try #require(BookReader.python), environment: sandbox.home,
        in: sandbox.folder
      ).json()
    }
    let mail = try await read()
    #expect(mail["defects"] as? Int == 0)
    #expect(
      mail["shape"] as? [String] == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/gif",
        "image/gif",
      ])
    #expect(mail["root"] as? [String] == ["text/html"])
    let ids = try #require(mail["ids"] as? [String])
    let shown = try #require(mail["shown"] as? [String])
    // One of the two is in two places.
    #expect(shown.count == 3 && Set(shown.map { "<\($0)>" }) == Set(ids) && Set(ids).count == 2)
    #expect(mail["sizes"] as? [Int] == [14, 14])
    #expect((mail["html"] as? String)?.contains("/never.gif\">[not here]</a>") == true)
    let plain = try await read("--no-pictures")
    #expect(
      plain["shape"] as? [String] == ["multipart/alternative", "text/plain", "text/html"])
    #expect(plain["shown"] as? [String] == [])
  }

  @Test func `A book is in the language that its feeds name, where they name one`() async throws {
    let sandbox = try Sandbox()
    for (name, language) in [("one", "cy"), ("two", "de-AT")] {
      let feed = """
        <rss version="2.0"><channel><title>\(name)</title><language>\(language)</language>
        <item><guid>\(name)</guid><title>A \(name)</title></item></channel></rss>
        """
      try await sandbox.add(try sandbox.file("\(name).xml", feed))
    }
    func language(_ arguments: String...) async throws -> String? {
      let written = try await sandbox.telex(
        ["articles"] + arguments + ["--as", "epub", "-o", "a.epub"])
      #expect(written.status == 0, "\(written.testDescription)")
      let package = try await BookReader("a.epub", in: sandbox).texts["EPUB/package.opf"]
      return package?.firstMatch(of: /<dc:language>([^<]*)</).map { String($0.1) }
    }
    #expect(try await language("title:one") == "cy")
    #expect(try await language("title:two") == "de-AT")
    #expect(try await language() == "und")
    let id = try #require(try await sandbox.articles("title:two").first?["id"])
    try await sandbox.succeed("show", "\(id)", "--as", "epub", "-o", "one.epub")
    let alone = try await BookReader("one.epub", in: sandbox).texts["EPUB/package.opf"]
    #expect(alone?.contains("<dc:language>de-AT<") == true)
  }

  @Test func `A file comes whole or not at all, and replaces the one before`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("rich.xml", richFeed()))
    let missing = try await sandbox.telex("articles", "--as", "epub", "-o", "none/a.epub")
    #expect(missing.status == 1 && missing.errors.contains("cannot be written"))
    try sandbox.file("a.html", "former")
    try await sandbox.succeed("articles", "--as", "html", "-o", "a.html")
    #expect(sandbox.contents(of: "a.html")?.hasPrefix("<!DOCTYPE html>") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
    #expect(!names.contains { $0.hasSuffix(".part") })
  }
}
