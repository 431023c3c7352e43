internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

struct ImportVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import feeds from OPML or another reader, or articles.",
    discussion: """
      A list may only add addresses of public hosts. Use --trust if the list is yours and has feeds on this device or \
      in your network.

      --from newsboat imports feeds, folders, query feeds, ignore rules, articles with their marks, and keys; --from \
      sfeed imports feeds and articles. Both report what they left out. Without a folder, they look where the reader \
      keeps its files. The files are only read, and an import can be repeated.

      --articles imports a file of export --articles: each article goes to the feed that its line names, with marks and \
      tags. Articles of other feeds are left out and counted. With --feed, all articles go to that feed; without a \
      file, its server exports them. Known articles are not added again, so an interrupted import can be repeated.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var talk: QuietOptions
  @Argument(
    help: "The file, - for standard input. With --from: the other reader's folder, or urls file.",
    completion: .file())
  var file: String?
  @Flag(help: "Allow addresses on this device and in your network.")
  var trust = false
  @Flag(help: "Subscribe to a few feeds of all kinds.")
  var starter = false
  @Option(
    help: .value("READER", "Import from this reader: newsboat or sfeed."),
    completion: .list(OtherReader.allCases.map(\.rawValue)), transform: OtherReader.init(argument:))
  var from: OtherReader?
  @Option(help: .value("FLAG", "With --from: the flag that becomes a star; others become tags."))
  var star: String?
  @Flag(help: "With --from newsboat: import feeds of programs, which each refresh runs.")
  var commands = false
  @Flag(help: "With --from: print what would be imported, and import nothing.")
  var dryRun = false
  @Flag(help: "Import articles, one JSON object on each line.")
  var articles = false
  @Option(help: .value("FEED", "With --articles: add all to this feed."), completion: .feeds)
  var feed: String?
  @Flag(help: "With --articles: mark the new articles as read.")
  var read = false

  func validate() throws {
    try talk.check(form)
    try refuse(talk.quiet && from != nil, "--from reports what it left out: no --quiet.")
    try refuse(!articles && (feed != nil || read), "--feed and --read go with --articles.")
    try refuse(
      articles && (trust || starter || from != nil),
      "With --articles: no --trust, --starter or --from.")
    if from == nil {
      try refuse(
        file == nil && !starter && feed == nil, "Name a file, or - for standard input.")
      try refuse(star != nil || dryRun, "--star and --dry-run go with --from.")
    }
    try refuse(
      starter && (file != nil || from != nil), "--starter takes no file and no --from.")
    try refuse(commands && from != .newsboat, "--commands goes with --from newsboat.")
    guard star.map({ $0.count == 1 }) ?? true else {
      throw ValidationError("--star takes one letter, as newsboat's flags are.")
    }
  }

  func perform() async throws {
    if articles {
      return try await ArticleImportRun(
        common: common, form: form, talk: talk, feed: feed, file: file, areRead: read
      ).run()
    }
    if let from {
      return try await SwitchRun(
        common: common, form: form, reader: from, folder: file, star: star?.first,
        takesCommands: commands, isDry: dryRun
      ).run()
    }
    let subscriptions = Subscriptions(try await common.compose())
    let file = file ?? "-"
    if starter {
      let (added, known) = try await subscriptions.take(.starter, isTrusted: false)
      if talk.quiet { return }
      return form.print(
        ["added": .number(added), "known": .number(known), "error": .null],
        text: "\(Measures.counted(added, "feed")) added; a refresh fetches them")
    }
    // Addresses of files are accepted from trusted lists only.
    let document = try OPMLDocument(file: file, takesFiles: trust)
    let (added, known) = try await subscriptions.take(document, isTrusted: trust)
    let left = document.skipped.count
    let shutOut = trust ? 0 : try await subscriptions.shutOut(of: document)
    if !form.json {
      document.complain()
      if shutOut > 0 {
        let feeds = Measures.counted(shutOut, "feed")
        Output.complain(
          "warning: \(feeds) of your own network will not be fetched: an imported list may not add "
            + "such addresses; if the list is yours, import it again with --trust")
      }
    }
    if talk.quiet { return }
    form.print(
      [
        "added": .number(added), "known": .number(known),
        "skipped": .array(document.skipped.map { .error($0.error) }),
        "warnings": .strings(document.warnings), "shutOut": .number(shutOut), "error": .null,
      ],
      text:
        "\(Measures.counted(added, "feed")) added, \(known) \(known == 1 ? "was" : "were") already there"
        + (left == 0 ? "" : ", \(left) left out"))
  }
}

extension OtherReader {
  fileprivate init(argument: String) throws {
    guard let reader = OtherReader(rawValue: argument) else {
      throw ValidationError(
        "Only newsboat and sfeed can be imported from. Export the feeds as OPML, and name that file: telex import FILE."
      )
    }
    self = reader
  }
}

extension OPMLDocument {
  /// Prints the skipped lines and the warnings.
  func complain() {
    Output.complain(
      alike: skipped.map { AlikeLine("line \($0.line)", $0.error, because: $0.reason) }, of: "line"
    )
    for warning in warnings { Output.complain("warning: \(warning)") }
  }
}

extension OPMLDocument.Skipped {
  fileprivate var error: SourceError {
    let name = url.map(WebAddress.redacted) ?? title ?? "an outline"
    return SourceError(
      .address, stage: .parse, subject: "line \(line)",
      message: name.isEmpty ? reason : "\(name): \(reason)")
  }
}

struct ExportVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Print the subscriptions as OPML, or the articles.",
    discussion: """
      --articles prints the articles with their marks and tags, one JSON object on each line, \
      for telex import --articles.
      """)

  @OptionGroup var shared: SharedOptions
  @Flag(help: "Print the articles, one JSON object on each line.")
  var articles = false
  @Argument(help: .value("query", "With --articles: print only articles that match."))
  var query: [String] = []

  func validate() throws {
    try refuse(!articles && !query.isEmpty, "A query goes with --articles.")
  }

  func perform() async throws {
    let composition = try await common.compose()
    if articles {
      let query = try query.isEmpty ? nil : ArticleQuery(typed: query)
      return try Articles(composition).forEachExported(matching: query) {
        Output.line(.exported($0))
      }
    }
    let subscriptions = Subscriptions(composition)
    let document = try subscriptions.outline()
    for feed in try subscriptions.feeds() where feed.recipe != nil {
      Output.complain(
        feed.isCommand
          ? "warning: \(feed.displayTitle): left out, for OPML cannot say which program a feed is the output of"
          : feed.format == .graphQL
            ? "warning: \(feed.displayTitle): OPML cannot say how a GraphQL server is asked; keep the "
              + "file for telex add --graphql"
            : "warning: \(feed.displayTitle): OPML cannot say what makes a feed of its document; keep the "
              + "line of telex add")
    }
    if form.json { Output.line(.opml(document)) } else { Output.line(document.opml) }
  }
}

struct OPMLVerb: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "opml", abstract: "Print the feeds of a list, such as OPML.")

  @OptionGroup var form: OutputOptions
  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String

  func perform() async throws {
    let document = try OPMLDocument(file: file)
    if form.json { return Output.line(.opml(document)) }
    for feed in document.feeds {
      let url = WebAddress.withoutUser(feed.url)
      Output.line("\(feed.title ?? url)\t\(url)")
    }
    document.complain()
  }
}

extension JSONOutput {
  static func opml(_ document: OPMLDocument) -> JSONOutput {
    [
      "title": .string(document.title),
      "feeds": .array(
        document.feeds.map { feed -> JSONOutput in
          let attributes = feed.attributes.map { ($0.name, JSONOutput.string($0.value)) }
          return .joined(
            [
              "url": .string(WebAddress.withoutUser(feed.url)), "title": .string(feed.title),
              "htmlUrl": .string(feed.htmlUrl),
              "categories": .array(feed.categories.map { .strings($0) }),
              "attributes": .object(attributes),
            ], feed.needsSignIn ? ["needsSignIn": .bool(true)] : [:])
        }),
      "skipped": .array(
        document.skipped.map {
          [
            "line": .number($0.line), "title": .string($0.title),
            "url": .string($0.url.map { WebAddress.withoutUser($0) }), "reason": .string($0.reason),
          ]
        }),
      "warnings": .strings(document.warnings),
    ]
  }
}
