package import HTTP
package import News
internal import Text

/// Download of a file that an article names, with the sign-in and the proxy of its feed.
///
/// The address is the feed's: it reaches public hosts, and the feed's own host where the user has entered
/// that. A feed that came over https leads to https only. A credential goes to its own origin only.
package struct EnclosureDownload: Sendable {
  private let fetcher: Fetcher
  private let request: HTTPRequest
  private let url: String

  /// - Parameters:
  ///   - url: as the feed has it, with its query; a user and password in it are used.
  ///   - feed: the feed of the article.
  package init(_ sources: Sources, url: String, of feed: Feed) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: feed.url) ?? url
    var request = HTTPRequest(
      .get, self.url, limits: fetcher.limits,
      connections: sources.connections(to: feed.url, isUserEntered: feed.isUserEntered))
    request.keepsCookies = true
    self.request = request
  }

  /// Downloads until the part is whole (`FileDownload`).
  ///
  /// - Throws: `SourceError`, `CancellationError`, and what the steps throw.
  package func run(
    part: String?, state: DownloadState, steps: FileDownload.Steps
  ) async throws -> String {
    let fetcher = fetcher
    do {
      return try await FileDownload { try await fetcher.stream($0) }
        .run(request, part: part, state: state, steps: steps)
    } catch let error as HTTPError {
      throw SourceError(error, url: url)
    }
  }
}
