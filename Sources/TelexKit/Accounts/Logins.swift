package import News
internal import Repository
internal import Services
internal import Store

/// The sign-ins at servers, those of the configuration included.
package struct Logins: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Where a user is signed in; those of the configuration go before those of the store.
  package func all() throws -> [SignIn] { try composition.allSignIns() }

  /// Signs in at a server and keeps the sign-in.
  ///
  /// - Parameters:
  ///   - url: an address of the server, normalised.
  ///   - scheme: how the secret is sent; nil to find out.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func signIn(
    at url: String, user: String, secret: String, scheme: SignIn.Scheme? = nil
  ) async throws -> SignIn {
    try await composition.signIn(at: url, user: user, secret: secret, scheme: scheme)
  }

  /// The password that a command of the configuration prints; nil where there is no command.
  package func passwordFromCommand(user: String, at url: String) async throws -> String? {
    let origin = try SignIns.origin(of: url)
    return try await composition.vault.password(
      of: SignIn(origin: origin, user: user, scheme: .basic))
  }

  /// The sign-in at a server that is meant.
  ///
  /// - Parameters:
  ///   - url: an address of the server, normalised.
  ///   - user: whose; needed where several are signed in.
  /// - Throws: `SourceError` of stage `.arguments` where there is none, or no single one.
  package func signIn(at url: String, user: String? = nil) throws -> SignIn {
    let origin = try SignIns.origin(of: url)
    let meant = try stored(at: origin).filter { user == nil || $0.user == user }
    guard let signIn = meant.first else {
      throw SourceError(
        .address, stage: .arguments, subject: origin,
        message: "you are not signed in there" + (user.map { " as \($0)" } ?? ""),
        next: "telex accounts lists where you are")
    }
    guard meant.count == 1 else {
      let names = meant.map { $0.user.isEmpty ? "a key" : $0.user }.joined(separator: ", ")
      throw SourceError(
        .address, stage: .arguments, subject: origin,
        message: "several are signed in there: \(names)", next: "say which with --user NAME")
    }
    return signIn
  }

  /// The subscriptions that go with a sign-in. Where others stay signed in, what is theirs stays.
  package func feeds(of signIn: SignIn) throws -> [Feed] {
    let isAlone = try stored(at: signIn.origin).count == 1
    return try composition.store.viewNow { try $0.feeds() }.filter { feed in
      (try? SignIns.origin(of: feed.url)) == signIn.origin
        && (isAlone || feed.account.id == signIn.account ?? .local)
    }
  }

  /// Without those of the configuration.
  private func stored(at origin: String) throws -> [SignIn] {
    try composition.store.viewNow { try $0.allSignIns() }.filter { $0.origin == origin }
  }

  /// Ends the session at a server, forgets its secret, and removes what waits to be sent there.
  ///
  /// - Parameter feeds: those that go with it, with their articles.
  /// - Returns: what kept the server from being told, if anything did.
  package func signOut(_ signIn: SignIn, removing feeds: [Feed]) async throws -> SourceError? {
    let problem = try await composition.signIns.signOut(signIn)
    // Together: a kill in between must not leave private articles without their account.
    try await composition.store.edit { edit in
      try edit.remove(signIn)
      for feed in feeds { try edit.unsubscribe(feed.id) }
    }
    for feed in feeds { try await composition.vault.forgetProxyPassword(of: feed) }
    await composition.repository.forgetSignIns()
    try await composition.eraseRemoved()
    return problem
  }
}
