internal import Text

package struct AccountID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The account of the feeds that are fetched from their own addresses; always there.
  package static let local = AccountID(1)
}

/// Kind of service of an account, unrelated to `FeedFormat`.
///
/// Only `Services` knows the kinds other than `local`: everything else asks for capabilities.
package struct AccountKind: RawRepresentable, Hashable, Sendable {
  /// As it is stored.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Feeds that are fetched from their own addresses.
  package static let local = AccountKind(rawValue: "local")
}

/// Capabilities of an account's service. Stored with the account, so that transactions can decide
/// by them: the values never change their meaning.
package struct AccountCapabilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Returns the articles of a feed page by page.
  package static let pages = AccountCapabilities(rawValue: 1 << 0)
  /// Has comments on articles.
  package static let discussion = AccountCapabilities(rawValue: 1 << 1)
  /// Sends live events.
  package static let live = AccountCapabilities(rawValue: 1 << 2)
  /// Keeps marks, so that articles of the account have the marks of its server.
  package static let takesMarks = AccountCapabilities(rawValue: 1 << 3)
  /// Keeps subscriptions and folders.
  package static let subscriptions = AccountCapabilities(rawValue: 1 << 5)
  /// An entry's id stands for the same article for ever.
  package static let stableIDs = AccountCapabilities(rawValue: 1 << 7)
  /// Streams all articles of a feed.
  package static let export = AccountCapabilities(rawValue: 1 << 8)
  /// Returns the articles of all feeds together, by id.
  package static let items = AccountCapabilities(rawValue: 1 << 9)
  /// Keeps marks and subscriptions in logs of the user's devices; articles come from the feeds' own
  /// addresses.
  package static let logs = AccountCapabilities(rawValue: 1 << 10)
  /// Keeps labels of articles.
  package static let labels = AccountCapabilities(rawValue: 1 << 11)
  /// Saves articles with a reading service.
  package static let later = AccountCapabilities(rawValue: 1 << 12)
}

/// Kind of service with its capabilities.
package struct AccountService: Hashable, Sendable {
  package var kind: AccountKind
  package var capabilities: AccountCapabilities
  /// The product whose dialect the server speaks, as `Services` names it; nil for the only one.
  package var dialect: String?

  package init(_ kind: AccountKind, _ capabilities: AccountCapabilities, dialect: String? = nil) {
    self.kind = kind
    self.capabilities = capabilities
    self.dialect = dialect
  }

  package static let local = AccountService(.local, .pages)
}

/// Account of feeds: the local one or one at a server. Unique by kind, base and user.
package struct Account: Hashable, Sendable, Identifiable {
  package let id: AccountID
  package var service: AccountService
  /// The address below which the service lies; empty for the local account.
  package var base: String
  /// Empty for the local account and where nobody is signed in.
  package var user: String
  package var name: String?
  /// Whether its user has signed out and kept its feeds: no requests until the user signs in again.
  package var isSignedOut: Bool
  /// Whether its server has refused the sign-in: no requests until the user signs in.
  package var needsSignIn: Bool
  /// The name of its server beside others of the same host (`tellingApart`); nil for the host.
  package private(set) var place: String?

  package init(
    id: AccountID, service: AccountService, base: String = "", user: String = "",
    name: String? = nil, isSignedOut: Bool = false, needsSignIn: Bool = false
  ) {
    self.id = id
    self.service = service
    self.base = base
    self.user = user
    self.name = name
    self.isSignedOut = isSignedOut
    self.needsSignIn = needsSignIn
  }

  package static let local = Account(id: .local, service: .local)

  package var kind: AccountKind { service.kind }
  package var capabilities: AccountCapabilities { service.capabilities }

  /// The next step for messages about a refused sign-in.
  package var wayIn: String {
    "nothing is asked there until you sign in: L in the reader, or telex login \(base)"
  }

  /// The user's name for it, else the user at the server.
  package var displayName: String {
    ownName ?? (user.isEmpty ? serverName : "\(user) at \(serverName)")
  }

  /// The user's name for it, else the server.
  package var shortName: String { ownName ?? serverName }

  private var ownName: String? { name?.isEmpty == false ? name : nil }

  private var serverName: String {
    place ?? WebAddress.host(of: base) ?? WebAddress.path(of: base)
  }

  /// The account that has the folders of its feeds: itself where its server keeps subscriptions.
  package var folderOwner: AccountID { capabilities.contains(.subscriptions) ? id : .local }

  /// The account that has the marks of its articles: itself where its server keeps marks.
  /// Duplicates share marks only within one such account.
  package var markOwner: AccountID { capabilities.contains(.takesMarks) ? id : .local }
}

extension Account {
  /// Accounts with distinct names: several at one host get their ports, and those of one user at
  /// one port their paths. Names by the user stay.
  package static func tellingApart(_ accounts: [Account]) -> [Account] {
    accounts.map { account in
      var account = account
      account.place = account.place(among: accounts)
      return account
    }
  }

  private func place(among accounts: [Account]) -> String? {
    guard ownName == nil, let host = WebAddress.host(of: base) else { return nil }
    let others = accounts.filter {
      $0.id != id && $0.ownName == nil && WebAddress.host(of: $0.base) == host
    }
    let server = WebAddress.hostAndPort(of: base)
    let atSame = others.filter { WebAddress.hostAndPort(of: $0.base) == server }
    if atSame.contains(where: { $0.user == user && $0.base != base }) {
      return WebAddress.withoutScheme(base)
    }
    return atSame.count < others.count ? server : nil
  }
}
