package import News

extension AccountKind {
  /// The API of Nextcloud News.
  package static let nextcloudNewsAPI = AccountKind(rawValue: "nextcloud-news")
}

extension AccountService {
  package static let nextcloudNews = AccountService(
    .nextcloudNewsAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  func nextcloudNews(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) { NextcloudNewsClient($0, client: $1, password: $2) }
  }
}

extension NextcloudNewsClient: SyncClient {
  package static let edits: SubscriptionEdits = [.add, .remove, .rename, .file]

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    try await mark(ids.compactMap { Int64($0) }, kind, isSet)
  }

  func file(_ id: String, in folders: [String]) async throws {
    try await file(id, in: folders.first)
  }
}
