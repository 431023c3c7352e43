internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct ArticlesVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles", abstract: "List articles, newest first.",
    discussion: """
      A query selects articles: telex articles 'unread after:1w -feed:HN (swift OR title:rust)'. \
      Put it in quotes. telex-query(7), the manual and ? in the reader explain queries.

      --format fills in a template for each line: '{title}\\t{url}\\t{date:%Y-%m-%d}'. An unknown \
      name prints the known ones.

      Each line of --json has a cursor; --cursor continues after that line.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(help: .value("query", "List only articles that match."))
  var query: [String] = []
  @Option(help: .value("NAME", "List the articles of this smart feed."), completion: .smartFeeds)
  var smart: String?
  @Option(help: .value("FEED", "List only this feed, by number or address."), completion: .feeds)
  var feed: String?
  @Option(help: .value("FOLDER", "List only the feeds in this folder."), completion: .folders)
  var folder: String?
  @Option(
    help: .value("URL", "List only this account, by its server; local with --folder."),
    completion: .accounts)
  var account: String?
  @Option(help: .value("NAME", "The user of the account, if there are several."))
  var user: String?
  @Flag(help: "List only unread articles.")
  var unread = false
  @Flag(help: "List only starred articles.")
  var starred = false
  @Option(
    name: .customLong("as"),
    help: .value("FORMAT", "Write a document: epub, html, markdown, mbox or atom.")
  )
  var document: ArticleDocument.Format?
  @Option(
    name: .shortAndLong, help: .value("FILE", "With --as: write to this file, and replace it."),
    completion: .file())
  var output: String?

  func validate() throws {
    try lines.check(form)
    try refuse(
      document != nil && (form.json || lines.format != nil),
      "Give --as or one of --json and --format, not both.")
    try refuse(output != nil && document == nil, "--output goes with --as.")
    try refuse(
      feed != nil && (folder != nil || account != nil),
      "Give --feed, or --folder and --account, not both.")
    try refuse(account == "local" && folder == nil, "--account local goes with --folder.")
    try refuse(user != nil && account == nil, "--user goes with --account.")
  }

  func perform() async throws {
    var printer = try ArticlePrinter(form, format: lines.format)
    let composition = try await common.compose()
    try await printer.readPacked(composition)
    let subscriptions = Subscriptions(composition)
    var timeline: Timeline =
      if let feed {
        .feed(try subscriptions.feed(named: feed).id)
      } else if let folder {
        .folder(try subscriptions.folder(named: folder, at: account, user: user))
      } else if let account {
        .folder(try subscriptions.account(at: account, user: user))
      } else if starred {
        .starred
      } else {
        .all
      }
    if let smart {
      timeline = .matching(
        try ArticleQuery(typed: try subscriptions.smartFeed(named: smart).text), in: timeline)
    }
    // Starred articles of all feeds have a timeline with an index.
    if starred, feed != nil || folder != nil || account != nil {
      timeline = .matching(try ArticleQuery("is:starred"), in: timeline)
    }
    if !query.isEmpty {
      timeline = .matching(try ArticleQuery(typed: query), in: timeline)
    }
    if let document {
      let title = (["Telex:"] + (smart.map { [$0] } ?? query)).joined(separator: " ")
      let writer = ArticleDocument(
        composition, as: document, titled: query.isEmpty && smart == nil ? "Telex" : title)
      return try OutputTarget(output).write(isText: document.isText) { output in
        try writer.write(
          timeline, unreadOnly: unread, after: stretch.position(), limit: stretch.limit, output)
      }
    }
    try Articles(composition).forEachListed(
      of: timeline, unreadOnly: unread, after: stretch.position(), limit: stretch.limit
    ) { printer.print($0) }
    printer.finish()
  }
}

extension ArticleDocument.Format: ExpressibleByArgument {
  /// Accepts `md`, the file name extension of Markdown.
  init?(argument: String) { self.init(rawValue: argument == "md" ? "markdown" : argument) }
}

struct SearchVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "List the articles that contain all of the words.",
    discussion: """
      "Words in quotes" must stand together. The last word may be incomplete.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(help: "The words to search for.")
  var words: [String]

  func validate() throws { try lines.check(form) }

  func perform() async throws {
    var printer = try ArticlePrinter(form, format: lines.format)
    let composition = try await common.compose()
    try await printer.readPacked(composition)
    try Articles(composition).forEachListed(
      ofSearch: words.joined(separator: " "), after: stretch.position(), limit: stretch.limit
    ) { printer.print($0) }
    printer.finish()
  }
}

