internal import Foundation
internal import HTTP
package import News
internal import Syndication

extension Sources {
  /// Looks for feeds at an address: the document there if it is a feed, the API if it is one, a
  /// file's, or those that the page there names (`FeedSearch`).
  package func discover(_ address: String) async throws -> Discovery {
    if let file = Self.fileAddress(address) { return .feed(try await locateFile(file)) }
    let typed = try WebAddress.normalized(address)
    let plain = WebAddress.plainForm(of: address)
    fetcher.client.gate.reopen([typed, plain].compactMap { $0 })
    var search = FeedSearch(sources: self, typed: typed, plain: plain)
    return try await search.feeds()
  }

  package func locate(
    oneOf links: [FeedLink], namedBy address: String
  ) async throws -> LocatedFeed {
    var search = FeedSearch(sources: self, typed: try WebAddress.normalized(address))
    return try await search.first(of: links)
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

  func page(_ response: HTTPResponse) async throws -> Page {
    var page = try await parse(response)
    page.bodyDigest = response.bodyDigest
    return page
  }
}
