internal import News
internal import Text

/// All articles as lines of JSON, newest first: the body of `/api/articles.ndjson`, made as it is
/// sent.
///
/// Holds each article's line once, however often the export repeats it.
struct ArticleExport: Sendable {
  private struct Line {
    let id: String
    let position: Position
    /// What follows the id, without the brace at the end.
    let rest: [UInt8]
  }

  private static let linesAtOnce = 16

  private let lines: [Line]
  private let rounds: Int
  /// Lines that have been sent already, over all rounds.
  private let skipped: Int
  /// After so many lines comes one that is no JSON.
  private let badLines: Set<Int>

  /// - Parameters:
  ///   - cursor: the `cursor` of the last line that the client has.
  ///   - rounds: how often the whole comes; from the second time on, with ids of their own.
  /// - Throws: `APIError` for a cursor that no such export has had.
  init(
    _ writer: FeedWriter, articles: [Archive.Article], commentCount: (Archive.Article) -> Int,
    after cursor: String?, rounds: Int, badLines: Set<Int>
  ) throws {
    let lines = articles.map { article in
      let id = JSONText.object([("id", .string(article.entry.id))]).bytes.count - 2
      let whole = writer.apiArticle(article, commentCount: commentCount(article)).bytes
      return Line(
        id: article.entry.id, position: article.position, rest: Array(whole[id...].dropLast(2)))
    }
    self.lines = lines
    self.rounds = rounds
    self.badLines = badLines
    skipped = try cursor.map { try Self.place(of: $0, in: lines) } ?? 0
  }

  /// The next lines, by the number of calls before; nil at the end.
  func piece(_ number: Int) -> [UInt8]? {
    let first = number * Self.linesAtOnce
    let count = lines.count * rounds - skipped
    guard first < count else { return nil }
    var out: [UInt8] = []
    for index in first..<min(first + Self.linesAtOnce, count) {
      write(index + skipped, to: &out)
      if badLines.contains(index + 1) { out += "{\"id\": \"half a line\", \"ti\n".utf8 }
    }
    return out
  }

  private func write(_ index: Int, to out: inout [UInt8]) {
    let (round, line) = (index / lines.count, lines[index % lines.count])
    let suffix = round == 0 ? "" : "~\(round + 1)"
    // The id without the brace and the line end behind it.
    out += JSONText.object([("id", .string(line.id + suffix))]).bytes.dropLast(2)
    out += line.rest
    out += ",\"cursor\":\"\(round).\(line.position.cursor)\"}\n".utf8
  }

  private static func place(of cursor: String, in lines: [Line]) throws -> Int {
    let parts = cursor.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let round = Int(parts[0]), round >= 0, round < 1 << 20,
      let position = Position(cursor: String(parts[1]))
    else {
      throw APIError.badParameter("cursor", "This cursor is not one that this server made.")
    }
    // The line may be gone: what follows it is still there.
    let seen = lines.firstIndex { $0.position < position } ?? lines.count
    return round * lines.count + seen
  }
}
