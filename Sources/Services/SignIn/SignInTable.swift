internal import HTTP
package import News
internal import Text

/// Whose requests are signed.
package enum Signer: Hashable, Sendable {
  /// Those for the feeds of an account.
  case account(Account)
  /// Those for what is looked for at an address, by the sign-in of this user where several are signed in
  /// there; nil where the user has named nobody.
  case user(String?)
}

/// The sign-ins that there are, and which of them signs a request. Pure.
struct SignInTable: Sendable {
  private var byOrigin: [String: [SignIn]] = [:]

  init(_ signIns: [SignIn] = []) {
    byOrigin = Dictionary(grouping: signIns, by: \.origin)
  }

  /// The sign-in for the requests to an origin.
  ///
  /// An account signs with its own. Feeds of the local account, and of one that nobody is signed in to, go
  /// with the credential of the origin, else with the one account that there is; of several none is theirs.
  ///
  /// - Parameter latest: who has signed in at the origin last, as far as this process knows: the user who
  ///   names nobody means that one.
  /// - Throws: `SourceError` where the user has to say which of several is meant.
  func signIn(at origin: String, for signer: Signer, latest: SignIn?) throws -> SignIn? {
    let there = byOrigin[origin] ?? []
    let accounts = there.filter(\.isOfAccount)
    let credential = there.last { !$0.isOfAccount }
    switch signer {
    case .account(let account) where account.id != .local && !account.user.isEmpty:
      // One of the configuration may not know yet that it has an account.
      return there.first { $0.account == account.id }
        ?? accounts.first { $0.account == nil && $0.user == account.user }
    case .account:
      return credential ?? (accounts.count == 1 ? accounts[0] : nil)
    case .user(let user?):
      return there.last { $0.user == user }
    case .user(nil):
      if let latest, let found = there.first(where: latest.isSame) { return found }
      guard accounts.count < 2 else {
        throw SourceError.severalSignIns(
          there, at: origin, next: "name one of them: telex add URL --user NAME")
      }
      return accounts.first ?? credential
    }
  }
}

extension SignIn {
  /// Whether it opens an account, rather than being a credential of local feeds.
  package var isOfAccount: Bool { base != nil }

  /// The address below which the account's service lies; nil for a credential of local feeds.
  package var base: String? {
    switch scheme {
    case .bearer(let base), .syncServer(_, let base): base
    case .basic, .apiKey: nil
    }
  }

  /// Whether the other one is the same user of the same service, however it is written: its secret lies in
  /// the same place.
  package func isSame(as other: SignIn) -> Bool {
    guard origin == other.origin, user == other.user else { return false }
    return switch (scheme, other.scheme) {
    case (.bearer, .bearer): path == other.path
    case (.syncServer(let service, _), .syncServer(let another, _)):
      path == other.path && service.kind == another.kind
    case (.basic, .basic), (.apiKey, .apiKey): true
    default: false
    }
  }

  /// The path of its base at the origin, from the first slash on and without those at its end but this one.
  package var path: String {
    guard let base else { return "/" }
    var path = WebAddress.path(of: base)
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path.isEmpty ? "/" : path
  }
}

extension SourceError {
  /// Of an origin at which several are signed in, where one has to be named.
  package static func severalSignIns(
    _ signIns: [SignIn], at origin: String, next: String
  ) -> SourceError {
    let users = signIns.map { $0.user.isEmpty ? "a key" : $0.user }
    let names = zip(signIns, users).map { signIn, user in
      users.count { $0 == user } > 1 ? "\(user) (\(signIn.path))" : user
    }
    return SourceError(
      .address, stage: .arguments, subject: origin,
      message: "several are signed in there: \(names.joined(separator: ", "))", next: next)
  }
}
