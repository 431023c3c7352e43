internal import HTTP
package import News

extension AccountKind {
  /// The cursor-paged JSON API that `Docs/FeedAPI.md` describes.
  package static let feedAPI = AccountKind(rawValue: "feedAPI")
}

extension AccountService {
  package static let feedAPI = AccountService(
    .feedAPI, [.pages, .discussion, .live, .stableIDs, .export])
}

struct FeedAPIAccount: AccountSource {
  let sources: Sources
  /// The client for live connections; nil to open none.
  let live: (client: HTTPClient, wire: LiveClient.Wire)?

  var service: AccountService { .feedAPI }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { FeedAPISource(api: server(of: feed, report: report)) }

  func discussion(of feed: Feed) -> (any DiscussionSource)? {
    FeedAPIDiscussion(api: server(of: feed))
  }

  func live(of feed: Feed) -> (any LiveSource)? {
    live.map { FeedAPILive(api: server(of: feed), wire: $0.wire, client: $0.client) }
  }

  private func server(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void = { _ in }
  ) -> FeedAPIServer {
    var fetcher = sources.fetcher(for: feed).askingAPI
    fetcher.report = report
    return FeedAPIServer(
      base: feed.url, fetcher: fetcher, connections: sources.connections(of: feed))
  }
}
