package import HTTP
package import News
internal import Text

/// Download of a file that an article links to, with the sign-in and proxy of its feed.
///
/// It reaches public hosts, and the feed's own host where the user has entered that; from an https
/// feed over https only. A credential goes to its own origin only.
package struct EnclosureDownload: Sendable {
  private let fetcher: Fetcher
  private let request: HTTPRequest
  private let url: String

  /// - Parameter url: as the feed has it, with its query; a user and password in it are used.
  package init(_ sources: Sources, url: String, of feed: Feed) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: feed.url) ?? url
    var request = HTTPRequest(
      .get, self.url, limits: fetcher.limits, connections: sources.connections(of: feed))
    request.keepsCookies = true
    self.request = request
  }

  /// Downloads until the file is complete (`FileDownload`).
  ///
  /// - Throws: `SourceError`, `CancellationError`, and what the steps throw.
  package func run(
    part: String?, state: DownloadState, steps: FileDownload.Steps
  ) async throws -> String {
    try await SourceError.mapping(url) {
      try await FileDownload { [fetcher] in try await fetcher.stream($0) }
        .run(request, part: part, state: state, steps: steps)
    }
  }
}

/// Chapters or transcript of an episode, fetched with the sign-in, proxy and limits of its feed,
/// from public hosts unless the user has entered the feed's own.
package struct EnclosureDocument: Sendable {
  private let fetcher: Fetcher
  private let url: String
  private let connections: ConnectionPolicy

  /// - Parameter url: as the feed has it.
  package init(_ sources: Sources, url: String, of feed: Feed) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: feed.url) ?? url
    connections = sources.connections(of: feed)
  }

  /// The bytes with their media type.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch() async throws -> (bytes: [UInt8], type: String?) {
    let response = try await fetcher.document(at: url, accept: "*/*", connections: connections)
    return (response.body, response.head.headers["Content-Type"])
  }
}