/// Options for a part of a long list.
struct StretchOptions: ParsableArguments {
  @Option(help: .value("N", "List at most this many articles."))
  var limit: Int?
  // Cursors of lists with the oldest first begin with a minus.
  @Option(
    parsing: .unconditional, help: .value("CURSOR", "Continue after the line with this cursor."))
  var cursor: String?

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if cursor != nil, try position() == nil {
      throw ValidationError("--cursor takes the cursor of a line that articles has printed.")
    }
  }

  /// The position before the first article; nil for the beginning of the list.
  func position() throws -> TimelinePosition? {
    let parts = cursor?.split(separator: ".").map(String.init) ?? []
    guard (2...3).contains(parts.count), let date = Int64(parts[0]), let id = Int64(parts[1]),
      id != 0, id.magnitude < Int64.max.magnitude
    else { return nil }
    guard parts.count == 3 else { return TimelinePosition(date: date, id: id) }
    guard let text = Data(base64Encoded: parts[2]) else { return nil }
    return TimelinePosition(date: date, id: id, text: String(decoding: text, as: UTF8.self))
  }
}

struct ShowVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print an article as text.",
    discussion: """
      --as writes a book, a page with its pictures, a mail or Markdown: telex show 12 --as epub \
      -o 12.epub. Only cached pictures are included; telex prefetch fetches them.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The number of the article; telex articles prints it.")
  var id: Int64
  @Option(help: .value("N", "Columns of a line."))
  var width = 80
  @Flag(help: "Show the changes since the last version, if the feed keeps versions.")
  var changes = false
  @Flag(help: "Print the full text; fetch it from the page if necessary.")
  var fullText = false
  @Option(
    name: .customLong("as"),
    help: .value("FORMAT", "Write a document: epub, html, mail or markdown."))
  var document: ArticleBook.Format?
  @Option(
    name: .shortAndLong, help: .value("FILE", "With --as: write to this file, and replace it."),
    completion: .file())
  var output: String?
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try refuse(width < 1, "--width must be at least 1.")
    try refuse(
      document != nil && (changes || form.json),
      "Give --as or one of --changes and --json, not both.")
    try refuse(output != nil && document == nil, "--output goes with --as.")
    try refuse(changes && fullText, "Give --changes or --full-text, not both.")
  }

  func perform() async throws {
    let composition = try await common.compose(deadline: limit.deadline())
    let articles = Articles(composition)
    var article = try articles.article(ArticleID(id))
    if fullText {
      let id = article.id
      article = try await untilInterrupted { try await FullTexts(composition).show(id) }
    }
    if let document {
      let title = article.entry.title ?? article.feedTitle
      let book = ArticleBook(composition, as: document, titled: title)
      guard let section = try await book.section(of: article.id) else {
        throw SourceError(
          .store, stage: .store, subject: "article \(article.id.rawValue)",
          message: "it was removed meanwhile; nothing was written",
          next: "choose another article")
      }
      return try OutputTarget(output).write(isText: document != .epub) {
        try book.write(whole: section, $0)
      }
    }
    let clock = WallClock.local()
    var other: OtherText?
    if changes {
      let changes = try await articles.changes(in: article.id)
      other = OtherText(changes: changes.html, hasKeys: false)
    }
    let page = ArticlePage(
      article, width: max(1, width), clock: clock, standsAlone: true, with: other)
    form.print(
      .joined(
        [
          "articleID": .number(id), "feedID": .number(article.feedID.rawValue),
          "feed": .string(article.feedTitle), "read": .bool(article.status.isRead),
          "starred": .bool(article.status.isStarred), "tags": .strings(article.tags),
          "changed": .bool(article.isChanged), "changedAt": .date(article.changed),
          "fullText": .fullText(article.fullText),
        ], .entry(article.entry), ["text": .string(page.plainText)]),
      text: page.plainText)
  }
}

extension JSONOutput {
  fileprivate static func fullText(_ text: FullText?) -> JSONOutput {
    guard let text else { return .null }
    return [
      "url": .string(text.url), "title": .string(text.title), "byline": .string(text.byline),
      "siteName": .string(text.siteName), "picture": .string(text.picture),
      "pages": .number(text.pages), "fetched": .date(text.fetched), "shown": .bool(text.isShown),
      "html": .string(text.html),
    ]
  }
}

struct ReadVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Mark articles as read.",
    discussion: """
      By number, or by a query: telex read 'feed:HN before:1w'. telex undo undoes it.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var chosen: ChosenArticles
  @Flag(help: "Mark the articles as unread.")
  var undo = false

  func perform() async throws {
    let articles = Articles(try await common.compose())
    if let query = try chosen.query, !undo {
      let ids = try articles.ids(of: .matching(query, in: .unread))
      try await articles.apply(.markAllRead(.matching(query, in: .all), notNewerThan: nil))
      return form.print(marked: ids, "read")
    }
    let ids = try chosen.ids(in: articles, changing: undo ? .read : .unread)
    try await articles.setRead(ids, !undo)
    form.print(marked: ids, undo ? "unread" : "read")
  }
}

/// The articles of a command: by number, or by a query.
struct ChosenArticles: ParsableArguments {
  @Argument(
    help: .value(
      "articles", "Numbers of articles, or a query in quotes."))
  var words: [String]

