internal import CCurl

/// One request that curl performs. It is created, used and released on the curl thread only; curl's callbacks
/// find it by the pointer in each handle, which is valid for as long as the handle is.
final class CurlTransfer {
  let order: CurlOrder
  let easy: UnsafeMutableRawPointer

  private var functions: curl_functions
  private let minTLS: TLSVersion
  private let hasCAFile: Bool
  /// The library whose verdicts `CurlTLSFailure` can read.
  private let isOpenSSL: Bool
  private let showsRecords: Bool
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// The announcement of the end by TLS, where the library shows it.
  private var closing = TLSClosing()
  private var bytesUploaded: curl_off_t = 0
  /// The last byte seen; nil until the connection stands.
  private var lastActivity: ContinuousClock.Instant?
  /// The messages of curl about the connection, where the request asks for its inspection.
  private var words = ConnectionWords()
  /// The error of a callback that ended the transfer.
  private var failure: HTTPError?
  private var response: ResponseReceiver
  private var addresses: AddressCheck
  /// The connection of a request with an upgrade, once it stands.
  private var socket: CurlSocket?
  /// The beginning of a line of the head, received by `socket`.
  private var headLine: [UInt8] = []

  init?(_ order: CurlOrder, _ context: CurlLoop.Context) {
    functions = context.library.functions
    minTLS = context.configuration.minTLS
    hasCAFile = context.certificates != nil
    isOpenSSL = context.library.isOpenSSL
    showsRecords =
      context.library.showsRecords && order.url.isSecure && order.request.upgrade == nil
    guard let easy = functions.easy_init() else { return nil }
    self.order = order
    response = ResponseReceiver(order, brotli: context.library.brotli)
    addresses = AddressCheck(order)
    self.easy = easy
    errorText.initialize(repeating: 0)
    setOptions(context)
  }

  /// The handle must have left the multi handle.
  deinit {
    functions.easy_cleanup(easy)
    functions.slist_free_all(headerList)
    errorText.deallocate()
  }

  /// Whether bytes have arrived since the reader was woken.
  var hasNews: Bool { response.hasNews }

  func flush() {
    response.hasNews = false
    order.channel.flush()
  }

  /// Delivers the text that was held back, and continues to receive.
  func resume() {
    guard response.isPaused else { return }
    response.isPaused = false
    lastActivity = .now
    guard socket == nil else { return }
    _ = functions.easy_pause(easy, Int32(CURLPAUSE_CONT))
  }

  // MARK: Limits

  func limitReached(at now: ContinuousClock.Instant) -> HTTPError? {
    overrun(at: now).map(inspected)
  }

  private func overrun(at now: ContinuousClock.Instant) -> HTTPError? {
    let host = order.url.host
    if let deadline = order.deadline, deadline <= now {
      return HTTPError(.timeout(.total), "\(host) took longer than allowed in all.", host: host)
    }
    if let lastActivity, !response.isPaused,
      lastActivity.advanced(by: order.request.limits.silence) <= now
    {
      return HTTPError(.timeout(.silence), "\(host) stopped answering.", host: host)
    }
    return nil
  }

  /// The earliest time at which a limit may be reached.
  func nextLimit(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let started = response.isPaused ? now : lastActivity ?? now
    let silence = started.advanced(by: order.request.limits.silence)
    return order.deadline.map { min($0, silence) } ?? silence
  }

  // MARK: The end

  func outcome(of code: CURLcode) -> Result<HTTPMetrics, any Error> {
    if code == CURLE_OK {
      response.passOnChallenge()
      // A connection that ends within the head is no error to curl.
      if response.isHeadSent {
        if response.endsWithConnection, closing.isUnannounced { return unannouncedEnd }
        guard response.isCut else { return .success(metrics()) }
        return .failure(
          HTTPError(
            .cutBody, "\(host) sent a document that ends in the middle of its compression.",
            host: host))
      }
      return .failure(
        HTTPError(.cutShort, "\(host) ended the connection before its response.", host: host))
    }
    if let error = failure ?? response.failure ?? addresses.refused {
      return .failure(inspected(error))
    }
    // A line longer than curl holds, which it reports as a lack of memory.
    if code == CURLE_OUT_OF_MEMORY, !response.isHeadSent {
      return .failure(inspected(response.headTooLarge))
    }
    if code == CURLE_RECV_ERROR, order.url.isSecure, response.endsWithConnection {
      return unannouncedEnd
    }
    let text = errorText.baseAddress.map { String(cString: $0) } ?? ""
    if text.hasPrefix("Too large response headers") {
      return .failure(inspected(response.headTooLarge))
    }
    let fallback = functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    let error = CurlFailure(
      code: code, osError: report.osError,
      words: text.isEmpty ? fallback : text,
      host: order.url.host, port: order.url.port ?? (order.url.isSecure ? 443 : 80),
      // `lastActivity` is set when everything up to the server's TLS is done, on a reused connection as well.
      proxy: report.proxyState(of: order, isReady: lastActivity != nil),
      verdict: isOpenSSL ? report.verdict : 0,
      minTLS: minTLS, hasCAFile: hasCAFile
    ).error
    return .failure(inspected(error))
  }

