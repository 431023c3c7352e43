internal import ArgumentParser
internal import Foundation
internal import News
internal import Repository
internal import Services
internal import Store
internal import Syndication
internal import TelexKit
internal import Text

struct AddVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Subscribe to a feed by its address, or that of its page.",
    discussion: """
      Where a page names several feeds, asks which at a terminal, and takes the first one elsewhere.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The address of a feed, of a page that has one, or of a file.")
  var address: String
  @Option(help: ArgumentHelp("Put it into this folder; / parts folders.", valueName: "FOLDER"))
  var folder: [String] = []
  @Option(help: ArgumentHelp("Call it this.", valueName: "TITLE"))
  var title: String?
  @Flag(help: "Of several feeds take the first without asking.")
  var first = false
  @Flag(help: "Subscribe to all feeds that the page names.")
  var all = false
  @Flag(help: "List the feeds that are there, and subscribe to none.")
  var dryRun = false
  @OptionGroup var proxy: ProxyOptions

  func validate() throws {
    guard [first, all, dryRun].count(where: \.self) <= 1 else {
      throw ValidationError("Only one of --first, --all and --dry-run can be given.")
    }
    if all, title != nil { throw ValidationError("--title names one feed, not --all.") }
  }

  func run() async throws {
    try await form.reporting {
      try refuseNameOfFile()
      let wish = try proxy.wish()
      let composition = try await common.compose(
        route: try wish?.route, namesSecretFile: wish?.password != nil)
      let repository = composition.repository
      let before = try composition.store.viewNow { try $0.feeds() }
      let address = address
      let title = title.map(PlainText.sanitized).flatMap { $0.isEmpty ? nil : $0 }
      let folders = folder.map(folderPath).filter { !$0.isEmpty }
      func subscribe(_ located: LocatedFeed, title: String?) async throws -> Addition {
        var isNew = false
        func store() async throws -> Feed {
          let added = try await untilInterrupted {
            try await repository.subscribe(
              located, at: address, folders: folders, title: title, proxy: wish?.proxy)
          }
          isNew = added.isNew
          guard let wish, wish.proxy == nil else { return added.feed }
          try await repository.setProxy(nil, of: added.feed.id)
          return added.feed
        }
        guard let wish else { return Addition((try await store(), isNew), to: before) }
        let url = WebAddress.withoutUser(located.url)
        let known = try await composition.store.view { try $0.feed(url: url) }
        let feed = try await composition.vault.give(
          wish.proxy, wish.password, toFeedAt: url, known: known, by: store)
        return Addition((feed, isNew), to: before)
      }
      func subscribe(oneOf links: [FeedLink], title: String?) async throws -> Addition {
        let located = try await untilInterrupted {
          try await composition.sources.locate(oneOf: links, namedBy: address)
        }
        return try await subscribe(located, title: title)
      }
      let found = try await untilInterrupted { try await repository.discover(address) }
      if !form.json { complain(of: found.foundAt) }
      if dryRun { return list(found) }
      switch found {
      case .feed(let located):
        report(try await subscribe(located, title: title), of: [])
      case .choice(let links):
        let chosen = try choose(among: links)
        guard let chosen else {
          return report(try await subscribe(oneOf: links, title: title), of: links)
        }
        if chosen.isEmpty { return Output.line("nothing was added") }
        if !all, chosen.count == 1 {
          return report(try await subscribe(oneOf: chosen, title: title), of: [])
        }
        try await addEach(of: chosen) { try await subscribe(oneOf: [$0], title: nil) }
      }
    }
  }

  /// `feed.xml` could be a host's name, and looking for it would tell the network of the file.
  private func refuseNameOfFile() throws {
    let isPath = address.hasPrefix(".") || address.hasPrefix("/") || address.hasPrefix("~")
    var isFolder: ObjCBool = false
    guard !isPath, WebAddress.scheme(of: address) == nil,
      FileManager.default.fileExists(atPath: address, isDirectory: &isFolder), !isFolder.boolValue
    else { return }
    throw SourceError(
      .address, stage: .address, subject: address, message: "There is a file of this name here.",
      next: "for the file type ./\(address), for a site https://\(address)")
  }

  /// The feeds that the one at the terminal wants, or all; nil for the first that is one.
  private func choose(among links: [FeedLink]) throws -> [FeedLink]? {
    if all { return links }
    guard !first, form.canAsk else { return nil }
    let page = links.first?.foundAt ?? address
    Output.line("\(WebAddress.redacted(page)) has \(links.count) feeds:\n")
    Output.line(FeedTable.text(links) + "\n")
    let numbers = "1–\(links.count)"
    while true {
      guard
        let answer = try TerminalPrompt.answer(
          "Which (\(numbers), a for all, q for none)? [1] ")
      else {
        Output.line("")
        return []
      }
      if ["q", "n", "none"].contains(answer.lowercased()) { return [] }
      if let numbers = FeedTable.numbers(in: answer, upTo: links.count) {
        return numbers.map { links[$0 - 1] }
      }
      Output.line("Please answer with numbers from 1 to \(links.count), as in 1,\(links.count).")
    }
  }

  /// Says that what was typed is not there, where the first page of the site has helped.
  private func complain(of page: String?) {
    guard let page else { return }
    Output.complain(
      "There is nothing at \(WebAddress.redacted(address)); "
        + "\(WebAddress.redacted(page)) leads to a feed.")
  }

  private func list(_ found: FoundFeeds) {
    let links: [FeedLink] =
      switch found {
      case .choice(let links): links
      case .feed(let located):
        [FeedLink(url: located.url, title: located.page.description?.title, type: located.type)]
      }
    form.print(
      .object([("candidates", .candidates(links)), ("error", .null)]),
      text: FeedTable.text(links))
  }

  private func report(_ added: Addition, of links: [FeedLink]) {
    form.print(
      .object(
        added.members + [("candidates", .candidates(links)), ("error", .null)]),
      text: added.sentence)
    let others = links.filter { $0.url != added.feed.url }
    guard !form.json, !others.isEmpty else { return }
    Output.complain("The page has other feeds, which telex add takes by their addresses:")
    Output.complain(FeedTable.text(others))
  }

  /// One after the other; one that fails stops no other.
  private func addEach(
    of links: [FeedLink], by subscribe: (FeedLink) async throws -> Addition
  ) async throws {
    var added: [JSONValue] = []
    var failed: [JSONValue] = []
    for link in links {
      do {
        let addition = try await subscribe(link)
        added.append(.object(addition.members))
        if !form.json { Output.line(addition.sentence) }
      } catch let error as SourceError {
        failed.append(.object([("url", .string(link.url)), ("error", .error(error))]))
        if !form.json { Output.complain(error) }
      }
    }
    if form.json {
      Output.line(
        .object([
          ("feeds", .array(added)), ("failed", .array(failed)),
          ("candidates", .candidates(links)), ("error", .null),
        ]))
    }
    if !failed.isEmpty { throw ExitCode(1) }
  }
}

/// What `add` has done: a new subscription, or what it has changed about one that was there.
private struct Addition {
  let feed: Feed
  let isNew: Bool
  /// As it was; nil for a new one.
  private let known: Feed?

  /// - Parameter before: the subscriptions as they were.
  init(_ added: (feed: Feed, isNew: Bool), to before: [Feed]) {
    (feed, isNew) = added
    known = isNew ? nil : before.first { $0.id == added.feed.id }
  }

  var members: [(String, JSONValue)] {
    [("feed", .feed(feed)), ("new", .bool(isNew)), ("changed", .strings(changes.map(\.name)))]
  }

  var sentence: String {
    let title = (known ?? feed).displayTitle
    guard !isNew else {
      return "\(feed.id.rawValue)  \(title)  (\(counted(feed.counts.total, "article")))"
    }
    let words =
      changes.isEmpty ? "nothing has changed" : changes.map(\.words).joined(separator: ", ")
    return "\(feed.id.rawValue)  \(title) was there already; \(words)"
  }

  private var changes: [(name: String, words: String)] {
    guard let known else { return [] }
    var changes: [(name: String, words: String)] = []
    if feed.displayTitle != known.displayTitle {
      changes.append(("title", "it is called \(feed.displayTitle) now"))
    }
    let folders = feed.folders.filter { !known.folders.contains($0) }
    if !folders.isEmpty {
      changes.append(("folders", "it is in \(folders.joined(separator: " and in ")) now"))
    }
    let articles = feed.counts.total - known.counts.total
    if articles > 0 { changes.append(("articles", counted(articles, "new article"))) }
    return changes
  }
}

extension LocatedFeed {
  /// The media type of its format.
  fileprivate var type: String? {
    switch page.description?.format {
    case .rss: "application/rss+xml"
    case .rdf: "application/rdf+xml"
    case .atom: "application/atom+xml"
    case .json: "application/feed+json"
    case .api, nil: nil
    }
  }
}

struct RemoveVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "End a subscription; its articles go with it.",
    discussion: """
      Asks first at a terminal, unless --yes is given; elsewhere it does not ask.

      Its text leaves the files too: the database with its free pages, the search index, the log. With \
      very many articles that takes some seconds.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "A feed by its number or its address.")
  var feed: [String]
  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false
  @Flag(help: "Leave nothing of it in the files, which is done without this flag too.")
  var erase = false

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose()
      // All are found before the first is removed: a slip of the pen removes nothing.
      let feeds = try feed.map { try composition.store.feed(named: $0) }
      if !yes, form.canAsk, try !isConfirmed(feeds) {
        Output.line("nothing was removed")
        throw ExitCode(1)
      }
      for feed in feeds {
        if let problem = try await composition.remove(feed.id), !form.json {
          Output.complain("telex: the password of its proxy is still kept: \(problem.line)")
        }
      }
      try await untilInterrupted { try await composition.eraseRemoved() }
      form.print(
        .object([("removed", .array(feeds.map(JSONValue.feed))), ("error", .null)]),
        text: feeds.map { "removed \($0.displayTitle)" }.joined(separator: "\n"))
    }
  }

  private func isConfirmed(_ feeds: [Feed]) throws -> Bool {
    let counts = feeds.reduce(ArticleCounts()) { $0 + $1.counts }
    let what = feeds.count == 1 ? feeds[0].displayTitle : counted(feeds.count, "feed")
    let starred = counts.starred > 0 ? ", \(counts.starred) of them starred" : ""
    return try TerminalPrompt.isYes(
      "Remove \(what) with \(counted(counts.total, "article"))\(starred)? y/n ")
  }
}

