internal import Foundation
internal import HTTP
package import News
internal import Syndication

extension Sources {
  /// Finds the feed at an address: the document there if it is a feed, the API if it is one, the
  /// feed that the page there names, or a file's.
  package func locate(_ address: String) async throws -> LocatedFeed {
    if let file = Self.fileAddress(address) { return try await locateFile(file) }
    let typed = try WebAddress.normalized(address)
    let response = try await fetcher.document(
      at: typed, accept: "\(WebFeed.accept), text/html;q=0.7",
      connections: connections(to: typed, isTyped: true))
    if let api = try await locateAPI(typed, response) { return api }
    do {
      let page = try await page(response)
      let url = response.head.permanentURL ?? typed
      // A host that a redirect names is not one that the reader typed.
      return LocatedFeed(
        url: url, page: page, isTyped: WebAddress.host(of: url) == WebAddress.host(of: typed))
    } catch let error as SourceError where error.kind == .notAFeed {
      return try await locate(namedBy: response, typed: typed, error)
    }
  }

  /// The address of a file, where that is what was typed.
  private static func fileAddress(_ typed: String) -> String? {
    let text = typed.trimmingCharacters(in: .whitespaces)
    if text.lowercased().hasPrefix("file:") { return text }
    guard ["/", "./", "../", "~/"].contains(where: text.hasPrefix) else { return nil }
    let path = NSString(string: text).expandingTildeInPath
    return URL(filePath: path).absoluteURL.standardizedFileURL.absoluteString
  }

  private func locateFile(_ url: String) async throws -> LocatedFeed {
    let answer = try await FileFeed(url: url, limit: fetcher.limit)
      .page(after: nil, known: KnownPage())
    guard case .page(let page) = answer.body else {
      throw SourceError(.file, stage: .fetch, subject: url, message: "the file cannot be read")
    }
    return LocatedFeed(url: url, page: page, isTyped: true)
  }

  private func locateAPI(_ typed: String, _ response: HTTPResponse) async throws -> LocatedFeed? {
    // A small JSON object that names the API; everything else is left to the feed parser.
    guard response.body.count < 64 << 10, response.body.first(where: { $0 > 0x20 }) == 0x7B,
      let about = try? FeedAPICatalogue.about().value(of: response),
      about.api == FeedAPICatalogue.About.name
    else { return nil }
    let base = response.head.permanentURL ?? typed
    guard about.version == 1 else {
      throw SourceError(
        .decoding, stage: .parse, subject: WebAddress.redacted(base),
        message: "the server speaks version \(about.version) of the Feed API; this Telex, 1",
        next: "install a newer Telex")
    }
    let source = FeedAPISource(
      base: base, fetcher: fetcher, connections: connections(to: base, isTyped: true))
    let answer = try await source.page(after: nil, known: KnownPage())
    guard case .page(var page) = answer.body else { return nil }
    var description = page.description ?? FeedDescription(format: .api)
    description.title = description.title ?? about.title.map(PlainText.sanitized)
    description.link =
      description.link ?? about.link.flatMap { WebAddress.resolve($0, against: base) }
    page.description = description
    return LocatedFeed(url: base, page: page, isTyped: true)
  }

  /// The first feed a page names that is one. A feed on the page's own host is as good as typed.
  private func locate(
    namedBy response: HTTPResponse, typed: String, _ error: SourceError
  ) async throws -> LocatedFeed {
    let base = response.head.url
    var lastError = error
    for link in FeedLinks.find(in: response.body, base: base).prefix(5) {
      let isTyped = WebAddress.host(of: link.url) == WebAddress.host(of: typed)
      do {
        let found = try await fetcher.document(
          at: link.url, accept: WebFeed.accept,
          connections: connections(to: link.url, isTyped: isTyped))
        return LocatedFeed(
          url: found.head.permanentURL ?? link.url, page: try await page(found), isTyped: isTyped)
      } catch let error as SourceError {
        lastError = error
      }
    }
    throw lastError
  }

  private func page(_ response: HTTPResponse) async throws -> Page {
    var page = try await parse(response)
    page.bodyDigest = response.bodyDigest
    return page
  }
}
