package import News
internal import Store
internal import Text

extension FeedRepository {
  /// Synchronises an account with its server.
  @discardableResult
  package func synchronize(_ id: AccountID) async throws -> SyncReport {
    guard let account = try await store.view({ try $0.accounts.account(id) }) else {
      throw SourceError(
        .store, stage: .arguments, subject: "\(id.rawValue)", message: "there is no such account",
        next: "telex accounts lists the accounts")
    }
    let report = await sync(account)
    try report.check()
    return report
  }

  /// Synchronises an account with its server. Failures are in the report, and stored.
  package func sync(_ account: Account) async -> SyncReport {
    await syncer.sync(account, with: refresher) ?? SyncReport(account: account)
  }

  /// Fetches the subscriptions of an account from its server, without their articles.
  ///
  /// - Returns: the number of feeds of the account; nil where its server keeps no subscriptions.
  package func takeSubscriptions(of id: AccountID) async throws -> Int? {
    guard let account = try await store.view({ try $0.accounts.account(id) }),
      let subscriptions = context.sources.source(of: account).subscriptions
    else { return nil }
    let report = await syncer.takeSubscriptions(
      of: account, from: subscriptions, with: refresher)
    try report.check()
    return try await store.view { view in
      try view.sync.states().first { $0.id == id }?.feeds
    }
  }
}

extension SyncReport {
  fileprivate func check() throws {
    guard let error else { return }
    throw error.kind == .cancelled ? CancellationError() : error as any Error
  }
}
