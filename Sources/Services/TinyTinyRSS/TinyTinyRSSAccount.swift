package import News

extension AccountKind {
  /// The JSON API of Tiny Tiny RSS.
  package static let tinyTinyRSSAPI = AccountKind(rawValue: "tiny-tiny-rss")
}

extension AccountService {
  package static let tinyTinyRSS = AccountService(
    .tinyTinyRSSAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  func tinyTinyRSS(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) { TinyTinyRSSClient($0, client: $1, password: $2) }
  }
}

extension TinyTinyRSSClient: SyncClient {
  /// It can neither rename nor move feeds.
  package static let edits: SubscriptionEdits = [.add, .remove]

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    try await mark(ids.compactMap { Int64($0) }, kind, isSet)
  }
}
