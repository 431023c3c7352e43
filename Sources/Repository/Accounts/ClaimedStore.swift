internal import News
internal import Store

/// The store as a sync sees it: an edit is refused once the claim of the sync has ended, so that nothing
/// is applied that was answered to a session before the present one, or to a process that another has
/// taken over from.
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

  /// What is said of a sync whose account has been taken over meanwhile; nil for one that is gone.
  static func ended(_ account: Account?) -> SourceError {
    SourceError(
      .store, stage: .store, subject: account?.base ?? "the account",
      message: "you have signed in or out meanwhile, or another Telex has taken over",
      next: "what its server had answered was not kept")
  }
}
