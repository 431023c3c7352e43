internal import Foundation
package import News
internal import Repository
internal import Services
internal import Store
internal import Text

/// The sign-ins at servers, those of the configuration included.
package struct Logins: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The names of the services and protocols that a user can sign in at, in alphabetical order.
  package static var services: [String] {
    Set(GoogleReaderProduct.allCases.map(\.name) + SyncProtocol.allCases.map(\.rawValue)).sorted()
  }

  /// Where a user is signed in; those of the configuration go before those of the store.
  package func all() throws -> [SignIn] { try composition.allSignIns() }

  /// Signs in at a server and keeps the sign-in.
  ///
  /// - Parameters:
  ///   - url: an address of the server, normalised.
  ///   - scheme: nil to find it out.
  ///   - onPause: called before another attempt. Longer pauses than ten seconds are an error with
  ///     the time.
  package func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme? = nil,
    onPause: @escaping @Sendable (Duration) -> Void = { _ in }
  ) async throws -> SignIn {
    do {
      return try await composition.signIn(
        at: url, user: user, secret: secret, scheme: scheme, onPause: onPause)
    } catch let error as SourceError { throw error.namingTime }
  }

  /// Checks that a server answers at a normalised address, before its user is asked for a password.
  ///
  /// - Throws: `SourceError` where none does, or where it wants a pause; `CancellationError`.
  package func reach(_ url: String) async throws {
    do { try await composition.signIns.reach(url) } catch let error as SourceError {
      throw error.namingTime
    }
  }

  /// The secret of an account whose server wants the id and key of an application beside the
  /// password.
  package static func secret(password: String, applicationID: String, key: String) -> String {
    GoogleReaderSecret(
      password: password, application: GoogleReaderApplication(id: applicationID, key: key)
    ).text
  }

  /// The address of a folder; nil where the text names none.
  ///
  /// - Throws: `SourceError` for a path that is no folder of this machine.
  package static func folder(_ typed: String) throws -> String? {
    try FolderAddress.normalized(typed)
  }

  /// Makes an account of a folder that the user's machines share, and synchronises it.
  ///
  /// - Parameter address: as `folder` has it.
  /// - Returns: the sign-in and the number of feeds.
  /// - Throws: `SourceError` where the folder is missing.
  package func join(_ address: String) async throws -> (signIn: SignIn, feeds: Int) {
    try await FolderAddress.prepare(address)
    let signIn = FolderAddress.signIn(at: address)
    let account = try await composition.store.edit { edit in
      guard let (service, base) = Sources.service(of: signIn) else { return nil as Account? }
      let id = try edit.accounts.save(service, base: base, user: signIn.user, now: Date())
      try edit.accounts.noteSignIn(to: id)
      return try edit.view.accounts.account(id)
    }
    guard let account else { return (signIn, 0) }
    let report = try await composition.repository.synchronize(account.id)
    return (Sources.signIn(of: account) ?? signIn, report.feeds)
  }

  /// Fetches the subscriptions of an account, where its server keeps them.
  ///
  /// - Returns: the number of feeds of the account; nil where the server keeps none.
  package func takeSubscriptions(of signIn: SignIn) async throws -> Int? {
    let account = try await composition.store.view { view in
      try view.allSignIns().first { $0.isSame(as: signIn) }?.account
    }
    guard let account else { return nil }
    return try await composition.repository.takeSubscriptions(of: account)
  }

  package func states() throws -> [AccountState] {
    try composition.store.viewNow { try $0.sync.states() }
  }

  /// How the user of an account was signed in to it before signing out.
  package static func former(_ account: Account) -> SignIn? { Sources.signIn(ofFormer: account) }

  /// The password from the command of the configuration; nil without one.
  package func passwordFromCommand(user: String, at url: String) async throws -> String? {
    for origin in try SignIns.origins(of: url) {
      let asked = SignIn(origin: origin, user: user, scheme: .basic)
      if let password = try await composition.vault.password(of: asked) { return password }
    }
    return nil
  }

  /// The sign-in at a server.
  ///
  /// - Parameters:
  ///   - url: an address of the server, normalised.
  ///   - user: needed where several are signed in.
  /// - Throws: `SourceError` of stage `.arguments` where there is none, or no single one.
  package func signIn(at url: String, user: String? = nil) throws -> SignIn {
    let origins = try SignIns.origins(of: url)
    let there = try origins.flatMap(stored).filter { user == nil || $0.user == user }
    let meant = there.meant(by: url, isUserKnown: user != nil)
    guard let signIn = meant.first else {
      throw Self.notSignedIn(at: origins[0], as: user)
    }
    guard meant.count == 1 else {
      let isOfOneUser = Set(meant.map(\.user)).count == 1
      throw SourceError.severalSignIns(
        meant, at: signIn.origin,
        next: isOfOneUser ? "give the address that you signed in to" : "say which with --user NAME")
    }
    return signIn
  }

  /// An address of a server or of a folder, as a user types it.
  package static func entered(_ typed: String) throws -> String {
    try folder(typed) ?? WebAddress.entered(typed)
  }

  /// The account at a server, as a user types its address.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there is none, or no single one.
  package func account(at address: String, user: String? = nil) throws -> Account {
    let signIn = try signIn(at: try Logins.entered(address), user: user)
    let account = try signIn.account.flatMap { id in
      try composition.store.viewNow { try $0.accounts.account(id) }
    }
    guard let account else {
      throw SourceError.argument(
        signIn.origin, "this is a sign-in for feeds, not an account",
        next: "telex accounts lists the accounts")
    }
    return account
  }

  static func notSignedIn(at origin: String, as user: String?) -> SourceError {
    SourceError.argument(
      origin, "you are not signed in there" + (user.map { " as \($0)" } ?? ""),
      next: "telex accounts lists the accounts")
  }

  /// The subscriptions of a sign-in: those of its account, or all of the server where nobody else
  /// is signed in.
  package func feeds(of signIn: SignIn) throws -> [Feed] {
    let isAlone = try stored(at: signIn.origin).count == 1
    return try composition.store.viewNow { try $0.feeds.all() }.filter { feed in
      if let account = signIn.account, feed.account.id == account { return true }
      return (try? SignIns.origin(of: feed.url)) == signIn.origin
        && (isAlone || (signIn.account == nil && feed.account.id == .local))
    }
  }

  /// Without those of the configuration.
  private func stored(at origin: String) throws -> [SignIn] {
    try composition.store.viewNow { try $0.allSignIns() }.filter { $0.origin == origin }
  }

  /// Sends the outbox of a sign-in before its user signs out, for five seconds at most.
  ///
  /// - Returns: the number of changes that still wait.
  package func sendWaiting(of signIn: SignIn) async throws -> Int {
    guard let account = signIn.account else { return 0 }
    return try await composition.repository.sendWaiting(of: account, within: .seconds(5))
  }

  /// Result of a sign-out.
  package struct SignOut: Sendable {
    /// Why the server could not be told.
    package let problem: SourceError?
    /// Changes that were dropped without being sent.
    package let unsent: Int
  }

  /// Ends the session at a server, and forgets its secret and its outbox.
  ///
  /// - Parameter feeds: feeds to remove with their articles; nil leaves them, with the account, to
  ///   the same user.
  package func signOut(_ signIn: SignIn, removing feeds: [Feed]?) async throws -> SignOut {
    let problem = try await composition.signIns.signOut(signIn)
    var unsent = 0
    try await composition.forgettingRemoved {
      // Together: a kill in between must not leave private articles without their account.
      unsent = try await composition.store.edit { edit in
        let unsent = try signIn.account.map { try edit.view.outbox.waitingCount(of: $0) } ?? 0
        if feeds == nil, let account = signIn.account {
          try edit.accounts.signOut(account)
        } else {
          try edit.remove(signIn)
        }
        for feed in feeds ?? [] { try edit.feeds.unsubscribe(feed.id) }
        if feeds != nil, let account = signIn.account { try edit.removals.drop(of: account) }
        return unsent
      }
    }
    for feed in feeds ?? [] { try await composition.vault.forgetProxyPassword(of: feed) }
    await composition.repository.secrets.forgetDiscarded()
    try await composition.eraseRemoved()
    return SignOut(problem: problem, unsent: unsent)
  }
}

extension SourceError {
  /// With the time of the next attempt as the next step, where the server has named one.
  fileprivate var namingTime: SourceError {
    guard let wait = retryAfter?.timeIntervalSinceNow, wait > 0 else { return self }
    var error = self
    error.next = "try again in \(Measures.long(seconds: Int64(wait.rounded(.up))))"
    return error
  }
}

extension SignIn {
  /// What its scheme is called: `feed-api`, `basic`, `api-key`, or the product of a sync server.
  package var schemeName: String { scheme.name }

  package var isOfFolder: Bool { scheme.isOfFolder }
}
