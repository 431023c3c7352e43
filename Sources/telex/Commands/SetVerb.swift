internal import ArgumentParser
internal import News
internal import TelexKit
internal import Text

/// Changes the given settings of a feed, an option each.
struct SetVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change the settings of a feed.",
    discussion: """
      Other settings stay as they are; the value default resets one. Title and folders of a feed \
      in an account are those on its server, which gets the change now or when it can be reached. \
      Telex asks for the password of a proxy at the terminal, or reads it from standard input, and \
      keeps it with the other secrets for this feed and proxy.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "A feed by number or address.", completion: .feeds)
  var feed: String
  @Option(help: .value("TITLE", "The title; default: the feed's own."))
  var title: String?
  @Option(
    help: .value(
      "FOLDER",
      "Move it to this folder, such as News/World; may be repeated."
    ), completion: .folders)
  var folder: [String] = []
  @Flag(help: "Remove it from all folders.")
  var noFolder = false
  @Option(
    help: .value(
      "URL", "Move it with its articles to this account, or to local."),
    completion: .accounts)
  var account: String?
  @Option(help: .value("USER", "The user of the account, if there are several."))
  var user: String?
  @Flag(help: "Delete its password, token or key.")
  var noSecret = false
  @Option(help: .value("QUERY", "Add a rule that hides new articles that match."))
  var hideIf: [String] = []
  @Option(help: .value("QUERY", "Add a rule that marks new articles that match as read."))
  var markIf: [String] = []
  @OptionGroup var settings: FeedSettingOptions
  @OptionGroup var proxy: ProxyOptions
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var document: DocumentOptions

  func validate() throws {
    try refuse(user != nil && account == nil, "--user goes with --account.")
    try refuse(noSecret && connection.isGiven, "Give a secret or --no-secret, not both.")
    try refuse(
      connection.isGiven && document.isGiven,
      "\(document.names) cannot be given with --graphql, --bearer or --header.")
    try refuse(noFolder && !folder.isEmpty, "Give --folder or --no-folder, not both.")
    try refuse(
      folder.contains(FeedSetting.none) && folder.count > 1,
      "--folder default takes it out of all folders: name no other.")
  }

  private var takesOutOfFolders: Bool { noFolder || folder == [FeedSetting.none] }

  private var isEmpty: Bool {
    proxy.proxy == nil && title == nil && folder.isEmpty && !noFolder && account == nil
      && !connection.isGiven && !document.isGiven && !noSecret && settings.wishes.isEmpty
      && hideIf.isEmpty && markIf.isEmpty
  }

  func perform() async throws {
    // Not in `validate`: an unknown option is reported before this.
    guard !isEmpty else {
      throw SourceError.arguments(
        "telex set", "Say what is to be set, as with --title TITLE or --interval 2h",
        next: "telex set --help names all")
    }
    let composition = try await common.compose(namesSecretFile: true)
    let subscriptions = Subscriptions(composition)
    // Mistakes are reported before anything changes.
    let hidden = try hideIf.map(Self.query)
    let marked = try markIf.map(Self.query)
    var feed = try subscriptions.feed(named: feed)
    if let title { _ = try Subscriptions.name(typed: title, for: feed.id) }
    var tried = feed.settings
    for (setting, text) in settings.wishes { try setting.set(text, in: &tried) }
    let source = Source(
      proxy: try proxy.change(), connection: try connection.change(at: feed.url),
      document: try document.change())
    var outcomes: [String] = []
    if let account {
      feed = try await subscriptions.transfer(feed.id, toAccountAt: account, user: user)
      let name = feed.account.id == .local ? "no account" : feed.account.displayName
      outcomes.append("in \(name) now")
    }
    let defaults = try subscriptions.defaults(
      of: [feed.id], browser: Browser(composition.settings.screen).text)
    // Changes that can fail come first.
    outcomes += try await set(source, of: &feed, subscriptions, defaults)
    outcomes += try await setNames(of: &feed, subscriptions, defaults)
    for (queries, action) in [(hidden, RuleAction.hide), (marked, .read)] {
      for query in queries {
        let rule = try await Rules(composition).add(
          try Self.query("feed:#\(feed.id.rawValue) (\(query.text))"), action)
        let result = action == .hide ? "left out" : "marked as read"
        outcomes.append(
          "articles to come that \(query.text) finds are \(result) (rule \(rule.rawValue))")
      }
    }
    if title != nil || noFolder || !folder.isEmpty || account != nil {
      let waiting = try await untilInterrupted { try await subscriptions.deliver() }
      if let change = waiting.first(where: { [feed] in $0.isOfSubscription(at: feed.url) }) {
        form.complain(undelivered: change, to: feed.account.displayName)
      }
      feed = try subscriptions.feed(named: "\(feed.id.rawValue)")
    }
    form.print(
      ["feed": .feed(feed), "error": .null],
      text: "\(feed.displayTitle): \(outcomes.joined(separator: ", "))")
  }

  /// Changes of how a feed is requested; nil for none.
  private struct Source {
    let proxy: ProxyChange?
    let connection: ConnectionChange?
    let document: DocumentChange?
  }

  /// - Returns: the outcome of each change.
  private func set(
    _ source: Source, of feed: inout Feed, _ subscriptions: Subscriptions, _ defaults: FeedDefaults
  ) async throws -> [String] {
    var outcomes: [String] = []
    var warnings: [String]
    if noSecret {
      feed = try await subscriptions.forgetSecret(of: feed)
      outcomes.append("asked for without a secret")
    }
    if let connection = source.connection {
      (feed, warnings) = try await untilInterrupted { [feed] in
        try await subscriptions.setConnection(connection, of: feed)
      }
      form.warn(warnings)
      outcomes.append(
        feed.recipe == nil ? "asked for with the secret" : "asked for by the new recipe")
    }
    if let document = source.document {
      (feed, warnings) = try await untilInterrupted { [feed] in
        try await subscriptions.setDocument(document, of: feed)
      }
      form.warn(warnings)
      outcomes.append("obtained that way from now on")
    }
    if let proxy = source.proxy {
      feed = try await subscriptions.setProxy(proxy, of: feed)
      outcomes.append(Self.reach(of: feed, defaults))
    }
    return outcomes
  }

  /// Sets the folders, the title and the settings.
  ///
  /// - Returns: the outcome of each change.
  private func setNames(
    of feed: inout Feed, _ subscriptions: Subscriptions, _ defaults: FeedDefaults
  ) async throws -> [String] {
    var outcomes: [String] = []
    if takesOutOfFolders || !folder.isEmpty {
      feed = try await subscriptions.file(feed.id, into: takesOutOfFolders ? [] : folder)
      outcomes.append(
        feed.folders.isEmpty ? "in no folder" : "in \(feed.folders.joined(separator: " and in "))")
    }
    if let title {
      let own = title == FeedSetting.none ? nil : title
      let renamed = try await subscriptions.rename(feed.id, to: own)
      feed = renamed.feed
      outcomes.append(Self.naming(feed, isOwn: own != nil, isTold: renamed.isTold))
    }
    if !settings.wishes.isEmpty {
      feed = try await subscriptions.set(settings.wishes, of: feed)
      outcomes += settings.wishes.map { setting, _ in
        "\(setting.rawValue) \(defaults.text(of: setting, in: feed.settings))"
      }
    }
    return outcomes
  }

  private static func query(_ text: String) throws -> ArticleQuery {
    let query = try ArticleQuery(typed: text)
    guard !query.isEmpty else {
      throw SourceError.arguments(
        "set", "the query is empty", next: "name the articles, as in title:rust")
    }
    return query
  }

  private static func naming(_ feed: Feed, isOwn: Bool, isTold: Bool) -> String {
    let server = feed.account.id == .local ? nil : feed.account.displayName
    guard isOwn else { return "with the title from \(server ?? "the feed")" }
    return isTold || server == nil
      ? "renamed"
      : "renamed here; \(server ?? "its server") keeps its own name for it"
  }

  private static func reach(of feed: Feed, _ defaults: FeedDefaults) -> String {
    switch feed.proxy {
    case nil: "proxy \(defaults.proxy)"
    case .direct?: "fetched without a proxy"
    case .via(let proxy)?: "fetched through the proxy \(WebAddress.redacted(proxy))"
    }
  }
}
