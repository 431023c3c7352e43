internal import ArgumentParser
internal import Foundation
internal import News
internal import TelexKit
internal import Text

struct LoginVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in to a sync server, or to a feed with a password.",
    discussion: """
      Services: \(Logins.services.joined(separator: ", ")). Telex detects the service before it \
      sends your password.

      Telex asks for the password at the terminal, or reads it from standard input; it is never an \
      argument. The password is kept in the keyring of the system, or without one in a file that \
      only you can read. A Feed API exchanges it for tokens, and the password is not kept.

      file: and the path of a folder sync marks and subscriptions with your devices that share it. \
      A folder has no password.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The address of the server or feed, or file: and the path of a folder.")
  var url: String
  @Option(help: .value("NAME", "Your user name. Default: ask."))
  var user: String?
  @Flag(help: "Send name and password with each request (HTTP Basic).")
  var basic = false
  @Option(help: .value("HEADER", "Send an API key in this header instead."))
  var apiKey: String?
  @Flag(help: "Read the password from the first line of standard input.")
  var passwordStdin = false
  @Option(
    help: .value("ID", "Inoreader: the id of your application. Telex asks for its key."))
  var appID: String?

  func validate() throws {
    try refuse(basic && apiKey != nil, "Give --basic or --api-key, not both.")
    try refuse(
      appID != nil && (basic || apiKey != nil), "--app-id goes with a name and a password.")
    if let apiKey, !apiKey.isHeaderName {
      throw ValidationError("--api-key takes the name of a header.")
    }
  }

  func perform() async throws {
    if let folder = try Logins.folder(url) { return try await join(folder) }
    let logins = Logins(try await common.compose(namesSecretFile: true))
    let typed = try WebAddress.entered(url)
    let address = WebAddress.withoutUser(typed)
    let inAddress = WebAddress.user(in: typed)
    let scheme: SignIn.Scheme? = apiKey.map { .apiKey(header: $0) } ?? (basic ? .basic : nil)
    // API keys have no user.
    let user = try user ?? inAddress?.user ?? (apiKey != nil ? "" : askForUser(address))
    guard PlainText.sanitizedName(user) == user else {
      // RFC 7617 §2 forbids them, and the name is shown later.
      throw SourceError.arguments("login", "the name holds control characters")
    }
    let written = inAddress.flatMap { $0.user == user && !$0.password.isEmpty ? $0.password : nil }
    let password =
      if let written, !passwordStdin { written } else {
        try await secret(user: user, at: address, logins)
      }
    let secret = try appID.map { try withApplication($0, password) } ?? password
    let host = WebAddress.host(of: address) ?? WebAddress.redacted(address)
    let (account, feeds) = try await untilInterrupted {
      try await tellingOfWait(for: "the answer of \(host)") {
        let account = try await logins.signIn(
          at: address, user: user, secret: secret, scheme: scheme
        ) { pause in
          guard pause > .seconds(2) else { return }
          let seconds = Int((pause / .seconds(1)).rounded(.up))
          Output.complain("telex: \(host) is asked again in \(seconds) s")
        }
        return (account, try await logins.takeSubscriptions(of: account))
      }
    }
    report(account, as: user, feeds: feeds)
  }

  private func join(_ folder: String) async throws {
    guard user == nil, !basic, apiKey == nil, appID == nil, !passwordStdin else {
      throw SourceError.arguments(
        "login", "a folder takes neither name nor password", next: "telex login \(url)")
    }
    let logins = Logins(try await common.compose())
    let (account, feeds) = try await untilInterrupted { try await logins.join(folder) }
    report(account, as: "", feeds: feeds)
  }

  private func report(_ account: SignIn, as user: String, feeds: Int?) {
    form.print(
      ["account": .account(account), "feeds": .number(feeds), "error": .null],
      text: "signed in to \(account.origin)" + (user.isEmpty ? "" : " as \(user)")
        + (feeds.map { ", with \(Measures.counted($0, "feed"))" } ?? ""))
  }

  private func askForUser(_ address: String) throws -> String {
    guard !passwordStdin else {
      throw SourceError.arguments(
        "login", "whose password is this?", next: "give the name with --user")
    }
    return try TerminalPrompt.line("User name at \(WebAddress.host(of: address) ?? address): ")
  }

  private func secret(user: String, at address: String, _ logins: Logins) async throws -> String {
    if passwordStdin {
      guard let line = readLine(strippingNewline: true) else {
        throw SourceError(
          .secret, stage: .arguments, subject: "login",
          message: "there is no password on standard input",
          next: "see whether the program that prints it has failed")
      }
      return line
    }
    if let printed = try await logins.passwordFromCommand(user: user, at: address) {
      return printed
    }
    return try TerminalPrompt.secret(apiKey == nil ? "Password: " : "Key: ")
  }

  private func withApplication(_ id: String, _ password: String) throws -> String {
    let key =
      passwordStdin
      ? readLine(strippingNewline: true) ?? ""
      : try TerminalPrompt.secret("Key of the application: ")
    // Both are sent as headers.
    guard
      [id, key].allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } })
    else {
      throw SourceError.arguments("login", "the id and the key of an application are one word each")
    }
    return Logins.secret(password: password, applicationID: id, key: key)
  }
}

struct LogoutVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out, and remove the feeds of the account.",
    discussion: """
      Changes in the outbox are sent first, for at most five seconds. Then the \
      session ends, and Telex deletes the password, the feeds of the account with their \
      articles, and changes that could not be sent.

      With --keep-feeds the feeds stay. If you sign in again as the same user, the account \
      continues with them.
      """)

  @OptionGroup var shared: SharedOptions
  @Argument(help: "The address of the server.", completion: .servers)
  var url: String
  @Option(help: .value("NAME", "Your user name, if several users are signed in."))
  var user: String?
  @Flag(help: "Keep the feeds of the account and their articles.")
  var keepFeeds = false
  @OptionGroup var confirmation: ConfirmationOptions

  func perform() async throws {
    let logins = Logins(try await common.compose())
    let account = try logins.signIn(at: try Logins.entered(url), user: user)
    let waiting = try await untilInterrupted { try await logins.sendWaiting(of: account) }
    let feeds = keepFeeds ? [] : try logins.feeds(of: account)
    if !feeds.isEmpty || waiting > 0, !confirmation.yes { try confirm(feeds, waiting) }
    let end = try await untilInterrupted {
      try await logins.signOut(account, removing: keepFeeds ? nil : feeds)
    }
    if let problem = end.problem {
      form.complain("telex: the server was not told: \(problem.line)")
    }
    if end.unsent > 0 {
      form.complain(
        "telex: \(account.origin): \(Self.unsent(end.unsent)) and \(end.unsent == 1 ? "is" : "are") gone"
      )
    }
    form.print(
      [
        "account": .account(account), "removed": .array(feeds.map(JSONOutput.feed)),
        "unsent": .number(end.unsent), "error": .null,
      ],
      text: "signed out of \(account.origin)" + account.leftovers
        + (feeds.isEmpty ? "" : "; \(Measures.counted(feeds.count, "feed")) went with it"))
  }

  /// Asks before feeds or unsent changes are deleted.
  private func confirm(_ feeds: [Feed], _ waiting: Int) throws {
    var losses: [String] = []
    if !feeds.isEmpty {
      let counts = feeds.reduce(ArticleCounts()) { $0 + $1.counts }
      losses.append(
        "\(Measures.counted(feeds.count, "feed")) with \(Measures.counted(counts.total, "article")), "
          + "\(counts.starred) of them starred, \(feeds.count == 1 ? "goes" : "go") with it")
    }
    if waiting > 0 {
      losses.append("\(Self.unsent(waiting)) and \(waiting == 1 ? "goes" : "go") with it")
    }
    let what = losses.joined(separator: "; ")
    guard form.canAsk else {
      throw SourceError.arguments(
        "logout", what,
        next: "give --yes if that is meant" + (feeds.isEmpty ? "" : ", or --keep-feeds")
          + (waiting == 0 ? "" : "; telex outbox lists them"))
    }
    guard try TerminalPrompt.isYes("\(what). Sign out? y/n ") else { throw ExitCode(1) }
  }

  private static func unsent(_ count: Int) -> String {
    "\(Measures.counted(count, "change")) \(count == 1 ? "has" : "have") not been sent"
  }
}

struct AccountsVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "List the accounts and their state.")

  @OptionGroup var shared: SharedOptions

  func perform() async throws {
    let logins = Logins(try await common.compose())
    let states = try logins.states()
    var table = Table([
      .init("SERVER", .limited), .init("USER", .limited), .init("SIGN-IN"), .init("STATE", .rest),
    ])
    let current = try logins.all().map { account in
      (account, states.first { $0.id == account.account })
    }
    let former: [(SignIn, AccountState?)] = states.filter(\.account.isSignedOut).compactMap {
      state in Logins.former(state.account).map { ($0, state) }
    }
    for (account, state) in current + former {
      form.print(
        .account(account, state), in: &table,
        [account.origin, account.user, account.schemeName] + (state.map { [$0.summary] } ?? []))
    }
    form.finish(&table, empty: "No accounts. telex login signs in.")
  }
}

extension SignIn {
  fileprivate var leftovers: String {
    isOfFolder ? "; its files were left as they are, this machine's log among them" : ""
  }
}

/// Runs work, and names on standard error what it waits for after two seconds.
private func tellingOfWait<Result: Sendable>(
  for what: String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: .seconds(2))
      Output.complain("telex: waiting for \(what) …")
      return nil
    }
    defer { group.cancelAll() }
    while let ended = try await group.next() {
      if let ended { return ended }
    }
    throw CancellationError()
  }
}

extension AccountState {
  /// The state of the sync in a few words.
  fileprivate var summary: String {
    var parts = [Measures.counted(feeds, "feed"), "\(counts.unread) unread"]
    if let unreadThere, let unreadDifference {
      parts[1] += " (\(unreadThere) at the server: \(unreadDifference.text))"
    }
    if account.isSignedOut { parts.append("signed out") }
    if let lastSuccess {
      parts.append("in line \(Measures.age(of: lastSuccess, at: Date()))")
    }
    if waiting > refused {
      parts.append(Measures.counted(waiting - refused, "change") + " to send")
    }
    if refused > 0 {
      parts.append("! \(Measures.counted(refused, "change")) refused: telex outbox")
    }
    if missing > 0 { parts.append(Measures.counted(missing, "article") + " to fetch") }
    if let error {
      parts.append("! \(error.message)" + (account.needsSignIn ? " Sign in again." : ""))
    }
    if let warning { parts.append("! \(warning)") }
    return parts.joined(separator: ", ")
  }
}

extension AccountState.UnreadDifference {
  fileprivate var text: String {
    switch self {
    case .waiting: "marks are still to be sent"
    case .missing: "articles are still to be fetched"
    case .unlisted: "it counts articles that it does not list"
    case .uncounted: "it lists articles that it does not count"
    }
  }
}

extension JSONOutput {
  static func account(_ account: SignIn, _ state: AccountState? = nil) -> JSONOutput {
    var header: JSONOutput = .null
    if case .apiKey(let name) = account.scheme { header = .string(name) }
    let signIn: JSONOutput = [
      "origin": .string(account.origin), "user": .string(account.user),
      "scheme": .string(account.schemeName), "header": header,
    ]
    guard let state else { return signIn }
    return .joined(
      signIn,
      [
        "account": .number(state.id.rawValue), "kind": .string(state.account.kind.rawValue),
        "base": .string(state.account.base), "feeds": .number(state.feeds),
        "unread": .number(state.counts.unread), "unreadThere": .number(state.unreadThere),
        "unreadDifference": .string(state.unreadDifference?.rawValue),
        "waiting": .number(state.waiting), "refused": .number(state.refused),
        "missing": .number(state.missing), "lastAttempt": .date(state.lastAttempt),
        "lastSuccess": .date(state.lastSuccess), "nextAttempt": .date(state.nextAttempt),
        "needsSignIn": .bool(state.account.needsSignIn),
        "signedOut": .bool(state.account.isSignedOut), "lastError": .error(state.error),
        "warning": .string(state.warning),
      ])
  }
}
