import FeedServer
import Foundation
import Testing

/// Pages as feeds: `add --select`, `--items` and `--watch`, on a page that changes between two fetches.
@Suite(.timeLimit(.minutes(10)))
struct PageFeedVerbTests {
  /// Runs the body while the file `page` of a home is served.
  private func withPage(
    _ text: String,
    _ body: nonisolated(nonsending) (Sandbox, _ address: String) async throws -> Void
  ) async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("page", text)
    let server = RawServer { request in
      if request.path == "/private", request.header("Authorization") != "Bearer key-1" {
        return .reply(WireReply(status: 401, type: "text/plain", text: "no"))
      }
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return .reply(WireReply(type: "text/html; charset=utf-8", text: text))
    }
    let address = "http://127.0.0.1:\(try server.start())/news"
    do { try await body(sandbox, address) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func list(_ names: String...) -> String {
    "<title>Village</title>"
      + names.map { "<li><a href='/\($0)'>\($0)</a> <time datetime=2026-03-09>then</time></li>" }
      .joined()
  }

  private func titles(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.articles().compactMap { $0["title"] as? String }.sorted()
  }

  @Test func `A page is previewed, added and refreshed, and one without articles loses none`()
    async throws
  {
    try await withPage(list("One", "Two")) { sandbox, address in
      let preview = try await sandbox.telex("add", address, "--select", "li", "--preview")
      #expect(preview.status == 0, "\(preview.testDescription)")
      let origin = address.replacing("/news", with: "")
      #expect(preview.output.contains("One\n  \(origin)/One\n  2026-03-09T00:00:00Z\nTwo\n"))
      #expect(try await sandbox.telex("list").output == "")

      let added = try await sandbox.telex("add", address, "--select", "li", "--json")
      #expect(added.status == 0, "\(added.testDescription)")
      let feed = try #require(try added.json()["feed"] as? [String: Any])
      #expect(feed["url"] as? String == address && feed["title"] as? String == "Village")
      #expect(feed["format"] as? String == "page")
      #expect(try await sandbox.telex("refresh").output.contains("0 new articles"))

      try sandbox.file("page", list("Two", "Three"))
      #expect(try await sandbox.telex("refresh").output.contains("1 new article"))
      #expect(try await titles(sandbox) == ["One", "Three", "Two"])

      try sandbox.file("page", "<title>Welcome</title><p>All is new here")
      let changed = try await sandbox.telex("refresh")
      #expect(changed.status == 1 && changed.errors.contains("“li”: it may have changed"))
      #expect(try await titles(sandbox) == ["One", "Three", "Two"])

      let set = try await sandbox.telex("set", "1", "--select", "p", "--title-select", "b")
      #expect(set.status == 0 && set.errors.contains("No article has a title at “b”"))
      #expect(try await titles(sandbox) == ["All is new here", "One", "Three", "Two"])
      // Taken back, it is read as before, also by another process.
      let undone = try await sandbox.telex("undo").output
      #expect(undone == "undone: changed how “Village” is fetched\n")
      #expect(try await sandbox.telex("refresh").errors.contains("“li”: it may have changed"))
      #expect(try await sandbox.telex("redo").output.hasPrefix("redone"))
      try await sandbox.succeed("refresh")
      // Two feeds of one page are told apart by the fragment.
      try await sandbox.succeed("add", address + "#other", "--select", "title")
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 2)
    }
  }

  @Test(arguments: [
    (["--select", "li:hover"], 2, "olumn 3: “:hover” is not known"),
    (["--select", "li.post"], 1, "(“Village”) matches “li.post”"),
    (["--select", "li", "--date-select", "["], 2, "--date-select [: Column 2"),
    (["--items", "posts"], 1, "no JSON"), (["--items", "a..b"], 2, "A name is missing"),
    (["--items", ".", "--field", "titel=x"], 2, "the parts are id, url, title"),
    (["--items", ".", "--select", "li"], 2, "--items is for JSON"),
    (["--title-select", "b"], 2, "go with --select"), (["--field", "title=x"], 2, "with --items"),
    (["--watch", "--select", "#price"], 1, "“#price”: it may have changed"),
  ])
  func `What cannot be read is told, and nothing is added`(
    arguments: [String], status: Int32, told: String
  ) async throws {
    try await withPage(list("One")) { sandbox, address in
      let outcome = try await sandbox.telex(["add", address] + arguments)
      #expect(
        outcome.status == status && outcome.errors.contains(told), "\(outcome.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test func `A JSON document is a feed by paths, and tells what it has`() async throws {
    let items = #"[{"name":"One","link":"/1"},{"name":"Two","link":"/2"}]"#
    try await withPage(#"{"data":{"posts":\#(items)}}"#) { sandbox, address in
      let asked = try await sandbox.telex("add", address, "--items", "data.posts")
      #expect(asked.status == 1 && asked.errors.contains("article has: link, name"))
      try await sandbox.succeed(
        "add", address, "--items", "data.posts", "--field", "title=name", "--field", "url=link")
      #expect(try await titles(sandbox) == ["One", "Two"])
    }
  }

  @Test func `A page that wants a token is read with it, now and later`() async throws {
    try await withPage(list("One")) { sandbox, address in
      let page = address.replacing("/news", with: "/private")
      #expect(try await sandbox.telex("add", page, "--select", "li").status == 1)
      let added = try await sandbox.telex(
        "add", page, "--select", "li", "--bearer", "--secret-stdin", stdin: "key-1\n")
      #expect(added.status == 0, "\(added.testDescription)")
      try sandbox.file("page", list("Two"))
      #expect(try await sandbox.telex("refresh").output.contains("1 new article"))
    }
  }

  @Test func `Each change of a watched page is an article that shows what has changed`()
    async throws
  {
    try await withPage("<title>Terms</title><p>one<p>two<p>three") { sandbox, address in
      try await sandbox.succeed("add", address, "--watch")
      #expect(try await sandbox.telex("refresh").output.contains("0 new articles"))
      // Other bytes, the same text.
      try sandbox.file("page", "<title>Terms</title><div>one</div><p>two</p><p>three</p>")
      #expect(try await sandbox.telex("refresh").output.contains("0 new articles"))
      try sandbox.file("page", "<title>Terms</title><p>one<p>2<p>three")
      #expect(try await sandbox.telex("refresh").output.contains("1 new article"))
      #expect(try await sandbox.telex("refresh").output.contains("0 new articles"))
      // What it was is remembered when something else is set.
      try await sandbox.succeed("set", "1", "--time-limit", "5min")
      let articles = try await sandbox.articles()
      #expect(articles.count == 2)
      let begins = { (article: [String: Any]) in
        (article["title"] as? String)?.hasPrefix("Terms: watching begins, 20") == true
      }
      #expect(articles.count(where: begins) == 1)
      let newest = try #require(articles.first { !begins($0) })
      let shown = try await sandbox.telex("show", "\(try #require(newest["id"] as? Int))")
      #expect(shown.output.contains("− two") && shown.output.contains("+ 2"), "\(shown.output)")
      // Without text it has changed its form.
      try sandbox.file("page", "<script>all()</script>")
      let empty = try await sandbox.telex("refresh")
      #expect(empty.status == 1 && empty.errors.contains("no text on the page"))
      try sandbox.file("page", "<title>Terms</title><p>one<p>2<p>three<p>four")
      #expect(try await sandbox.telex("refresh").output.contains("1 new article"))
      #expect(try await sandbox.articles().count == 3)
    }
  }
}
