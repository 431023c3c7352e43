import FeedServer
import Foundation
import Testing

/// Lists of feeds on their way through the store: what other feed readers wrote comes out again.
@Suite(.timeLimit(.minutes(10)))
struct OutlineVerbTests {
  private static let foreign = """
    <opml version="2.0" xmlns:frss="https://freshrss.org/opml" xmlns:fz="urn:forumzilla:">
      <head><title>T</title><ownerName>ada</ownerName></head>
      <body>
        <outline text="TCP/IP" frss:opmlUrl="https://lists.example/x.opml">
          <outline text="Inner" isOpen="true">
            <outline type="rss" text="A" title="A" xmlUrl="https://a.example/feed" fullTextXpath="//div[@id = 'x']" updateInterval="60" fz:options="{&quot;a&quot;:1}"/>
          </outline>
        </outline>
        <outline type="HTML+XPath" text="B" xmlUrl="https://b.example/" frss:xPathItem="//li &gt; a"/>
      </body>
    </opml>
    """

  @Test func `What other feed readers have noted is exported again`() async throws {
    let sandbox = try Sandbox()
    let imported = try await sandbox.telex("import", "-", "--json", stdin: Self.foreign)
    #expect(imported.status == 0, "\(imported.testDescription)")
    let exported = try await sandbox.telex("export").output
    for part in [
      "xmlns:frss=\"https://freshrss.org/opml\"", "xmlns:fz=\"urn:forumzilla:\"",
      "<outline text=\"TCP/IP\" title=\"TCP/IP\" frss:opmlUrl=\"https://lists.example/x.opml\">",
      "<outline text=\"Inner\" title=\"Inner\" isOpen=\"true\">",
      "fullTextXpath=\"//div[@id = 'x']\" updateInterval=\"60\"",
      "fz:options=\"{&quot;a&quot;:1}\"", "type=\"HTML+XPath\"", "frss:xPathItem=\"//li &gt; a\"",
    ] {
      #expect(exported.contains(part), "\(part) in \(exported)")
    }
    #expect(!exported.contains("ownerName") && !exported.contains("telex:"))
    // A folder whose name has a slash is one folder, on the screen and in the next list.
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.first?["folders"] as? [String] == ["TCP∕IP/Inner"])
    let other = try Sandbox()
    #expect(try await other.telex("import", "-", stdin: exported).status == 0)
    #expect(try await other.telex("export").output == exported)
    // Once more into the same: nothing is doubled.
    #expect(try await other.telex("import", "-", stdin: exported).status == 0)
    #expect(try await other.telex("export").output == exported)
  }

  @Test func `Folders without feeds are exported again, and shown nowhere`() async throws {
    let sandbox = try Sandbox()
    let text = """
      <opml xmlns:fz="urn:forumzilla:"><body>
        <outline text="Full"><outline text="A" xmlUrl="https://a.example/"/>
          <outline text="Later"/></outline>
        <outline text="Empty" fz:colour="red"><outline text="Emptier"/></outline>
        <outline text="Links"><outline text="B" type="link" url="https://b.example/"/></outline>
      </body></opml>
      """
    #expect(try await sandbox.telex("import", "-", stdin: text).status == 0)
    let exported = try await sandbox.telex("export").output
    let names = exported.split(separator: "\n").compactMap { line in
      line.range(of: "text=\"").map { String(line[$0.upperBound...].prefix { $0 != "\"" }) }
    }
    #expect(names == ["Full", "Later", "A", "Empty", "Emptier", "Links"])
    #expect(exported.contains("<outline text=\"Empty\" title=\"Empty\" fz:colour=\"red\">"))
    #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)
    // Once more, into another and into the same.
    let other = try Sandbox()
    for _ in 1...2 {
      #expect(try await other.telex("import", "-", stdin: exported).status == 0)
      #expect(try await other.telex("export").output == exported)
    }
  }

  @Test func `A feed's own title takes the place of a list's, but not of one the user gave`()
    async throws
  {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      func list(_ path: String, _ mark: String) -> String {
        "<outline type='rss' text='From the list' xmlUrl='\(server.baseURL)\(path)' \(mark)/>"
      }
      let text =
        "<opml xmlns:telex='urn:telex:opml'><body>" + list("/rss.xml", "")
        + list("/atom.xml", "telex:customTitle='true'") + list("/rdf.xml", "useCustomTitle='true'")
        + "</body></opml>"
      #expect(try await sandbox.telex("import", "-", "--trust", stdin: text).status == 0)
      func titles() async throws -> [String?] {
        try await sandbox.telex("list", "--json").jsonLines().map { $0["title"] as? String }
      }
      #expect(try await titles() == ["From the list", "From the list", "From the list"])
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try await titles() == ["The Loopback Times", "From the list", "From the list"])
      // And through an export of our own.
      let exported = try await sandbox.telex("export").output
      #expect(exported.components(separatedBy: "telex:customTitle=\"true\"").count == 3)
      let other = try Sandbox()
      #expect(try await other.telex("import", "-", "--trust", stdin: exported).status == 0)
      #expect(try await other.telex("refresh").status == 0)
      let kept = try await other.telex("list", "--json").jsonLines().map { $0["title"] as? String }
      #expect(kept == ["The Loopback Times", "From the list", "From the list"])
    }
  }

  @Test func `What is left out is told with its line and why, and so is a list that is cut`()
    async throws
  {
    let sandbox = try Sandbox()
    let text = """
      <opml><body>
      <outline text="Bad" xmlUrl="javascript:alert(1)"/>
      <outline text="Page" type="link" url="https://page.example/"/>
      <outline text="Good" xmlUrl="https://good.example/"/>
      <outline text="Again" xmlUrl="https://good.example"/>
      <outline text="Cut" xmlUrl="https://cut.exam
      """
    let file = try sandbox.file("cut.opml", text)
    for verb in ["opml", "import"] {
      let outcome = try await sandbox.telex(verb, file)
      #expect(outcome.status == 0)
      for part in [
        "line 2: javascript:alert", "http and https only", "line 3: https://page.example/",
        "not a feed", "line 5: https://good.example: ", "stands on line 4 already",
        "warning: The list ends within an element",
      ] {
        #expect(outcome.errors.contains(part), "\(part) in \(outcome.testDescription)")
      }
      #expect(outcome.output.contains("cut.exam") == false)
    }
    let object = try await sandbox.telex("opml", file, "--json").json()
    #expect((object["feeds"] as? [Any])?.count == 1)
    let skipped = try #require(object["skipped"] as? [[String: Any]])
    #expect(skipped.map { $0["line"] as? Int } == [2, 3, 5])
    #expect(
      skipped.map { Set($0.keys) }
        == Array(repeating: ["line", "title", "url", "reason"], count: 3))
    #expect((object["warnings"] as? [String])?.count == 1)
    let imported = try await sandbox.telex("import", file, "--json").json()
    #expect((imported["skipped"] as? [Any])?.count == 3)
    #expect((imported["warnings"] as? [String])?.count == 1)
  }

  @Test func `A host outside ASCII is one feed, however it is written`() async throws {
    let sandbox = try Sandbox()
    for address in [
      "https://bücher.example/f", "https://xn--bcher-kva.example/f", "feed://Bücher.example/f",
    ] {
      let text = "<opml><body><outline text='B' xmlUrl='\(address)'/></body></opml>"
      #expect(try await sandbox.telex("import", "-", stdin: text).status == 0)
    }
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.map { $0["url"] as? String } == ["https://xn--bcher-kva.example/f"])
  }

  @Test(arguments: [
    ("<!doctype html><html><p>Sign in</p></html>", "web page"),
    ("<rss><channel/></rss>", "feed (RSS)"), ("", "empty"), ("words", "no XML"),
  ])
  func `What is no list is refused by its name`(_ text: String, _ name: String) async throws {
    let sandbox = try Sandbox()
    for verb in ["opml", "import"] {
      let outcome = try await sandbox.telex(verb, "-", stdin: text)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(name), "\(outcome.testDescription)")
    }
    #expect(try await sandbox.telex("list").output == "")
  }

  @Test func `Folders a thousand deep come in and go out`() async throws {
    let sandbox = try Sandbox()
    let text =
      "<opml><body>" + (0..<1_000).map { "<outline text='\($0)'>" }.joined()
      + "<outline text='F' xmlUrl='https://deep.example/'/>"
      + String(repeating: "</outline>", count: 1_000) + "</body></opml>"
    let imported = try await sandbox.telex("import", "-", "--json", stdin: text)
    #expect(imported.status == 0, "\(imported.testDescription)")
    let exported = try await sandbox.telex("export")
    let read = try await sandbox.telex("opml", "-", "--json", stdin: exported.output).json()
    let feed = try #require((read["feeds"] as? [[String: Any]])?.first)
    #expect((feed["categories"] as? [[String]])?.first?.count == 1_000)
  }
}
