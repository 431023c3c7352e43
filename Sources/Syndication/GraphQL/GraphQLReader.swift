package import News
internal import Text

internal import struct Foundation.Date

/// Reader of GraphQL responses with a connection of the Relay specification (`edges`, `node`,
/// `pageInfo`). A mistake in a single node is a warning.
package struct GraphQLReader {
  private let mapping: GraphQLMapping
  private let url: String
  private let subject: String
  private var collector = FeedCollector(format: .graphQL)

  /// - Parameters:
  ///   - bytes: the body, in UTF-8.
  ///   - url: the address of the response.
  /// - Throws: `.decoding` if there is no GraphQL response, or no connection at the path.
  package static func read(
    _ bytes: [UInt8], by mapping: GraphQLMapping, url: String
  ) throws(SourceError) -> GraphQLPage {
    try GraphQLReader(mapping: mapping, url: url).page(bytes)
  }

  /// Reads the articles of any other JSON document.
  ///
  /// - Parameters:
  ///   - bytes: the document, in UTF-8.
  ///   - url: its address; nil for none.
  /// - Throws: `.decoding` if it is no JSON, or has no article at the paths.
  package static func read(
    _ bytes: [UInt8], by mapping: JSONMapping, url: String?
  ) throws(SourceError) -> ParsedFeed {
    let connection = mapping.items ?? GraphQLPath(steps: [.member("data")])
    var reader = GraphQLReader(
      mapping: GraphQLMapping(connection: connection, fields: mapping.fields), url: url ?? "")
    reader.collector = FeedCollector(format: .page)
    return try reader.document(bytes, items: mapping.items)
  }

  private consuming func document(
    _ bytes: [UInt8], items path: GraphQLPath?
  ) throws(SourceError) -> ParsedFeed {
    let correct = "correct the path of the articles: telex set FEED --items"
    let items = try items(of: bytes, at: path, correct)
    guard !items.isEmpty else {
      throw failure(
        "there are no articles in \(path?.text ?? "the list"): it may have changed", next: correct)
    }
    guard let names = items.lazy.compactMap(\.object).first?.keys.sorted() else {
      throw failure(
        "what is in \(path?.text ?? "the list") is \(items[0].kind), not an object", next: correct)
    }
    guard !mapping.fields.isEmpty else {
      throw failure(
        "an article has: \(Self.list(names))",
        next: "say what they mean, as with --field title=\(names.first ?? "name")")
    }
    collector.feed.description.link = AddressText.web(url)
    for item in items { read(item) }
    try reportPaths(items)
    return collector.finished(authors: [])
  }

  private func items(
    of bytes: [UInt8], at path: GraphQLPath?, _ correct: String
  ) throws(SourceError) -> [JSONValue] {
    let document = Self.parse(bytes)
    guard document.isComplete else {
      throw failure(
        "the document is no JSON, or ends before it is complete", next: "try again later")
    }
    var found = [document.value]
    if let path {
      switch path.target(in: document.value) {
      case .values(let values): found = values
      case .null(let place): throw failure("“\(place)” is null", next: correct)
      case .missing(let name, let place, let names):
        throw failure(
          "\(place.isEmpty ? "the document" : "“\(place)”") has no \(name); it has: \(Self.list(names))",
          next: correct)
      case .wrong(let place, let kind):
        throw failure(
          "\(place.isEmpty ? "the document" : "“\(place)”") is \(kind), and the path goes on from there",
          next: correct)
      }
    }
    guard found.count == 1 else { return found }
    switch found[0] {
    case .array(let values): return values
    case .object(let members, _) where path == nil:
      throw failure(
        "the document is no list; it has: \(Self.list(members.keys.sorted()))", next: correct)
    default:
      throw failure(
        "\(path.map { "“\($0.text)”" } ?? "the document") is \(found[0].kind), not a list",
        next: correct)
    }
  }

  private init(mapping: GraphQLMapping, url: String) {
    self.mapping = mapping
    self.url = url
    subject = WebAddress.redacted(url)
  }

  private consuming func page(_ bytes: [UInt8]) throws(SourceError) -> GraphQLPage {
    let answer = try members(of: bytes)
    let errors = GraphQLErrors(answer["errors"])
    switch answer["data"] {
    case nil where answer["errors"] == nil:
      throw failure(
        "This is JSON, but no answer of GraphQL: it has neither data nor errors\(has(answer)).",
        next: "check that the address is that of the server's GraphQL")
    case nil, .null:
      guard let first = errors.first else {
        throw failure(
          "The server sends null in the place of the data, and does not say why.",
          next: "check the query and its variables")
      }
      throw failure("The server answers with errors only: \(first)", next: errors.advice)
    default: break
    }
    let top = JSONValue.object(answer, at: 0)
    let members = try connection(in: top, errors)
    let nodes = try nodes(of: members, errors)
    readFeed(top)
    for node in nodes.values { read(node) }
    try reportPaths(nodes.values)
    var page = GraphQLPage(
      feed: ParsedFeed(description: FeedDescription(format: .graphQL)), hasNextPage: false,
      errors: errors.sentences)
    readPageInfo(members["pageInfo"], lastCursor: nodes.lastCursor, into: &page)
    page.feed = collector.finished(authors: [])
    return page
  }

  private func members(of bytes: [UInt8]) throws(SourceError) -> [String: JSONValue] {
    let document = Self.parse(bytes)
    let text = bytes.dropFirst(Self.lengthOfMark(bytes))
    guard let beginning = text.first(where: { !$0.isASCIISpace }) else {
      throw failure("The answer is empty.", next: "try again later")
    }
    guard beginning == UInt8(ascii: "{") || beginning == UInt8(ascii: "[") else {
      let text = PlainText.sanitized(String(decoding: bytes.prefix(200), as: UTF8.self))
      throw failure(
        beginning == UInt8(ascii: "<")
          ? "The server answers with a page, not with JSON: “\(text.prefix(40))…”."
          : "The answer is no JSON: “\(text.prefix(40))…”.",
        next:
          "check that the address is that of the server's GraphQL, and whether it wants a sign-in")
    }
    guard document.isComplete else {
      throw failure("The answer ends before it is complete.", next: "try again")
    }
    guard let members = document.value.object else {
      throw failure(
        "This is JSON, but no answer of GraphQL: it is a list.",
        next: "check that the address is that of the server's GraphQL")
    }
    return members
  }

  private static func parse(_ bytes: [UInt8]) -> JSONValue.Document {
    bytes.withUnsafeBufferPointer {
      JSONValue.parse(ByteBuffer(rebasing: $0[lengthOfMark(bytes)...]))
    }
  }

  private static func lengthOfMark(_ bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  // MARK: The connection

  private func connection(
    in top: JSONValue, _ errors: GraphQLErrors
  ) throws(SourceError) -> [String: JSONValue] {
    let path = mapping.connection
    switch path.target(in: top) {
    case .values(let values):
      if let members = values.first?.object, values.count == 1 { return members }
      throw failure(
        "\(path.text) is \(values.count == 1 ? values[0].kind : "several values"), not a connection.",
        next: "correct the path to the connection")
    case .null(let place):
      // Usually the errors say why.
      guard let first = errors.first else {
        throw failure("\(place) is null.", next: "check the variables of the query")
      }
      throw failure("\(place) is null: \(first)", next: errors.advice)
    case .missing(let name, let place, let names):
      throw failure(
        "\(place) has no \(name); it has: \(Self.list(names)).",
        next: "correct the path to the connection, or the query")
    case .wrong(let place, let kind):
      throw failure(
        "\(place) is \(kind), and the path to the connection goes on from there.",
        next: "correct the path to the connection")
    }
  }

  /// The nodes in `edges` or `nodes`, and the cursor of the last edge.
  private mutating func nodes(
    of members: [String: JSONValue], _ errors: GraphQLErrors
  ) throws(SourceError) -> (values: [JSONValue], lastCursor: String?) {
    let place = mapping.connection.text
    guard var name = ["edges", "nodes"].first(where: { members[$0] != nil }) else {
      throw failure(
        "\(place) has no edges; it has: \(Self.list(members.keys.sorted())).",
        next: "ask for edges { node { … } } or nodes { … } in the query")
    }
    // One of the two may be null if the query asks for both.
    if name == "edges", case .null? = members["edges"], members["nodes"] != nil { name = "nodes" }
    guard let values = members[name]?.array else {
      let kind = members[name]?.kind ?? "null"
      guard let first = errors.first else {
        throw failure("\(place).\(name) is \(kind), not a list.", next: "check the query")
      }
      throw failure("\(place).\(name) is \(kind), not a list: \(first)", next: errors.advice)
    }
    guard name == "edges" else { return (values, nil) }
    var nodes: [JSONValue] = []
    var lastCursor: String?
    for edge in values {
      guard let parts = edge.object else {
        collector.warnings.add("An edge is \(edge.kind), not an object; it was left out.")
        continue
      }
      lastCursor = parts["cursor"]?.string ?? lastCursor
      guard let node = parts["node"] else {
        throw failure(
          "An edge of \(place) has no node; it has: \(Self.list(parts.keys.sorted())).",
          next: "ask for edges { node { … } } in the query")
      }
      nodes.append(node)
    }
    return (nodes, lastCursor)
  }

  private mutating func readPageInfo(
    _ value: JSONValue?, lastCursor: String?, into page: inout GraphQLPage
  ) {
    let place = mapping.connection.text
    switch value {
    case .object(let members, _)?:
      switch members["hasNextPage"] {
      case .bool(let hasNext)?: page.hasNextPage = hasNext
      case nil: collector.warnings.add("\(place).pageInfo has no hasNextPage.")
      case let other?:
        collector.warnings.add("\(place).pageInfo.hasNextPage is \(other.kind), not true or false.")
      }
      guard page.hasNextPage else { return }
      switch members["endCursor"] {
      case .string(let cursor)? where !cursor.isEmpty: page.nextCursor = cursor
      case .number(let cursor)?: page.nextCursor = cursor
      default: page.nextCursor = lastCursor
      }
      if page.nextCursor == nil {
        collector.warnings.add(
          "\(place).pageInfo says that a page follows, and gives no endCursor: older articles cannot "
            + "be asked for.")
      }
    case nil:
      collector.warnings.add("\(place) has no pageInfo: older articles cannot be asked for.")
    case let other?:
      collector.warnings.add("\(place).pageInfo is \(other.kind), not an object.")
    }
  }

  // MARK: The feed and its articles

  private mutating func readFeed(_ top: JSONValue) {
    collector.feed.description.title = text("feed.title", mapping.title, in: top)
    collector.feed.description.link = text("feed.link", mapping.link, in: top).flatMap(address)
  }

  private mutating func text(_ key: String, _ path: GraphQLPath?, in top: JSONValue) -> String? {
    guard let path else { return nil }
    switch path.target(in: top) {
    case .values(let values):
      if let text = values.first?.line { return text }
      collector.warnings.add("\(key): \(path.text) is \(values[0].kind), not a text.")
    case .null: break
    case .missing(let name, let place, let names):
      collector.warnings.add("\(key): \(place) has no \(name); it has: \(Self.list(names)).")
    case .wrong(let place, let kind):
      collector.warnings.add("\(key): \(place) is \(kind), and the path goes on from there.")
    }
    return nil
  }

  private mutating func read(_ node: JSONValue) {
    guard node.object != nil else {
      // A node without permission is null.
      return collector.warnings.add("A node is \(node.kind), not an object; it was left out.")
    }
    var draft = EntryDraft()
    draft.content.base = url
    draft.fields.id.offer(line(.id, in: node), 0)
    draft.fields.url.offer(line(.url, in: node).flatMap(address), 0)
    draft.fields.title.offer(line(.title, in: node), 0)
    draft.fields.published.offer(date(.published, in: node), 0)
    draft.fields.updated.offer(date(.updated, in: node), 0)
    draft.fields.language.offer(LanguageTag.normalized(line(.language, in: node)), 0)
    draft.fields.image.offer(line(.image, in: node).flatMap(address), 0)
    draft.fields.commentsPage.offer(line(.comments, in: node).flatMap(address), 0)
    for name in lines(.author, in: node) { draft.fields.authors.offer(Author(name), 0) }
    for name in lines(.category, in: node) { draft.addCategory(Category(name)) }
    for file in lines(.enclosure, in: node).compactMap(address) {
      draft.addEnclosure(Enclosure(url: file, type: FileKind.type(nil, of: file)))
    }
    if let html = text(.html, in: node) { draft.content.set(html: html) }
    if draft.content.kind == .none || draft.content.showsNothing, let text = text(.text, in: node) {
      draft.content.set(text: text)
    }
    if let summary = text(.summary, in: node) { draft.lead.set(text: summary) }
    collector.add(collector.isFull ? nil : draft.entry(), line: nil)
  }

  /// Warns about paths that are missing in all nodes.
  ///
  /// - Throws: `.decoding` if all paths are.
  private mutating func reportPaths(_ nodes: [JSONValue]) throws(SourceError) {
    let objects = nodes.filter { $0.object != nil }
    guard !objects.isEmpty else { return }
    var mistakes: [String] = []
    for (field, path) in mapping.fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var mistake: String?
      let isMissing = objects.allSatisfy { node in
        guard case .missing(let name, let place, let names) = path.target(in: node) else {
          return false
        }
        mistake =
          mistake
          ?? "fields.\(field.rawValue): \(place.isEmpty ? "the node" : place) has no \(name); "
          + "it has: \(Self.list(names))."
        return true
      }
      if isMissing, let mistake { mistakes.append(mistake) }
    }
    if mistakes.count == mapping.fields.count, let first = mistakes.first {
      throw failure(first, next: "correct the paths of the fields, or the query")
    }
    for mistake in mistakes { collector.warnings.add(mistake) }
  }

  // MARK: Values of a node

  private mutating func values(_ field: GraphQLMapping.Field, in node: JSONValue) -> [JSONValue] {
    guard let path = mapping.fields[field] else { return [] }
    switch path.target(in: node) {
    case .values(let values): return values
    case .null, .missing: return []
    case .wrong(let place, let kind):
      collector.warnings.add(
        "fields.\(field.rawValue): \(place) is \(kind), and the path goes on from there.")
      return []
    }
  }

  private mutating func text(_ field: GraphQLMapping.Field, in node: JSONValue) -> String? {
    guard let value = values(field, in: node).first else { return nil }
    if let text = value.string { return PlainText.sanitized(text).isEmpty ? nil : text }
    strange(field, value)
    return nil
  }

  /// One line, or a number in its spelling.
  private mutating func line(_ field: GraphQLMapping.Field, in node: JSONValue) -> String? {
    lines(field, in: node).first
  }

  private mutating func lines(_ field: GraphQLMapping.Field, in node: JSONValue) -> [String] {
    var lines: [String] = []
    for value in values(field, in: node) {
      if let line = value.line {
        if !line.isEmpty { lines.append(line) }
      } else {
        strange(field, value)
      }
    }
    return lines
  }

  private mutating func date(
    _ field: GraphQLMapping.Field, in node: JSONValue
  ) -> Date? {
    guard let text = line(field, in: node) else { return nil }
    return text.withBytes { collector.date($0, line: nil) }
  }

  private mutating func strange(_ field: GraphQLMapping.Field, _ value: JSONValue) {
    let path = mapping.fields[field]?.text ?? ""
    collector.warnings.add("fields.\(field.rawValue): \(path) is \(value.kind), not a text.")
  }

  private func address(_ reference: String) -> String? {
    AddressText.resolved(reference, against: url)
  }

  // MARK: Words

  private func failure(_ message: String, next: String?) -> SourceError {
    SourceError(.decoding, stage: .parse, subject: subject, message: message, next: next)
  }

  private func has(_ members: [String: JSONValue]) -> String {
    members.isEmpty ? "" : ". It has: \(Self.list(members.keys.sorted()))"
  }

  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "nothing" }
    let shown = names.prefix(12).map { String($0.prefix(60)) }.joined(separator: ", ")
    return names.count > 12 ? "\(shown), …" : shown
  }
}

extension JSONValue {
  fileprivate var line: String? {
    switch self {
    case .string(let text): PlainText.sanitized(text)
    case .number(let number): number
    default: nil
    }
  }
}
