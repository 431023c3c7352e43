internal import ArgumentParser
internal import News
internal import TelexKit

struct PrefetchVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefetch", abstract: "Fetch pictures and files of unread articles for a trip.",
    discussion: """
      Selects articles until their reading time reaches --for: starred ones first, then other \
      unread ones, newest first. Fetches their pictures and comments, with --files also episodes \
      and videos, within --budget. Cached files are not fetched again.

      On a metered connection nothing is fetched. Suitable for cron and systemd timers: run telex \
      refresh first. The exit status is 1 if a file could not be fetched; the others are fetched.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var talk: QuietOptions
  @Argument(help: "Select articles that match. Default: unread articles.")
  var query: [String] = []
  @Option(name: .customLong("for"), help: .value("TIME", "The reading time: 3h, 90min."))
  var time = "3h"
  @Option(help: .value("SIZE", "Fetch at most this much: 200MB, 1GB."))
  var budget = "200MB"
  @Flag(
    help: "Fetch the full text of articles that are only an excerpt.")
  var fullText = false
  @Flag(help: "Download episodes and videos; telex transfers lists them.")
  var files = false
  @Flag(help: "Fetch on a metered connection too.")
  var metered = false
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try talk.check(form)
    try refuse(Self.seconds(time) == nil, "--for takes a time such as 3h or 90min.")
    try refuse(Self.bytes(budget) == nil, "--budget takes a size such as 200MB or 1GB.")
  }

  func perform() async throws {
    let composition = try await common.compose(
      program: "telex prefetch", deadline: limit.deadline())
    var bounds = PackingBounds(seconds: Self.seconds(time) ?? 0, bytes: Self.bytes(budget) ?? 0)
    if !query.isEmpty { bounds.query = try ArticleQuery(typed: query) }
    (bounds.takesFiles, bounds.evenMetered) = (files, metered)
    bounds.takesFullTexts = fullText
    let report = try await untilInterrupted { [bounds] in
      try await TripPacking(composition).run(bounds)
    }
    if !form.json {
      Output.complain(
        alike: report.failures.sorted { $0.key < $1.key }.map { AlikeLine($0.key, $0.value) },
        of: "file")
    }
    if !talk.quiet, form.json || !report.wasMetered { show(report) }
    if !report.failures.isEmpty { throw ExitCode(1) }
  }

  private func show(_ report: PackingReport) {
    let room = report.wholeArticles > 0 ? ", \(Measures.bytes(report.wholeBytes))," : ""
    var parts = [
      "\(Measures.counted(report.wholeArticles, "article"))\(room) readable offline",
      "about \(Self.words(ofSeconds: report.seconds)) to read",
      "fetched \(Measures.bytes(report.bytes)) now",
    ]
    if report.fullTexts > 0 { parts.append(Measures.counted(report.fullTexts, "full text")) }
    if report.discussed > 0 {
      parts.append("the comments on \(Measures.counted(report.discussed, "article"))")
    }
    if report.files > 0 {
      parts.append("\(Measures.counted(report.files, "file")) being downloaded")
    }
    if report.missing > 0 { parts.append("\(Measures.counted(report.missing, "picture")) gone") }
    if report.withoutText > 0 {
      parts.append("\(report.withoutText) without a text (--full-text fetches them)")
    }
    let rest = report.articles - report.wholeArticles - report.withoutText
    if rest > 0 { parts.append("\(rest) without some of what belongs to them") }
    if report.isFull { parts.append("the budget is used up") }
    form.print(
      [
        "articles": .number(report.articles), "whole": .number(report.wholeArticles),
        "wholeBytes": .number(report.wholeBytes), "seconds": .number(report.seconds),
        "bytes": .number(report.bytes), "pictures": .number(report.pictures),
        "fullTexts": .number(report.fullTexts), "discussed": .number(report.discussed),
        "files": .number(report.files), "withoutText": .number(report.withoutText),
        "missing": .number(report.missing), "failed": .number(report.failures.count),
        "full": .bool(report.isFull), "metered": .bool(report.wasMetered), "error": .null,
      ], text: parts.joined(separator: ", "))
  }

  private static func words(ofSeconds seconds: Int) -> String {
    seconds < 5_400 ? "\((seconds + 59) / 60) min" : "\((seconds + 1_800) / 3_600) h"
  }

  private static func seconds(_ text: String) -> Int? {
    number(text, units: [("min", 60), ("h", 3_600), ("d", 86_400)])
  }

  private static func bytes(_ text: String) -> Int64? {
    number(
      text.uppercased(),
      units: [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000), ("B", 1)]
    ).map(Int64.init)
  }

  /// A positive whole number with a unit; nil for anything else.
  private static func number(_ text: String, units: [(name: String, size: Int)]) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }),
      let count = Int(text.dropLast(unit.name.count)), count > 0
    else { return nil }
    let (size, isTooLarge) = count.multipliedReportingOverflow(by: unit.size)
    return isTooLarge ? nil : size
  }
}
