import Foundation
import Testing

/// `rules`.
@Suite(.timeLimit(.minutes(10)))
struct RulesVerbTests {
  @Test func `A rule is tried, added, kept with each refresh, and ended`() async throws {
    let shelf = try FileShelf([FileShelf.item(1), FileShelf.item(2, title: "Sport today")])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let tried = try await sandbox.telex("rules", "test", "title:sport")
    #expect(tried.output.contains("Sport today"))
    #expect(tried.output.contains("1 of the last 1000 articles"))

    let added = try await sandbox.telex(
      "rules", "add", "--hide", "--for", "2w", "title:sport", "--json"
    ).jsonLines()
    #expect(added.first?["action"] as? String == "hide" && added.first?["until"] as? String != nil)
    try await sandbox.succeed("rules", "add", "--tag", "odd", "title:/3|5/")
    let list = try await sandbox.telex("rules")
    #expect(list.output.contains("1\thide\ttitle:sport\tuntil "))
    #expect(list.output.contains("2\ttag odd\ttitle:/3|5/\n"))
    // What is there already stays.
    #expect(try await sandbox.numbers()["Sport today"] != nil)

    shelf.add(FileShelf.item(3))
    shelf.add(FileShelf.item(4, title: "More sport"))
    try await sandbox.succeed("refresh")
    #expect(Set(try await sandbox.numbers().keys) == ["Episode 1", "Sport today", "Episode 3"])
    let tagged = try await sandbox.telex("articles", "tag:odd")
    #expect(tagged.output.contains("Episode 3"))

    try await sandbox.succeed("rules", "remove", "1")
    try await sandbox.succeed("refresh")
    #expect(try await sandbox.numbers()["More sport"] != nil)
    await shelf.stop()
  }

  @Test func `A score is tried, given to new articles, asked for and exported`() async throws {
    let shelf = try FileShelf([FileShelf.item(1), FileShelf.item(2, title: "Sport today")])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    for wrong in ["0", "1001", "much"] {
      let refused = try await sandbox.telex("rules", "add", "--score", wrong, "title:sport")
      #expect(refused.status == 2, "\(wrong)")
    }
    try await sandbox.succeed("rules", "add", "--score", "-3", "title:sport")
    try await sandbox.succeed("rules", "add", "--score", "5", "title:episode")
    let list = try await sandbox.telex("rules")
    #expect(list.output.contains("1\tscore -3\ttitle:sport\n"))
    let tried = try await sandbox.telex("rules", "test", "1")
    #expect(tried.output.contains("\t0 → -3\tSport today\n"), "\(tried.testDescription)")
    #expect(tried.output.contains("1 of the last 1000 articles would have come to: score -3"))

    shelf.add(FileShelf.item(3))
    shelf.add(FileShelf.item(4, title: "More sport"))
    try await sandbox.succeed("refresh")
    let again = try await sandbox.telex("rules", "test", "--json", "--score", "999", "title:/3/")
    let row = try #require(again.jsonLines().first)
    #expect(row["before"] as? Int == 5 && row["after"] as? Int == 1_000)

    let sorted = try await sandbox.telex("articles", "sort:score", "--format", "{score} {title}")
    let lines = sorted.output.split(separator: "\n")
    #expect(lines.first == "5 Episode 3" && lines.last == "-3 More sport" && lines.count == 4)
    // Page by page.
    var paged: [String] = []
    var cursor: String?
    for _ in 0..<4 {
      let page = try await sandbox.telex(
        ["articles", "sort:score", "--limit", "1", "--json"]
          + (cursor.map { ["--cursor", $0] } ?? [])
      ).jsonLines()
      let article = try #require(page.first)
      cursor = article["cursor"] as? String
      paged.append("\(article["score"] as? Int ?? 0) \(article["title"] as? String ?? "")")
    }
    #expect(paged == lines.map(String.init))
    let low = try await sandbox.telex("articles", "score<-2", "--format", "{title}")
    #expect(low.output == "More sport\n")
    let none = try await sandbox.telex("articles", "score=0", "--json").jsonLines()
    #expect(none.count == 2 && none.allSatisfy { $0["score"] == nil })

    let exported = try await sandbox.telex("export", "--articles").output
    let other = try Sandbox()
    let file = try other.file("articles.jsonl", exported)
    try await other.add(shelf.feed)
    try await other.succeed("delete", "--yes", "title:/./")
    try await other.succeed("import", "--articles", file)
    let back = try await other.telex("articles", "sort:score", "--format", "{score} {title}")
    #expect(back.output == sorted.output)
    await shelf.stop()
  }

