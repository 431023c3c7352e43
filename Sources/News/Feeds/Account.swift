internal import Text

/// Number of an account.
package struct AccountID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The account of the feeds that are fetched from their own addresses; always there.
  package static let local = AccountID(1)
}

/// The kind of service that an account is at. Has nothing to do with `FeedFormat`, the wire format of a
/// document.
///
/// The kinds other than `local` are known to `Services` alone: nothing else asks which one an account is,
/// only what it is capable of.
package struct AccountKind: RawRepresentable, Hashable, Sendable {
  /// As it is stored.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Feeds, each fetched from its own address.
  package static let local = AccountKind(rawValue: "local")
}

/// The capabilities of a service for an account. The store keeps it with the account, so that it can decide within
/// a transaction; the values are stored and never change their meaning.
package struct AccountCapabilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Hands out the articles of a feed page by page.
  package static let pages = AccountCapabilities(rawValue: 1 << 0)
  /// Keeps comments under articles.
  package static let discussion = AccountCapabilities(rawValue: 1 << 1)
  /// Tells by itself what happens in a feed.
  package static let live = AccountCapabilities(rawValue: 1 << 2)
  /// Takes the user's marks, so that those of the account's articles are its server's.
  package static let takesMarks = AccountCapabilities(rawValue: 1 << 3)
  /// Keeps the list of subscriptions, with their folders.
  package static let subscriptions = AccountCapabilities(rawValue: 1 << 5)
  /// The id of an entry stands for the same article for ever.
  package static let stableIDs = AccountCapabilities(rawValue: 1 << 7)
  /// Hands out all articles of a feed in one stream.
  package static let export = AccountCapabilities(rawValue: 1 << 8)
  /// Hands out the articles of all its feeds together, by their ids.
  package static let items = AccountCapabilities(rawValue: 1 << 9)
  /// Keeps marks and subscriptions in logs of the user's machines; the articles come from the feeds' own
  /// addresses.
  package static let logs = AccountCapabilities(rawValue: 1 << 10)
  /// Keeps labels of articles, which the user sets.
  package static let labels = AccountCapabilities(rawValue: 1 << 11)
  /// Hands articles on to a service for reading later.
  package static let later = AccountCapabilities(rawValue: 1 << 12)
}

/// A kind of service with what it is capable of.
package struct AccountService: Hashable, Sendable {
  package var kind: AccountKind
  package var capabilities: AccountCapabilities
  /// The product whose dialect the server speaks, as `Services` names it; nil where there is only one.
  package var dialect: String?

  package init(_ kind: AccountKind, _ capabilities: AccountCapabilities, dialect: String? = nil) {
    self.kind = kind
    self.capabilities = capabilities
    self.dialect = dialect
  }

  package static let local = AccountService(.local, .pages)
}

/// An account: the local one or one at a server, to which feeds belong. Unique by kind, base and user.
package struct Account: Hashable, Sendable, Identifiable {
  package let id: AccountID
  package var service: AccountService
  /// The address below which the service lies; empty for the local account.
  package var base: String
  /// Empty for the local account, and where nobody is signed in.
  package var user: String
  /// The user's own name for it.
  package var name: String?
  /// Whether its user has signed out and left its feeds: nothing is asked in its name until the same user signs in
  /// again.
  package var isSignedOut: Bool
  /// Whether its server has refused the sign-in: it is not asked again before the user has signed in.
  package var needsSignIn: Bool
  /// What its server is called beside others of the same host (`tellingApart`); nil for its host.
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

  /// What a message says where its server wants another sign-in.
  package var wayIn: String {
    "nothing is asked there until you sign in: L in the reader, or telex login \(base)"
  }

  /// What to call it: the user's own name for it, else the user at the server.
  package var displayName: String {
    ownName ?? (user.isEmpty ? serverName : "\(user) at \(serverName)")
  }

  /// The user's own name for it, else its server's.
  package var shortName: String { ownName ?? serverName }

  private var ownName: String? { name?.isEmpty == false ? name : nil }

  private var serverName: String {
    place ?? WebAddress.host(of: base) ?? WebAddress.path(of: base)
  }

  /// The account whose folders its feeds lie in: its own where its server keeps the subscriptions.
  package var folderOwner: AccountID { capabilities.contains(.subscriptions) ? id : .local }

  /// The account whose marks its articles have: its own where its server keeps marks. Articles that are
  /// the same share their marks within one such account only.
  package var markOwner: AccountID { capabilities.contains(.takesMarks) ? id : .local }
}

extension Account {
  /// Accounts with names that tell them apart: of several at one host those at different ports are named with
  /// them, and those of one user at one port with their paths. What the user has named stays.
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
