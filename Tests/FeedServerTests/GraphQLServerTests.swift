internal import FeedServer
internal import Foundation
internal import News
internal import Testing

/// The GraphQL server answers what the query names, and nothing else.
@Suite struct GraphQLServerTests {
  private func ask(
    _ client: TestClient, _ query: String, _ variables: [String: Any] = [:],
    accept: String = "application/graphql-response+json", path: String = "/graphql"
  ) throws -> TestClient.Answer {
    let body = try JSONSerialization.data(withJSONObject: ["query": query, "variables": variables])
    return try client.request(
      "POST", path, headers: ["Content-Type": "application/json", "Accept": accept],
      body: String(decoding: body, as: UTF8.self))
  }

  private func articles(_ answer: TestClient.Answer) throws -> [String: Any] {
    let blog = try #require(
      (try answer.json()["data"] as? [String: Any])?["blog"] as? [String: Any])
    return try #require(blog["articles"] as? [String: Any])
  }

  @Test func `Pages follow each other by their cursors`() async throws {
    try await withServer { server, client in
      let query = """
        query ($n: Int = 100, $c: String) { blog { articles(first: $n, after: $c) {
          nodes { key: id ... on Article { title } __typename } pageInfo { hasNextPage endCursor } } } }
        """
      var ids: [String] = []
      var cursor: Any = NSNull()
      while true {
        let page = try articles(try ask(client, query, ["c": cursor]))
        let nodes = try #require(page["nodes"] as? [[String: Any]])
        #expect(nodes.allSatisfy { Set($0.keys) == ["key", "title", "__typename"] })
        ids += nodes.compactMap { $0["key"] as? String }
        let info = try #require(page["pageInfo"] as? [String: Any])
        guard info["hasNextPage"] as? Bool == true else { break }
        cursor = try #require(info["endCursor"])
      }
      #expect(ids == server.archive.articles.map(\.entry.id))
    }
  }

  @Test(arguments: [
    ("{ blog { titel } }", "Field 'titel' doesn't exist on type 'Blog'"),
    ("{ blog }", "Field 'blog' must have selections"), ("{ blog { title }", "Expected }"),
    ("mutation { a }", "not configured for mutation"), ("", "Unexpected end of document"),
    ("query ($a: Int!) { blog { title } }", "Variable $a of a required type"),
  ])
  func `A query that does not fit is refused as a whole`(query: String, message: String)
    async throws
  {
    try await withServer { _, client in
      for (accept, status) in [
        ("application/graphql-response+json", 400), ("application/json", 200),
      ] {
        let answer = try ask(client, query, accept: accept)
        #expect(answer.status == status)
        let json = try answer.json()
        #expect(json["data"] == nil)
        let errors = json["errors"] as? [[String: Any]]
        #expect((errors?.first?["message"] as? String)?.contains(message) == true, "\(json)")
      }
    }
  }

  @Test(arguments: ["", "(first: 101)", "(first: 5, after: \"x\")"])
  func `A field that fails is null, with an error beside the rest`(arguments: String) async throws {
    try await withServer { _, client in
      let json = try ask(client, "{ blog { title articles\(arguments) { totalCount } } }").json()
      let blog = (json["data"] as? [String: Any])?["blog"] as? [String: Any]
      #expect(blog?["title"] is String && blog?["articles"] is NSNull)
      let error = (json["errors"] as? [[String: Any]])?.first
      #expect(error?["path"] as? [String] == ["blog", "articles"])
    }
  }
}
