internal import CCurl

/// The event loop of the curl thread. All of it runs on that thread.
final class CurlLoop {
  struct Context {
    let library: CurlLibrary
    let configuration: CurlTransport.Configuration
    /// The system's certificates and those of `caFile`, where there is one.
    let certificates: [UInt8]?
  }

  private let context: Context
  private let multi: UnsafeMutableRawPointer
  private let inbox: CurlInbox
  private var transfers: [UInt64: CurlTransfer] = [:]
  private var idsByHandle: [UnsafeMutableRawPointer: UInt64] = [:]
  /// When the nearest limit of a transfer may have been reached.
  private var nextCheck: ContinuousClock.Instant?
  private var isStopping = false

  /// Serves the inbox until `stop` arrives. Where curl cannot be used, answers with the reason.
  static func run(inbox: CurlInbox, configuration: CurlTransport.Configuration) {
    curl_block_sigpipe()
    do throws(HTTPError) {
      let context = try prepare(configuration)
      guard let multi = context.library.functions.multi_init() else {
        throw HTTPError(.other, "The network library did not start.")
      }
      CurlLoop(context, multi, inbox).serve()
    } catch {
      inbox.fail(error)
    }
  }

  private init(_ context: Context, _ multi: UnsafeMutableRawPointer, _ inbox: CurlInbox) {
    self.context = context
    self.multi = multi
    self.inbox = inbox
    var functions = context.library.functions
    let limits = context.configuration
    for (option, value) in [
      (CURLMOPT_MAX_HOST_CONNECTIONS, limits.maxConnectionsPerHost),
      (CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.maxConnections),
      (CURLMOPT_MAXCONNECTS, limits.maxConnections),
    ] {
      curl_multi_set_long(&functions, multi, option, value)
    }
  }

  private func serve() {
    let functions = context.library.functions
    let address = UInt(bitPattern: multi)
    let wakeup = functions.multi_wakeup
    inbox.setWake { _ = wakeup?(UnsafeMutableRawPointer(bitPattern: address)) }
    while true {
      inbox.removeAll().forEach(obey)
      if isStopping { break }
      var running: Int32 = 0
      _ = functions.multi_perform(multi, &running)
      for transfer in transfers.values where transfer.hasNews { transfer.flush() }
      collectDone()
      serveSockets()
      checkLimits()
      wait()
    }
    inbox.setWake(nil)
    for transfer in transfers.values { remove(transfer, CancellationError()) }
    _ = functions.multi_cleanup(multi)
  }

  private func obey(_ command: CurlInbox.Command) {
    switch command {
    case .start(let order): start(order)
    case .resume(let id): transfers[id]?.resume()
    case .cancel(let id):
      guard let transfer = transfers[id] else { break }
      transfer.sayFarewell()
      remove(transfer, CancellationError())
    case .send(let id, let bytes, let thenEnds): transfers[id]?.send(bytes, thenEnds: thenEnds)
    case .stop: isStopping = true
    }
  }

  private func start(_ order: CurlOrder) {
    if order.url.isSecure,
      let own = context.configuration.clientCertificates[order.url.origin],
      let problem = own.problem(host: order.url.host)
    {
      return order.channel.finish(.failure(problem))
    }
    guard let transfer = CurlTransfer(order, context) else {
      return order.channel.finish(.failure(HTTPError(.other, "There is no memory for a request.")))
    }
    if let refusal = transfer.refusal { return order.channel.finish(.failure(refusal)) }
    transfers[order.id] = transfer
    idsByHandle[transfer.easy] = order.id
    let code = context.library.functions.multi_add_handle(multi, transfer.easy)
    if code != CURLM_OK {
      remove(transfer, HTTPError(.other, "The request could not be started.", host: order.url.host))
    }
    nextCheck = .now
  }

  private func collectDone() {
    var functions = context.library.functions
    var code = CURLE_OK
    while let easy = curl_next_done(&functions, multi, &code) {
      guard let transfer = idsByHandle[easy].flatMap({ transfers[$0] }) else { continue }
      if code == CURLE_OK, transfer.beginUpgrade() { continue }
      let outcome = transfer.outcome(of: code)
      forget(transfer)
      transfer.order.channel.finish(outcome)
    }
  }

  /// Moves bytes on the connections that curl has only made.
  private func serveSockets() {
    for transfer in transfers.values where transfer.isUpgrading {
      let outcome = transfer.serveSocket()
      if transfer.hasNews { transfer.flush() }
      guard let outcome else { continue }
      forget(transfer)
      transfer.order.channel.finish(outcome)
    }
  }

  private func remove(_ transfer: CurlTransfer, _ error: any Error) {
    forget(transfer)
    transfer.order.channel.finish(.failure(error))
  }

  /// Closes the connection if the exchange on it was not over.
  private func forget(_ transfer: CurlTransfer) {
    transfers[transfer.order.id] = nil
    idsByHandle[transfer.easy] = nil
    _ = context.library.functions.multi_remove_handle(multi, transfer.easy)
  }

  // MARK: Limits

  /// Ends what has run into a limit. Looks only when the nearest limit may have been reached: what
  /// happens in between only moves a limit away.
  private func checkLimits() {
    guard let check = nextCheck, check <= .now else { return }
    nextCheck = nil
    let now = ContinuousClock.now
    for transfer in transfers.values {
      if let limit = transfer.limitReached(at: now) {
        remove(transfer, limit)
      } else if let next = transfer.nextLimit(after: now) {
        nextCheck = min(nextCheck ?? next, next)
      }
    }
  }

  private func wait() {
    var sockets = transfers.values.compactMap { $0.isUpgrading ? $0.awaited : nil }
    _ = context.library.functions.multi_poll(
      multi, &sockets, UInt32(sockets.count), pollMilliseconds(), nil)
  }

  private func pollMilliseconds() -> Int32 {
    // curl shortens the wait by its own timers.
    guard let nextCheck else { return 60_000 }
    let wait = ContinuousClock.now.duration(to: nextCheck).milliseconds
    return Int32(min(max(wait + 1, 0), 60_000))
  }

  // MARK: Starting

  private static func prepare(
    _ configuration: CurlTransport.Configuration
  ) throws(HTTPError) -> Context {
    let library = try CurlLibrary.shared.get()
    var certificates: [UInt8]?
    if let caFile = configuration.caFile {
      let own = try ownCertificates(caFile)
      let system = library.systemCAFile.flatMap(PEMText.bytes(ofFile:)) ?? []
      certificates = system + [UInt8(ascii: "\n")] + own
    }
    return Context(library: library, configuration: configuration, certificates: certificates)
  }

  /// curl passes over what is no certificate, and it would look as if no server could be trusted.
  private static func ownCertificates(_ path: String) throws(HTTPError) -> [UInt8] {
    func failure(_ words: String) -> HTTPError {
      var error = HTTPError(.tls, "The ca_file \(path) \(words).")
      error.tlsFailure = .caFile
      return error
    }
    guard let bytes = PEMText.bytes(ofFile: path) else { throw failure("cannot be read") }
    guard PEMText.holdsCertificates(bytes) else {
      throw failure("holds no certificate that can be read")
    }
    return bytes
  }
}

extension Duration {
  var milliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
