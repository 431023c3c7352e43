internal import News

/// Account at a sync server. Its articles come with its sync, so that its feeds have no pages.
struct SyncAccount: AccountSource {
  let service: AccountService
  let client: any SyncClient

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    FailingPages(
      error: SourceError(
        .address, stage: .fetch, subject: feed.displayTitle,
        message: "the articles of this feed come with the sync of its account",
        next: "telex refresh brings the account in line"))
  }

  var items: (any ItemSource)? { client }
  var marks: (any MarkSink)? { SyncMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { client }
  var labels: (any LabelSource)? { client.labels }
  var later: (any LaterService)? { client as? any LaterService }
}

private struct SyncMarks: MarkSink {
  let client: any SyncClient

  var limit: Int { client.marksPerCall }

  /// Sends the marks of each kind together.
  func send(_ marks: [EntryMark]) async throws {
    for kind in Mark.Kind.allCases {
      for isSet in [true, false] {
        let ids = marks.filter { $0.mark == Mark(kind, isSet) }.map(\.entry.id)
        if !ids.isEmpty { try await client.mark(ids, kind, isSet) }
      }
    }
  }
}
