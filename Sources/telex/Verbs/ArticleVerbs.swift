internal import ArgumentParser
internal import Foundation
internal import News
internal import Reader
internal import TelexKit

struct ArticlesVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "articles", abstract: "List articles, newest first, one on each line.",
    discussion: """
      Each line of --json has a cursor; --cursor goes on after that line. --format prints a text with values in the \
      places of their names, as in '{title}\\t{url}\\t{date:%Y-%m-%d}'; an unknown name lists those that there are.

      A query is best put in quotes: telex articles 'unread after:1w -feed:HN (swift OR title:rust)'. Press ? \
      in the reader for its words, or see the manual.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(help: .value("query", "Only those that this is true of."))
  var query: [String] = []
  @Option(help: .value("NAME", "Those of this smart feed."), completion: .smartFeeds)
  var smart: String?
  @Option(help: .value("FEED", "Only of this feed, by number or address."), completion: .feeds)
  var feed: String?
  @Option(help: .value("FOLDER", "Only of the feeds in this folder."), completion: .folders)
  var folder: String?
  @Option(
    help: .value(
      "URL",
      "Only of the account at this server; with --folder, whose folder: at this server, or local."),
    completion: .accounts)
  var account: String?
  @Option(help: .value("NAME", "The account's user, where there are several."))
  var user: String?
  @Flag(help: "Only what is unread.")
  var unread = false
  @Flag(help: "Only what is starred.")
  var starred = false
  @Option(
    name: .customLong("as"),
    help: .value("FORMAT", "Write them whole, as one document: epub, html, markdown, mbox or atom.")
  )
  var document: ArticleDocument.Format?
  @Option(
    name: .shortAndLong, help: .value("FILE", "The file for that document; it is replaced."),
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
    commandName: "search", abstract: "List the articles that hold all of the words.",
    discussion: "\"Words in quotes\" must stand together; the last word may be a beginning.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var lines: LineOptions
  @OptionGroup var stretch: StretchOptions
  @Argument(help: "The words.")
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
  @Option(help: .value("N", "At most this many."))
  var limit: Int?
  // Cursors of lists with the oldest first begin with a minus.
  @Option(
    parsing: .unconditional, help: .value("CURSOR", "Go on after the line that had this cursor."))
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
      --as writes it as a book, as a page with its pictures, or as Markdown: telex show 12 --as epub -o 12.epub. \
      Pictures are those that are here; telex prefetch brings them.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The number of the article, as `articles` prints it.")
  var id: Int64
  @Option(help: .value("N", "Columns of a line."))
  var width = 80
  @Flag(help: "What its feed has changed, where the feed is set to --update changed.")
  var changes = false
  @Flag(help: "The article of its page, which is fetched where it is not stored.")
  var fullText = false
  @Option(
    name: .customLong("as"), help: .value("FORMAT", "Write it as epub, html, mail or markdown."))
  var document: ArticleBook.Format?
  @Option(
    name: .shortAndLong, help: .value("FILE", "The file for that; it is replaced."),
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
      What a query has marked, telex read 'feed:HN before:1w' for one, the reader's undo takes back at once.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var chosen: ChosenArticles
  @Flag(help: "Mark them as unread.")
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
      "articles", "The numbers of the articles, or a query in quotes, for all that it is true of."))
  var words: [String]

  func validate() throws {
    // A mistyped number is not a word to search for.
    guard numbers == nil, let first = words.first, first.first?.isNumber == true else { return }
    throw ValidationError(
      "\(first) is no number of an article. Quotes make a word of a query: '\"\(first)\"'.")
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
    commandName: "delete", abstract: "Delete articles; their feeds do not bring them again.",
    discussion: """
      Asks first at a terminal, unless --yes is given. telex undo brings them back for thirty days. Articles of an \
      account at a server are left as they are: it would list them again.
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
  static let configuration = CommandConfiguration(commandName: "star", abstract: "Star articles.")

  @OptionGroup var shared: SharedOptions
  @OptionGroup var chosen: ChosenArticles
  @Flag(help: "Take their stars away.")
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

struct LaterVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "later",
    abstract:
      "Have articles saved by the service for reading later that their server hands them to.",
    discussion: """
      Miniflux does that, where such a service is set up in its settings. The articles wait in the \
      outbox until the server has been told.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The numbers of the articles.")
  var ids: [Int64]

  func perform() async throws {
    try await Articles(try await common.compose()).saveForLater(ids.map(ArticleID.init))
    form.print(marked: ids.map(ArticleID.init), "to be saved")
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
