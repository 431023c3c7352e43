import FeedServer
import Foundation
import Testing

/// `parse`, `fetch`, `opml` and `render`.
@Suite(.timeLimit(.minutes(10)))
struct ProbeVerbTests {
  static let parseKeys: Set = [
    "format", "title", "link", "description", "language", "next_url", "entries", "warnings",
    "image", "icon", "authors", "people", "categories", "rights", "updated", "feed_url",
    "new_feed_url",
  ]

  @Test(arguments: [true, false])
  func `parse prints what a document says`(fromFile: Bool) async throws {
    let sandbox = try Sandbox()
    let source = fromFile ? try sandbox.file("feed.xml", rss) : "-"
    let outcome = try await sandbox.telex(
      "parse", source, "--json", stdin: fromFile ? "" : rss)
    #expect(outcome.status == 0 && outcome.errors == "")
    let object = try outcome.json()
    #expect(Set(object.keys) == Self.parseKeys)
    #expect(object["format"] as? String == "rss")
    #expect(object["title"] as? String == "Small & plain")
    #expect(object["link"] as? String == "https://example.org/")
    #expect(object["description"] as? String == "Two items")
    #expect(object["language"] as? String == "en-GB")
    #expect(object["next_url"] is NSNull)
    let entries = try #require(object["entries"] as? [[String: Any]])
    #expect(entries.map { Set($0.keys) } == [entryKeys, entryKeys])
    let full = try #require(entries.first)
    #expect(full["id"] as? String == "full")
    #expect(full["url"] as? String == "https://example.org/everything")
    #expect(full["published"] as? String == "2026-03-09T07:05:00Z")
    #expect(full["summary"] as? String == "In short")
    #expect(full["categories"] as? [String] == ["Sounds"])
    let enclosure = try #require((full["enclosures"] as? [[String: Any]])?.first)
    #expect(Set(enclosure.keys) == ["url", "type", "length", "title", "duration", "role"])
    #expect(enclosure["url"] as? String == "https://example.org/sound.mp3")
    #expect(enclosure["type"] as? String == "audio/mpeg" && enclosure["length"] as? Int == 1234)
    let bare = entries[1]
    for key in ["url", "published", "updated", "contentHTML", "summary"] {
      #expect(bare[key] is NSNull, "\(key)")
    }
    #expect(bare["authors"] as? [String] == [] && bare["categories"] as? [String] == [])
  }

  @Test func `parse takes a base address and a content type`() async throws {
    let sandbox = try Sandbox()
    let feed =
      "<rss version=\"2.0\"><channel><title>caf\u{e9}</title>"
      + "<item><title>x</title><link>a/b</link></item></channel></rss>"
    let path = sandbox.folder + "/latin.xml"
    // ISO 8859-1, which only the content type tells.
    try Data(feed.unicodeScalars.map { UInt8($0.value) }).write(to: URL(filePath: path))
    let object = try await sandbox.telex(
      "parse", path, "--json", "--base-url", "https://example.org/feeds/",
      "--content-type", "application/rss+xml; charset=iso-8859-1"
    ).json()
    #expect(object["title"] as? String == "café")
    let entry = try #require((object["entries"] as? [[String: Any]])?.first)
    #expect(entry["url"] as? String == "https://example.org/feeds/a/b")
  }

