internal import HTTP
package import News
internal import Text

/// Web page that an article links to. Fetched with the proxy of its feed and, at the feed's own
/// server, its sign-in; from public hosts unless the user has entered the host.
package struct WebPageDocument: Sendable {
  package struct Answer: Sendable {
    package var bytes: [UInt8]
    package var contentType: String?
    /// Behind all redirects.
    package var url: String
  }

  private let fetcher: Fetcher
  private let url: String
  private let connections: ConnectionPolicy

  /// In bytes. Larger pages are no articles.
  private static let mostBytes = 8 << 20
  private static let accept = "text/html, application/xhtml+xml, text/plain;q=0.5, */*;q=0.1"

  /// - Parameters:
  ///   - url: as the feed or another page has it.
  ///   - isTyped: whether the user has typed it, so that its host may be anywhere.
  package init(_ sources: Sources, url: String, of feed: Feed, isTyped: Bool = false) {
    fetcher = sources.fetcher(for: feed)
    self.url = WebAddress.secured(url, namedAt: feed.url) ?? url
    connections =
      isTyped
      ? sources.connections(to: url, isUserEntered: true)
      : sources.connections(of: feed)
  }

  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch() async throws -> Answer {
    var limits = fetcher.limits
    limits.maxBodyBytes = min(limits.maxBodyBytes ?? Self.mostBytes, Self.mostBytes)
    limits.total = min(limits.total ?? .seconds(60), .seconds(60))
    var request = HTTPRequest(
      .get, url, headers: ["Accept": Self.accept], limits: limits, connections: connections)
    request.keepsCookies = true
    let response = try await fetcher.response(to: request)
    let type = response.head.headers["Content-Type"]
    guard Self.isPage(type) else {
      throw SourceError(
        .decoding, stage: .fetch, subject: WebAddress.host(of: url) ?? WebAddress.redacted(url),
        message: "this address leads to no web page, but to \(type ?? "a file")",
        next: "what the feed says of the article stays")
    }
    return Answer(bytes: response.body, contentType: type, url: response.head.url)
  }

  private static func isPage(_ type: String?) -> Bool {
    guard let type = type?.lowercased().prefix(while: { $0 != ";" && $0 != " " }) else {
      return true
    }
    return ["text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml", ""]
      .contains(String(type))
  }
}

extension Sources {
  /// List of feeds on the web, at an entered address.
  ///
  /// - Throws: `SourceError` or `CancellationError`.
  package func list(at url: String) async throws -> [UInt8] {
    try await fetcher.document(
      at: url, accept: "text/x-opml, application/xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
      connections: connections(to: url, isUserEntered: true)
    ).body
  }
}
