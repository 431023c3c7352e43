internal import Foundation
internal import News
internal import Text

/// What goes wrong with an answer of the GraphQL server, beside what any server does.
package enum GraphQLFault: String, Hashable, Sendable {
  /// Errors beside whole data.
  case errors
  /// No data, and errors with status 200.
  case errorsOnly = "errors-only"
  /// The data is null, and nothing says why.
  case null
  /// The connection is null, with an error that names it.
  case nullConnection = "null-connection"
  /// Another page follows, and the cursor is null.
  case noCursor = "no-cursor"
  /// Cursors that lead in a circle of three pages.
  case circle
  /// New cursors without end, each to the newest page.
  case endless
  /// Values of other types than the schema has.
  case wrongTypes = "wrong-types"
  /// A page for browsers with status 200.
  case html
}

/// The archive as a GraphQL server has it, by Relay's specification of connections.
///
/// `query { blog(section: String) { title url articles(first: Int, after: String) { edges { cursor node } nodes
/// pageInfo totalCount } } }`
struct GraphQLDesk {
  let archive: Archive
  let origin: String
  let faults: [GraphQLFault]
  /// Whether the page names the cursor it was asked with as the next one.
  let repeatsCursor: Bool
  private static let largestPage = 100

  /// A value of the graph: what it has is made when it is asked for.
  private indirect enum Node {
    case scalar(JSONText)
    case list([Node])
    case object(String, [String: (Arguments) throws -> Node])

    static func text(_ text: String?) -> Node { .scalar(.optional(text)) }
  }

  private struct Arguments {
    var values: [String: GraphQLInput]

    func text(_ name: String) -> String? {
      if case .string(let text)? = values[name] { text } else { nil }
    }

    func number(_ name: String) -> Int? {
      if case .number(let text)? = values[name] { Int(text) } else { nil }
    }
  }

  /// The answer to a request in JSON (GraphQL over HTTP).
  func answer(to request: WireRequest) -> WireReply {
    if faults.contains(.html) {
      return WireReply(
        type: FeedDesk.htmlType,
        text: "<!DOCTYPE html><html><title>Sign in</title><p>Please sign in.</html>")
    }
    let accepted = request.header("Accept") ?? ""
    let isNew = accepted.contains("application/graphql-response+json")
    func reply(_ status: Int, _ members: [(String, JSONText)]) -> WireReply {
      WireReply(
        status: isNew ? status : 200,
        headers: [
          (
            "Content-Type",
            (isNew ? "application/graphql-response+json" : "application/json") + "; charset=utf-8"
          )
        ], body: JSONText.object(members).bytes)
    }
    guard request.header("Content-Type")?.hasPrefix("application/json") == true else {
      return APIError(
        status: 415, code: "unsupported", message: "The body must be application/json."
      ).reply
    }
    let members = WireRequest.members(of: request.body)
    guard let query = members.text("query") else {
      return reply(
        400, [("errors", .array([GraphQLProblem(message: "There is no query.").json]))])
    }
    if faults.contains(.errorsOnly) {
      return reply(
        200,
        [
          (
            "errors",
            .array([GraphQLProblem(message: "The server is tired", path: ["blog"]).json])
          )
        ])
    }
    if faults.contains(.null) { return reply(200, [("data", .null)]) }
    do {
      let data = try run(
        query, operation: members.text("operationName"),
        variables: (members["variables"] as? [String: Any] ?? [:]).mapValues(Self.input))
      var answer: [(String, JSONText)] = [("data", data.json)]
      var problems = data.problems
      if faults.contains(.errors) {
        problems.append(
          GraphQLProblem(
            message: "Some articles were left out", line: 1, column: 1, path: ["blog", "articles"]))
      }
      if !problems.isEmpty { answer.append(("errors", .array(problems.map(\.json)))) }
      return reply(200, answer)
    } catch let problem as GraphQLProblem {
      return reply(400, [("errors", .array([problem.json]))])
    } catch {
      return APIError(status: 500, code: "internal", message: "The server failed.").reply
    }
  }

