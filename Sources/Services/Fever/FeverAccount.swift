package import News

extension AccountKind {
  /// A sync server of the Fever API.
  package static let feverAPI = AccountKind(rawValue: "fever")
}

extension AccountService {
  /// The list of subscriptions can be read and not changed.
  package static let fever = AccountService(
    .feverAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  func fever(_ account: Account) -> (any AccountSource)? {
    syncAccount(account) { FeverClient($0, client: $1, password: $2) }
  }
}

extension FeverClient: SyncClient {
  /// Most servers take one mark a call.
  package static let marksPerCall = 50
  package static let edits: SubscriptionEdits = []

  func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    try await ids(in: set)
  }

  func mark(_ ids: [String], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    switch kind {
    case .read: try await markRead(ids, isSet)
    case .starred: try await markSaved(ids, isSet)
    }
  }
}
