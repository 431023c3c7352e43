import FeedServer
import Foundation
import Testing

/// `export --articles`, and `import --articles` with what it wrote.
@Suite(.timeLimit(.minutes(10)))
struct ArticleExportTests {
  @Test func `What export --articles writes, import-articles --all brings into another store`()
    async throws
  {
    let sandbox = try Sandbox()
    let feeds = try ["one", "two"].map { try sandbox.file("\($0).xml", richFeed($0)) }
    for feed in feeds { try await sandbox.add(feed) }
    try await sandbox.succeed("read", "feed:one \"Item 1\"")
    try await sandbox.succeed("star", "\"first\"")
    try await sandbox.succeed("tag", "later", "\"Item 5\" OR undated")
    try await sandbox.succeed("set", "2", "--hidden", "yes")
    let all = try await sandbox.telex("export", "--articles")
    #expect(all.lines.count == 244)
    #expect(all.lines.count { $0.contains("\"tags\":[\"later\"]") } >= 4)

    // The same feeds, which list nothing any more.
    for name in ["one", "two"] { try sandbox.file("\(name).xml", richFeed(name, items: false)) }
    let other = ["--store", sandbox.folder + "/other"]
    // In another order, so that numbers differ.
    for feed in feeds.reversed() {
      #expect(try await sandbox.telex(["add", feed] + other).status == 0)
    }
    let file = try sandbox.file("all.jsonl", all.output)
    let first = try await sandbox.telex(["import", "--articles", file, "--json"] + other)
    #expect(first.status == 0, "\(first.testDescription)")
    #expect(try first.json()["inserted"] as? Int == 244)
    #expect(try first.json()["left"] as? Int == 0)
    let again = try await sandbox.telex(["export", "--articles"] + other)
    #expect(again.lines == all.lines)

    // A second time changes nothing; from standard input it is the same.
    let second = try await sandbox.telex(
      ["import", "--articles", "-", "--json"] + other, stdin: all.output)
    #expect(try second.json()["known"] as? Int == 244)
    #expect(try await sandbox.telex(["export", "--articles"] + other).lines == all.lines)

    // The feed of the file is the one that the next refresh knows: nothing comes twice.
    for name in ["one", "two"] { try sandbox.file("\(name).xml", richFeed(name)) }
    let refreshed = try await sandbox.telex(["refresh", "--json"] + other)
    #expect(try refreshed.json()["new"] as? Int == 0, "\(refreshed.testDescription)")
    #expect(try await sandbox.telex(["export", "--articles"] + other).lines == all.lines)
  }

  @Test func `Pages that were saved come into another store with their texts, tags and marks`()
    async throws
  {
    let shelf = try FileShelf([])
    let words = String(repeating: "The quokka sleeps by day, and eats leaves. ", count: 10)
    shelf.set("/quokka") {
      $0.text = """
        <title>On quokkas</title><meta name=author content="Ada"><article><h1>On quokkas</h1>\
        <p>\(words)</p></article>
        """
      $0.headers["Content-Type"] = "text/html"
    }
    shelf.set("/later") { $0.status = 503 }
    let sandbox = try Sandbox()
    try await sandbox.succeed("later", shelf.origin + "/quokka")
    try await sandbox.succeed("tag", "animals", "quokka")
    #expect(try await sandbox.telex("later", shelf.origin + "/later").status == 1)
    await shelf.stop()
    try await sandbox.succeed("star", "quokka")
    let all = try await sandbox.telex("export", "--articles")
    #expect(all.lines.count == 2)

    let other = ["--store", sandbox.folder + "/other"]
    for isAgain in [false, true] {
      let imported = try await sandbox.telex(
        ["import", "--articles", "-", "--json"] + other, stdin: all.output)
      #expect(imported.status == 0, "\(imported.testDescription)")
      #expect(try imported.json()["inserted"] as? Int == (isAgain ? 0 : 2))
    }
    #expect(try await sandbox.telex(["export", "--articles"] + other).lines == all.lines)
    let rows = try await sandbox.telex(["articles", "--json"] + other).jsonLines()
    #expect(rows.count == 2 && rows.allSatisfy { $0["feed"] as? String == "Saved" })
    let found = try await sandbox.telex(["search", "leaves", "--json"] + other).jsonLines()
    #expect(found.count == 1 && found.first?["starred"] as? Bool == true)
    #expect(found.first?["tags"] as? [String] == ["animals", "later"])
    let id = try #require(found.first?["id"] as? Int)
    let shown = try await sandbox.telex(["show", "\(id)"] + other).output
    #expect(shown.contains("sleeps by day") && shown.contains("full text · 127.0.0.1"), "\(shown)")
    // It has its text: nothing asks its server, which is gone.
    let saved = try await sandbox.telex(["later", shelf.origin + "/quokka"] + other)
    #expect(saved.status == 0, "\(saved.testDescription)")
    let row = try await sandbox.telex(["list", "--json"] + other).json()
    #expect(row["title"] as? String == "Saved" && row["total"] as? Int == 2)
  }

