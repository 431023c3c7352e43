internal import Foundation
package import News
internal import Text

/// The search for the sync server of one address: a state machine that says what to ask for next and does
/// nothing by itself.
///
/// Hosts of known services are not asked at all. Else one probe follows another, over https where that
/// answers, below the path that was given and then at the root. No probe bears credentials, and what a
/// redirect to another server leads to counts for nothing: a password goes only where the user has typed.
package struct ServerSearch: Sendable {
  package enum Action: Sendable {
    /// Send this, and say what came with `received(_:)`.
    case probe(ServerProbe)
    case found(RecognisedServer)
    case failed(SourceError)
  }

  /// More probes than any search has.
  private static let mostProbes = 60

  /// The address that was typed, in its normal form.
  private let address: String
  /// Over https where there is a choice.
  private var bases: [String]
  /// The bases over http, where that was typed and https has not answered.
  private var plainBases: [String]
  private var queue: [ServerProbe] = []
  private var asked: ServerProbe?
  /// Addresses that were asked for: two bases may have one in common.
  private var seen: Set<String> = []
  private var count = 0
  /// Probes of two products that were both refused: the site is closed altogether.
  private var refused = 0
  /// The first failure of a probe, which may be why nothing was found.
  private var trouble: SourceError?
  private var isAnswered = false
  /// Whether the address is asked for over http.
  private var isPlain: Bool

  /// - Parameter address: as the user typed it.
  /// - Throws: `SourceError` for what is no address.
  package init(_ address: String) throws(SourceError) {
    let normal = WebAddress.withoutUser(try WebAddress.entered(address))
    self.address = normal
    let found = ServerAddress.bases(of: normal)
    isPlain = WebAddress.scheme(of: normal) == "http"
    if isPlain, !WebAddress.isLoopback(normal) {
      isPlain = false
      // An address with a port of its own is asked there first as well: nobody knows what listens.
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

  /// The action behind the answer to the last probe. The search has failed where there was none.
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
    // A wall in front refuses whatever is asked.
    if probe.kind.isOfRefusal, refused > 1 { return next() }
    switch probe.finding(status: status, body: body) {
    case .found(let server): return .found(server)
    case .ask(let other): return ask(other)
    case .nothing: return next()
    }
  }

  /// A Feed API lies at the very address, whatever that looks like.
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
