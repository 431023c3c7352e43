internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit
internal import Text

struct AddVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Subscribe to a feed, by its address or that of its page.",
    discussion: """
      If a page has several feeds, Telex asks which at a terminal, and otherwise adds the first.

      Without a network the subscription is kept, and the next refresh looks for the feed.

      With --account the server looks for the feed. Without a network the change waits in the \
      outbox.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(
    help: .value("address", "The address of a feed, of a page with one, or of a file."),
    completion: .file())
  var place: String?
  @Option(
    help: .value("FOLDER", "Add it to this folder, such as News/World."), completion: .folders)
  var folder: [String] = []
  @Option(help: .value("TITLE", "The title of the feed."))
  var title: String?
  @Option(
    help: .value("URL", "Subscribe in your account on this sync server."),
    completion: .servers)
  var account: String?
  @Option(
    help: .value("NAME", "The user of the account, if there are several.")
  )
  var user: String?
  @Flag(help: "Add the first of several feeds without asking.")
  var first = false
  @Flag(help: "Subscribe to all feeds of the page.")
  var all = false
  @Flag(help: "List the feeds of the page, and subscribe to none.")
  var dryRun = false
  @OptionGroup var proxy: ProxyOptions
  @OptionGroup var agent: UserAgentOption
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var document: DocumentOptions
  @Flag(help: "Print the articles with title, link and date; do not subscribe.")
  var preview = false

  /// Empty for a feed that a program prints.
  var address: String { place ?? "" }

  func validate() throws {
    try refuse(
      (place == nil) != (document.command != nil),
      place == nil
        ? "Name the address of a feed, or a program with --command."
        : "Name an address or a program with --command, not both.")
    try refuse(
      document.isGiven
        && (account != nil || user != nil || first || all || connection.graphql != nil),
      "With \(document.names): no --account, --user, --first, --all or --graphql.")
    try refuse(
      preview && (dryRun || account != nil), "--preview goes with neither --dry-run nor --account.")
    try refuse(
      connection.graphql == nil && (!document.isGiven || document.command != nil)
        && connection.namesSecret, "--bearer and --header go with --graphql, --select and --items.")
    try refuse(
      connection.graphql != nil && (account != nil || user != nil || first || all),
      "With --graphql: no --account, --user, --first or --all.")
    try refuse(
      [first, all, dryRun].count(where: \.self) > 1,
      "Only one of --first, --all and --dry-run can be given.")
    try refuse(all && title != nil, "--title names one feed, not --all.")
    try refuse(
      account != nil && (first || all || dryRun || proxy.proxy != nil || agent.userAgent != nil),
      "With --account the server looks for the feed: no --first, --all, --dry-run, --proxy or "
        + "--user-agent.")
  }

  func perform() async throws {
    if let account { return try await add(toAccountAt: account) }
    try refuseNameOfFile()
    let way = try proxy.change()
    let connection = try connection.change(at: address)
    let composition = try await common.compose(
      way: way, namesSecretFile: way?.password != nil || connection?.hasSecret == true)
    let addition = try FeedAddition(
      composition, at: address, folders: folder, way: way, userAgent: agent.userAgent,
      user: user, connection: connection, document: try document.change())
    let title = title
    let found: FoundFeeds
    do {
      found = try await untilInterrupted { try await addition.find() }
    } catch {
      guard !dryRun, !preview, let kept = try await addition.keep(after: error, title: title)
      else {
        guard var offline = error as? SourceError, offline.kind == .offline,
          !composition.isOffline
        else { throw error }
        offline.next = "nothing was kept: run this again when there is a network"
        throw offline
      }
      return report(kept, of: [])
    }
    if let page = found.foundAt {
      form.complain(
        "There is nothing at \(WebAddress.redacted(address)); "
          + "\(WebAddress.redacted(page)) leads to a feed.")
    }
    if dryRun { return list(found) }
    if preview { return try preview(found) }
    switch found {
    case .feed(let located):
      if located.recipe != nil { form.warn(located.page.warnings) }
      report(try await untilInterrupted { try await addition.add(located, title: title) }, of: [])
    case .choice(let links):
      let chosen = try choose(among: links)
      func add(oneOf links: [FeedLink], title: String?) async throws -> AddedFeed {
        try await untilInterrupted { try await addition.add(oneOf: links, title: title) }
      }
      guard let chosen else {
        return report(try await add(oneOf: links, title: title), of: links)
      }
      if chosen.isEmpty { return Output.line("nothing was added") }
      if !all, chosen.count == 1 {
        return report(try await add(oneOf: chosen, title: title), of: [])
      }
      try await addEach(of: chosen) { try await add(oneOf: [$0], title: nil) }
    }
  }

  /// Subscribes in an account and syncs it, since its server has the articles.
  private func add(toAccountAt server: String) async throws {
    let composition = try await common.compose()
    let subscriptions = Subscriptions(composition)
    let account = try Logins(composition).account(at: server, user: user)
    let added = try await subscriptions.add(address, to: account, title: title, folders: folder)
    let (waiting, sync) = try await untilInterrupted {
      let waiting = try await subscriptions.deliver(to: [account.id])
        .filter { $0.isOfSubscription(at: added.feed.url) }
      guard waiting.isEmpty else { return (waiting, nil as SyncReport?) }
      return ([], try await FeedRefresh(composition).run(accountAt: server, user: user).syncs.first)
    }
    let id = "\(added.feed.id.rawValue)"
    let feed = try? subscriptions.feed(named: id)
    form.complain(waiting.first?.error)
    form.complain(sync?.error)
    let what = feed?.displayTitle ?? added.feed.displayTitle
    let text =
      waiting.isEmpty
      ? "\(id)  \(what)  (\(Measures.counted(feed?.counts.total ?? 0, "article")))"
        + (added.isNew ? "" : "  already subscribed")
      : "\(id)  \(what)  waits for \(account.displayName); telex outbox shows it"
    form.print(
      [
        "feed": .feed(feed ?? added.feed), "new": .bool(added.isNew),
        "waiting": .bool(!waiting.isEmpty), "error": .error(waiting.first?.error ?? sync?.error),
      ], text: text)
  }

  /// Refuses a file name without a path: `feed.xml` could be a host, and looking it up would reveal
  /// the name to the network.
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

  /// The feeds that the user chooses; nil for the first that can be read.
  private func choose(among links: [FeedLink]) throws -> [FeedLink]? {
    if all { return links }
    guard !first, form.canAsk else { return nil }
    let page = links.first?.foundAt ?? address
    Output.line("\(WebAddress.redacted(page)) has \(links.count) feeds:\n")
    Output.line(FeedTable.text(links) + "\n")
    let numbers = "1–\(links.count)"
    while true {
      guard
        let answer = try TerminalPrompt.answer("Which (\(numbers), a for all, q for none)? [1] ")
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

  private func list(_ found: FoundFeeds) {
    let links: [FeedLink] =
      switch found {
      case .choice(let links): links
      case .feed(let located):
        [FeedLink(url: located.url, title: located.page.description?.title, type: located.type)]
      }
    form.print(["candidates": .candidates(links), "error": .null], text: FeedTable.text(links))
  }

  private func preview(_ found: FoundFeeds) throws {
    guard case .feed(let located) = found else {
      throw SourceError(
        .notAFeed, stage: .parse, subject: WebAddress.redacted(address),
        message: "the page names several feeds", next: "telex add --dry-run lists them")
    }
    let entries = located.page.entries
    func date(_ entry: Entry) -> String? { (entry.published ?? entry.updated)?.formatted(.iso8601) }
    if form.json {
      for entry in entries {
        Output.line(
          [
            "title": .string(entry.title), "url": .string(entry.url), "date": .string(date(entry)),
            "id": .string(entry.id),
          ])
      }
      return
    }
    for warning in located.page.warnings { Output.complain("warning: \(warning)") }
    for entry in entries {
      Output.line(
        [entry.title ?? "(no title)", entry.url ?? "(no link)", date(entry) ?? "(no date)"]
          .joined(separator: "\n  "))
    }
    Output.line("\(Measures.counted(entries.count, "article")); nothing was added")
  }

  private func report(_ added: AddedFeed, of links: [FeedLink]) {
    form.print(
      .joined(added.json, ["candidates": .candidates(links), "error": .null]), text: added.sentence)
    let others = links.filter { $0.url != added.feed.url }
    guard !form.json, !others.isEmpty else { return }
    Output.complain("The page has other feeds, which telex add takes by their addresses:")
    Output.complain(FeedTable.text(others))
  }

  /// Subscribes to several feeds in turn. A failure does not stop the others.
  private func addEach(
    of links: [FeedLink], by add: (FeedLink) async throws -> AddedFeed
  ) async throws {
    var added: [JSONOutput] = []
    var failed: [JSONOutput] = []
    for link in links {
      do {
        let addition = try await add(link)
        added.append(addition.json)
        if !form.json { Output.line(addition.sentence) }
      } catch let error as SourceError {
        failed.append(["url": .string(link.url), "error": .error(error)])
        form.complain(error)
      }
    }
    if form.json {
      Output.line(
        [
          "feeds": .array(added), "failed": .array(failed), "candidates": .candidates(links),
          "error": .null,
        ])
    }
    if !failed.isEmpty { throw ExitCode(1) }
  }
}

extension AddedFeed {
  fileprivate var json: JSONOutput {
    .joined(
      ["feed": .feed(feed), "new": .bool(isNew), "changed": .strings(changes.map(\.name))],
      feed.awaitsNetwork ? ["waiting": .bool(true)] : [:])
  }

  fileprivate var sentence: String {
    let title = (known ?? feed).displayTitle
    if feed.awaitsNetwork {
      return
        "\(feed.id.rawValue)  \(title)  is kept; Telex looks for the feed once there is a network"
    }
    guard !isNew else {
      return "\(feed.id.rawValue)  \(title)  (\(Measures.counted(feed.counts.total, "article")))"
    }
    let words =
      changes.isEmpty ? "nothing has changed" : changes.map(\.words).joined(separator: ", ")
    return "\(feed.id.rawValue)  \(title) is already subscribed; \(words)"
  }
}

extension AddedFeed.Change {
  /// The name in JSON.
  fileprivate var name: String {
    switch self {
    case .title: "title"
    case .folders: "folders"
    case .articles: "articles"
    case .recipe: "recipe"
    case .userAgent: "user-agent"
    }
  }

  fileprivate var words: String {
    switch self {
    case .title(let title): "it is now called \(title)"
    case .folders(let folders): "it is now in \(folders.joined(separator: " and in "))"
    case .articles(let count): Measures.counted(count, "new article")
    case .recipe: "it is now fetched by the new recipe"
    case .userAgent(let name): "it is now fetched as \(name)"
    }
  }
}

extension LocatedFeed {
  fileprivate var type: String? {
    switch page.description?.format {
    case .rss: "application/rss+xml"
    case .rdf: "application/rdf+xml"
    case .atom: "application/atom+xml"
    case .json: "application/feed+json"
    case .api, .graphQL, .grpc, .page, nil: nil
    }
  }
}

extension JSONOutput {
  static func candidates(_ links: [FeedLink]) -> JSONOutput {
    .array(
      links.map { ["url": .string($0.url), "title": .string($0.title), "type": .string($0.type)] })
  }
}
