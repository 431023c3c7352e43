package import News

extension AccountKind {
  /// NewsBlur's own API.
  package static let newsBlurAPI = AccountKind(rawValue: "newsblur")
}

extension AccountService {
  package static let newsBlur = AccountService(
    .newsBlurAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  func newsBlur(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) { NewsBlurClient($0, client: $1, password: $2) }
  }
}

extension NewsBlurClient: SyncClient {
  package static var marksPerCall: Int { itemsPerCall }
  package static let edits: SubscriptionEdits = [.add, .remove, .rename, .file]

  func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    try await ids(in: set)
  }

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    switch kind {
    case .read: try await markRead(ids, isSet)
    case .starred: try await markStarred(ids, isSet)
    }
  }

  func file(_ id: String, in folders: [String]) async throws {
    try await file(id, in: folders.first)
  }
}
