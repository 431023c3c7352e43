internal import News

/// An account at a service that this version does not know, or that nobody is signed in to. Its feeds can be
/// read but not refreshed.
struct UnknownAccount: AccountSource {
  let account: Account

  var service: AccountService { account.service }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    Pages(feed: feed)
  }

  private struct Pages: PageSource {
    let feed: Feed

    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      guard !feed.account.isSignedOut else {
        throw SourceError(
          .status, stage: .fetch, subject: feed.displayTitle,
          message: "you are signed out of \(feed.account.displayName)",
          next: "telex login \(feed.account.base)", status: 401)
      }
      throw SourceError(
        .address, stage: .fetch, subject: feed.displayTitle,
        message: "this version does not know the service of its account",
        next: "install a newer Telex")
    }
  }
}
