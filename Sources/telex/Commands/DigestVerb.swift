internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit

struct DigestVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "digest", abstract: "Write unread articles as a book, page or mail.",
    discussion: """
      The articles since --since, grouped by feed, with a table of contents and the cached \
      pictures. Nothing is fetched: run telex refresh first, and telex prefetch for pictures. \
      Suitable for cron and systemd timers.

      The file is telex-DATE.epub in this folder, or the one named by --output; - is standard \
      output, the default for a mail: telex digest --format mail --to me@example.org | sendmail \
      -t. An existing file is replaced in one step. Without articles no file is written, and the \
      exit status is 3.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var talk: QuietOptions
  @Argument(help: .value("query", "Include only articles that match."))
  var query: [String] = []
  @Option(help: .value("TIME", "Articles since then: 12h, 1d, 1w, 2026-11-24, yesterday."))
  var since = "1d"
  @Option(help: .value("FORMAT", "epub, html, mail or markdown."))
  var format = ArticleBook.Format.epub
  @Option(
    name: .shortAndLong, help: .value("FILE", "The file; - for standard output."),
    completion: .file())
  var output: String?
  @Option(help: .value("TEXT", "The title. Default: Telex and the date."))
  var title: String?
  @Flag(help: "Include read articles.")
  var all = false
  @Flag(help: "Mark the articles as read.")
  var markRead = false
  @Flag(help: "Write links in place of pictures.")
  var noPictures = false
  @Option(help: .value("ADDRESS", "The recipient of a mail."))
  var to: String?
  @Option(help: .value("ADDRESS", "The sender of a mail."))
  var from: String?

  /// Exit status without an article, which a timer can tell from a failure.
  private static let emptyStatus: Int32 = 3

  func validate() throws {
    try talk.check(form)
    try refuse(
      (to != nil || from != nil) && format != .mail, "--to and --from go with --format mail.")
    for address in [to, from].compactMap(\.self) where !ArticleBook.isMailAddress(address) {
      throw ValidationError("--to and --from take an address such as me@example.org.")
    }
    try refuse(
      form.json && target.path == nil, "Give --json or a digest on standard output, not both.")
  }

  private var today: String {
    Date.now.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }

  private var target: OutputTarget {
    OutputTarget(output ?? (format == .mail ? "-" : "telex-\(today).\(format.ending)"))
  }

  func perform() async throws {
    let timeline = try self.timeline()
    let composition = try await common.compose(program: "telex digest")
    let book = ArticleBook(
      composition, as: format, titled: title ?? "Telex \(today)",
      from: .init(from: from ?? "telex@localhost", to: to, date: .now), pictures: !noPictures)
    let target = target
    let sections = try book.sections(of: timeline, unreadOnly: !all)
    let articles = sections.flatMap(\.articles)
    guard !articles.isEmpty else {
      if form.json { report(nil, articles: 0, feeds: 0, bytes: 0) }
      if !form.json, !talk.quiet {
        Output.complain("no \(all ? "" : "unread ")articles since \(since): nothing was written")
      }
      throw ExitCode(Self.emptyStatus)
    }
    var bytes = 0
    try target.write(isText: format != .epub) { output in
      try book.write(sections) {
        bytes += $0.count
        try output($0)
      }
    }
    if markRead {
      try await Articles(composition).setRead(
        articles.map(\.id) + sections.flatMap(\.duplicates), true)
    }
    guard let path = target.path, !talk.quiet else { return }
    report(path, articles: articles.count, feeds: sections.count, bytes: bytes)
  }

  private func timeline() throws -> Timeline {
    guard since.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
      throw SourceError.arguments(
        since, "--since takes a time", next: "write 12h, 1d, 1w, a date or yesterday")
    }
    let recent = Timeline.matching(try ArticleQuery(typed: "after:\(since)"), in: .all)
    guard !query.isEmpty else { return recent }
    return .matching(try ArticleQuery(typed: query), in: recent)
  }

  private func report(_ path: String?, articles: Int, feeds: Int, bytes: Int) {
    form.print(
      [
        "file": .string(path), "articles": .number(articles), "feeds": .number(feeds),
        "bytes": .number(bytes), "error": .null,
      ],
      text: "\(path ?? ""): \(Measures.counted(articles, "article")) of "
        + "\(Measures.counted(feeds, "feed")), \(Measures.bytes(Int64(bytes)))")
  }
}

extension ArticleBook.Format: ExpressibleByArgument {
  /// Accepts `md`, the file name extension of Markdown.
  init?(argument: String) { self.init(rawValue: argument == "md" ? "markdown" : argument) }
}
