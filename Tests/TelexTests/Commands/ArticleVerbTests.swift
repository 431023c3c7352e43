import FeedServer
import Foundation
import Testing

/// `articles`, `show`, `read`, `star` and `search`.
@Suite(.timeLimit(.minutes(10)))
struct ArticleVerbTests {
  @Test func `articles lists newest first, and each filter lists its own`() async throws {
    try await withNewspaper(newspaper(10)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let rows = try await sandbox.articles()
      #expect(rows.allSatisfy { Set($0.keys) == rowKeys })
      #expect(rows.map { $0["title"] as? String } == (1...10).map { story($0) })
      let ids = try rows.map { "\(try #require($0["id"] as? Int))" }
      #expect(try await sandbox.telex("read", ids[0], ids[1]).status == 0)
      #expect(try await sandbox.telex("star", ids[2]).status == 0)
      #expect(try await titles(sandbox, "--unread") == (3...10).map { story($0) })
      #expect(try await titles(sandbox, "--starred") == [story(3)])
      #expect(try await titles(sandbox, "--feed", server.apiURL).count == 10)
      #expect(try await sandbox.telex("articles", "--folder", "None").status == 2)
      #expect(try await titles(sandbox, "--limit", "4") == (1...4).map { story($0) })
      #expect(try await titles(sandbox, "--limit", "0") == [])
      #expect(try await titles(sandbox, "--limit", "9223372036854775807").count == 10)
      let text = try await sandbox.telex("articles", "--starred")
      #expect(text.lines.count == 1 && text.output.contains("N*\tThe Loopback Times\tStory 003"))
      // Each of them narrows what the others leave.
      #expect(try await titles(sandbox, "--starred", "--feed", server.apiURL) == [story(3)])
      #expect(try await titles(sandbox, "--starred", "--unread") == [story(3)])
      #expect(try await titles(sandbox, "--starred", "title:\"story 004\"") == [])
      _ = try await sandbox.telex("smart", "add", "Threes", "title:/003$/ OR title:/004$/")
      #expect(
        try await titles(sandbox, "--smart", "Threes", "--feed", server.apiURL)
          == [story(3), story(4)])
      #expect(try await titles(sandbox, "--smart", "Threes", "--starred") == [story(3)])
      let both = try await sandbox.telex(
        "articles", "--folder", "News", "--feed", server.apiURL)
      #expect(both.status == 2)
    }
  }

  @Test func `A query names the articles of each verb, and is kept as a smart feed`() async throws {
    try await withNewspaper(newspaper(10)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      #expect(try await titles(sandbox, "title:\"story 003\"") == [story(3)])
      #expect(try await titles(sandbox, "/00[12]$/ OR /010/") == [story(1), story(2), story(10)])
      #expect(try await titles(sandbox, "NOT", "/001/", "--limit", "2") == [story(2), story(3)])

      let read = try await sandbox.telex("read", "feed:loopback /00[1-4]$/")
      #expect(read.status == 0 && read.output.contains("4 articles read"))
      #expect(try await titles(sandbox, "read") == (1...4).map { story($0) })
      #expect(
        try await sandbox.telex("read", "--undo", "/004/").output.contains("1 article unread"))
      #expect(try await sandbox.telex("star", "/00[56]$/").status == 0)
      #expect(
        try await sandbox.telex("tag", "Best", "starred").output.contains("2 articles tagged"))
      #expect(try await titles(sandbox, "tag:best") == [story(5), story(6)])

      try await sandbox.succeed("smart", "add", "Mine", "unread -starred")
      try await sandbox.succeed("smart", "rename", "mine", "My own")
      let smart = try await sandbox.telex("smart")
      #expect(smart.output == "My own\tunread -starred\n")
      #expect(try await titles(sandbox, "--smart", "my OWN").count == 5)
      #expect(try await titles(sandbox, "--smart", "My own", "/008/") == [story(8)])
      try await sandbox.succeed("smart", "remove", "My own")
      #expect(try await sandbox.telex("smart").output == "")
    }
  }

  @Test(arguments: [1, 7, 200, 1000])
  func `A walk by cursor is the whole list`(limit: Int) async throws {
    try await withNewspaper(newspaper(limit == 1 ? 12 : 420)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      #expect(try await sandbox.telex("refresh", "--all-pages").status == 0)
      let whole = try await sandbox.articles().map { $0["id"] as? Int }
      #expect(whole.count == (limit == 1 ? 12 : 420))
      var walked: [Int?] = []
      var cursor: [String] = []
      while walked.count < 1000 {
        let page = try await sandbox.telex(
          ["articles", "--json", "--limit", "\(limit)"] + cursor
        ).jsonLines()
        walked += page.map { $0["id"] as? Int }
        guard page.count == limit, let last = page.last?["cursor"] as? String else { break }
        cursor = ["--cursor", last]
      }
      #expect(walked == whole)
    }
  }

  @Test(arguments: [3, 49, 50, 51])
  func `A walk passes over a gap in the cache`(limit: Int) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      // More than a page is new: the refresh does not reach what is cached.
      server.insertFresh(80)
      #expect(try await sandbox.telex("refresh").status == 0)
      let whole = try await sandbox.articles().map { $0["id"] as? Int }
      #expect(whole.count == 100)
      var walked = try await sandbox.articles("--limit", "49")
      while walked.count < 200, let cursor = walked.last?["cursor"] as? String {
        let page = try await sandbox.articles("--limit", "\(limit)", "--cursor", cursor)
        walked += page
        if page.count < limit { break }
      }
      #expect(walked.map { $0["id"] as? Int } == whole)
    }
  }

  @Test func `Articles of one second are listed once each`() async throws {
    let date = Date(timeIntervalSince1970: 1_773_039_900)
    let archive = Archive(
      title: "Burst",
      articles: newspaper(9).articles.map {
        Archive.Article(entry: $0.entry, section: "", published: date)
      })
    try await withNewspaper(archive) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let whole = try await sandbox.articles().map { $0["id"] as? Int }
      #expect(Set(whole).count == 9)
      let page = try await sandbox.articles("--limit", "4")
      let cursor = try #require(page.last?["cursor"] as? String)
      let rest = try await sandbox.articles("--cursor", cursor)
      #expect((page + rest).map { $0["id"] as? Int } == whole)
    }
  }

  @Test func `show prints an article as text and as JSON`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", rss))
    let rows = try await sandbox.articles()
    let row = try #require(rows.first { $0["title"] as? String == "Everything" })
    let id = "\(try #require(row["id"] as? Int))"
    let text = try await sandbox.telex("show", id)
    #expect(text.status == 0)
    #expect(text.output.contains("Everything") && text.output.contains("length"))
    let object = try await sandbox.telex("show", id, "--json").json()
    #expect(
      Set(object.keys)
        == entryKeys.union([
          "articleID", "feedID", "feed", "read", "starred", "tags", "text", "changed", "changedAt",
          "fullText",
        ]))
    #expect((object["contentHTML"] as? String)?.contains("https://example.org/length") == true)
    let narrow = try await sandbox.telex("show", id, "--width", "20")
    #expect(narrow.lines.count > text.lines.count)
  }

  @Test func `read and star mark, and --undo unmarks`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let id = "\(try #require(try await sandbox.articles("--limit", "1").first?["id"] as? Int))"
      for (verb, key, word) in [("read", "read", "read"), ("star", "starred", "starred")] {
        let marked = try await sandbox.telex(verb, id, "--json").json()
        #expect(Set(marked.keys) == ["articles", "mark", "error"])
        #expect(marked["mark"] as? String == word)
        #expect(try await sandbox.articles("--limit", "1").first?[key] as? Bool == true)
        let unmarked = try await sandbox.telex(verb, id, "--undo", "--json").json()
        #expect(unmarked["mark"] as? String == "un" + word)
        #expect(try await sandbox.articles("--limit", "1").first?[key] as? Bool == false)
      }
    }
  }

  @Test(arguments: ["read", "star", "show"])
  func `An article that does not exist is wrong usage and changes nothing`(
    verb: String
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let id = "\(try #require(try await sandbox.articles("--limit", "1").first?["id"] as? Int))"
      let numbers = verb == "show" ? ["4711"] : [id, "4711"]
      let outcome = try await sandbox.telex([verb] + numbers)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("There is no such article"))
      let json = try await sandbox.telex([verb, "--json"] + numbers)
      #expect(json.status == 2)
      let error = try #require(try json.json()["error"] as? [String: Any])
      #expect(Set(error.keys) == errorKeys)
      #expect(error["subject"] as? String == "4711")
      let row = try #require(try await sandbox.articles("--limit", "1").first)
      #expect(row["read"] as? Bool == false && row["starred"] as? Bool == false)
    }
  }

  @Test func `search finds the articles that hold the words`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let found = try await sandbox.telex("search", "quokka", "--json").jsonLines()
      #expect(found.map { $0["title"] as? String } == [story(7)])
      #expect(found.map { Set($0.keys) } == [rowKeys])
      #expect(try await sandbox.telex("search", "quok").lines.count == 1)
      #expect(try await sandbox.telex("search", "\"quokka was\"").lines.count == 1)
      #expect(try await sandbox.telex("search", "\"was quokka\"").lines.isEmpty)
      #expect(try await sandbox.telex("search", "body", "--limit", "5").lines.count == 5)
      let page = try await sandbox.telex("search", "body", "--limit", "5", "--json").jsonLines()
      let cursor = try #require(page.last?["cursor"] as? String)
      let rest = try await sandbox.telex("search", "body", "--cursor", cursor, "--json").jsonLines()
      #expect(rest.count == 45)
      let whole = try await sandbox.telex("search", "body", "--json").jsonLines()
      #expect((page + rest).map { $0["id"] as? Int } == whole.map { $0["id"] as? Int })
      #expect(try await sandbox.telex("search", "body", "--limit", "0").lines.isEmpty)
    }
  }

  /// The pipe holds a part of the list only: what is marked once its first line has come shows in the
  /// last line where the rows are not read before they are written.
  @Test(arguments: ["", "--json"])
  func `search writes its first lines before it reads the rest`(_ form: String) async throws {
    let sandbox = try Sandbox()
    let padding = String(repeating: "long ", count: 120)
    let items = (0..<900).map { number in
      "<item><guid>\(number)</guid><title>Story \(number) \(padding)</title></item>"
    }
    let channel = "<channel><title>Long</title>\(items.joined())</channel>"
    try await sandbox.add(try sandbox.file("feed.xml", "<rss version='2.0'>\(channel)</rss>"))
    let last = "\(try #require(try await sandbox.articles().last?["id"] as? Int))"
    let search = "telex search story \(form)"
    let outcome = try await sandbox.shell(
      "\(search) | { IFS= read -r first; telex read \(last) >/dev/null; echo \"$first\"; cat; }")
    #expect(outcome.lines.count == 900)
    let line = try #require(outcome.lines.last)
    #expect(form.isEmpty ? !line.contains("\tN") : line.contains("\"read\":true"))
    #expect(outcome.output == (try await sandbox.shell(search)).output)
  }

  /// What is a syntax to the index is words to the user.
  @Test(arguments: [
    "\"", "*", "NOT", "a AND", "title:", "(", "-", "'; DROP TABLE article; --", " ",
  ])
  func `A search for anything is no error`(words: String) async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", rss))
    let outcome = try await sandbox.telex("search", "--", words)
    #expect(outcome.status == 0, "\(outcome.testDescription)")
    #expect(try await sandbox.articles().count == 2)
  }
}

let rowKeys: Set = [
  "id", "feedID", "feed", "title", "date", "written", "read", "starred", "cursor", "storyOf",
  "duplicateOf",
  "url", "authors", "feedURL", "account", "folders", "tags", "enclosures", "arrived",
]
let entryKeys: Set = [
  "id", "title", "url", "authors", "published", "updated", "contentHTML", "summary", "enclosures",
  "categories", "people", "terms", "language", "image", "comments", "source", "rights",
]

private func story(_ number: Int) -> String { String(format: "Story %03d", number) }

private func titles(_ sandbox: Sandbox, _ arguments: String...) async throws -> [String] {
  let rows = try await sandbox.telex(["articles", "--json"] + arguments).jsonLines()
  return try rows.map { try #require($0["title"] as? String) }
}
