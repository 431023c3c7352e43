internal import Foundation
package import News
internal import Text

/// State machine of the search for the sync server at an address.
///
/// Known services are not probed. Otherwise probes follow each other, over https where that
/// answers, at the entered path and then at the root. No probe has credentials, and redirects to
/// another server do not count: a password goes only to the address that the user typed.
package struct ServerSearch: Sendable {
  package enum Action: Sendable {
    /// Send this, and pass the answer to `received(_:)`.
    case probe(ServerProbe)
    case found(RecognisedServer)
    case failed(SourceError)
  }

  /// More probes than any search has.
  private static let mostProbes = 60

  /// In its normal form.
  private let address: String
  /// Over https where there is a choice.
  private var bases: [String]
  /// The bases over http, where http was typed and https has not answered.
  private var plainBases: [String]
  private var queue: [ServerProbe] = []
  private var asked: ServerProbe?
  /// Requested addresses, which two bases may share.
  private var seen: Set<String> = []
  private var count = 0
  /// Refused probes of two products: the whole site is closed.
  private var refused = 0
  /// The first failure of a probe, which may explain an empty result.
  private var trouble: SourceError?
  private var isAnswered = false
  private var isPlain: Bool

  /// - Parameter address: as the user typed it.
  /// - Throws: `SourceError` for an invalid address.
  package init(_ address: String) throws(SourceError) {
    let normal = WebAddress.withoutUser(try WebAddress.entered(address))
    self.address = normal
    let found = ServerAddress.bases(of: normal)
    isPlain = WebAddress.scheme(of: normal) == "http"
    if isPlain, !WebAddress.isLoopback(normal) {
      isPlain = false
      // An address with its own port is probed over https first as well: the server there is
      // unknown.
      bases = found.map { "https" + $0.dropFirst("http".count) }
      plainBases = found
    } else {
      bases = found
      plainBases = []
    }
    beginQueue()
  }

  /// The first action. To be called once.
  package mutating func begin() -> Action {
    if let host = WebAddress.host(of: address), let known = RecognisedServer.known(host: host) {
      return .found(known)
    }
    return next()
  }

  /// The action after the answer to the last probe; without such a probe the search has failed.
  package mutating func received(_ answer: ServerProbeAnswer) -> Action {
    guard let probe = asked else { return .failed(nothingFound) }
    asked = nil
    switch answer {
    case .response(let status, let body, let retryAfter):
      return resume(probe, status: status, body: body, retryAfter)
    case .failure(let error, let isUnanswered):
      if isUnanswered, !isAnswered, !plainBases.isEmpty {
        (bases, plainBases) = (plainBases, [])
        isPlain = true
        beginQueue()
        return next()
      }
      guard isAnswered || error.kind == .redirect else { return .failed(error) }
      if error.kind == .offline || error.kind == .dns { return .failed(error) }
      trouble = trouble ?? error
      return next()
    }
  }

  private mutating func resume(
    _ probe: ServerProbe, status: Int, body: [UInt8], _ retryAfter: Date?
  ) -> Action {
    isAnswered = true
    if status >= 500 || status == 429, probe.kind != .freshRSSCompatibility {
      trouble =
        trouble
        ?? SourceError(
          .status, stage: .fetch, subject: WebAddress.redacted(address),
          message: "the server replied \(status) when it was asked what it is",
          next: "try again later", status: status, retryAfter: retryAfter)
    }
    if probe.kind == .freshRSS || probe.kind == .newsBlur, status == 401 || status == 403 {
      refused += 1
    }
    // A wall in front of the site refuses every request.
    if probe.kind.isOfRefusal, refused > 1 { return next() }
    switch probe.finding(status: status, body: body) {
    case .found(let server): return .found(server)
    case .ask(let other): return ask(other)
    case .nothing: return next()
    }
  }

  /// A Feed API lies at the very address.
  private mutating func beginQueue() {
    let scheme = isPlain ? "http" : "https"
    let rest = ServerAddress.bare(address).drop { $0 != ":" }
    queue = [ServerProbe(.feedAPI, at: scheme + rest)]
  }

  private mutating func next() -> Action {
    while queue.isEmpty, !bases.isEmpty {
      let base = bases.removeFirst()
      refused = 0
      queue = ServerProbe.Kind.search.map { ServerProbe($0, at: base) }
        .filter { !seen.contains($0.url) }
    }
    guard !queue.isEmpty, count < Self.mostProbes else { return .failed(failure) }
    return ask(queue.removeFirst())
  }

  private mutating func ask(_ probe: ServerProbe) -> Action {
    guard count < Self.mostProbes else { return .failed(failure) }
    count += 1
    asked = probe
    // The typed address may be that of another API, even if it is no Feed API.
    if probe.kind != .feedAPI { seen.insert(probe.url) }
    return .probe(probe)
  }

  private var failure: SourceError {
    if let trouble { return trouble }
    guard refused < 2 else {
      return SourceError(
        .status, stage: .fetch, subject: WebAddress.redacted(address),
        message: "the whole site asks for a password before it says what it is",
        next: "give the address of the API itself", status: 401)
    }
    return nothingFound
  }

  private var nothingFound: SourceError {
    SourceError(
      .address, stage: .address, subject: WebAddress.redacted(address),
      message: "no sync server that Telex knows answers at this address",
      next: "give the address that the server's settings show for its API")
  }
}
