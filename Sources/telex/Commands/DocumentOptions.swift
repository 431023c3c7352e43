internal import ArgumentParser
internal import TelexKit

/// Options of `add` and `set` for a feed that a program prints or that is made from a page.
struct DocumentOptions: ParsableArguments {
  @Option(
    help: .value(
      "'PROGRAM ARGUMENTS'", "The feed is the output of this program, run without a shell."))
  var command: String?
  @Option(
    help: .value(
      "'PROGRAM ARGUMENTS'",
      "Pass the document through this program."))
  var filter: String?
  @Option(
    help: .value(
      "TIME", "Stop these programs after this time: 90s, 5min. Default: 1min."))
  var timeLimit: String?

  @Option(
    help: .value(
      "SELECTOR", "The feed is a page: this CSS selector finds the articles."))
  var select: String?
  @Option(help: .value("SELECTOR", "The title in the article. Default: a heading."))
  var titleSelect: String?
  @Option(help: .value("SELECTOR", "The link in the article. Default: the first."))
  var linkSelect: String?
  @Option(help: .value("SELECTOR", "The date in the article. Default: <time>."))
  var dateSelect: String?
  @Option(help: .value("SELECTOR", "The text in the article. Default: all of it."))
  var textSelect: String?
  @Option(
    help: .value(
      "PATH",
      "The feed is JSON: the articles are the list at this path; . for all."))
  var items: String?
  @Option(
    help: .value(
      "PART=PATH",
      "With --items: the path of a part, such as title=name."))
  var field: [String] = []
  @Flag(help: "Watch the page, or --select: each change is an article.")
  var watch = false

  var isGiven: Bool { !given.isEmpty }

  private var parts: [String: String] {
    ["title": titleSelect, "link": linkSelect, "date": dateSelect, "text": textSelect]
      .compactMapValues(\.self)
  }

  private var given: [String] {
    [
      ("--command", command != nil), ("--filter", filter != nil),
      ("--time-limit", timeLimit != nil), ("--select", select != nil),
      ("--title-select", titleSelect != nil), ("--link-select", linkSelect != nil),
      ("--date-select", dateSelect != nil), ("--text-select", textSelect != nil),
      ("--items", items != nil), ("--field", !field.isEmpty), ("--watch", watch),
    ].filter(\.1).map(\.0)
  }

  func validate() throws {
    try refuse(
      items != nil && (select != nil || watch),
      "--items is for JSON, --select and --watch are for pages.")
    try refuse(
      !parts.isEmpty && (select == nil || watch),
      "--title-select and the like go with --select, and not with --watch.")
    try refuse(!field.isEmpty && items == nil, "--field goes with --items.")
  }

  /// The given options, for messages.
  var names: String { given.joined(separator: ", ") }

  /// Nil without the options.
  func change() throws -> DocumentChange? {
    guard isGiven else { return nil }
    var reading = DocumentChange.Reading()
    (reading.select, reading.parts) = (select, parts)
    (reading.items, reading.fields) = (items, field)
    reading.isWatched = watch
    return try DocumentChange(
      command: command, filter: filter, timeLimit: timeLimit, reading: reading)
  }
}
