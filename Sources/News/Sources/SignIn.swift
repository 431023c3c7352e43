/// Sign-in at a server, without its secret.
package struct SignIn: Hashable, Sendable {
  package enum Scheme: Hashable, Sendable {
    /// Tokens of the Feed API at this base.
    case bearer(base: String)
    /// RFC 7617.
    case basic
    case apiKey(header: String)
    /// The password or key of an account at a sync server at this base. The service signs its
    /// requests itself, with a token that it fetches.
    case syncServer(AccountService, base: String)
    /// A folder of this device, which needs no secret.
    case folder(base: String)
  }

  /// Scheme, host and port: the credential goes nowhere else.
  package var origin: String
  /// Empty where the scheme has none.
  package var user: String
  package var scheme: Scheme
  /// Nil for a credential of local feeds or of the settings.
  package var account: AccountID?

  package init(origin: String, user: String, scheme: Scheme, account: AccountID? = nil) {
    self.origin = origin
    self.user = user
    self.scheme = scheme
    self.account = account
  }

  /// The address below which the account's service lies; nil for a credential of local feeds.
  package var base: String? {
    switch scheme {
    case .bearer(let base), .syncServer(_, let base), .folder(let base): base
    case .basic, .apiKey: nil
    }
  }

  package var isOfAccount: Bool { base != nil }
}

/// Sign-in of one feed, without its password.
package struct FeedSignIn: Hashable, Sendable, Codable {
  /// Scheme, host and port: the scope of the password.
  package var origin: String
  package var user: String
  /// The unique part of the name under which the password is kept.
  package var key: String
  /// The header with the secret, instead of Basic credentials; a bearer token in `Authorization`
  /// (RFC 6750 §2.1).
  package var header: String?

  package init(origin: String, user: String, key: String, header: String? = nil) {
    self.origin = origin
    self.user = user
    self.key = key
    self.header = header
  }
}
