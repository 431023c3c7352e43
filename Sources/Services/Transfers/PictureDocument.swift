internal import HTTP
package import News
internal import Text

/// Picture in an article, fetched with the proxy and limits of its feed, from public hosts unless
/// the user has entered the feed's address, and without `Referer`.
package struct PictureDocument: Sendable {
  private let fetcher: Fetcher
  private let url: String
  private let connections: ConnectionPolicy

  /// - Parameters:
  ///   - url: as the article has it.
  ///   - page: the typed address of the article's page: a picture may be on that host, too.
  package init(_ sources: Sources, url: String, of feed: Feed, typedPage page: String? = nil) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: page ?? feed.url) ?? url
    connections =
      page.map { sources.connections(to: $0, isUserEntered: true) }
      ?? sources.connections(of: feed)
  }

  /// - Parameter most: the most bytes; nil for the limit of all documents.
  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch(atMost most: Int? = nil) async throws -> [UInt8] {
    try await fetcher.limited(to: most).document(
      at: url, accept: "image/avif,image/webp,image/png,image/jpeg,image/gif,image/*;q=0.5",
      connections: connections
    ).body
  }
}
