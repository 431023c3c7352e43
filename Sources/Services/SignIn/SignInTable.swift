internal import HTTP
package import News
internal import Text

/// Sender and subject of a request, which decide on its sign-in.
package struct Signer: Hashable, Sendable {
  package enum Party: Hashable, Sendable {
    /// A feed of an account.
    case account(Account)
    /// A search at an address, with the sign-in of this user; nil for nobody named.
    case user(String?)
  }

  package enum Subject: Hashable, Sendable {
    /// A document, or an unknown address.
    case document
    case api
  }

  package var party: Party
  package var subject: Subject

  package init(_ party: Party, asking subject: Subject = .document) {
    self.party = party
    self.subject = subject
  }
}

/// All sign-ins, and which of them signs a request.
struct SignInTable: Sendable {
  private var byOrigin: [String: [SignIn]] = [:]

  init(_ signIns: [SignIn] = []) {
    byOrigin = Dictionary(grouping: signIns, by: \.origin)
  }

  /// The sign-in of a request to an address.
  ///
  /// An account uses its own. Otherwise the address decides, so that a found feed is refreshed with
  /// the same sign-in: the API and the base of an account use that account, documents use the
  /// credential of the origin; without one, both use the only account of the origin, or the nearest
  /// above the address. Among several equally near, a search asks for the user, and a refresh uses
  /// none.
  ///
  /// - Parameter latest: the latest sign-in at the origin in this process, for a user who names
  ///   nobody.
  /// - Throws: `SourceError` where the user has to choose one of several.
  func signIn(at url: HTTPURL, for signer: Signer, latest: SignIn?) throws -> SignIn? {
    // A sync server's sign-in signs the calls of its own client, and nothing else at its origin.
    var there = (byOrigin[url.origin] ?? []).filter(\.signsRequests)
    switch signer.party {
    case .account(let account)
    where account.id != .local && !account.user.isEmpty && !account.capabilities.contains(.logs):
      // A sign-in of the configuration may not know its account yet.
      return there.first { $0.account == account.id }
        ?? there.first {
          $0.account == nil && $0.isOfAccount && $0.user == account.user
            && $0.path == SignIn.path(of: account.base)
        }
    case .account, .user(nil): break
    case .user(let user?): there = there.filter { $0.user == user }
    }
    let accounts = there.filter(\.isOfAccount)
    let nearest = accounts.nearest(above: url)
    let isOfAPI = signer.subject == .api || nearest.contains { $0.basePath == url.trimmedPath }
    var candidates = nearest
    if !isOfAPI || nearest.isEmpty, let credential = there.last(where: { !$0.isOfAccount }) {
      return credential
    }
    if candidates.isEmpty { candidates = accounts }
    guard candidates.count > 1 else { return candidates.first }
    guard case .user = signer.party else { return nil }
    if let latest, let found = candidates.first(where: latest.isSame) { return found }
    throw SourceError.severalSignIns(
      candidates, at: url.origin, next: "name one of them: telex add URL --user NAME")
  }
}

extension SignIn {
  /// Whether it signs requests for feeds, rather than the calls of its service's own client.
  fileprivate var signsRequests: Bool {
    switch scheme {
    case .syncServer, .folder: false
    case .bearer, .basic, .apiKey: true
    }
  }

  /// Whether the other one is the same user of the same service, in any spelling: their secrets
  /// have the same place.
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

  /// The path of its base, without slashes at its end; "/" for the root.
  package var path: String { base.map(Self.path(of:)) ?? "/" }

  static func path(of address: String) -> String {
    var path = WebAddress.path(of: address)
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path.isEmpty ? "/" : path
  }

  /// As it is sent, to be compared with that of a request.
  fileprivate var basePath: String? { base.flatMap { try? HTTPURL($0).trimmedPath } }
}

extension HTTPURL {
  /// Without slashes at its end; "/" for the root.
  fileprivate var trimmedPath: String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

extension [SignIn] {
  /// The accounts whose bases contain an address: those with the longest.
  fileprivate func nearest(above url: HTTPURL) -> [SignIn] {
    let path = url.trimmedPath
    let above = filter { signIn in
      guard let base = signIn.basePath else { return false }
      return base == "/" || path == base || path.hasPrefix(base + "/")
    }
    let longest = above.compactMap { $0.basePath?.utf8.count }.max()
    return above.filter { $0.basePath?.utf8.count == longest }
  }

  /// The sign-ins for an address at their origin: those of accounts with the nearest base above it,
  /// else those with bases below it, else all. The root of an origin means no single account.
  ///
  /// - Parameter isUserKnown: whether all are the same user's, so that only the base distinguishes
  ///   them.
  package func meant(by address: String, isUserKnown: Bool) -> [SignIn] {
    guard count > 1, let url = try? HTTPURL(address), url.trimmedPath != "/" || isUserKnown else {
      return self
    }
    let above = nearest(above: url)
    // A base that is the whole origin contains everything, and counts last.
    let below = filter { $0.basePath?.hasPrefix(url.trimmedPath + "/") == true }
    let choices = above.first?.basePath == "/" ? [below, above] : [above, below]
    return choices.first { !$0.isEmpty } ?? self
  }
}

extension SourceError {
  /// The error where several are signed in at an origin and one has to be named.
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