  private static func input(_ value: Any) -> GraphQLInput {
    switch value {
    case let text as String: .string(text)
    case let number as NSNumber:
      CFNumberIsBoolean(number) ? .bool(number.boolValue) : .number(number.stringValue)
    case let list as [Any]: .list(list.map(input))
    default: .null
    }
  }

  private static func CFNumberIsBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }

  // MARK: - Running a query

  private func run(
    _ text: String, operation name: String?, variables: [String: GraphQLInput]
  ) throws -> (json: JSONText, problems: [GraphQLProblem]) {
    let operations = try GraphQLParser.operations(of: text)
    guard let operation = operations.first(where: { name == nil || $0.name == name }),
      name != nil || operations.count == 1
    else { throw GraphQLProblem(message: "No operation named \"\(name ?? "")\"") }
    var values: [String: GraphQLInput] = [:]
    for (name, declared) in operation.variables {
      values[name] = variables[name] ?? declared.initial
      if declared.isRequired, values[name] == nil {
        throw GraphQLProblem(
          message: "Variable $\(name) of a required type was provided no value")
      }
    }
    var problems: [GraphQLProblem] = []
    let json = try select(operation.selections, of: root, values, [], &problems)
    return (json, problems)
  }

  private func select(
    _ selections: [GraphQLSelection], of node: Node, _ variables: [String: GraphQLInput],
    _ path: [String], _ problems: inout [GraphQLProblem]
  ) throws -> JSONText {
    switch node {
    case .scalar(let value): return value
    case .list(let nodes):
      var values: [JSONText] = []
      for node in nodes {
        values.append(try select(selections, of: node, variables, path, &problems))
      }
      return .array(values)
    case .object(let type, let fields):
      var members: [(String, JSONText)] = []
      for selection in flattened(selections, for: type) {
        if selection.name == "__typename" {
          members.append((selection.alias, .string(type)))
          continue
        }
        guard let field = fields[selection.name] else {
          throw GraphQLProblem(
            message: "Field '\(selection.name)' doesn't exist on type '\(type)'",
            line: selection.line, column: selection.column, path: path + [selection.alias])
        }
        var arguments = Arguments(values: [:])
        for (name, value) in selection.arguments {
          if case .variable(let variable) = value {
            arguments.values[name] = variables[variable]
          } else {
            arguments.values[name] = value
          }
        }
        let place = path + [selection.alias]
        do {
          let value = try field(arguments)
          if case .object = value, selection.selections.isEmpty {
            throw GraphQLProblem(
              message: "Field '\(selection.name)' must have selections", line: selection.line,
              column: selection.column)
          }
          members.append(
            (
              selection.alias,
              try select(selection.selections, of: value, variables, place, &problems)
            ))
        } catch var problem as GraphQLProblem where problem.line == nil {
          // The field is null, and the rest is answered.
          problem.path = place
          (problem.line, problem.column) = (selection.line, selection.column)
          problems.append(problem)
          members.append((selection.alias, .null))
        }
      }
      return .object(members)
    }
  }

  private func flattened(_ selections: [GraphQLSelection], for type: String) -> [GraphQLSelection] {
    selections.flatMap { selection in
      guard let condition = selection.condition else { return [selection] }
      return condition == type ? flattened(selection.selections, for: type) : []
    }
  }

  // MARK: - The graph

  private var root: Node {
    .object("Query", ["blog": { try blog(section: $0.text("section")) }])
  }

  private func blog(section slug: String?) throws -> Node {
    let section = archive.sections.first { $0.slug == slug }
    if let slug, section == nil {
      throw GraphQLProblem(message: "Could not resolve to a Blog with the section '\(slug)'")
    }
    let writer = FeedWriter(archive: archive, section: section, origin: origin)
    return .object(
      "Blog",
      [
        "title": { _ in .text(writer.title) }, "url": { _ in .text(writer.home + "/") },
        "description": { _ in .text(writer.description) },
        "articles": { try articles($0, section: section?.slug, writer) },
      ])
  }

  private func articles(
    _ arguments: Arguments, section: String?, _ writer: FeedWriter
  ) throws -> Node {
    if faults.contains(.nullConnection) {
      throw GraphQLProblem(message: "You may not see these articles")
    }
    guard let first = arguments.number("first") else {
      throw GraphQLProblem(message: "You must provide a `first` value to paginate the connection")
    }
    guard (1...Self.largestPage).contains(first) else {
      throw GraphQLProblem(
        message: "Requesting \(first) records exceeds the `first` limit of \(Self.largestPage)")
    }
    let after = arguments.text("after")
    var position: Position?
    if let after, !faults.contains(.endless), !faults.contains(.circle) {
      position = Position(cursor: after)
      guard position != nil else {
        throw GraphQLProblem(message: "`\(after)` does not appear to be a valid cursor")
      }
    }
    let (page, hasMore) = archive.page(after: position, limit: first, section: section)
    var next = page.last?.position.cursor
    var hasNext = hasMore
    if repeatsCursor, let after { (next, hasNext) = (after, true) }
    if faults.contains(.noCursor) { (next, hasNext) = (nil, true) }
    if faults.contains(.endless) {
      (next, hasNext) = ("endless-\((after.flatMap { Int($0.dropFirst(8)) } ?? 0) + 1)", true)
    }
    if faults.contains(.circle) {
      let step = after.flatMap { Int($0.dropFirst(7)) } ?? 0
      (next, hasNext) = ("circle-\((step + 1) % 3)", true)
    }
    let isWrong = faults.contains(.wrongTypes)
    let info: [String: (Arguments) throws -> Node] = [
      "hasNextPage": { _ in .scalar(isWrong ? .string("yes") : .bool(hasNext)) },
      "endCursor": { _ in .text(next) },
    ]
    let nodes = page.map { article($0, writer) }
    return .object(
      "ArticleConnection",
      [
        "totalCount": { _ in .scalar(.number(Int64(archive.articles.count))) },
        "pageInfo": { _ in .object("PageInfo", info) }, "nodes": { _ in .list(nodes) },
        "edges": { _ in
          .list(
            zip(page, nodes).map { article, node in
              .object(
                "ArticleEdge",
                [
                  "cursor": { _ in
                    faults.contains(.noCursor) ? .text(nil) : .text(article.position.cursor)
                  },
                  "node": { _ in node },
                ])
            })
        },
      ])
  }

  private func article(_ article: Archive.Article, _ writer: FeedWriter) -> Node {
    let entry = article.entry
    let isWrong = faults.contains(.wrongTypes)
    let people: [Node] = entry.authors.map { author in
      .object("Person", ["name": { _ in .text(author.name) }])
    }
    let labels: [Node] = entry.categories.map { category in
      .object("Label", ["name": { _ in .text(category.term) }])
    }
    let files: [Node] = entry.enclosures.map { file in
      .object("File", ["url": { _ in .text(writer.absolute(file.url)) }])
    }
    return .object(
      "Article",
      [
        "id": { _ in .text(entry.id) },
        "url": { _ in .text(entry.url.map(writer.absolute)) },
        "title": { _ in isWrong ? .list([.text(entry.title)]) : .text(entry.title) },
        "author": { _ in people.first ?? .scalar(.null) }, "authors": { _ in .list(people) },
        "publishedAt": { _ in
          isWrong ? .scalar(.bool(true)) : .text(article.published.iso8601)
        },
        "updatedAt": { _ in .text(entry.updated?.iso8601) },
        "bodyHTML": { _ in .text(writer.content(of: entry)) },
        "summary": { _ in .text(entry.summary) },
        "labels": { _ in .object("LabelConnection", ["nodes": { _ in .list(labels) }]) },
        "files": { _ in .list(files) },
      ])
  }
}
