internal import Foundation
internal import News
internal import Reader
internal import TelexKit
internal import Text

/// The values of an article for `--format`.
enum ArticleField: String, CaseIterable {
  case id, title, url, feed, feedID, feedURL, folders, authors, date, arrived, read, starred, tags
  case enclosure, score, changed, packed, cursor

  static let dates: Set<String> = [date.rawValue, arrived.rawValue]

  func text(
    of article: ListedArticle, _ clock: WallClock, _ format: DateFormat?, isPacked: Bool
  ) -> String {
    let row = article.row
    func time(_ seconds: Int64) -> String {
      guard let format else {
        return Timestamp.text(of: Date(timeIntervalSince1970: Double(seconds)))
      }
      return clock.text(seconds, format)
    }
    switch self {
    case .id: return "\(row.id.rawValue)"
    case .title: return row.title
    case .url: return article.entry.url ?? ""
    case .feed: return row.feedTitle
    case .feedID: return "\(row.feedID.rawValue)"
    case .feedURL: return article.feedURL
    case .folders: return article.folders.joined(separator: ", ")
    case .authors: return article.entry.authors.map(\.name).joined(separator: ", ")
    case .date: return time(row.date)
    case .arrived: return time(Int64(article.arrived.timeIntervalSince1970))
    case .read: return row.status.isRead ? "read" : "unread"
    case .starred: return row.status.isStarred ? "starred" : ""
    case .tags: return article.tags.joined(separator: ", ")
    case .enclosure: return article.entry.enclosures.first { $0.role == .media }?.url ?? ""
    case .score: return "\(row.score)"
    case .changed: return row.isChanged ? "changed" : ""
    case .packed: return isPacked ? "packed" : ""
    case .cursor: return row.cursor
    }
  }
}

extension ArticleRow {
  /// The value of `--cursor` that continues after this row.
  var cursor: String {
    let text = Data(position.text.utf8).base64EncodedString()
    return "\(position.date).\(position.id)" + (text.isEmpty ? "" : ".\(text)")
  }
}

/// Prints articles as a table, as JSON or with `--format`. Call `finish` after the last.
struct ArticlePrinter {
  private let template: LineTemplate?
  private let isJSON: Bool
  private let clock = WallClock.local()
  private var packed = PackedArticles()
  private var isEmpty = true
  private var table = Table([
    .init("NUMBER", isNumber: true), .init("DATE"), .init(""), .init("FEED", .limited),
    .init("TITLE", .rest), .init("URL", .pipeOnly), .init("TIME", .pipeOnly),
  ])

  /// - Throws: `SourceError` of stage `.arguments` for a mistake in the format.
  init(_ form: OutputOptions, format: String?) throws {
    template = try format.map {
      try LineTemplate($0, names: ArticleField.allCases.map(\.rawValue), dates: ArticleField.dates)
    }
    isJSON = form.json
  }

  /// Reads which articles are packed for a trip, where the form shows that.
  mutating func readPacked(_ composition: Composition) async throws {
    if isJSON || template != nil { packed = try await PackStore(composition).packed() }
  }

  mutating func print(_ article: ListedArticle) {
    isEmpty = false
    let isPacked = packed.contains(article.id)
    if isJSON { return Output.line(.row(article, isPacked: isPacked)) }
    if let template {
      return Output.line(
        template.filled { name, format in
          ArticleField(rawValue: name)?.text(of: article, clock, format, isPacked: isPacked) ?? ""
        })
    }
    let row = article.row
    table.add([
      "\(row.id.rawValue)", clock.short(row.date),
      (row.status.isRead ? " " : "N") + (row.status.isStarred ? "*" : " ")
        + (row.isChanged ? "±" : ""), row.feedTitle,
      row.title, article.entry.url ?? "",
      Timestamp.text(of: Date(timeIntervalSince1970: Double(row.date))),
    ])
  }

  mutating func finish() {
    table.finish()
    if isEmpty, !isJSON { Output.note("No articles match.") }
  }
}
