internal import ArgumentParser
internal import News
internal import Reader
internal import TelexKit
internal import Text

/// Not asynchronous: the heap of the first thread grows in larger steps than those of others.
struct ParseVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Print the articles of feed documents.",
    discussion: """
      The exit status is 1 if a document cannot be read; the others are printed.
      """)

  @OptionGroup var form: OutputOptions
  @Argument(help: "The files; - for standard input.", completion: .file())
  var file: [String]
  @Option(help: .value("URL", "The base of relative addresses."))
  var baseUrl: String?
  @Option(help: .value("TYPE", "The Content-Type of the documents."))
  var contentType: String?

  func run() throws {
    var failed = false
    for file in file {
      do {
        try printFeed(try InputDocument.feed(of: file, contentType: contentType, baseURL: baseUrl))
      } catch let error as SourceError {
        if !form.json, self.file.count == 1 { throw error }
        if form.json {
          Output.line(["error": .error(error)])
        } else {
          Output.complain(error)
        }
        failed = true
      }
    }
    if failed { throw ExitCode(1) }
  }

  private func printFeed(_ feed: ParsedFeed) throws {
    guard !form.json else {
      return Output.line(
        .feed(
          feed.description, entries: feed.entries.map(JSONOutput.entry), warnings: feed.warnings))
    }
    var text = "\(feed.description.title ?? "(no title)")  [\(feed.description.format.rawValue)]\n"
    for entry in feed.entries { text += "\(entry.dateAndTitle)  \(entry.url ?? "")\n" }
    Output.print(text)
    form.warn(feed.warnings)
  }
}

struct FetchVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Refresh one feed and print its articles.",
    discussion: """
      A feed without a subscription is printed and not kept; telex add subscribes to it. If the \
      refresh of a subscribed feed fails, its cached articles and the error are printed, and the \
      exit status is 1.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The address of the feed.", completion: .feeds)
  var url: String
  @OptionGroup var limit: TimeLimitOptions

  func perform() async throws {
    let deadline = limit.deadline()
    let composition = try await common.compose(deadline: deadline)
    let url = url
    let outcome = try await untilInterrupted {
      try await FeedFetch(composition).run(url, deadline: deadline)
    }
    form.complain(outcome.error)
    try printFeed(outcome, Articles(composition))
    if outcome.error != nil { throw ExitCode(1) }
  }

  private func printFeed(_ outcome: FeedFetch.Outcome, _ articles: Articles) throws {
    let feed = outcome.feed
    var entries: [JSONOutput] = []
    var lines: [String] = []
    func take(_ entry: Entry) {
      if form.json {
        entries.append(.entry(entry))
      } else {
        lines.append(entry.dateAndTitle)
      }
    }
    outcome.entries.forEach(take)
    if let feed { try articles.forEachArticle(of: feed.id) { take($0.entry) } }
    // Printed outside of the transaction, since the reader of a pipe may be slow.
    for line in lines { Output.line(line) }
    guard form.json else { return }
    let description = feed.map { feed in
      FeedDescription(
        format: feed.format ?? .rss, title: feed.title, link: feed.link,
        description: feed.description, language: feed.language, image: feed.details.image,
        icon: feed.details.icon, authors: feed.details.authors, rights: feed.details.rights,
        movedTo: feed.details.movedTo)
    }
    Output.line(
      .joined(
        .feed(
          feed?.format == nil ? outcome.description : description, entries: entries,
          warnings: outcome.warnings), ["error": .error(outcome.error)]))
  }
}

extension Entry {
  fileprivate var dateAndTitle: String {
    let date = (published ?? updated).map { Timestamp.text(of: $0) }
    return "\(date ?? "-")  \(title ?? "(no title)")"
  }
}

struct RenderVerb: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Print an HTML document as the reader shows it.")

  @OptionGroup var form: OutputOptions
  @Argument(help: "The file; - for standard input.", completion: .file())
  var file: String
  @Option(help: .value("URL", "The base of relative addresses."))
  var url: String?
  @Option(help: .value("N", "Columns of a line."))
  var width = 80

  func validate() throws {
    try refuse(width < 1, "--width must be at least 1.")
  }

  func perform() async throws {
    let html = String(decoding: try InputDocument.bytes(of: file), as: UTF8.self)
    let (text, warnings) = ArticlePage.text(ofHTML: html, url: url, width: width)
    form.print(["text": .string(text), "warnings": .strings(warnings)], text: text)
  }
}
