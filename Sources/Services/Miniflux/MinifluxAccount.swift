package import News

extension AccountKind {
  /// Miniflux's own API.
  package static let minifluxAPI = AccountKind(rawValue: "miniflux")
}

extension AccountService {
  /// With name and password.
  package static let miniflux = AccountService(
    .minifluxAPI, [.items, .takesMarks, .subscriptions, .stableIDs, .later])

  /// With a key of the API.
  package static let minifluxKey = AccountService(
    .minifluxAPI, [.items, .takesMarks, .subscriptions, .stableIDs, .later], dialect: "miniflux-key"
  )
}

extension MinifluxClient.Credential {
  /// The credential of an account's service.
  init(_ service: AccountService) {
    self = service.dialect == AccountService.minifluxKey.dialect ? .key : .password
  }
}

extension Sources {
  func miniflux(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) {
      MinifluxClient($0, MinifluxClient.Credential(account.service), client: $1, secret: $2)
    }
  }
}

extension MinifluxClient: SyncClient, LaterService {
  package static let marksPerCall = 2_000
  package static let listsArrivals = true
  package static let edits: SubscriptionEdits = [.add, .remove, .rename, .file]

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    try await mark(ids.compactMap { Int64($0) }, kind, isSet)
  }

  func file(_ id: String, in folders: [String]) async throws {
    try await file(id, in: folders.first)
  }
}
