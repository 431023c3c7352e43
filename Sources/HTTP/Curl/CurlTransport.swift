internal import Foundation
internal import Synchronization

/// Transport over libcurl's multi interface, on a thread of its own.
///
/// Connections are reused and shared, with HTTP/2 where the server offers it. libcurl is loaded and the
/// thread started at the first request; the thread ends when the transport and all its streams are gone.
/// It adds no cookies or credentials. Certificates are always verified, and TLS is 1.2 or newer: no
/// setting turns that off.
package final class CurlTransport: Transport {
  package struct Configuration: Sendable {
    /// The path of PEM certificates to trust in addition to the system's.
    package var caFile: String?
    package var proxy: ProxySettings
    /// Pinned keys, checked in addition to the certificates on every connection to their hosts.
    package var pins = PublicKeyPins()
    package var minTLS: TLSVersion = .v12
    /// Client certificates by origin, also used after redirects to it.
    package var clientCertificates: [String: ClientCertificate] = [:]
    package var maxConnectionsPerHost = 6
    package var maxConnections = 64
    /// Resolves a host name, within a time limit.
    package var lookUp: @Sendable (String, Duration) async throws -> [IPAddress] = {
      try await NameLookup.addresses(of: $0, limit: $1)
    }

    /// - Parameter proxy: the environment's settings where it is nil.
    package init(caFile: String? = nil, proxy: ProxySettings? = nil) {
      self.caFile = caFile
      self.proxy = proxy ?? ProxySettings(environment: ProcessInfo.processInfo.environment)
    }
  }

  /// The time limit for resolving a name that a proxy will resolve too: after it the proxy decides.
  private static let lookUpLimit: Duration = .seconds(3)

  /// The size of a body that may wait for its reader, in bytes.
  static let bufferCapacity = 256 << 10

  private let configuration: Configuration
  private let inbox = CurlInbox()

  package init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit { inbox.post(.stop) }

  package func stream(_ request: HTTPRequest) async throws -> HTTPStream {
    try Task.checkCancellation()
    let url = try HTTPURL(request.url)
    try CurlTransport.check(request, url)
    let proxy = request.proxy ?? configuration.proxy.choice(for: url)
    try await checkHost(of: request, at: url, by: proxy)
    let id = inbox.nextID()
    let channel = BodyChannel(capacity: CurlTransport.bufferCapacity) { [inbox] signal in
      switch signal {
      case .resume: inbox.post(.resume(id))
      case .cancel: inbox.post(.cancel(id))
      }
    }
    startThread()
    inbox.post(
      .start(
        CurlOrder(
          id: id, request: request, url: url,
          proxy: proxy,
          deadline: request.effectiveDeadline(from: .now), channel: channel)))
    let head = try await channel.awaitHead()
    guard request.upgrade != nil else {
      return HTTPStream(head: head, channel: channel, owner: self)
    }
    return HTTPStream(head: head, channel: channel, owner: self) { [inbox] bytes, thenEnds in
      inbox.post(.send(id, bytes, thenEnds: thenEnds))
    }
  }

  /// Checks the host of an address from a document before anything is sent: by its name, and behind a
  /// proxy by the IP addresses that it has here. A name that cannot be resolved here is left to the proxy,
  /// and so are all names where resolving them would reveal what is read.
  private func checkHost(
    of request: HTTPRequest, at url: HTTPURL, by proxy: ProxyChoice
  ) async throws {
    let policy = request.connections
    guard !policy.exempts(url.host) else { return }
    let staysUnasked = proxy.keepsNamesFromLookup
    guard policy.allows(hostNamed: url.host, isLookedUpByProxy: staysUnasked) else {
      throw HTTPError.addressNotAllowed(url.host)
    }
    guard proxy != .direct, !staysUnasked, IPAddress(url.host) == nil else { return }
    var limit = min(CurlTransport.lookUpLimit, request.limits.connect)
    if let end = request.effectiveDeadline(from: .now) {
      limit = min(limit, max(.zero, ContinuousClock.now.duration(to: end)))
    }
    do {
      let addresses = try await configuration.lookUp(url.host, limit)
      guard addresses.allSatisfy({ policy.allows($0, for: url.host) }) else {
        throw HTTPError.addressNotAllowed(url.host)
      }
    } catch let error as HTTPError where error.kind != .addressNotAllowed {
      // The proxy may know more.
    }
  }

  package func route(of request: HTTPRequest) -> ProxyChoice {
    request.proxy ?? (try? configuration.proxy.choice(for: HTTPURL(request.url))) ?? .direct
  }

  private func startThread() {
    guard inbox.claimStart() else { return }
    let thread = Thread { [inbox, configuration] in
      CurlLoop.run(inbox: inbox, configuration: configuration)
    }
    thread.name = "telex-http"
    thread.start()
  }

  private static func check(_ request: HTTPRequest, _ url: HTTPURL) throws {
    func refuse(_ message: String) -> HTTPError {
      HTTPError(.badRequest, message, host: url.host)
    }
    if let name = request.headers.firstUnsendable {
      // The name may contain control characters: only a safe part is repeated.
      let shown = String(decoding: name.utf8.filter(HTTPHeaders.isTokenByte), as: UTF8.self)
      throw refuse("The header \(shown) holds a character that cannot be sent.")
    }
    for name in ["Host", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding"]
    where request.headers[name] != nil {
      throw refuse("The header \(name) is set by the transport alone.")
    }
    guard request.upgrade == nil || (request.method == .get && request.body == nil) else {
      throw refuse("Only a GET without a body can ask for another protocol.")
    }
    let contentTypes = request.headers.values(of: "Content-Type").count
    guard contentTypes == (request.body == nil ? 0 : 1) else {
      throw refuse("A body goes with exactly one Content-Type.")
    }
  }
}
