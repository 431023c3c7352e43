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
    fetcher.client.gate.reopen([typed])
    let response = try await fetcher.document(
      at: typed, accept: "\(WebFeed.accept), text/html;q=0.7",
      connections: connections(to: typed, isTyped: true))
    let base = WebAddress.carryingUser(of: typed, to: response.head.permanentURL ?? typed)
    let policy = connections(to: base, isTyped: true)
    if let page = try await fetcher.firstPageOfAPI(at: base, response, connections: policy) {
      return LocatedFeed(url: base, page: page, isTyped: true)
    }
    do {
      let page = try await page(response)
      // A host that a redirect names is not one that the reader typed.
      return LocatedFeed(
        url: base, page: page, isTyped: WebAddress.host(of: base) == WebAddress.host(of: typed))
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
