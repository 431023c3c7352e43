internal import HTTP
package import News

extension AccountKind {
  /// The cursor-paged JSON API that `Docs/FeedAPI.md` describes.
  package static let feedAPI = AccountKind(rawValue: "feedAPI")
}

extension AccountService {
  /// The service of the Feed API with what it can do.
  package static let feedAPI = AccountService(
    .feedAPI, [.pages, .discussion, .live, .stableIDs, .export])
}

/// An account at a server of the Feed API.
struct FeedAPIAccount: AccountSource {
  let sources: Sources
  /// The client for live connections; nil to open none.
  let live: (client: HTTPClient, wire: LiveClient.Wire)?

  var service: AccountService { .feedAPI }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    var fetcher = fetcher(for: feed)
    fetcher.report = report
    return FeedAPISource(base: feed.url, fetcher: fetcher, connections: connections(to: feed))
  }

  func discussion(of feed: Feed) -> (any DiscussionSource)? {
    FeedAPIDiscussion(
      base: feed.url, fetcher: fetcher(for: feed), connections: connections(to: feed))
  }

  func live(of feed: Feed) -> (any LiveSource)? {
    guard let live else { return nil }
    return FeedAPILive(
      base: feed.url, wire: live.wire, client: live.client, fetcher: fetcher(for: feed),
      connections: connections(to: feed))
  }

  private func fetcher(for feed: Feed) -> Fetcher { sources.fetcher(for: feed).askingAPI }

  private func connections(to feed: Feed) -> ConnectionPolicy {
    sources.connections(to: feed.url, isUserEntered: feed.isUserEntered)
  }
}