  /// The outcome of a connection that ended without announcement: an error status counts, even with a cut body.
  private var unannouncedEnd: Result<HTTPMetrics, any Error> {
    guard StatusClass(response.parser.status) == .success else { return .success(metrics()) }
    let words = "\(host) closed the connection without saying that this was the end."
    return .failure(inspected(HTTPError(.cutBody, words, host: host)))
  }

  private var report: CurlReport { CurlReport(functions, easy) }

  private func inspected(_ error: HTTPError) -> HTTPError {
    guard order.request.inspectsConnection else { return error }
    var error = error
    error.metrics = metrics()
    return error
  }

  private func metrics() -> HTTPMetrics {
    var metrics = report.metrics
    metrics.httpVersion = "HTTP/\(response.parser.httpVersion)"
    metrics.isConnected = words.isConnected || response.isHeadSent
    if order.request.inspectsConnection, order.url.isSecure, metrics.tls > .zero {
      metrics.tlsSession = words.session
      metrics.tlsSession?.certificate = report.certificate
    }
    return metrics
  }
}

// MARK: - Options

extension CurlTransfer {
  private func setOptions(_ context: CurlLoop.Context) {
    var options = CurlOptions(functions, easy, order)
    options.apply(context)
    headerList = options.headerList
    if order.request.inspectsConnection || showsRecords { setWords() }
    setCallbacks()
  }

