internal import News
internal import Syndication
internal import Testing

internal import struct Foundation.Date

/// The answers of GraphQL servers: what is a page, what is an error, and what is a warning.
@Suite struct GraphQLTests {
  private let mapping: GraphQLMapping

  init() throws {
    mapping = GraphQLMapping(
      connection: try GraphQLPath("repository.issues"),
      fields: [
        .id: try GraphQLPath("id"), .url: try GraphQLPath("url"),
        .title: try GraphQLPath("title"), .author: try GraphQLPath("author.login"),
        .published: try GraphQLPath("createdAt"), .html: try GraphQLPath("bodyHTML"),
        .category: try GraphQLPath("labels.nodes[*].name"),
        .image: try GraphQLPath("images.0"),
      ], title: try GraphQLPath("repository.name"))
  }

  private static let node = """
    {"id": "I_1", "url": "/issues/1", "title": "Vec<T> & more", "author": {"login": "ada"},
     "createdAt": "2026-03-01T12:00:00Z", "bodyHTML": "<p>See <a href='/x'>x</a></p>",
     "labels": {"nodes": [{"name": "bug"}, {"name": "help"}]}, "images": ["https://e.org/1.png"]}
    """

  private func read(_ text: String) throws -> GraphQLPage {
    try GraphQLReader.read(Array(text.utf8), by: mapping, url: "https://e.org/graphql")
  }

  private func error(_ text: String) throws -> SourceError {
    try #require(throws: SourceError.self) { try read(text) }
  }

  private func answer(
    edges: String = "[{\"node\": \(node)}]", pageInfo: String = "{\"hasNextPage\": false}",
    beside: String = ""
  ) -> String {
    """
    {"data": {"repository": {"name": "swift", "issues": {"edges": \(edges), "pageInfo": \(pageInfo)}}}\(beside)}
    """
  }

  @Test func `The fields of a node are those of an article`() throws {
    let page = try read(answer())
    let entry = try #require(page.feed.entries.first)
    #expect(entry.id == "I_1" && entry.url == "https://e.org/issues/1")
    // A title is text, not HTML.
    #expect(entry.title == "Vec<T> & more")
    #expect(entry.authors.map(\.name) == ["ada"])
    #expect(entry.published == Date(timeIntervalSince1970: 1_772_366_400))
    #expect(entry.contentHTML?.contains("https://e.org/x") == true)
    #expect(entry.categories.map(\.name) == ["bug", "help"])
    #expect(entry.image == "https://e.org/1.png")
    #expect(page.feed.description.title == "swift" && page.feed.description.format == .graphQL)
    #expect(page.feed.warnings == [] && page.errors == [] && !page.hasNextPage)
  }

  @Test func `Nodes are read where there are no edges`() throws {
    let page = try read(
      """
      {"data": {"repository": {"name": "n", "issues": {"nodes": [\(Self.node), null],
        "pageInfo": {"hasNextPage": true, "endCursor": "c1"}}}}}
      """)
    #expect(page.feed.entries.count == 1 && page.nextCursor == "c1")
    #expect(page.feed.warnings == ["A node is null, not an object; it was left out."])
  }

  @Test func `An empty connection is a page, and no data is an error`() throws {
    #expect(try read(answer(edges: "[]")).feed.entries.isEmpty)
    #expect(try error("{\"data\": null}").message.contains("null in the place of the data"))
    #expect(try error("{}").message.contains("neither data nor errors"))
    let null = try error("{\"data\": {\"repository\": null}}")
    #expect(null.message == "data.repository is null." || null.message.contains("is null"))
  }

