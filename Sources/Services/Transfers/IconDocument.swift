internal import Discovery
internal import HTTP
package import News
internal import Text

/// Fetcher of a feed's icon and of the page that links to it, with the proxy and limits of the
/// feed, from public hosts unless the user has entered the feed's address, and without `Referer`.
package struct IconDocument: Sendable {
  /// A file, or nil where the known one is unchanged.
  package struct Answer: Sendable {
    package var bytes: [UInt8]?
    package var validators: Validators
  }

  /// Bytes of an icon, and of the beginning of a page.
  private static let (mostOfIcon, mostOfPage) = (256 << 10, 512 << 10)

  private let fetcher: Fetcher
  private let feed: Feed
  private let connections: ConnectionPolicy

  package init(_ sources: Sources, of feed: Feed) {
    fetcher = sources.fetcher(for: feed)
    self.feed = feed
    connections = sources.connections(of: feed)
  }

  /// - Throws: `SourceError` or `CancellationError`.
  package func fetch(_ url: String, known: Validators = Validators()) async throws -> Answer {
    let response = try await fetcher.limited(to: Self.mostOfIcon).document(
      at: secured(url), accept: "image/png,image/x-icon,image/*;q=0.8",
      known: KnownPage(validators: known), connections: connections)
    return Answer(
      bytes: response.head.status == 304 ? nil : response.body, validators: response.validators)
  }

  /// The icons that the feed's page links to, and the usual place on its server. An unreadable page
  /// has none.
  ///
  /// - Throws: `CancellationError`.
  package func addressesOfSite() async throws -> [String] {
    let page = [feed.link, feed.url].compactMap(\.self).first(where: WebAddress.isWeb)
    guard let page else { return [] }
    var found: [String] = []
    if feed.link == page {
      do {
        let response = try await fetcher.limited(to: Self.mostOfPage).document(
          at: secured(page), accept: "text/html,application/xhtml+xml;q=0.9",
          connections: connections, takesCut: true)
        found = IconLinks.find(in: response.body, base: response.head.url)
      } catch let error as CancellationError {
        throw error
      } catch {
        // The usual place is left.
      }
    }
    let usual = WebAddress.origin(of: page).map { $0 + "/favicon.ico" }
    return found.prefix(2) + [usual].compactMap(\.self)
  }

  private func secured(_ url: String) -> String {
    WebAddress.secured(url, namedAt: feed.url) ?? url
  }
}
