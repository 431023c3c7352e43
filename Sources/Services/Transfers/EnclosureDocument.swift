internal import HTTP
package import News
internal import Text

/// A document that belongs to an episode: its chapters, its transcript. Fetched whole, as a feed is: with its sign-in,
/// its proxy and its limits, and from public hosts only unless the user has entered the feed's own.
package struct EnclosureDocument: Sendable {
  private let fetcher: Fetcher
  private let url: String
  private let connections: ConnectionPolicy

  /// - Parameter url: as the feed has it.
  package init(_ sources: Sources, url: String, of feed: Feed) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: feed.url) ?? url
    connections = sources.connections(to: feed.url, isUserEntered: feed.isUserEntered)
  }

  /// The bytes, and what the server says of their type.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch() async throws -> (bytes: [UInt8], type: String?) {
    let response = try await fetcher.document(at: url, accept: "*/*", connections: connections)
    return (response.body, response.head.headers["Content-Type"])
  }
}