  @Test func `Errors beside data are told with their places, and the data is read`() throws {
    let page = try read(
      answer(
        beside: """
          , "errors": [{"message": "Some are hidden", "path": ["repository", "issues", 3],
            "locations": [{"line": 4, "column": 7}]}, {"message": "Slow down!"}]
          """))
    #expect(page.feed.entries.count == 1)
    #expect(
      page.errors == [
        "Some are hidden (data.repository.issues[3]; line 4, column 7 of the query).",
        "Slow down.",
      ])
  }

  @Test(arguments: ["{\"errors\": ERRORS}", "{\"data\": null, \"errors\": ERRORS}"])
  func `Errors without data are an error`(text: String) throws {
    let errors = "[{\"message\": \"Bad token\", \"extensions\": {\"code\": \"UNAUTHENTICATED\"}}]"
    let error = try error(text.replacing("ERRORS", with: errors))
    #expect(error.message == "The server answers with errors only: Bad token.")
    #expect(error.next?.contains("--bearer") == true)
  }

  @Test func `The error about a connection that is null is told with it`() throws {
    let error = try error(
      """
      {"data": {"repository": null}, "errors": [{"message": "Could not resolve", "path": ["repository"]}]}
      """)
    #expect(error.message == "data.repository is null: Could not resolve (data.repository).")
  }

  @Test func `A path that leads nowhere is told with what is there`() throws {
    #expect(
      try error("{\"data\": {\"repository\": {\"pulls\": {}, \"name\": \"n\"}}}").message
        == "data.repository has no issues; it has: name, pulls.")
    #expect(
      try error("{\"data\": {\"repository\": {\"issues\": {\"items\": [], \"totalCount\": 1}}}}")
        .message == "data.repository.issues has no edges; it has: items, totalCount.")
    #expect(
      try error("{\"data\": {\"repository\": {\"issues\": []}}}").message
        == "data.repository.issues is a list, not a connection.")
    #expect(
      try error(answer(edges: "{}")).message
        == "data.repository.issues.edges is an object, not a list.")
  }

  @Test func `A field that no node has is a warning, and an error where none is found`() throws {
    let some = try read(
      answer(edges: "[{\"node\": {\"id\": 1, \"title\": \"T\", \"name\": \"N\"}}]"))
    #expect(some.feed.entries.map(\.id) == ["1"])
    #expect(
      some.feed.warnings.contains("fields.url: the node has no url; it has: id, name, title."))
    let error = try error(answer(edges: "[{\"node\": {\"name\": \"N\"}}]"))
    #expect(error.message == "fields.author: the node has no author; it has: name.")
  }

  @Test func `Values of other types than they should have cost a warning each`() throws {
    let page = try read(
      answer(
        edges: """
          [{"node": {"id": "1", "title": ["a"], "author": {"login": {}}, "createdAt": "soon",
            "url": "u", "bodyHTML": 3, "labels": {"nodes": "x"}, "images": []}}, 7]
          """, pageInfo: "{\"hasNextPage\": \"yes\", \"endCursor\": 1}"))
    #expect(page.feed.entries.count == 1 && !page.hasNextPage)
    let warnings = page.feed.warnings.joined(separator: "\n")
    for part in [
      "fields.title: title is a list", "fields.author: author.login is an object",
      "A date could not be read: “soon”", "fields.html: bodyHTML is a number",
      "labels.nodes is a text", "An edge is a number", "hasNextPage is a text",
    ] {
      #expect(warnings.contains(part), "\(part) in \(warnings)")
    }
  }

  @Test func `A page that is said to follow needs a cursor, of the page or of its last edge`()
    throws
  {
    let next = "{\"hasNextPage\": true, \"endCursor\": null}"
    let page = try read(answer(pageInfo: next))
    #expect(page.hasNextPage && page.nextCursor == nil)
    #expect(page.feed.warnings.first?.contains("gives no endCursor") == true)
    let edges = "[{\"cursor\": \"e1\", \"node\": \(Self.node)}]"
    #expect(try read(answer(edges: edges, pageInfo: next)).nextCursor == "e1")
    // No cursor is taken where nothing follows.
    let last = "{\"hasNextPage\": false, \"endCursor\": \"c\"}"
    #expect(try read(answer(pageInfo: last)).nextCursor == nil)
  }

  @Test(arguments: [
    ("<!DOCTYPE html><p>Sign in", "with a page, not with JSON"), ("", "is empty"),
    ("oops", "is no JSON"), ("[1]", "it is a list"),
    ("{\"data\": {\"repos", "before it is complete"),
  ])
  func `What is no answer of GraphQL is told as such`(text: String, part: String) throws {
    let error = try error(text)
    #expect(error.kind == .decoding && error.message.contains(part), "\(error.message)")
  }

  @Test(arguments: ["", "a..b", "a[", "a[x]", "a[-1]", "a b", ".a", "a.", "a[0", "a]"])
  func `A text that is no path is refused`(text: String) {
    #expect(throws: GraphQLPath.Mistake.self) { try GraphQLPath(text) }
  }

  @Test func `Places in lists are written either way`() throws {
    #expect(try GraphQLPath("a.0.b.*.c") == GraphQLPath("a[0].b[*].c"))
    #expect(try GraphQLPath("data.a").fromTop == GraphQLPath("a").fromTop)
    #expect(try GraphQLPath("a.0.b.*.c").text == "a[0].b[*].c")
  }
}
