package import News

extension AccountKind {
  /// Feedbin's API, version 2.
  package static let feedbinAPI = AccountKind(rawValue: "feedbin")
}

extension AccountService {
  package static let feedbin = AccountService(
    .feedbinAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  func feedbin(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) { FeedbinClient($0, client: $1, password: $2) }
  }
}

extension FeedbinClient: SyncClient {
  package static let edits: SubscriptionEdits = [.add, .remove, .rename, .file, .manyFolders]

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    try await mark(ids.compactMap { Int64($0) }, kind, isSet)
  }
}