  @Test func `A feed's own rules are added with what is set for it`() async throws {
    let shelf = try FileShelf([FileShelf.item(1)])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let wrong = try await sandbox.telex("set", "1", "--title", "Mine", "--hide-if", "title:/(/")
    #expect(wrong.status == 2 && wrong.errors.contains("title"), "\(wrong.testDescription)")
    try await sandbox.succeed(
      "set", "1", "--hide-if", "title:sport OR title:weather", "--mark-if", "title:3")
    let list = try await sandbox.telex("rules")
    #expect(list.output.contains("hide\tfeed:#1 (title:sport OR title:weather)"), "\(list.output)")
    #expect(
      list.output.contains("read\tfeed:#1 (title:3)")
        || list.output.contains("read\tfeed:#1 title:3"))
    let undone = try await sandbox.telex("undo").output
    #expect(undone.hasPrefix("undone: added the rule read feed:#1 (title:3)"), "\(undone)")
    #expect(try await sandbox.telex("rules", "--json").jsonLines().count == 1)
    try await sandbox.succeed("rules", "remove", "1")
    try await sandbox.succeed("undo")
    #expect(try await sandbox.telex("redo").output.contains("removed the rule hide"))
    try await sandbox.succeed("undo")
    try await sandbox.succeed("set", "1", "--mark-if", "title:3")
    #expect(try await sandbox.telex("rules", "--json").jsonLines().count == 2)
    shelf.add(FileShelf.item(3))
    shelf.add(FileShelf.item(4, title: "More weather"))
    try await sandbox.succeed("refresh")
    #expect(Set(try await sandbox.numbers().keys) == ["Episode 1", "Episode 3"])
    #expect(try await sandbox.articles("--unread").count == 1)
    await shelf.stop()
  }

  @Test func `What a rule would have done is shown, and is done with new articles`() async throws {
    let shelf = try FileShelf([FileShelf.item(1), FileShelf.item(2, title: "Ad: cars")])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let rewriting = ["--replace-title", "^ad: (.*)", "--with", "$1 (ad)", "title:ad"]
    let tried = try await sandbox.telex(["rules", "test"] + rewriting)
    #expect(tried.output.contains("\tAd: cars\n\t→ cars (ad)\n"), "\(tried.testDescription)")
    #expect(tried.output.contains("1 of the last 1000 articles would have come to: replace-title"))
    let rows = try await sandbox.telex(["rules", "test", "--json"] + rewriting).jsonLines()
    #expect(rows.first?["after"] as? String == "cars (ad)")
    let kept = try await sandbox.telex("rules", "test", "--keep-only", "title:/./", "title:episode")
    #expect(kept.output.contains("Ad: cars") && !kept.output.contains("Episode 1"))

    let added = try await sandbox.telex(["rules", "add"] + rewriting)
    #expect(added.status == 0, "\(added.testDescription)")
    try await sandbox.succeed("rules", "add", "--keep-only", "title:/./", "title:cars")
    let list = try await sandbox.telex("rules")
    #expect(list.output.contains("1\treplace-title s/^ad: (.*)/$1 (ad)/\ttitle:ad\n"))
    #expect(list.output.contains("2\tkeep-only title:/./\ttitle:cars\n"))
    let counts = try await sandbox.telex("rules", "test")
    #expect(counts.output.contains("title:ad\t1 of the last 1000\n"), "\(counts.testDescription)")
    let one = try await sandbox.telex("rules", "test", "2")
    #expect(one.output.contains("Episode 1"), "\(one.testDescription)")
    // What is there already stays.
    #expect(Set(try await sandbox.numbers().keys) == ["Episode 1", "Ad: cars"])

    shelf.add(FileShelf.item(3))
    shelf.add(FileShelf.item(4, title: "Ad: more cars"))
    try await sandbox.succeed("refresh")
    #expect(
      Set(try await sandbox.numbers().keys) == ["Episode 1", "Ad: cars", "more cars (ad)"])
    await shelf.stop()
  }

  @Test func `Wrong rules are refused with the reason`() async throws {
    let sandbox = try Sandbox()
    for (arguments, reason) in [
      (["add", "title:a"], "--read, --star"), (["add", "--read", "--star", "a"], "--read, --star"),
      (["add", "--read", "--for", "soon", "a"], "12h, 3d"),
      (["add", "--read", "title:/(/"], "title"),
      (["add", "--replace-title", "(", "--with", "x", "a"], "not a regular expression"),
      (["add", "--replace-title", "a", "--with", "$1", "a"], "$1 has no group"),
      (["add", "--replace-title", "a", "a"], "--with TEMPLATE"),
      (["add", "--hide", "--with", "x", "a"], "--with belongs"),
      (["add", "--keep-only", "((", "a"], "parenthes"),
      (["add", "--keep-only", " ", "a"], "query is empty"), (["test", "--hide"], "a query"),
      (["remove", "7"], "no such rule"), (["test", "7"], "no such rule"),
    ] {
      let outcome = try await sandbox.telex(["rules"] + arguments)
      #expect(outcome.status != 0 && outcome.errors.contains(reason), "\(outcome.testDescription)")
    }
    #expect(try await sandbox.telex("rules").output == "")
  }
}
