internal import HTTP
package import News
internal import Synchronization

extension AccountKind {
  /// A sync server of the Google Reader API.
  package static let googleReader = AccountKind(rawValue: "googleReader")
}

extension AccountCapabilities {
  fileprivate static let syncServer: Self = [.items, .takesMarks, .subscriptions, .stableIDs]
}

extension AccountService {
  package static let googleReader = AccountService(.googleReader, .syncServer)
  /// Miniflux's own API, with name and password.
  package static let miniflux = AccountService(
    AccountKind(rawValue: "miniflux"), [.syncServer, .later])
  /// With a key of the API.
  package static let minifluxKey = AccountService(
    miniflux.kind, [.syncServer, .later], dialect: "miniflux-key")
  /// The list of subscriptions is read-only.
  package static let fever = AccountService(AccountKind(rawValue: "fever"), .syncServer)
  package static let nextcloudNews = AccountService(
    AccountKind(rawValue: "nextcloud-news"), .syncServer)
  /// Feedbin's API, version 2.
  package static let feedbin = AccountService(AccountKind(rawValue: "feedbin"), .syncServer)
  package static let newsBlur = AccountService(AccountKind(rawValue: "newsblur"), .syncServer)
  /// The JSON API of Tiny Tiny RSS.
  package static let tinyTinyRSS = AccountService(
    AccountKind(rawValue: "tiny-tiny-rss"), .syncServer)
}

extension SyncProtocol {
  /// The services of its servers, one for each way to sign in, best first; none for the Feed API,
  /// whose accounts have tokens.
  func services(of product: GoogleReaderProduct? = nil) -> [AccountService] {
    switch self {
    case .feedAPI: []
    case .googleReader: [.googleReader(of: product ?? .other)]
    case .miniflux: [.miniflux, .minifluxKey]
    case .fever: [.fever]
    case .nextcloudNews: [.nextcloudNews]
    case .feedbin: [.feedbin]
    case .newsBlur: [.newsBlur]
    case .tinyTinyRSS: [.tinyTinyRSS]
    }
  }

  /// Nil for an account that is not at a sync server.
  init?(_ kind: AccountKind) {
    let found = Self.allCases.first { $0.services().contains { $0.kind == kind } }
    guard let found else { return nil }
    self = found
  }
}

extension AccountService {
  /// The client of an account at a sync server; nil for other services.
  ///
  /// - Parameter secret: looks the password or key up when it is needed; nil where there is none.
  func client(
    _ settings: SyncServerSettings, _ client: ResilientClient, secret: @escaping PasswordLookup
  ) -> (any SyncClient)? {
    switch SyncProtocol(kind) {
    case .googleReader:
      GoogleReaderClient(settings, of: self, client: client, secret: secret)
    case .miniflux:
      MinifluxClient(
        settings, dialect == Self.minifluxKey.dialect ? .key : .password, client: client,
        secret: secret)
    case .fever: FeverClient(settings, client: client, password: secret)
    case .nextcloudNews: NextcloudNewsClient(settings, client: client, password: secret)
    case .feedbin: FeedbinClient(settings, client: client, password: secret)
    case .newsBlur: NewsBlurClient(settings, client: client, password: secret)
    case .tinyTinyRSS: TinyTinyRSSClient(settings, client: client, password: secret)
    case .feedAPI, nil: nil
    }
  }
}

/// Clients of sync servers, one for each account, whose copies share a sign-in.
final class SyncClients: Sendable {
  private let clients = Mutex<[Account: any SyncClient]>([:])

  func client(of account: Account, _ make: () -> (any SyncClient)?) -> (any SyncClient)? {
    clients.withLock { clients in
      let client = clients[account] ?? make()
      clients[account] = client
      return client
    }
  }
}

extension Sources {
  /// The source of an account at a sync server; nil for other accounts and where nobody is signed in.
  func syncAccount(_ account: Account) -> (any AccountSource)? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    let client = syncClients.client(of: account) {
      account.service.client(syncSettings(of: account), unsignedClient) {
        try await signIns.password(of: signIn)
      }
    }
    return client?.account(of: account.service)
  }

  private func syncSettings(of account: Account) -> SyncServerSettings {
    var settings = SyncServerSettings(base: account.base, user: account.user)
    settings.limits = fetcher.limits
    settings.deadline = fetcher.deadline
    settings.route = fetcher.route
    return settings
  }

  /// A client whose requests are signed by the service itself.
  private var unsignedClient: ResilientClient {
    var client = fetcher.client
    client.authorizer = nil
    return client
  }
}
