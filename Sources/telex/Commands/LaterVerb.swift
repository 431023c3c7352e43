internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct LaterVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "later", abstract: "List Later, or add articles and pages to it.",
    discussion: """
      Without arguments: lists the articles in Later. A number adds an article, an address adds \
      the page there to the feed Saved. Their texts and pictures are fetched for offline reading.

      --until hides them until friday, 3d, 18:00, "tomorrow 9:00" or 2026-12-24; is:due finds \
      those whose time has come. In the reader, :later --until friday hides the selected articles. \
      Later is the tag “later”: servers with labels keep it. A server \
      with a reading list gets the article too, and undo does not remove it there.

      Exit status 1: a page could not be fetched. It is kept, and the next refresh tries again.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(
    help: .value(
      "articles", "Numbers of articles or addresses of pages."))
  var words: [String] = []
  @Option(help: .value("TIME", "Hide the articles until then."))
  var until: String?
  @Flag(help: "Remove the articles from Later.")
  var remove = false
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try lines.check(form)
    try refuse(words.isEmpty && (until != nil || remove), "--until and --remove take articles.")
    try refuse(until != nil && remove, "Give --until or --remove, not both.")
    try refuse(remove && !pages.isEmpty, "--remove takes the numbers of articles.")
    try refuse(
      !words.isEmpty && (lines.format != nil || stretch.limit != nil || stretch.cursor != nil),
      "--format, --limit and --cursor go with the list.")
  }

  private var ids: [ArticleID] { words.compactMap { Int64($0) }.map(ArticleID.init) }
  private var pages: [String] { words.filter { Int64($0) == nil } }

  func perform() async throws {
    if words.isEmpty { return try await list() }
    let due = try until.map { try Later.time($0, now: Date(), calendar: .current) }
    let composition = try await common.compose(deadline: limit.deadline())
    if !ids.isEmpty { try await change(until: due, composition) }
    var isFailed = false
    for page in pages where try await !add(page, until: due, composition) { isFailed = true }
    if isFailed { throw ExitCode(1) }
  }

  private func list() async throws {
    var printer = try ArticlePrinter(form, format: lines.format)
    let composition = try await common.compose()
    try await printer.readPacked(composition)
    try Articles(composition).forEachListed(
      of: .later, after: stretch.position(), limit: stretch.limit
    ) { printer.print($0) }
    printer.finish()
  }

  private func change(until due: Date?, _ composition: Composition) async throws {
    let ids = ids
    let change = try await Articles(composition).setLater(ids, !remove, until: due)
    var text = Measures.counted(ids.count, "article")
    text += remove ? " removed from Later" : due == nil ? " added to Later" : " waiting"
    if let due {
      text += " until \(WallClock.local().long(Int64(due.timeIntervalSince1970)))"
    }
    if change.atServers > 0 {
      text +=
        "; \(change.atServers) also to the reading list of the server, which undo does not change"
    }
    form.print(
      [
        "articles": .array(ids.map { .number($0.rawValue) }),
        "mark": .string(remove ? "not later" : "later"), "until": .date(due),
        "atServers": .number(change.atServers), "error": .null,
      ], text: text)
    guard !remove else { return }
    do {
      try await untilInterrupted { _ = try await TripPacking(composition).complete(ids) }
    } catch is SourceError {
      // The articles are in Later all the same.
    }
  }

  /// - Returns: whether the text of the page is here.
  private func add(
    _ page: String, until due: Date?, _ composition: Composition
  ) async throws -> Bool {
    let saved = try await untilInterrupted {
      try await FullTexts(composition).save(page, isTyped: true, until: due)
    }
    let article = try Articles(composition).article(saved.article)
    form.complain(saved.error)
    form.print(
      [
        "articleID": .number(saved.article.rawValue), "url": .string(article.entry.url),
        "title": .string(article.entry.title), "hasText": .bool(saved.error == nil),
        "packed": .bool(saved.isWhole), "until": .date(due), "error": .error(saved.error),
      ],
      text: "\(saved.article.rawValue)\t\(article.entry.title ?? "")"
        + (saved.error == nil ? "" : "\twaits for its text"))
    return saved.error == nil
  }
}