struct ListVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the subscriptions, one on each line.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions

  func run() async throws {
    try await form.reporting {
      for feed in try await common.compose().store.viewNow({ try $0.feeds() }) {
        let failure = feed.state.error.map { "  ! \($0.message)" } ?? ""
        form.print(
          .feed(feed),
          text: "\(feed.id.rawValue)\t\(feed.counts.unread)/\(feed.counts.total)\t"
            + "\(feed.displayTitle)\t\(WebAddress.withoutUser(feed.url))\(failure)")
      }
    }
  }
}

struct RefreshVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Fetch what is new.",
    discussion: "Exits with 1 when a feed failed; the others are fetched all the same.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "Feeds by their number or address; all without any.")
  var feed: [String] = []
  @Flag(help: "Walk the older pages of the feeds to their end as well.")
  var allPages = false
  @OptionGroup var limit: TimeLimitOptions

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose(
        program: "telex refresh", deadline: limit.deadline())
      let repository = composition.repository
      let scope: RefreshScope =
        feed.isEmpty ? .all : .feeds(try feed.map { try composition.store.feed(named: $0).id })
      let (allPages, isQuiet) = (allPages, form.json)
      let (report, older) = try await untilInterrupted {
        let report = try await withProgress(of: repository, isQuiet: isQuiet) {
          try await repository.refresh(scope)
        }
        return (report, allPages ? try await walk(report, composition) : OlderWalk())
      }
      let failed =
        report.failed.compactMap { outcome in outcome.error.map { (outcome.feed, $0) } }
        + older.failed
      let byAnother = report.outcomes.count(where: \.isByAnother)
      if !form.json {
        Output.complain(
          alike: failed.map { AlikeError($0.0.displayTitle, $0.1) }, of: "feed")
      }
      for line in AlikeLine.told(older.warnings, of: "feed") { Output.complain("warning: \(line)") }
      form.print(
        .object([
          ("feeds", .number(report.outcomes.count)),
          ("new", .number(report.inserted)),
          ("unchanged", .number(report.outcomes.count { $0.isUnchanged })),
          ("byAnother", .number(byAnother)),
          ("olderPages", .number(older.pages)), ("older", .number(older.articles)),
          ("warnings", .strings(older.warnings.map { "\($0.name): \($0.text)" })),
          (
            "failed",
            .array(
              failed.map { feed, error in
                .object([("feed", .number(feed.id.rawValue)), ("error", .error(error))])
              })
          ),
        ]),
        text: counted(report.outcomes.count, "feed") + ", "
          + counted(report.inserted, "new article")
          + (byAnother > 0 ? ", \(counted(byAnother, "feed")) fetched by another Telex" : "")
          + (older.pages > 0 ? ", \(counted(older.articles, "older article"))" : "")
          + (failed.isEmpty ? "" : ", \(failed.count) failed"))
      if !failed.isEmpty { throw ExitCode(1) }
    }
  }
}

