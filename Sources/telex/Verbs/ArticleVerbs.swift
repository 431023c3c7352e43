internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import Repository
internal import Store
internal import TelexKit
internal import Text

struct ArticlesVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles", abstract: "List articles, newest first, one on each line.",
    discussion: "Each line of --json has a cursor; --cursor goes on after that line.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @OptionGroup var stretch: StretchOptions
  @Option(help: ArgumentHelp("Only of this feed, by number or address.", valueName: "FEED"))
  var feed: String?
  @Option(help: ArgumentHelp("Only of the feeds in this folder.", valueName: "FOLDER"))
  var folder: String?
  @Flag(help: "Only what is unread.")
  var unread = false
  @Flag(help: "Only what is starred.")
  var starred = false

  func validate() throws {
    if [feed != nil, folder != nil, starred].count(where: { $0 }) > 1 {
      throw ValidationError("--feed, --folder and --starred exclude each other.")
    }
  }

  func run() async throws {
    try await form.reporting {
      let store = try await common.compose().store
      let timeline: Timeline =
        if let feed {
          .feed(try store.feed(named: feed).id)
        } else if let folder {
          .folder(try store.folder(named: folder))
        } else if starred {
          .starred
        } else {
          .all
        }
      try stretch.print(timeline, unreadOnly: unread, from: store, form)
    }
  }
}

struct SearchVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "List the articles that hold all of the words.",
    discussion: "\"Words in quotes\" must stand together; the last word may be a beginning.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(help: "The words.")
  var words: [String]

  func run() async throws {
    try await form.reporting {
      try stretch.printSearch(
        words.joined(separator: " "), from: try await common.compose().store, form)
    }
  }
}

/// Which part of a long list is wanted.
struct StretchOptions: ParsableArguments {
  @Option(help: ArgumentHelp("At most this many.", valueName: "N"))
  var limit: Int?
  @Option(help: ArgumentHelp("Go on after the line that had this cursor.", valueName: "CURSOR"))
  var cursor: String?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if cursor != nil, try position() == nil {
      throw ValidationError("--cursor takes the cursor of a line that articles has printed.")
    }
  }

  private func position() throws -> TimelinePosition? {
    let parts = cursor?.split(separator: ".").map { Int64($0) } ?? []
    guard parts.count == 2, let date = parts[0], let id = parts[1], id > 0 else { return nil }
    return TimelinePosition(date: date, id: id)
  }

  /// Prints page by page: a long list is never held as a whole.
  func print(
    _ timeline: Timeline, unreadOnly: Bool, from store: Store, _ form: OutputOptions
  ) throws {
    var left = limit ?? .max
    var last = try position()
    let clock = WallClock.local()
    while left > 0 {
      let query = TimelineQuery(
        timeline, unreadOnly: unreadOnly,
        anchor: last.map { .around(TimelinePosition(date: $0.date, id: $0.id - 1)) } ?? .newest,
        olderCount: min(left, Self.pageSize))
      let slice = try store.viewNow { try $0.slice(query) }
      for case .article(let row) in slice.rows {
        Self.print(row, clock, form)
        left -= 1
        last = row.position
      }
      if !slice.hasOlder || slice.rows.isEmpty { return }
    }
  }

  /// Prints what a search finds: the index says at once where all of it stands, and the rows are read
  /// and written page by page. No transaction lasts while somebody reads the lines.
  func printSearch(_ words: String, from store: Store, _ form: OutputOptions) throws {
    let start = try position()
    let positions = try store.viewNow {
      try $0.positions(ofSearch: words, after: start, limit: limit ?? .max)
    }
    let clock = WallClock.local()
    for page in stride(from: 0, to: positions.count, by: Self.pageSize) {
      let stretch = positions[page..<min(page + Self.pageSize, positions.count)]
      for row in try store.viewNow({ try $0.rows(at: stretch) }) { Self.print(row, clock, form) }
    }
  }

  private static let pageSize = 200

  private static func print(_ row: ArticleRow, _ clock: WallClock, _ form: OutputOptions) {
    form.print(
      .row(row),
      text: "\(row.id.rawValue)\t\(clock.short(row.date))\t"
        + "\(row.status.isRead ? " " : "N")\(row.status.isStarred ? "*" : " ")\t"
        + "\(row.feedTitle)\t\(row.title)")
  }
}

struct ShowVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print an article as text.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The number of the article, as `articles` prints it.")
  var id: Int64
  @Option(help: ArgumentHelp("Columns of a line.", valueName: "N"))
  var width = 80

  func run() async throws {
    try await form.reporting {
      let store = try await common.compose().store
      guard let article = try store.viewNow({ try $0.article(ArticleID(id)) }) else {
        throw noSuchArticle(id)
      }
      let page = ArticlePage(
        article, width: max(1, width), clock: .local(), standsAlone: true)
      form.print(
        .object(
          [
            ("articleID", .number(id)), ("feedID", .number(article.feedID.rawValue)),
            ("feed", .string(article.feedTitle)), ("read", .bool(article.status.isRead)),
            ("starred", .bool(article.status.isStarred)),
          ] + JSONValue.entry(article.entry) + [("text", .string(page.plainText))]),
        text: page.plainText)
    }
  }
}

struct ReadVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Mark articles as read.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The numbers of the articles.")
  var ids: [Int64]
  @Flag(help: "Mark them as unread.")
  var undo = false

  func run() async throws {
    try await mark(ids, in: common, form, undo ? "unread" : "read") { .setRead($0, !undo) }
  }
}

struct StarVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "star", abstract: "Star articles.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The numbers of the articles.")
  var ids: [Int64]
  @Flag(help: "Take their stars away.")
  var undo = false

  func run() async throws {
    try await mark(ids, in: common, form, undo ? "unstarred" : "starred") {
      .setStarred($0, !undo)
    }
  }
}

/// Changes a mark of several articles; of none, when one of them does not exist.
private func mark(
  _ numbers: [Int64], in common: CommonOptions, _ form: OutputOptions, _ word: String,
  _ intent: @escaping ([ArticleID]) -> Intent
) async throws {
  try await form.reporting {
    let composition = try await common.compose()
    let ids = numbers.map(ArticleID.init)
    try composition.store.viewNow { view in
      for id in ids where try view.position(of: id) == nil { throw noSuchArticle(id.rawValue) }
    }
    try await composition.repository.apply(intent(ids))
    form.print(
      .object([
        ("articles", .array(numbers.map { .number($0) })), ("mark", .string(word)),
        ("error", .null),
      ]),
      text: "\(ids.count) \(ids.count == 1 ? "article" : "articles") \(word)")
  }
}

private func noSuchArticle(_ id: Int64) -> SourceError {
  SourceError(
    .store, stage: .arguments, subject: "\(id)", message: "there is no such article",
    next: "telex articles prints the numbers of those there are")
}