  func validate() throws {
    // A mistyped number is not a word to search for.
    guard numbers == nil, let first = words.first, first.first?.isNumber == true else { return }
    throw ValidationError(
      "\(first) is not the number of an article. Quotes make a query: '\"\(first)\"'.")
  }

  /// Nil where numbers are given.
  var query: ArticleQuery? {
    get throws {
      try numbers == nil
        ? ArticleQuery(typed: words, needsCondition: true) : nil
    }
  }

  private var numbers: [Int64]? {
    let numbers = words.compactMap { Int64($0) }
    return numbers.count == words.count ? numbers : nil
  }

  /// - Parameter state: required of articles that a query finds; nil for all.
  func ids(in articles: Articles, changing state: QueryState? = nil) throws -> [ArticleID] {
    if let numbers { return numbers.map(ArticleID.init) }
    guard let query = try query else { return [] }
    let found = Timeline.matching(query, in: .all)
    guard let state else { return try articles.ids(of: found) }
    return try articles.ids(of: .matching(try ArticleQuery("is:\(state.rawValue)"), in: found))
  }
}

extension ChosenArticles {
  init(_ words: [String]) {
    self.init()
    self.words = words
  }
}

extension ArticleQuery {
  /// A query from the command line.
  ///
  /// - Parameter needsCondition: whether a query that matches all articles is a mistake.
  /// - Throws: `SourceError` of stage `.arguments` with the place of the mistake, also for an empty
  ///   query.
  init(typed words: String..., needsCondition: Bool = false) throws {
    try self.init(typed: words, needsCondition: needsCondition)
  }

  init(typed words: [String], needsCondition: Bool = false) throws {
    let text = words.joined(separator: " ")
    do {
      try self.init(text)
    } catch let mistake as QueryError {
      throw SourceError.arguments(
        text, mistake.line(in: text), next: "the manual has the words of queries")
    }
    guard !isEmpty, !needsCondition || !picksAll else {
      throw SourceError.arguments(text, "the query is empty")
    }
  }
}

struct DeleteVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete articles, and do not import them again.",
    discussion: """
      Asks first at a terminal, unless --yes is given. telex undo restores them for thirty days. \
      Articles of accounts are kept, because their servers would send them again.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var chosen: ChosenArticles
  @OptionGroup var confirmation: ConfirmationOptions

  func perform() async throws {
    let articles = Articles(try await common.compose())
    let ids = try chosen.ids(in: articles)
    try confirmation.confirm(
      "Delete \(Measures.counted(ids.count, "article"))? y/n ", form, refusal: "nothing was deleted"
    )
    let gone = try await articles.delete(ids)
    let left = ids.count - gone
    form.print(
      ["deleted": .number(gone), "left": .number(left), "error": .null],
      text: "deleted \(Measures.counted(gone, "article"))"
        + (left > 0 ? "; \(left) of accounts at servers are left as they are" : ""))
  }
}

struct StarVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "star", abstract: "Star articles.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var chosen: ChosenArticles
  @Flag(help: "Remove the stars.")
  var undo = false

  func perform() async throws {
    let articles = Articles(try await common.compose())
    let ids = try chosen.ids(in: articles, changing: undo ? .starred : nil)
    try await articles.setStarred(ids, !undo)
    form.print(marked: ids, undo ? "unstarred" : "starred")
  }
}

struct TagVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Tag articles, or list the tags.",
    discussion: """
      Without arguments, lists the tags with the number of their articles.

      A tag goes to the server of an account that keeps labels. All other tags stay on this device.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The tag.", completion: .tags)
  var name: String?
  @Argument(help: "Numbers of articles, or a query in quotes.")
  var articles: [String] = []
  @Flag(help: "Remove the tag from the articles.")
  var undo = false

  func validate() throws {
    try refuse(undo && name == nil, "--undo goes with a tag and articles.")
    try refuse(name != nil && articles.isEmpty, "Name the articles to tag.")
    try ChosenArticles(articles).validate()
  }

  func perform() async throws {
    let store = Articles(try await common.compose())
    guard let name else { return try list(store) }
    let ids = try ChosenArticles(articles).ids(in: store)
    try await store.setTag(ids, name, !undo)
    form.print(marked: ids, undo ? "untagged" : "tagged")
  }

  private func list(_ articles: Articles) throws {
    var table = Table([.init("TAG", .rest), .init("ARTICLES", isNumber: true), .init("ACCOUNT")])
    for tag in try articles.tags() {
      form.print(
        [
          "tag": .string(tag.name), "account": .string(tag.account), "articles": .number(tag.count),
        ], in: &table, [tag.name, "\(tag.count)", tag.account ?? "local"])
    }
    form.finish(&table, empty: "No tags.")
  }
}

extension OutputOptions {
  fileprivate func print(marked numbers: [ArticleID], _ word: String) {
    print(
      [
        "articles": .array(numbers.map { .number($0.rawValue) }), "mark": .string(word),
        "error": .null,
      ],
      text: "\(Measures.counted(numbers.count, "article")) \(word)")
  }
}