/// The names of a folder and of those around it, without what has no name.
func folderPath(_ text: String) -> String {
  text.split(separator: "/").map { PlainText.sanitized(String($0)) }.filter { !$0.isEmpty }
    .joined(separator: "/")
}

private func counted(_ count: Int, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}

/// What a walk through the older pages came to.
private struct OlderWalk: Sendable {
  var pages = 0
  /// How many articles they had.
  var articles = 0
  var failed: [(Feed, SourceError)] = []
  /// Why a walk ended before its feed did.
  var warnings: [AlikeLine] = []

  mutating func warn(_ name: String, _ text: String) {
    warnings.append(AlikeLine(name: name, key: text, text: text))
  }
}

/// Walks the older pages of the feeds that were refreshed, four feeds at once; one that fails stops
/// no other.
private func walk(_ report: RefreshReport, _ composition: Composition) async throws -> OlderWalk {
  let repository = composition.repository
  let before = try await composition.store.view { try $0.counts().total }
  let feeds = report.outcomes.filter { $0.error == nil }.map(\.feed)
  let walks = try await feeds.parallelMap(atMost: 4) { feed in
    var walk = OlderWalk()
    do {
      for try await page in repository.allOlderPages(of: feed) {
        walk.pages = page.number
        switch page.stop {
        case .nothingNew(let pages):
          walk.warn(
            feed.displayTitle, "\(pages) pages in a row had nothing new; the walk ended there")
        case .bound(let pages):
          walk.warn(
            feed.displayTitle,
            "it has more than \(pages) pages; the next refresh --all-pages "
              + "goes on, and max_pages in the configuration raises the bound")
        case nil: break
        }
      }
    } catch let error as SourceError where error.kind == .insecure {
      // Its older pages are to be had over plain http only.
      walk.warnings.append(AlikeError(feed.displayTitle, error).line)
    } catch let error as SourceError where error.kind != .cancelled {
      walk.failed.append((feed, error))
    }
    if repository.pagesRepeat(of: feed.id) {
      walk.warn(feed.displayTitle, "its pages begin to repeat; the walk ended there")
    }
    return walk
  }
  var walk = OlderWalk()
  for one in walks {
    walk.pages += one.pages
    walk.failed += one.failed
    walk.warnings += one.warnings
  }
  walk.articles = max(0, try await composition.store.view { try $0.counts().total } - before)
  return walk
}

