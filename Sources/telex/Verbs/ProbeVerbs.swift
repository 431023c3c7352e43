internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import Repository
internal import Services
internal import Store
internal import Syndication
internal import TelexKit
internal import Text

/// Runs on the first thread, whose heap grows in larger steps than those of others.
struct ParseVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Read feed documents and print what they say.",
    discussion: "Exits with 1 when one cannot be read; the others are printed all the same.")

  @OptionGroup var form: OutputOptions
  @Argument(help: "The files; - for standard input.")
  var file: [String]
  @Option(help: ArgumentHelp("Relative addresses refer to this one.", valueName: "URL"))
  var baseUrl: String?
  @Option(help: ArgumentHelp("The Content-Type they came with.", valueName: "TYPE"))
  var contentType: String?

  private static let limit = 256 << 20

  func run() throws {
    var failed = false
    for file in file {
      do {
        try printFeed(try read(file))
      } catch let error as SourceError {
        if !form.json, self.file.count == 1 { throw error }
        if form.json {
          Output.line(.object([("error", .error(error))]))
        } else {
          Output.complain(error)
        }
        failed = true
      }
    }
    if failed { throw ExitCode(1) }
  }

  private func read(_ file: String) throws -> ParsedFeed {
    var parser = FeedParser(
      contentType: contentType, baseURL: baseUrl, unpackedLimit: Self.limit)
    try InputFile(path: file, limit: Self.limit).forEachPiece { parser.consume($0) }
    do throws(SourceError) {
      return try parser.finish()
    } catch {
      var error = error
      if file != "-" { error.subject = file }
      throw error
    }
  }

  private func printFeed(_ feed: ParsedFeed) throws {
    guard !form.json else {
      return Output.line(
        .object(
          JSONValue.feed(
            feed.description, entries: feed.entries.map { .object(JSONValue.entry($0)) },
            warnings: feed.warnings)))
    }
    var text = "\(feed.description.title ?? "(no title)")  [\(feed.description.format.rawValue)]\n"
    for entry in feed.entries {
      text += (entry.published ?? entry.updated).map { FeedDate.iso8601($0) } ?? "-"
      text += "  "
      text += entry.title ?? "(no title)"
      text += "  "
      text += entry.url ?? ""
      text += "\n"
    }
    Output.print(text)
    for warning in feed.warnings { Output.complain("warning: \(warning)") }
  }
}

struct FetchVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Refresh one feed and print it as the reader would now show it.",
    discussion: """
      The feed is subscribed to where it is not. When the refresh fails, what is cached is printed
      with the error beside it, and the exit status is 1.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The address of the feed.")
  var url: String
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let deadline = limit.deadline()
      let composition = try await common.compose(deadline: deadline)
      // A number names a feed that is there; an address may be new.
      let known =
        Int64(url) == nil
        ? try? composition.store.feed(named: url) : try composition.store.feed(named: url)
      let url = url
      let (found, error, warnings) = try await untilInterrupted {
        try await bounded(by: deadline, subject: url) {
          await refresh(known, or: url, composition)
        }
      }
      let feed = try found.flatMap { feed in try composition.store.viewNow { try $0.feed(feed) } }
      if let error, !form.json { Output.complain(error) }
      try printFeed(feed ?? known, from: composition.store, error, warnings)
      if error != nil { throw ExitCode(1) }
    }
  }

  private func printFeed(
    _ feed: Feed?, from store: Store, _ error: SourceError?, _ warnings: [String]
  ) throws {
    var entries: [JSONValue] = []
    if let feed {
      var lines: [String] = []
      try store.viewNow { view in
        try view.forEachArticle(of: feed.id) { article in
          if form.json {
            entries.append(.object(JSONValue.entry(article.entry)))
          } else {
            let date = (article.entry.published ?? article.entry.updated).map {
              FeedDate.iso8601($0)
            }
            lines.append("\(date ?? "-")  \(article.entry.title ?? "(no title)")")
          }
        }
      }
      // Outside of the transaction: whoever reads may take its time.
      for line in lines { Output.line(line) }
    }
    guard form.json else { return }
    let description = feed.map { feed in
      FeedDescription(
        format: feed.format ?? .rss, title: feed.title, link: feed.link,
        description: feed.description, language: feed.language, image: feed.details.image,
        icon: feed.details.icon, authors: feed.details.authors, rights: feed.details.rights,
        movedTo: feed.details.movedTo)
    }
    Output.line(
      .object(
        JSONValue.feed(
          feed?.format == nil ? nil : description, entries: entries, warnings: warnings)
          + [("error", .error(error))]))
  }
}

private func refresh(
  _ known: Feed?, or url: String, _ composition: Composition
) async -> (FeedID?, SourceError?, [String]) {
  do {
    // A name and password in the address are tried, and kept where they open it.
    guard let known, (try? WebAddress.normalized(url)).flatMap(WebAddress.user(in:)) == nil else {
      let (feed, _) = try await composition.repository.subscribe(url)
      return (feed.id, nil, [])
    }
    let report = try await composition.repository.refresh(.feeds([known.id]))
    let outcome = report.outcomes.first
    return (known.id, outcome?.error, outcome?.warnings ?? [])
  } catch {
    return (known?.id, SourceError(describing: error), [])
  }
}

/// What has not come in time is given up; what is cached is printed all the same.
private func bounded(
  by deadline: ContinuousClock.Instant?, subject: String,
  _ work: @escaping @Sendable () async -> (FeedID?, SourceError?, [String])
) async throws -> (FeedID?, SourceError?, [String]) {
  guard let deadline else { return await work() }
  return try await withThrowingTaskGroup { group in
    group.addTask { await work() }
    group.addTask {
      try await Task.sleep(until: deadline + .milliseconds(200))
      return (
        nil,
        SourceError(
          .timeout, stage: .fetch, subject: WebAddress.redacted(subject),
          message: "the time limit of the command was reached", next: "give it more --timeout"),
        []
      )
    }
    let first = try await group.next()
    group.cancelAll()
    return first ?? (nil, nil, [])
  }
}

struct OPMLVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "opml", abstract: "Read a list of feeds and print it.")

  @OptionGroup var form: OutputOptions
  @Argument(help: "The file; - for standard input.")
  var file: String

  func run() async throws {
    try await form.reporting {
      let document = try OPMLDocument(file: file)
      if form.json { return Output.line(.opml(document)) }
      for feed in document.feeds {
        let url = WebAddress.withoutUser(feed.url)
        Output.line("\(feed.title ?? url)\t\(url)")
      }
      document.complain()
    }
  }
}

struct RenderVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Print an HTML document as the screen would show it.")

  @OptionGroup var form: OutputOptions
  @Argument(help: "The file; - for standard input.")
  var file: String
  @Option(help: ArgumentHelp("Relative addresses refer to this one.", valueName: "URL"))
  var url: String?
  @Option(help: ArgumentHelp("Columns of a line.", valueName: "N"))
  var width = 80

  func validate() throws {
    if width < 1 { throw ValidationError("--width must be at least 1.") }
  }

  func run() async throws {
    try await form.reporting {
      let html = String(
        decoding: try InputFile(path: file, limit: 64 << 20).bytes(), as: UTF8.self)
      let (text, warnings) = ArticlePage.text(ofHTML: html, url: url, width: width)
      form.print(
        .object([
          ("text", .string(text)), ("warnings", .strings(warnings)),
        ]), text: text)
    }
  }
}
