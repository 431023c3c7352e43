internal import Foundation
internal import News
internal import Services
internal import Syndication
internal import TOMLKit
internal import Text

/// Recipe of a GraphQL connection in a TOML file (`telex add --graphql`). Errors name file, line
/// and column.
struct RecipeFile {
  private let path: String
  private let text: String

  /// - Parameter path: of the file; `-` for standard input.
  init(path: String) throws {
    self.path = path
    text = try Self.text(of: path, isRegular: path != "-")
  }

  /// The name of the file without its extension, which tells the feeds of one server apart.
  var name: String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return file }
    return String(file[..<dot])
  }

  private var subject: String { path == "-" ? "standard input" : path }

  /// The text of a file of the configuration.
  static func text(of path: String, isRegular: Bool) throws -> String {
    do {
      return String(
        decoding: try InputFile(path: path, limit: 1 << 20, isRegular: isRegular).bytes(),
        as: UTF8.self)
    } catch var error as SourceError {
      error.stage = .config
      throw error
    }
  }

  func recipe() throws -> GraphQLRecipe {
    let reader = TableReader(text: text, subject: subject)
    let table = try Settings.table(of: text, subject: subject)
    var draft = Draft()
    func path(_ take: @escaping (GraphQLPath) -> Void) -> TableReader.Key {
      .checked { text in
        do { take(try GraphQLPath(text)) } catch let mistake as GraphQLPath.Mistake {
          throw SettingMistake(
            message: mistake.message, next: "write it like labels.nodes[0].name")
        }
      }
    }
    var fields: [String: TableReader.Key] = [:]
    for field in GraphQLMapping.Field.allCases {
      fields[field.rawValue] = path { draft.fields[field] = $0 }
    }
    try reader.read(
      table, path: [],
      keys: [
        "query": .string { draft.query = $0 },
        "query_file": .string { draft.queryFile = $0 },
        "operation": .string { draft.operation = $0 },
        "connection": path { draft.connection = $0 },
        "variables": .values { draft.variables[$0] = try GraphQLValue($1) },
        "paging": .table([
          // Empty for a connection of one page.
          "cursor": .string { draft.cursor = $0.isEmpty ? nil : $0 },
          "size": .string { draft.size = $0.isEmpty ? nil : $0 },
          "page": .integer(1...1_000) { draft.page = $0 },
        ]),
        "feed": .table(["title": path { draft.title = $0 }, "link": path { draft.link = $0 }]),
        "fields": .table(fields),
      ])
    let query = try query(draft, reader)
    guard let connection = draft.connection else {
      throw reader.failure(
        ["connection"], "it is missing",
        "add the path to the connection, such as connection = \"repository.issues\"")
    }
    guard !draft.fields.isEmpty else {
      throw reader.failure(
        ["fields"], "they are missing",
        "add the paths of a node's fields, such as [fields] with id = \"id\" and title = \"title\"")
    }
    let recipe = GraphQLRecipe(
      query: query, operation: draft.operation, variables: draft.variables,
      cursorVariable: draft.cursor, sizeVariable: draft.size, pageSize: draft.page,
      mapping: GraphQLMapping(
        connection: connection, fields: draft.fields, title: draft.title, link: draft.link))
    do { try recipe.check() } catch {
      throw failure(error, draft, reader)
    }
    return recipe
  }

  /// What has been read of the file.
  private struct Draft {
    var query: String?
    var queryFile: String?
    var operation: String?
    var connection: GraphQLPath?
    var variables: [String: GraphQLValue] = [:]
    var cursor: String? = "after"
    var size: String? = "first"
    var page = GraphQLRecipe.usualPageSize
    var title: GraphQLPath?
    var link: GraphQLPath?
    var fields: [GraphQLMapping.Field: GraphQLPath] = [:]
  }

  private func query(_ draft: Draft, _ reader: TableReader) throws -> String {
    switch (draft.query, draft.queryFile) {
    case (let query?, nil): return query
    case (nil, let file?):
      return try Self.text(of: queryPath(file), isRegular: queryPath(file) != "-")
    case (_?, _?):
      throw reader.failure(
        ["query_file"], "the query is given twice", "use query or query_file, not both")
    case (nil, nil):
      throw reader.failure(
        ["query"], "it is missing", "write it in query, or name its file in query_file")
    }
  }

  /// The path of the query's file, which is beside that of the recipe.
  private func queryPath(_ file: String) -> String {
    guard !file.hasPrefix("/"), path != "-" else { return file }
    return URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) + file
  }

  private func failure(
    _ mistake: GraphQLRecipe.Mistake, _ draft: Draft, _ reader: TableReader
  ) -> SourceError {
    guard mistake.key == ["query"], let place = mistake.place else {
      return reader.failure(mistake.key, mistake.message)
    }
    var line = place.line
    var file = subject
    if let queryFile = draft.queryFile {
      file = queryPath(queryFile)
    } else {
      // The text begins behind the three quotes, or in the line below them.
      let start = reader.place(of: ["query"]).line
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isBelow = lines.indices.contains(start - 1) && lines[start - 1].hasQuotesAtEnd
      line += isBelow ? start : start - 1
    }
    return SourceError(
      .decoding, stage: .config, subject: "\(file):\(line):\(place.column)",
      message: "The query: \(mistake.message)", next: "correct the query")
  }
}

extension Substring {
  fileprivate var hasQuotesAtEnd: Bool {
    let text = trimmingCharacters(in: .whitespaces)
    return text.hasSuffix("\"\"\"") || text.hasSuffix("'''")
  }
}

extension GraphQLValue {
  /// - Throws: `SettingMistake` for a value that JSON does not have.
  fileprivate init(_ value: any TOMLValueConvertible) throws {
    if let bool = value.bool {
      self = .bool(bool)
    } else if let integer = value.int {
      self = .integer(Int64(integer))
    } else if let number = value.double, number.isFinite {
      self = .number(number)
    } else if let text = value.string {
      self = .string(text)
    } else if let list = value.array {
      self = .list(try list.map { try GraphQLValue($0) })
    } else if let table = value.table {
      self = .object(
        try Dictionary(table.map { ($0, try GraphQLValue($1)) }, uniquingKeysWith: { $1 }))
    } else {
      throw SettingMistake(
        message: "JSON does not have this kind of value", next: "write dates and times as strings")
    }
  }
}