  @Test func `An export brings back what was trimmed or deleted, and no older text`() async throws {
    try await withNewspaper(newspaper(9)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let all = try await sandbox.telex("export", "--articles")
      let file = try sandbox.file("all.jsonl", all.output)
      try await sandbox.succeed("delete", "title:\"Story 001\"", "--yes")
      try await sandbox.succeed("cache", "--trim", "--keep", "2", "--unread")
      #expect(try await sandbox.articles().count == 2)
      let older = all.output.replacing("number 002", with: "number two, of old")
      let old = try sandbox.file("old.jsonl", older)
      try await sandbox.succeed("import", "--articles", old)
      #expect(try await sandbox.articles().count == 9)
      #expect(try await sandbox.articles("\"of old\"").isEmpty)
      try await sandbox.succeed("import", "--articles", file)
      #expect(try await sandbox.telex("export", "--articles").lines.count == all.lines.count)
    }
  }

  @Test func `An export by a query has those articles, and lines without their feed are left out`()
    async throws
  {
    let sandbox = try Sandbox()
    let path = try sandbox.file("feed.xml", richFeed())
    try await sandbox.add(path)
    try await sandbox.succeed("star", "\"first\" OR undated")
    let starred = try await sandbox.telex("export", "--articles", "starred")
    #expect(starred.lines.count == 2)
    let object = try starred.jsonLines()[0]
    #expect(object["starred"] as? Bool == true && object["id"] as? String == "rich-first")
    #expect(entryKeys.isSubset(of: object.keys))
    #expect(
      (object["people"] as? [[String: Any]])?.first?["email"] as? String == "ada@example.org")

    let other = ["--store", sandbox.folder + "/other"]
    let none = try await sandbox.telex(
      ["import", "--articles", "-", "--json"] + other, stdin: starred.output)
    #expect(none.status == 1)
    #expect(try none.json()["left"] as? Int == 2 && none.json()["inserted"] as? Int == 0)
    #expect(none.errors.contains("is not subscribed to: 2 articles left out"))
    // Into a feed that is named the marks come as well.
    let blank = try sandbox.file("other.xml", richFeed("other", items: false))
    #expect(try await sandbox.telex(["add", blank] + other).status == 0)
    let named = try await sandbox.telex(
      ["import", "--articles", "--feed", "1", "-"] + other, stdin: starred.output)
    #expect(named.output == "2 articles added\n", "\(named.testDescription)")
    let rows = try await sandbox.telex(["articles", "starred", "--json"] + other).jsonLines()
    #expect(rows.count == 2)
    #expect(try await sandbox.telex("export", "starred").status == 2)
    #expect(try await sandbox.telex("import", "--articles", "a", "b").status == 2)
  }

  @Test func `Marks and tags of plain lines count for new and for known articles`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    let lines = """
      {"id": "new", "title": "New one", "starred": true, "tags": ["t"]}
      {"id": "rich-5", "title": "Item 5", "read": true}
      {"id": "bad", "tags": 5}
      """
    let outcome = try await sandbox.telex("import", "--articles", "--feed", "1", "-", stdin: lines)
    #expect(outcome.errors == "warning: line 3 has a wrong “tags”\n", "\(outcome.testDescription)")
    let format = ["--format", "{title} {read} {starred} {tags}"]
    let found = try await sandbox.telex(["articles", "title:new OR is:read"] + format).lines
    #expect(Set(found) == ["New one unread starred t", "Item 5 read  "])
  }
}
