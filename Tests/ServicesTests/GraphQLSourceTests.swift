internal import FeedServer
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import Syndication
internal import Testing

/// Connections of a GraphQL server as feeds, over sockets.
@Suite(.timeLimit(.minutes(10))) struct GraphQLSourceTests {
  static let query = """
    query Articles($after: String, $first: Int!, $section: String) {
      blog(section: $section) {
        title url
        articles(first: $first, after: $after) {
          edges { cursor node { id url title authors { name } publishedAt bodyHTML labels { nodes { name } } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
    """

  static func recipe(
    query: String = query, page: Int = 20, variables: [String: GraphQLValue] = [:]
  ) throws -> GraphQLRecipe {
    GraphQLRecipe(
      query: query, variables: variables, pageSize: page,
      mapping: GraphQLMapping(
        connection: try GraphQLPath("blog.articles"),
        fields: [
          .id: try GraphQLPath("id"), .url: try GraphQLPath("url"),
          .title: try GraphQLPath("title"), .author: try GraphQLPath("authors[*].name"),
          .published: try GraphQLPath("publishedAt"), .html: try GraphQLPath("bodyHTML"),
          .category: try GraphQLPath("labels.nodes[*].name"),
        ], title: try GraphQLPath("blog.title"), link: try GraphQLPath("blog.url")))
  }

  private func feed(
    _ server: FeedServer, _ recipe: GraphQLRecipe, signIn: FeedSignIn? = nil
  ) -> Feed {
    Feed(
      id: FeedID(1), url: server.baseURL + "/graphql#articles", format: .graphQL, signIn: signIn,
      recipe: recipe.stored)
  }

  @Test func `A walk gives every article once, in the order of the server`() async throws {
    try await withServer { server, sources in
      let feed = self.feed(server, try Self.recipe())
      var page = try await sources.page(of: feed)
      #expect(page.description?.title == server.archive.title)
      var ids = page.entries.map(\.id)
      while let next = page.nextCursor {
        page = try await sources.page(of: feed, after: next)
        #expect(page.description == nil)
        ids += page.entries.map(\.id)
      }
      #expect(ids == server.archive.articles.map(\.entry.id))
      #expect(server.requests.allSatisfy { $0.method == "POST" && $0.path == "/graphql" })
      #expect(
        server.requests[0].header("Accept")
          == "application/graphql-response+json, application/json;q=0.9")
      #expect(server.requests[0].header("Content-Type") == "application/json")
    }
  }

  @Test func `The same answer is unchanged`() async throws {
    try await withServer { server, sources in
      let feed = self.feed(server, try Self.recipe())
      let page = try await sources.page(of: feed)
      let again = try await sources.source(for: feed).page(
        after: nil, known: KnownPage(bodyDigest: page.bodyDigest))
      #expect(again.body == .unchanged(Validators()))
    }
  }

  @Test func `Variables are sent as they are given`() async throws {
    try await withServer { server, sources in
      let slug = try #require(server.archive.sections.first?.slug)
      let feed = self.feed(
        server, try Self.recipe(variables: ["section": .string(slug)]))
      let page = try await sources.page(of: feed)
      let expected = server.archive.articles.filter { $0.section == slug }.prefix(20)
      #expect(page.entries.map(\.id) == expected.map(\.entry.id))
    }
  }

  @Test func `Errors beside data are a remark, and the articles come`() async throws {
    try await withServer { server, sources in
      server.inject(.graphQL(.errors), on: "/graphql")
      let page = try await sources.page(of: self.feed(server, try Self.recipe()))
      #expect(page.entries.count == 20 && page.problem == nil)
      #expect(page.remark?.contains("Some articles were left out") == true)
    }
  }

  @Test(arguments: [
    (GraphQLFault.errorsOnly, "errors only: The server is tired"), (.null, "null in the place"),
    (.nullConnection, "data.blog.articles is null: You may not see these articles"),
    (.html, "with a page, not with JSON"),
  ])
  func `An answer without data is an error of the feed`(
    fault: GraphQLFault, part: String
  ) async throws {
    try await withServer { server, sources in
      server.inject(.graphQL(fault), on: "/graphql")
      let feed = self.feed(server, try Self.recipe())
      let error = try await #require(throws: SourceError.self) { try await sources.page(of: feed) }
      #expect(error.message.contains(part), "\(error.message)")
    }
  }

  @Test func `A query that does not fit the schema is told in the server's words`() async throws {
    try await withServer { server, sources in
      let query = Self.query.replacing("title url\n", with: "titel url\n")
      let feed = self.feed(server, try Self.recipe(query: query))
      let error = try await #require(throws: SourceError.self) { try await sources.page(of: feed) }
      #expect(error.status == 400 && error.next == "check the query and its variables")
      #expect(error.message.contains("Field 'titel' doesn't exist on type 'Blog'"))
    }
  }

  @Test func `A cursor that is named again ends the pages`() async throws {
    try await withServer { server, sources in
      server.inject(.repeatCursor, on: "/graphql", times: nil)
      let feed = self.feed(server, try Self.recipe())
      let newest = try await sources.page(of: feed)
      let next = try #require(newest.nextCursor)
      let page = try await sources.page(of: feed, after: next)
      #expect(page.entries.count == 20 && page.nextCursor == nil && page.beginsToRepeat)
    }
  }

  @Test(arguments: [GraphQLFault.endless, .circle])
  func `A server that sends the same page again has no older ones`(
    fault: GraphQLFault
  ) async throws {
    try await withServer { server, sources in
      server.inject(.graphQL(fault), on: "/graphql", times: nil)
      let feed = self.feed(server, try Self.recipe())
      let newest = try await sources.page(of: feed)
      let next = try #require(newest.nextCursor)
      let page = try await sources.page(of: feed, after: next)
      #expect(page.nextCursor == nil && page.beginsToRepeat)
      #expect(page.warnings.contains { $0.contains("the same page again") })
    }
  }

  @Test(arguments: [2, 3, 7, 100])
  func `Cursors that lead in a circle of any length are noticed`(length: Int) async throws {
    // Each page has articles of its own, so that only the cursors tell. The circle begins behind a few pages.
    let pages = Counter()
    try await withAnswers({ request in
      let number = pages.next()
      return .reply(
        WireReply(
          type: "application/json",
          text: """
            {"data": {"blog": {"title": "T", "url": "/", "articles": {"edges": [
              {"node": {"id": "\(number)", "url": null, "title": "\(number)", "authors": [],
                "publishedAt": null, "bodyHTML": null, "labels": null}}],
              "pageInfo": {"hasNextPage": true, "endCursor": "\(number < 3 ? "t\(number)" : "c\(number % length)")"}}}}}
            """))
    }) { base, server, sources in
      let feed = Feed(
        id: FeedID(1), url: base + "/graphql", recipe: try Self.recipe().stored)
      var cursor = try await sources.page(of: feed).nextCursor
      var last: Page?
      while let next = cursor {
        let page = try await sources.page(of: feed, after: next)
        (cursor, last) = (page.nextCursor, page)
        try #require(server.requests.count < 4 * length + 8)
      }
      #expect(last?.beginsToRepeat == true)
      #expect(server.requests.count > length)
    }
  }

  @Test func `A failing server is asked again, since a query only reads`() async throws {
    try await withServer { server, _ in
      server.inject(.status(503), on: "/graphql")
      var policy = RetryPolicy()
      policy.maxAttempts = 2
      let sources = Sources(
        client: ResilientClient(
          HTTPClient(
            transport: CurlTransport(CurlTransport.Configuration(proxy: ProxySettings()))),
          retries: RetryingSend(
            policy: policy,
            clock: RetryClock(
              now: { now }, uptime: { .now }, sleep: { _ in }, random: { 0 }))))
      let page = try await sources.page(of: self.feed(server, try Self.recipe()))
      #expect(page.entries.count == 20 && server.requests.count == 2)
    }
  }

  @Test(arguments: [301, 302, 307, 308])
  func `A redirect at the same origin keeps the query, and a permanent one moves the feed`(
    status: Int
  ) async throws {
    let empty = """
      {"data": {"blog": {"title": "T", "articles": {"edges": [], "pageInfo": {"hasNextPage": false}}}}}
      """
    try await withAnswers({ request in
      if request.path == "/old" {
        return .reply(WireReply(status: status, headers: [("Location", "/new")]))
      }
      let isQuery = request.method == "POST" && !request.body.isEmpty
      return .reply(WireReply(type: "application/json", text: isQuery ? empty : "{}"))
    }) { base, _, sources in
      let feed = Feed(id: FeedID(1), url: base + "/old#mine", recipe: try Self.recipe().stored)
      let answer = try await sources.source(for: feed).page(after: nil, known: KnownPage())
      let moves = status == 301 || status == 308
      #expect(answer.movedTo == (moves ? base + "/new#mine" : nil))
    }
  }

  // MARK: Sign-in

  @Test(arguments: ["Authorization", "X-Key"])
  func `A secret goes in its header`(header: String) async throws {
    try await withServer { server, _ in
      let key = header == "Authorization" ? "Bearer t0ken" : "t0ken"
      server.protect("/graphql", with: .apiKey(header: header, key: key))
      let signIn = FeedSignIn(origin: server.baseURL, user: "", key: "k", header: header)
      let sources = Sources(
        client: ResilientClient(
          HTTPClient(
            transport: CurlTransport(CurlTransport.Configuration(proxy: ProxySettings())))),
        secrets: FeedSecrets(
          read: { $0 == signIn ? "t0ken" : nil }, write: { _, _ in }, remove: { _ in }))
      let recipe = try Self.recipe()
      #expect(
        try await sources.page(of: self.feed(server, recipe, signIn: signIn)).entries.count == 20)
      let error = try await #require(throws: SourceError.self) {
        try await sources.page(of: self.feed(server, recipe))
      }
      #expect(error.status == 401 && error.next?.contains("--bearer") == true)
    }
  }

  // MARK: The recipe

  @Test func `A recipe survives its stored form`() throws {
    var recipe = try Self.recipe(variables: [
      "a": .integer(3), "b": .number(1.5), "c": .bool(true), "d": .list([.string("x"), .null]),
      "e": .object(["f": .string("g")]),
    ])
    recipe.operation = "Articles"
    #expect(GraphQLRecipe(recipe.stored) == recipe)
    #expect(GraphQLRecipe(recipe.stored)?.stored == recipe.stored)
  }

  @Test func `A feed whose recipe cannot be read says so`() async throws {
    try await withServer { server, sources in
      for recipe in [FeedRecipe("{\"of\": \"a newer version\"}"), nil] {
        let feed = Feed(
          id: FeedID(1), url: server.baseURL + "/graphql", format: .graphQL, recipe: recipe)
        let error = try await #require(throws: SourceError.self) {
          try await sources.page(of: feed)
        }
        #expect(error.next?.contains("--graphql FILE") == true)
      }
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [
    ("mutation M($after: String, $first: Int) { pageInfo hasNextPage endCursor }", "a mutation"),
    (
      "query ($first: Int) { pageInfo hasNextPage endCursor }",
      "declares no $after; it declares $first"
    ),
    ("query ($after: String) { pageInfo hasNextPage endCursor }", "declares no $first"),
    ("query ($after: String, $first: Int) { a }", "does not ask for pageInfo"),
    (
      "query ($after: String!, $first: Int) { pageInfo hasNextPage endCursor }",
      "must not be required"
    ),
    (
      "query ($after: String, $first: Int, $owner: ID!) { pageInfo hasNextPage endCursor }",
      "needs $owner"
    ),
    ("query A($after: String) { a } query B { b }", "several operations: A, B"),
    ("query ($after: String { a }", "“(” is not closed"), ("query { a ) }", "closes nothing"),
    ("query { a", "is not closed"),
    ("query { a(b: \"c) }", "a text is not closed"), ("", "there is no query"),
    ("query ; {}", "no place"),
  ])
  func `A query that cannot work is refused`(query: String, part: String) throws {
    var recipe = try Self.recipe()
    recipe.query = query
    let mistake = try #require(throws: GraphQLRecipe.Mistake.self) { try recipe.check() }
    #expect(mistake.message.contains(part), "\(mistake.message)")
  }

  @Test func `The place of a mistake is its line and column`() throws {
    var recipe = try Self.recipe()
    recipe.query = "query ($after: String, # the cursor\n  $first: Int) {\n  a ; }"
    let mistake = try #require(throws: GraphQLRecipe.Mistake.self) { try recipe.check() }
    #expect(mistake.place?.line == 3 && mistake.place?.column == 5)
    try Self.recipe().check()
  }

  @Test func `Feeds of one server are told apart by the fragment`() {
    #expect(
      Sources.address("https://e.org/graphql", named: "my issues")
        == "https://e.org/graphql#my-issues")
    #expect(Sources.address("https://e.org/graphql#a", named: "b") == "https://e.org/graphql#a")
    #expect(Sources.address("https://e.org/graphql", named: "") == "https://e.org/graphql#graphql")
  }
}

/// Counts from 0, for answers that differ.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0 - 1
    }
  }
}
