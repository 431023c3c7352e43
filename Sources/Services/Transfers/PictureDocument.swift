internal import HTTP
package import News
internal import Text

/// A picture in an article, fetched whole: on the way of the article's feed, with its proxy and limits, from public
/// hosts only unless the user has entered the feed's address, and without saying where it stands (no `Referer`).
package struct PictureDocument: Sendable {
  private let fetcher: Fetcher
  private let url: String
  private let connections: ConnectionPolicy

  /// - Parameters:
  ///   - url: as the article has it.
  ///   - page: the page of the article where the user has typed its address: a picture may be on that host, too.
  package init(_ sources: Sources, url: String, of feed: Feed, typedPage page: String? = nil) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: page ?? feed.url) ?? url
    connections =
      page.map { sources.connections(to: $0, isUserEntered: true) }
      ?? sources.connections(of: feed)
  }

  /// The bytes of its file.
  ///
  /// - Parameter most: how many there may be; nil for the limit of all documents.
  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch(atMost most: Int? = nil) async throws -> [UInt8] {
    try await fetcher.limited(to: most).document(
      at: url, accept: "image/avif,image/webp,image/png,image/jpeg,image/gif,image/*;q=0.5",
      connections: connections
    ).body
  }
}
