internal import News
internal import Store

/// The store for a sync: edits are refused once its claim has ended, so that no answer to an
/// earlier session, or to a process that another has taken over from, is applied.
struct ClaimedStore: Sendable {
  let store: Store
  let claim: SyncClaim

  func view<Value: Sendable>(
    _ body: @escaping @Sendable (StoreView) throws -> Value
  ) async throws -> Value {
    try await store.view(body)
  }

  func edit<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    try await store.edit { [claim] edit in
      guard try edit.view.sync.holds(claim) else { throw Self.ended(claim, in: edit.view) }
      return try body(edit)
    }
  }

  private static func ended(_ claim: SyncClaim, in view: StoreView) -> SourceError {
    ended(try? view.accounts.account(claim.account))
  }

  /// The error of a sync whose account was taken over meanwhile; nil for an account that is gone.
  static func ended(_ account: Account?) -> SourceError {
    SourceError(
      .store, stage: .store, subject: account?.base ?? "the account",
      message: "you have signed in or out meanwhile, or another Telex has taken over",
      next: "what its server had answered was not kept")
  }
}
