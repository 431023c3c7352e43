package import HTTP
package import News
internal import Synchronization
internal import Text

/// Protocol for feeds other than HTTP, known by the scheme of their addresses.
package protocol FeedWire: Sendable {
  /// In lower case.
  var schemes: Set<String> { get }

  /// The feed at an entered address.
  ///
  /// - Parameter way: how a server is reached; checked before each connection.
  func pages(of url: String, limits: HTTPLimits, by way: WireWay) -> any PageSource
}

/// Wires of this program, installed at its start: the sources know none of them by name.
package enum FeedWires {
  private static let wires = Mutex<[any FeedWire]>([])

  package static var installed: [any FeedWire] { wires.withLock { $0 } }

  /// For all sources that are made from now on.
  package static func install(_ wire: some FeedWire) { wires.withLock { $0.append(wire) } }
}

/// Check before a connection: protocols other than HTTP do not use a proxy.
package struct WireWay: Sendable {
  /// - Throws: `SourceError` of kind `.proxy` where a proxy is set for the host.
  package var check: @Sendable () async throws -> Void

  package init(check: @escaping @Sendable () async throws -> Void) { self.check = check }
}

/// Schemes of all wires, built in or not, with their counterparts in the rules for http.
private let wireSchemes = ["grpc": "http", "grpcs": "https"]

extension Sources {
  /// The scheme of an address other than HTTP; nil for any other address.
  static func wireScheme(of address: String) -> String? {
    guard let scheme = WebAddress.scheme(of: address)?.lowercased() else { return nil }
    return wireSchemes[scheme] == nil ? nil : scheme
  }

  /// The source of a feed with such a scheme; nil for any other feed.
  func wirePages(of url: String, by fetcher: Fetcher) -> (any PageSource)? {
    guard let scheme = Self.wireScheme(of: url) else { return nil }
    guard let wire = wires.first(where: { $0.schemes.contains(scheme) }) else {
      return FailingPages(
        error: SourceError(
          .address, stage: .address, subject: WebAddress.redacted(url),
          message: "this Telex was built without \(scheme)",
          next: "build it with: swift build -c release --traits GRPC"))
    }
    let way = WireWay { try await Self.refuseProxy(for: url, by: fetcher) }
    return wire.pages(of: url, limits: fetcher.limits, by: way)
  }

  /// Bypassing a proxy could reveal what its user hides.
  private static func refuseProxy(for url: String, by fetcher: Fetcher) async throws {
    guard let scheme = wireScheme(of: url), let web = wireSchemes[scheme] else { return }
    do {
      var request = HTTPRequest(.get, web + url.dropFirst(scheme.count))
      request.proxy = try await fetcher.route()
      guard case .via = try await fetcher.client.client.route(of: request) else { return }
    } catch let error as HTTPError {
      throw SourceError(error, url: url)
    }
    throw SourceError(
      .proxy, stage: .connect, subject: WebAddress.redacted(url),
      message: "\(scheme) does not go by a proxy, and one is set for this host",
      next: "telex set FEED --proxy direct, or an exception in the settings")
  }

  /// The feed at an address of such a scheme.
  func locateWire(_ typed: String) async throws -> LocatedFeed {
    guard let page = try await wirePages(of: typed, by: fetcher)?.newestPage() else {
      throw SourceError(.address, stage: .address, subject: typed, message: "this is not a feed")
    }
    return LocatedFeed(url: typed, page: page, isUserEntered: true)
  }
}
