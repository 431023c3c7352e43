internal import HTTP

/// A list of feeds on the web, at an address that the user has entered.
package struct ListDocument: Sendable {
  private let sources: Sources
  private let url: String

  package init(_ sources: Sources, url: String) {
    self.sources = sources
    self.url = url
  }

  /// The bytes of the list.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch() async throws -> [UInt8] {
    try await sources.fetcher.document(
      at: url, accept: "text/x-opml, application/xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
      connections: sources.connections(to: url, isUserEntered: true)
    ).body
  }
}