struct ImportVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Subscribe to the feeds of an OPML file.",
    discussion: """
      Addresses that others have written lead to public hosts only. Give --trust where the file is
      your own and its feeds lie on this machine or in your network.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "The file; - for standard input.")
  var file: String
  @Flag(help: "Treat the addresses as if you had typed them.")
  var trust = false

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose()
      // A file is nothing that somebody else's list may name.
      let document = try OPMLDocument(file: file, takesFiles: trust)
      let (trust, now) = (trust, Date())
      let feeds = try document.feeds.map { feed in
        let isFile = trust && feed.url.hasPrefix("file:///")
        return try ImportedFeed(feed, at: isFile ? feed.url : WebAddress.entered(feed.url))
      }
      let signIns = try await keepPasswords(of: feeds, composition)
      let users = feeds.compactMap(\.user)
      let added = try await composition.store.edit { edit in
        // A host that the reader has typed before is trusted already.
        let typed = Set(
          try edit.view.feeds().filter(\.isTyped).compactMap { WebAddress.host(of: $0.url) })
        var added = 0
        for (index, imported) in feeds.enumerated() {
          let (url, feed) = (imported.url, imported.feed)
          let isTyped = trust || WebAddress.host(of: url).map(typed.contains) == true
          // A password that works is not replaced by one that nobody has tried.
          let isKnown = try edit.view.feed(url: url)?.signIn != nil
          let (id, isNew) = try edit.subscribe(
            url: url, title: feed.hasCustomTitle ? feed.title : nil, foundTitle: feed.title,
            link: feed.htmlUrl.flatMap { WebAddress.resolve($0, against: url) },
            folders: feed.categories.map(FolderPath.joined), isTyped: isTyped,
            signIn: isKnown ? nil : signIns[index], now: now)
          try edit.keepOutline(feed.attributes, of: id)
          if isNew { added += 1 }
        }
        for folder in document.folders {
          try edit.keepOutline(
            folder.attributes.map { $0.without(users) }, ofFolder: FolderPath.joined(folder.path),
            isKept: folder.isKept)
        }
        return added
      }
      let known = feeds.count - added
      let left = document.skipped.count
      if !form.json { document.complain() }
      form.print(
        .object([
          ("added", .number(added)), ("known", .number(known)),
          ("skipped", .array(document.skipped.map { .error($0.error) })),
          ("warnings", .strings(document.warnings)), ("error", .null),
        ]),
        text:
          "\(counted(added, "feed")) added, \(known) \(known == 1 ? "was" : "were") there already"
          + (left == 0 ? "" : ", \(left) left out"))
    }
  }
}

/// A feed of a list, with its name and password apart from everything that it is stored with.
private struct ImportedFeed: Sendable {
  let url: String
  let user: AddressUser?
  let feed: OPMLDocument.Feed

  init(_ feed: OPMLDocument.Feed, at url: String) {
    user = WebAddress.user(in: url)
    self.url = user == nil ? url : WebAddress.withoutUser(url)
    var feed = feed
    if let user {
      feed.title = feed.title.map(user.removed(from:))
      feed.htmlUrl = feed.htmlUrl.map(user.removed(from:))
      feed.attributes = feed.attributes.map { $0.without([user]) }
    }
    self.feed = feed
  }
}

extension OutlineAttribute {
  fileprivate func without(_ users: [AddressUser]) -> OutlineAttribute {
    var attribute = self
    for user in users { attribute.value = user.removed(from: attribute.value) }
    return attribute
  }
}

/// Keeps the passwords in the addresses of a list before anything of it is stored; by the place of their
/// feed.
private func keepPasswords(
  of feeds: [ImportedFeed], _ composition: Composition
) async throws -> [Int: FeedSignIn] {
  var kept: [Int: FeedSignIn] = [:]
  var urls: Set<String> = []
  for (index, feed) in feeds.enumerated() {
    guard let user = feed.user, urls.insert(feed.url).inserted,
      try await composition.store.view({ try $0.feed(url: feed.url)?.signIn }) == nil
    else { continue }
    kept[index] = try await composition.sources.keep(user)
  }
  return kept
}

extension OPMLDocument {
  /// - Parameter file: its path; `-` is standard input.
  init(file: String, takesFiles: Bool = false) throws {
    let bytes = try InputFile(path: file, limit: 64 << 20).bytes()
    do {
      self = try OPML.parse(bytes, takesFiles: takesFiles)
    } catch {
      var error = error
      if file != "-" { error.subject = file }
      throw error
    }
  }

  /// Says what was left out, and what is wrong with the list.
  func complain() {
    Output.complain(
      alike: skipped.map { AlikeError("line \($0.line)", $0.error, because: $0.reason) }, of: "line"
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

struct ExportVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the subscriptions as OPML to standard output.")

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose()
      let (feeds, outlines, folders) = try composition.store.viewNow {
        (try $0.feeds(), try $0.outlines(), try $0.folderOutlines())
      }
      let origins = try composition.allSignIns().map(\.origin)
      let document = OPMLDocument(
        title: "Telex",
        feeds: feeds.map { feed in
          OPMLDocument.Feed(
            url: WebAddress.withoutUser(feed.url), title: feed.displayTitle,
            hasCustomTitle: outlines[feed.id]?.hasOwnTitle == true,
            needsSignIn: feed.signIn != nil || WebAddress.user(in: feed.url) != nil
              || origins.contains { WebAddress.isAt(feed.url, origin: $0) },
            htmlUrl: feed.link,
            categories: feed.folders.map(FolderPath.names),
            attributes: outlines[feed.id]?.attributes ?? [])
        },
        folders: folders.map { folder in
          OPMLDocument.Folder(
            path: FolderPath.names(folder.path), attributes: folder.attributes,
            isKept: folder.isKept)
        })
      if form.json { Output.line(.opml(document)) } else { Output.line(OPML.write(document)) }
    }
  }
}

extension JSONValue {
  static func opml(_ document: OPMLDocument) -> JSONValue {
    .object([
      ("title", .string(document.title)),
      (
        "feeds",
        .array(
          document.feeds.map { feed -> JSONValue in
            let attributes = feed.attributes.map { ($0.name, JSONValue.string($0.value)) }
            var values: [(String, JSONValue)] = [
              ("url", .string(WebAddress.withoutUser(feed.url))), ("title", .string(feed.title)),
              ("htmlUrl", .string(feed.htmlUrl)),
              ("categories", .array(feed.categories.map { .strings($0) })),
              ("attributes", .object(attributes)),
            ]
            if feed.needsSignIn { values.append(("needsSignIn", .bool(true))) }
            return .object(values)
          })
      ),
      (
        "skipped",
        .array(
          document.skipped.map {
            .object([
              ("line", .number($0.line)), ("title", .string($0.title)),
              ("url", .string($0.url.map(WebAddress.withoutUser))),
              ("reason", .string($0.reason)),
            ])
          })
      ),
      ("warnings", .strings(document.warnings)),
    ])
  }

  static func candidates(_ links: [FeedLink]) -> JSONValue {
    .array(
      links.map {
        .object([
          ("url", .string($0.url)), ("title", .string($0.title)), ("type", .string($0.type)),
        ])
      })
  }
}

extension Store {
  /// A folder by its path.
  func folder(named name: String) throws -> String {
    let path = folderPath(name)
    let known = try viewNow { view in
      try view.feeds().flatMap(\.folders) + view.folderOutlines().map(\.path)
    }
    guard !path.isEmpty, known.contains(where: { $0 == path || $0.hasPrefix(path + "/") }) else {
      throw SourceError(
        .address, stage: .arguments, subject: name, message: "there is no such folder",
        next: "telex list --json names those there are")
    }
    return path
  }

  /// A feed by its number or its address.
  func feed(named name: String) throws -> Feed {
    let url = (try? WebAddress.normalized(name)).map(WebAddress.withoutUser)
    let found = try viewNow { view -> [Feed] in
      if let number = Int64(name) { return try view.feed(FeedID(number)).map { [$0] } ?? [] }
      let feeds = try view.feeds(url: name)
      return try feeds.isEmpty ? url.map { try view.feeds(url: $0) } ?? [] : feeds
    }
    guard found.count < 2 else {
      let numbers = found.map { "\($0.id.rawValue)" }.joined(separator: ", ")
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.withoutUser(name),
        message: "several accounts have a feed at this address: \(numbers)",
        next: "name it by its number")
    }
    guard let found = found.first else {
      throw SourceError(
        .address, stage: .arguments, subject: WebAddress.withoutUser(name),
        message: "there is no such feed",
        next: "telex list names those there are")
    }
    return found
  }
}

/// Draws the bar while a refresh runs, and says for which other process it waits.
func withProgress<Value: Sendable>(
  of repository: FeedRepository, isQuiet: Bool, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  defer { Output.endProgress() }
  return try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    if Output.showsProgress {
      group.addTask {
        for try await activity in repository.activities() {
          if case .refreshing(let done, let total, let failed) = activity {
            Output.progress(done: done, total: total, failed: failed)
          }
        }
        return nil
      }
    }
    if !isQuiet {
      group.addTask {
        var told: Set<String> = []
        for try await other in repository.othersWaitedFor() {
          guard let other, told.insert(other).inserted else { continue }
          Output.endProgress()
          Output.complain("telex: fetch: waiting for \(other), which fetches the same feeds")
        }
        return nil
      }
    }
    while let value = try await group.next() {
      if let value {
        group.cancelAll()
        return value
      }
    }
    throw CancellationError()
  }
}
