internal import News

/// An account at a service that this version does not know. Its feeds can be read but not refreshed.
struct UnknownAccount: AccountSource {
  let service: AccountService

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    Pages(feed: feed)
  }

  private struct Pages: PageSource {
    let feed: Feed

    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      throw SourceError(
        .address, stage: .fetch, subject: feed.displayTitle,
        message: "this version does not know the service of its account",
        next: "install a newer Telex")
    }
  }
}