  /// Asks for curl's messages, which alone name the version of TLS, and for the TLS records, which alone show
  /// whether the server announced that it closes the connection. The records of a connection come only if the
  /// transfer that opened it asked for them, so every transfer asks.
  private func setWords() {
    curl_set_long(&functions, easy, CURLOPT_VERBOSE, 1)
    curl_set_on_words(&functions, easy) { _, kind, bytes, count, context in
      let said = UnsafeRawBufferPointer(start: bytes, count: count)
      if kind == CURLINFO_SSL_DATA_IN {
        CurlTransfer.from(context).closing.read(said)
      } else if kind == CURLINFO_TEXT {
        CurlTransfer.from(context).read(words: said)
      }
      return 0
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    curl_set_pointer(&functions, easy, CURLOPT_DEBUGDATA, me)
  }

  private func setCallbacks() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    curl_set_pointer(&functions, easy, CURLOPT_ERRORBUFFER, errorText.baseAddress)
    curl_set_on_bytes(&functions, easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    curl_set_pointer(&functions, easy, CURLOPT_WRITEDATA, me)
    curl_set_on_bytes(&functions, easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return CurlTransfer.from(context).receive(headerLine: line) ? line.count : 0
    }
    curl_set_pointer(&functions, easy, CURLOPT_HEADERDATA, me)
    curl_set_on_open_socket(&functions, easy) { context, _, address in
      guard let address, CurlTransfer.from(context).addresses.isAllowed(IPAddress(address)) else {
        return CURL_SOCKET_BAD
      }
      return curl_open_socket(address)
    }
    curl_set_pointer(&functions, easy, CURLOPT_OPENSOCKETDATA, me)
    curl_set_on_connected(&functions, easy) { context, remote, _, _, _ in
      let address = remote.map { String(cString: $0) } ?? ""
      return CurlTransfer.from(context).connected(to: address)
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    curl_set_pointer(&functions, easy, CURLOPT_PREREQDATA, me)
    // Only a body that takes a while to send has progress worth asking for.
    if (order.request.body?.count ?? 0) > 64 << 10 {
      curl_set_on_progress(&functions, easy) { context, _, _, _, sent in
        CurlTransfer.from(context).uploaded(sent)
        return 0
      }
      curl_set_pointer(&functions, easy, CURLOPT_XFERINFODATA, me)
      curl_set_long(&functions, easy, CURLOPT_NOPROGRESS, 0)
    }
  }
}

// MARK: - Upgrades

extension CurlTransfer {
  var isUpgrading: Bool { socket != nil }

  /// Begins the upgrade that the request asks for, once curl has made the connection; false for none.
  func beginUpgrade() -> Bool {
    guard let upgrade = order.request.upgrade, socket == nil else { return false }
    let request = order.request.upgradeText(to: upgrade, at: order.url)
    socket = CurlSocket(functions, easy, sending: Array(request.utf8))
    lastActivity = .now
    return true
  }

  func send(_ bytes: [UInt8], thenEnds: Bool) {
    socket?.enqueue(bytes, thenEnds: thenEnds)
  }

  /// Sends as much of the upgrade's closing message as the connection takes at once.
  func sayFarewell() {
    guard response.isHeadSent, let upgrade = order.request.upgrade else { return }
    socket?.enqueue(upgrade.farewell, thenEnds: true)
    _ = socket?.write()
  }

  var awaited: curl_waitfd? { socket?.awaited(reads: !response.isPaused) }

  /// Sends and receives what is possible without waiting; returns how the exchange ended, if it has.
  func serveSocket() -> Result<HTTPMetrics, any Error>? {
    guard let socket else { return nil }
    switch socket.write() {
    case .failed(let code): return outcome(of: code)
    case .ended: return outcome(of: CURLE_OK)
    case .waits: break
    }
    while !response.isPaused {
      switch socket.read() {
      case .failed(let code): return outcome(of: code)
      case .ended: return outcome(of: CURLE_OK)
      case .waits: return nil
      case .bytes(let bytes):
        guard receive(fromSocket: bytes, socket) else { return outcome(of: CURLE_RECV_ERROR) }
        // The body of a refusal is not read: its length would have to be found out first.
        if response.parser.status != 101 && response.isHeadSent { return outcome(of: CURLE_OK) }
      }
    }
    return nil
  }

  /// - Returns: whether to continue.
  private func receive(fromSocket bytes: ArraySlice<UInt8>, _ socket: CurlSocket) -> Bool {
    lastActivity = .now
    var rest = bytes
    while !response.isHeadSent, !rest.isEmpty {
      let line = rest.prefix(through: rest.firstIndex(of: 0x0A) ?? rest.endIndex - 1)
      headLine += line
      rest = rest[line.endIndex...]
      guard headLine.last == 0x0A || headLine.count > ResponseReceiver.maxHeaderBytes else { break }
      guard headLine.withUnsafeBytes({ receive(headerLine: $0) }) else { return false }
      guard response.parser.status > 0 else {
        failure = HTTPError(
          .protocolError, "\(host) sent a response that is not proper HTTP.", host: host)
        return false
      }
      headLine = []
    }
    guard response.isHeadSent, response.parser.status == 101, !rest.isEmpty else { return true }
    if rest.withUnsafeBytes({ receive($0) }) == rest.count { return true }
    socket.putBack(rest)
    return response.isPaused
  }
}

extension HTTPRequest {
  /// The text of the request; the headers have been checked.
  fileprivate func upgradeText(to upgrade: HTTPUpgrade, at url: HTTPURL) -> String {
    let target = url.path + (url.query.map { "?" + $0 } ?? "")
    let own = [("Host", url.authority), ("Connection", "Upgrade"), ("Upgrade", upgrade.name)]
    let lines = own + headers.fields.map { ($0.name, $0.value) }
    return "GET \(target) HTTP/1.1\r\n" + lines.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
  }
}

// MARK: - Callbacks

extension CurlTransfer {
  private static func from(_ context: UnsafeMutableRawPointer!) -> CurlTransfer {
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  private var host: String { order.url.host }

  private func read(words: UnsafeRawBufferPointer) {
    guard order.request.inspectsConnection else { return }
    self.words.read(String(decoding: words, as: UTF8.self))
  }

  /// False ends the transfer.
  private func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    lastActivity = .now
    return response.receive(headerLine: line)
  }

  /// - Returns: the number of bytes taken, or curl's code for a pause.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    return response.receive(bytes)
  }

  private func connected(to address: String) -> Bool {
    lastActivity = .now
    // A kept connection may have been made for a request that was allowed more.
    guard addresses.isAllowed(IPAddress(address)) else {
      failure = addresses.refused
      return false
    }
    return true
  }

  /// The reason why the request must not be sent; nil where it may.
  var refusal: HTTPError? { addresses.refusal(&functions) }

  private func uploaded(_ bytes: curl_off_t) {
    guard bytes != bytesUploaded else { return }
    bytesUploaded = bytes
    lastActivity = .now
    order.request.onSent?(Int64(bytes))
  }
}