  @Test(arguments: [
    "", "   \n", "hello", "<html><body>no feed</body></html>", "{\"a\": 1}", "\u{0}\u{1}\u{2}PNG",
    "<?xml version=\"1.0\"?><svg/>",
  ])
  func `What is no feed is an error in JSON and exit status 1`(text: String) async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("thing", text)
    let outcome = try await sandbox.telex("parse", path, "--json")
    #expect(outcome.status == 1)
    try expectError(outcome, stage: "parse", subject: path)
    let plain = try await sandbox.telex("parse", "-", stdin: text)
    #expect(plain.status == 1 && plain.output == "" && plain.errors.hasPrefix("telex: parse:"))
  }

  @Test func `Garbage is an error`() async throws {
    let sandbox = try Sandbox()
    let path = sandbox.folder + "/noise"
    var state: UInt32 = 12345
    let noise = (0..<100_000).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    try Data(noise).write(to: URL(filePath: path))
    for verb in ["parse", "opml"] {
      let outcome = try await sandbox.telex(verb, path, "--json")
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      try expectError(outcome, stage: "parse")
    }
    // HTML is whatever it is.
    #expect(try await sandbox.telex("render", path, "--json").status == 0)
  }

  @Test(arguments: ["parse", "opml", "render", "import"])
  func `A folder and a missing file are errors`(verb: String) async throws {
    let sandbox = try Sandbox()
    for (path, message) in [
      (sandbox.folder, "This is a folder."), (sandbox.folder + "/none", "There is no such file."),
    ] {
      let outcome = try await sandbox.telex(verb, path, "--json")
      #expect(outcome.status == 1)
      let error = try expectError(outcome, stage: "fetch", subject: path)
      #expect(error["message"] as? String == message)
      let plain = try await sandbox.telex(verb, path)
      #expect(plain.status == 1 && plain.output == "" && plain.errors.contains(message.dropLast()))
    }
  }

  @Test func `fetch prints the feed, and when the server is gone what is cached`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let store = sandbox.folder + "/elsewhere"
      try await sandbox.succeed("add", server.apiURL, "--store", store)
      let fetched = try await sandbox.telex("fetch", server.apiURL, "--store", store, "--json")
      #expect(fetched.status == 0)
      let object = try fetched.json()
      #expect(Set(object.keys) == Self.parseKeys.union(["error"]))
      #expect(object["error"] is NSNull)
      #expect(object["format"] as? String == "api")
      let entries = try #require(object["entries"] as? [[String: Any]])
      #expect(entries.count == 3 && entries.allSatisfy { Set($0.keys) == entryKeys })
      #expect(FileManager.default.fileExists(atPath: store + "/telex.sqlite"))
      await server.stop()
      let cached = try await sandbox.telex("fetch", server.apiURL, "--store", store, "--json")
      #expect(cached.status == 1)
      let error = try expectError(cached, stage: "connect", keys: Self.parseKeys)
      #expect((error["subject"] as? String)?.contains("127.0.0.1") == true)
      let kept = try #require(try cached.json()["entries"] as? [[String: Any]])
      #expect(kept.map { $0["id"] as? String } == entries.map { $0["id"] as? String })
    }
  }

  @Test(arguments: ["/rss.xml", "/atom.xml", "/rdf.xml", "/feed.json"])
  func `fetch of a document prints what parse would`(path: String) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let object = try await sandbox.telex("fetch", server.baseURL + path, "--json").json()
      #expect(Set(object.keys) == Self.parseKeys.union(["error"]))
      let entries = try #require(object["entries"] as? [[String: Any]])
      #expect(entries.map { $0["title"] as? String } == ["Story 001", "Story 002", "Story 003"])
      #expect(
        (entries.first?["contentHTML"] as? String)?.contains("The body of number 001.") == true)
    }
  }

  @Test(arguments: [true, false])
  func `fetch --timeout bounds a server that hangs`(isKnown: Bool) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      if isKnown { try await sandbox.add(server.apiURL) }
      server.inject(.hang, on: "/api", times: nil)
      let outcome = try await sandbox.telex("fetch", server.apiURL, "--timeout", "0.7", "--json")
      #expect(outcome.status == 1)
      try expectError(outcome, keys: Self.parseKeys)
      let entries = try #require(try outcome.json()["entries"] as? [Any])
      #expect(entries.count == (isKnown ? 3 : 0))
    }
  }

  @Test(
    arguments: [
      (Fault.status(500), "fetch"), (.status(404), "fetch"), (.reset, nil), (.garbage, "parse"),
      (.drip(bytes: 1, milliseconds: 200), nil),
    ] as [(Fault, String?)])
  func `Whatever the server does, fetch prints JSON`(fault: Fault, stage: String?) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.inject(fault, on: "/api", times: nil)
      let outcome = try await sandbox.telex("fetch", server.apiURL, "--timeout", "8", "--json")
      #expect(outcome.status == 1)
      try expectError(outcome, stage: stage, keys: Self.parseKeys)
    }
  }

  @Test func `fetch of what is not subscribed to prints it and keeps nothing`() async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("feed.xml", rss)
    for _ in 1...2 {
      let outcome = try await sandbox.telex("fetch", path, "--json")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let object = try outcome.json()
      #expect((object["entries"] as? [Any])?.count == 2)
      #expect(object["format"] as? String == "rss")
    }
    #expect(try await sandbox.telex("fetch", path).lines.count == 2)
    #expect(try await sandbox.telex("list").output == "")
    #expect(try await sandbox.articles().isEmpty)
    // A subscribed one is kept as before.
    try await sandbox.add(path)
    try sandbox.file(
      "feed.xml", rss.replacing("<channel>", with: "<channel><item><guid>new</guid></item>"))
    #expect(try await sandbox.telex("fetch", path).lines.count == 3)
    #expect(try await sandbox.articles().count == 3)
  }

  @Test func `opml prints feeds with their folders`() async throws {
    let sandbox = try Sandbox()
    let text = """
      <opml version="1.0"><head><title>Mine</title></head><body>
      <outline text="A"><outline text="B"><outline text="One" xmlUrl="https://example.org/1"
      htmlUrl="https://example.org/"/></outline></outline>
      <outline text="Two" xmlUrl="https://example.org/2"/></body></opml>
      """
    let object = try await sandbox.telex("opml", "-", "--json", stdin: text).json()
    #expect(object["title"] as? String == "Mine")
    let feeds = try #require(object["feeds"] as? [[String: Any]])
    #expect(
      feeds.map { $0["url"] as? String } == ["https://example.org/1", "https://example.org/2"])
    #expect(feeds.map { $0["categories"] as? [[String]] } == [[["A", "B"]], []])
    #expect(feeds[1]["htmlUrl"] is NSNull)
    let plain = try await sandbox.telex("opml", "-", stdin: text)
    #expect(plain.lines == ["One\thttps://example.org/1", "Two\thttps://example.org/2"])
  }

  @Test(arguments: ["", "hello", "<rss/>"])
  func `What is no list of feeds is an error`(text: String) async throws {
    let sandbox = try Sandbox()
    for verb in ["opml", "import"] {
      let outcome = try await sandbox.telex(verb, "-", "--json", stdin: text)
      #expect(outcome.status == 1)
      try expectError(outcome, stage: "parse")
    }
  }

  @Test func `A file of addresses is known for what it is`() async throws {
    let sandbox = try Sandbox()
    let file = try sandbox.file("urls", "# mine\n\n https://example.org/feed tech \"~Mine\"\n")
    let outcome = try await sandbox.telex("import", file)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("a list of addresses"))
    #expect(outcome.errors.contains("telex import --from newsboat FILE"))
    #expect(outcome.errors.contains(file))
  }

  @Test func `A list of others with feeds of this machine says at once that they are shut out`()
    async throws
  {
    let sandbox = try Sandbox()
    let list = try sandbox.file(
      "list.opml",
      """
      <opml version="2.0"><body><outline type="rss" xmlUrl="http://127.0.0.1:1/a"/>
      <outline type="rss" xmlUrl="http://nas.local/b"/>
      <outline type="rss" xmlUrl="https://example.org/c"/></body></opml>
      """)
    let taken = try await sandbox.telex("import", list)
    #expect(taken.status == 0 && taken.output.hasPrefix("3 feeds added"))
    #expect(taken.errors.contains("2 feeds of your own network"), "\(taken.errors)")
    #expect(taken.errors.contains("--trust"))
    #expect(try await sandbox.telex("import", list, "--json").json()["shutOut"] as? Int == 2)
    let trusted = try await sandbox.telex("import", list, "--trust")
    #expect(trusted.status == 0 && trusted.errors == "")
    #expect(try await sandbox.telex("import", list).errors == "")
  }

  @Test func `render wraps HTML to the width`() async throws {
    let sandbox = try Sandbox()
    let html =
      "<h1>Title</h1><p>\(String(repeating: "word ", count: 40))</p>"
      + "<p><a href='/there'>link</a><script>no</script>\u{1b}[31m</p>"
    let outcome = try await sandbox.telex(
      "render", "-", "--width", "30", "--url", "https://example.org/", stdin: html)
    #expect(outcome.status == 0)
    #expect(outcome.lines.allSatisfy { $0.count <= 30 })
    #expect(outcome.output.contains("Title") && outcome.output.contains("link"))
    #expect(!outcome.output.contains("no\n") && !outcome.output.contains("\u{1b}"))
    let object = try await sandbox.telex("render", "-", "--json", stdin: html).json()
    #expect(Set(object.keys) == ["text", "warnings"])
    #expect(object["warnings"] as? [String] == [])
    #expect(try await sandbox.telex("render", "-", stdin: "").status == 0)
  }

  @Test func `extract prints the article of a page, and says where there is none`() async throws {
    let sandbox = try Sandbox()
    let words = "The ferry leaves at six, at noon, and at nine, and it waits for nobody. "
    let page = """
      <title>A ferry</title><nav><a href=/a>Start</a></nav><article><h1>A ferry</h1>\
      <p>\(String(repeating: words, count: 4))<a href=/t>Times</a></p></article>
      """
    let found = try await sandbox.telex(
      "extract", "-", "--url", "https://example.org/x", stdin: page)
    #expect(found.status == 0)
    #expect(found.output.contains("<a href=\"https://example.org/t\">Times</a>"))
    #expect(!found.output.contains("Start"))
    let object = try await sandbox.telex("extract", "-", "--json", stdin: page).json()
    #expect(object["kind"] as? String == "article" && object["title"] as? String == "A ferry")
    #expect(object["length"] as? Int ?? 0 > 200)
    let none = try await sandbox.telex("extract", "-", stdin: "<body><div id=app></div>")
    #expect(none.status == 1 && none.errors.contains("no article"))
    let told = try await sandbox.telex("extract", "-", "--json", stdin: "")
    #expect(told.status == 1)
    #expect(try told.json()["kind"] as? String == "empty")
  }

  @Test func `render says what it had to flatten, in its text and in its JSON`() async throws {
    let sandbox = try Sandbox()
    let html = String(repeating: "<div>", count: 10_000) + "words"
    let text = try await sandbox.telex("render", "-", stdin: html).output
    let warning = "Parts of this article were nested too deep and are shown as plain text."
    #expect(text.split(separator: "\n") == ["words", Substring(warning)])
    let object = try await sandbox.telex("render", "-", "--json", stdin: html).json()
    #expect(object["warnings"] as? [String] == [warning])
    #expect((object["text"] as? String)?.contains(warning) == true)
  }
}

/// Checks that a run printed one object with an error in it, and beside that these keys.
@discardableResult
func expectError(
  _ outcome: TelexCommand.Outcome, stage: String? = nil, subject: String? = nil,
  keys: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String: Any] {
  let object = try outcome.json()
  #expect(Set(object.keys) == keys.union(["error"]), sourceLocation: sourceLocation)
  let error = try #require(object["error"] as? [String: Any], sourceLocation: sourceLocation)
  #expect(Set(error.keys) == errorKeys, sourceLocation: sourceLocation)
  if let stage { #expect(error["stage"] as? String == stage, sourceLocation: sourceLocation) }
  if let subject { #expect(error["subject"] as? String == subject, sourceLocation: sourceLocation) }
  #expect((error["message"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
  return error
}
