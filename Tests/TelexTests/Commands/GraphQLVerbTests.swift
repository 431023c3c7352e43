import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Connections of a GraphQL server as subscriptions.
@Suite(.timeLimit(.minutes(10)))
struct GraphQLVerbTests {
  private static let recipe = """
    # The stories of the newspaper.
    connection = "blog.articles"
    query = \"\"\"
    query Articles($after: String, $first: Int!) {
      blog {
        title url
        articles(first: $first, after: $after) {
          nodes { id url title author { name } publishedAt bodyHTML }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
    \"\"\"

    [paging]
    page = 20

    [feed]
    title = "blog.title"

    [fields]
    id = "id"
    url = "url"
    title = "title"
    author = "author.name"
    published = "publishedAt"
    html = "bodyHTML"
    """

  /// The names of the files in which a text stands.
  private func files(with text: String, in sandbox: Sandbox) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.folder))
    return names.compactMap { $0 as? String }.filter { name in
      FileManager.default.contents(atPath: sandbox.folder + "/" + name)?
        .range(of: Data(text.utf8)) != nil
    }
  }

  private func withRecipe(
    _ recipe: String = recipe,
    _ body: nonisolated(nonsending) (FeedServer, Sandbox, _ address: String) async throws -> Void
  ) async throws {
    try await withNewspaper { server, sandbox in
      try sandbox.file("stories.toml", recipe)
      try await body(server, sandbox, server.baseURL + "/graphql")
    }
  }

  @Test func `A connection is added, read, refreshed and walked to its end`() async throws {
    try await withRecipe { server, sandbox, address in
      let added = try await sandbox.telex("add", address, "--graphql", "stories.toml", "--json")
      #expect(added.status == 0, "\(added.testDescription)")
      let feed = try #require(try added.json()["feed"] as? [String: Any])
      #expect(feed["url"] as? String == address + "#stories")
      #expect(feed["title"] as? String == "The Loopback Times")
      #expect(feed["format"] as? String == "graphql" && feed["total"] as? Int == 20)
      server.insertFresh(2)
      let refreshed = try await sandbox.telex("refresh", "--all-pages")
      #expect(refreshed.output.contains("2 new articles, 40 older articles"), "\(refreshed.output)")
      #expect(try await sandbox.articles().count == 62)
      #expect(try await sandbox.articles().last?["title"] as? String == "Story 060")
      #expect(try await sandbox.telex("refresh").output.contains("0 new articles"))
    }
  }

  @Test func `The reader shows it and loads its older pages`() async throws {
    try await withRecipe { server, sandbox, address in
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      // Who comes to the end of the list asks for more.
      var presses = 0
      while !reader.screen.contains("Story 060") {
        try #require(presses < 50, "\(reader.screen)")
        let before = reader.screen.text
        try reader.send("Gj")
        presses += 1
        _ = await eventually(within: .seconds(2)) { reader.screen.text != before }
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test(arguments: [
    ("page = 20", "page = 0", "stories.toml:16:1: paging.page: this must be a whole number"),
    ("[fields]", "[felder]", "stories.toml:21:1: Felder: there is no setting with this name"),
    (
      "author.name", "author..name",
      "stories.toml:25:1: fields.author: a name is missing in the path"
    ),
    ("nodes { id", "nodes { ; id", "stories.toml:8:15: The query: “;” has no place in a query"),
    ("$after: String,", "", "paging.cursor: the query declares no $after; it declares $first"),
    ("connection = \"blog.articles\"\n", "", "Connection: it is missing"),
    ("\"blog.articles\"", "\"blog.posts\"", "data.blog has no posts; it has: articles, title, url"),
    ("title url", "titel url", "Field 'titel' doesn't exist on type 'Blog'"),
    ("query Articles(", "mutation Articles(", "stories.toml:4:1: The query: this is a mutation"),
    ("page = 20", "page = ", "stories.toml:16:8"),
  ])
  func `A mistake is told with its place, and nothing is added`(
    text: String, mistake: String, told: String
  ) async throws {
    let recipe = Self.recipe.replacing(text, with: mistake)
    #expect(recipe != Self.recipe)
    try await withRecipe(recipe) { _, sandbox, address in
      let outcome = try await sandbox.telex("add", address, "--graphql", "stories.toml")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(told), "\(outcome.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test
  func `A query may be in a file beside the recipe, and mistakes there are told with its name`()
    async throws
  {
    let parts = Self.recipe.components(separatedBy: "\"\"\"\n")
    let recipe =
      parts[0].replacing("query = ", with: "query_file = \"q.graphql\"") + "\n" + parts[2]
    try await withRecipe(recipe) { _, sandbox, address in
      try sandbox.file("q.graphql", parts[1])
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      try sandbox.file("q.graphql", parts[1].replacing("title url", with: "title \u{7}"))
      let outcome = try await sandbox.telex("set", "1", "--graphql", "stories.toml")
      #expect(outcome.errors.contains("q.graphql:3:11"), "\(outcome.testDescription)")
    }
  }

  @Test func `Another file at the same server is another feed, and the same file changes its own`()
    async throws
  {
    try await withRecipe { server, sandbox, address in
      try sandbox.file("other.toml", Self.recipe.replacing("page = 20", with: "page = 5"))
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      #expect(try await sandbox.telex("add", address, "--graphql", "other.toml").status == 0)
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.map { $0["url"] as? String } == [address + "#stories", address + "#other"])
      #expect(feeds.map { $0["total"] as? Int } == [20, 5])

      try sandbox.file("stories.toml", Self.recipe.replacing("page = 20", with: "page = 7"))
      let again = try await sandbox.telex("add", address, "--graphql", "stories.toml", "--json")
      #expect(try again.json()["changed"] as? [String] == ["recipe"], "\(again.testDescription)")
      server.forgetRequests()
      _ = try await sandbox.telex("refresh", "1")
      let body = try #require(server.requests.first?.body)
      #expect(String(decoding: body, as: UTF8.self).contains("\"first\":7"))
      let set = try await sandbox.telex("set", "2", "--graphql", "stories.toml")
      #expect(set.output.contains("asked for by the new recipe"), "\(set.testDescription)")
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 2)
      try await sandbox.succeed("undo")
      server.forgetRequests()
      _ = try await sandbox.telex("refresh", "2")
      let former = try #require(server.requests.first?.body)
      #expect(String(decoding: former, as: UTF8.self).contains("\"first\":5"))
    }
  }

  @Test func `A token lies with the secrets, goes with each request, and is kept by a new recipe`()
    async throws
  {
    try await withRecipe { server, sandbox, address in
      server.protect("/graphql", with: .apiKey(header: "Authorization", key: "Bearer t0p-secret"))
      let refused = try await sandbox.telex("add", address, "--graphql", "stories.toml")
      #expect(refused.status == 1 && refused.errors.contains("--bearer"), "\(refused.errors)")
      let added = try await sandbox.telex(
        "add", address, "--graphql", "stories.toml", "--bearer", "--secret-stdin",
        stdin: "t0p-secret\n")
      #expect(added.status == 0, "\(added.testDescription)")
      #expect(!(added.output + added.errors).contains("t0p-secret"))
      #expect(
        try files(with: "t0p-secret", in: sandbox)
          == [".local/share/telex/secrets/credentials.json"])
      let walk = try await sandbox.telex("refresh", "--all-pages")
      #expect(walk.status == 0, "\(walk.testDescription)")
      #expect(try await sandbox.articles().count == 60)
      #expect(try await sandbox.telex("set", "1", "--graphql", "stories.toml").status == 0)
      #expect(try await sandbox.telex("refresh").status == 0)
      // With the feed goes its secret.
      #expect(try await sandbox.telex("remove", "1", "--yes", "--erase").status == 0)
      #expect(try files(with: "t0p-secret", in: sandbox).isEmpty)
    }
  }

  @Test func `A new token takes the place of the old one`() async throws {
    try await withRecipe { server, sandbox, address in
      server.protect("/graphql", with: .apiKey(header: "X-Key", key: "new-key"))
      let wrong = try await sandbox.telex(
        "add", address, "--graphql", "stories.toml", "--header", "X-Key", "--secret-stdin",
        stdin: "old-key\n")
      #expect(wrong.status == 1)
      let right = try await sandbox.telex(
        "add", address, "--graphql", "stories.toml", "--header", "X-Key", "--secret-stdin",
        stdin: "new-key\n")
      #expect(right.status == 0, "\(right.testDescription)")
      let set = try await sandbox.telex(
        "set", "1", "--header", "X-Key", "--secret-stdin", stdin: "old-key\n")
      #expect(set.status == 1)
      #expect(try files(with: "old-key", in: sandbox).isEmpty)
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test func `Errors beside data are a warning of the feed`() async throws {
    try await withRecipe { server, sandbox, address in
      server.inject(.graphQL(.errors), on: "/graphql")
      let added = try await sandbox.telex("add", address, "--graphql", "stories.toml")
      #expect(added.status == 0 && added.output.contains("20 articles"))
      #expect(added.errors.contains("Some articles were left out"), "\(added.errors)")
      let feed = try await sandbox.telex("list", "--json").json()
      #expect((feed["remark"] as? String)?.contains("Some articles were left out") == true)
      #expect(feed["error"] is NSNull)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("H")
      try await reader.wait(until: "the warning shows") {
        $0.contains("1 with a warning") && $0.contains("Some articles were left out")
      }
      try reader.send("q")
      try await reader.wait(for: "Story 001")
      #expect(try await reader.quit() == .exited(0))
      server.inject(.graphQL(.errors), on: "/graphql")
      server.insertFresh(1)
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0 && refreshed.errors.contains("warning: The Loopback Times: "))
      server.insertFresh(1)
      #expect(try await sandbox.telex("refresh").errors == "")
      #expect(try await sandbox.telex("list", "--json").json()["remark"] is NSNull)
    }
  }

  @Test func `A refresh with errors only fails, and the articles stay`() async throws {
    try await withRecipe { server, sandbox, address in
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      server.inject(.graphQL(.errorsOnly), on: "/graphql")
      let failed = try await sandbox.telex("refresh")
      #expect(failed.status == 1 && failed.errors.contains("The server is tired"))
      #expect(try await sandbox.articles().count == 20)
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test func `Pages that begin to repeat are told`() async throws {
    try await withRecipe { server, sandbox, address in
      server.inject(.graphQL(.circle), on: "/graphql", times: nil)
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      let walk = try await sandbox.telex("refresh", "--all-pages")
      #expect(walk.errors.contains("its pages begin to repeat"), "\(walk.testDescription)")
      #expect(server.requests.count < 10)
    }
  }

  @Test func `The doctor asks as the recipe says`() async throws {
    try await withRecipe { server, sandbox, address in
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      let well = try await sandbox.telex("doctor", "1")
      #expect(well.output.contains("200 over HTTP/1.1"), "\(well.testDescription)")
      #expect(well.output.contains("GraphQL “The Loopback Times”, 20 entries, older pages follow"))
      server.inject(.graphQL(.errorsOnly), on: "/graphql", times: nil)
      let ill = try await sandbox.telex("doctor", "1")
      #expect(ill.status == 1 && ill.output.contains("The server is tired"), "\(ill.output)")
      #expect(server.requests.allSatisfy { $0.method == "POST" })
    }
  }

  @Test func `An export says that OPML cannot carry the recipe`() async throws {
    try await withRecipe { _, sandbox, address in
      #expect(try await sandbox.telex("add", address, "--graphql", "stories.toml").status == 0)
      let export = try await sandbox.telex("export")
      #expect(export.status == 0 && export.output.contains("#stories"))
      #expect(export.errors.contains("The Loopback Times: OPML cannot say"), "\(export.errors)")
    }
  }
}
