internal import CCurl

/// One request that curl performs. It is created, used and released on the curl thread only; curl's callbacks
/// find it by the pointer in each handle, which is valid for as long as the handle is.
final class CurlTransfer {
  /// More header bytes than any honest server sends.
  private static let maxHeaderBytes = 256 << 10

  let order: CurlOrder
  let easy: UnsafeMutableRawPointer
  /// Whether bytes have arrived that the reader has not been told of.
  private(set) var hasNews = false

  private var functions: curl_functions
  private let minTLS: TLSVersion
  private let hasCAFile: Bool
  private let brotli: BrotliLibrary?
  /// The library whose verdicts `CurlTLSFailure` can read.
  private let isOpenSSL: Bool
  private let showsRecords: Bool
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private var parser = ResponseHeadParser()
  private var isHeadSent = false
  /// The head of a 401 that curl answers itself with Digest; passed on where curl does not.
  private var challenge: HTTPResponseHead?
  private var hasBeenChallenged = false
  /// Whether the body ends where the connection does.
  private var endsWithConnection = false
  /// The announcement of the end by TLS, where the library shows it.
  private var closing = TLSClosing()
  private var headerBytes = 0
  private var bodyBytes = 0
  /// The decoder of the content coding; nil for a plain body.
  private var decoder: ContentDecoder?
  /// Decoded text that its reader had no room for.
  private var held: [UInt8]?
  /// The number of bytes at the beginning of curl's next delivery that the decoder has already.
  private var taken = 0
  private var bytesUploaded: curl_off_t = 0
  private var isPaused = false
  /// The last byte seen; nil until the connection stands.
  private var lastActivity: ContinuousClock.Instant?
  /// The messages of curl about the connection, where the request asks for its inspection.
  private var words = ConnectionWords()
  /// Why a callback ended the transfer.
  private var failure: HTTPError?
  private var addresses: AddressCheck
  /// The connection of a request with an upgrade, from the moment on at which it stands.
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
    brotli = context.library.brotli
    guard let easy = functions.easy_init() else { return nil }
    self.order = order
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

  func flush() {
    hasNews = false
    order.channel.flush()
  }

  /// Delivers the text that was held back, and continues to receive.
  func resume() {
    guard isPaused else { return }
    isPaused = false
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
    if let lastActivity, !isPaused, lastActivity.advanced(by: order.request.limits.silence) <= now {
      return HTTPError(.timeout(.silence), "\(host) stopped answering.", host: host)
    }
    return nil
  }

  /// The earliest time at which a limit may be reached.
  func nextLimit(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let started = isPaused ? now : lastActivity ?? now
    let silence = started.advanced(by: order.request.limits.silence)
    return order.deadline.map { min($0, silence) } ?? silence
  }

  // MARK: The end

  func outcome(of code: CURLcode) -> Result<HTTPMetrics, any Error> {
    if code == CURLE_OK {
      if let challenge { _ = begin(challenge) }
      // A connection that ends within the head is no error to curl.
      if isHeadSent {
        if endsWithConnection, closing.isUnannounced { return unannouncedEnd }
        guard decoder?.isCut == true else { return .success(metrics()) }
        return .failure(
          HTTPError(
            .cutBody, "\(host) sent a document that ends in the middle of its compression.",
            host: host))
      }
      return .failure(
        HTTPError(.cutShort, "\(host) ended the connection before its response.", host: host))
    }
    if let error = failure ?? addresses.refused { return .failure(inspected(error)) }
    // A line longer than curl holds, which it reports as a lack of memory.
    if code == CURLE_OUT_OF_MEMORY, !isHeadSent { return .failure(inspected(headTooLarge)) }
    if code == CURLE_RECV_ERROR, order.url.isSecure, endsWithConnection {
      return unannouncedEnd
    }
    let text = errorText.baseAddress.map { String(cString: $0) } ?? ""
    if text.hasPrefix("Too large response headers") { return .failure(inspected(headTooLarge)) }
    let fallback = functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    let error = CurlFailure(
      code: code, osError: Int32(curl_info_long(&functions, easy, CURLINFO_OS_ERRNO)),
      words: text.isEmpty ? fallback : text,
      host: order.url.host, port: order.url.port ?? (order.url.isSecure ? 443 : 80),
      proxy: proxyState,
      verdict: isOpenSSL ? curl_info_long(&functions, easy, CURLINFO_SSL_VERIFYRESULT) : 0,
      minTLS: minTLS, hasCAFile: hasCAFile
    ).error
    return .failure(inspected(error))
  }

  /// The outcome of a connection that ended without announcement: an error status counts, even with a cut body.
  private var unannouncedEnd: Result<HTTPMetrics, any Error> {
    guard StatusClass(parser.status) == .success else { return .success(metrics()) }
    let words = "\(host) closed the connection without saying that this was the end."
    return .failure(inspected(HTTPError(.cutBody, words, host: host)))
  }

  /// The state of the proxy; nil without one.
  private var proxyState: CurlProxyState? {
    guard let proxy = CurlProxy(order.proxy) else { return nil }
    return CurlProxyState(
      proxy: proxy, host: order.url.host,
      isTunnel: proxy.isSOCKS || order.url.isSecure || order.request.upgrade != nil,
      // curl gives the time of the connection only when everything before the request is done.
      isConnected: curl_info_text(&functions, easy, CURLINFO_PRIMARY_IP).map { $0.pointee != 0 }
        ?? false,
      // Set when everything up to the server's TLS is done, on a reused connection as well.
      isReady: lastActivity != nil,
      status: Int(curl_info_long(&functions, easy, CURLINFO_HTTP_CONNECTCODE)),
      code: CURLproxycode(UInt32(curl_info_long(&functions, easy, CURLINFO_PROXY_ERROR))))
  }

  private func inspected(_ error: HTTPError) -> HTTPError {
    guard order.request.inspectsConnection else { return error }
    var error = error
    error.metrics = metrics()
    return error
  }

  private func metrics() -> HTTPMetrics {
    func duration(_ info: CURLINFO) -> Duration {
      .microseconds(curl_info_offset(&functions, easy, info))
    }
    var metrics = HTTPMetrics()
    metrics.dns = duration(CURLINFO_NAMELOOKUP_TIME_T)
    metrics.connect = duration(CURLINFO_CONNECT_TIME_T)
    metrics.tls = duration(CURLINFO_APPCONNECT_TIME_T)
    metrics.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T)
    metrics.total = duration(CURLINFO_TOTAL_TIME_T)
    metrics.httpVersion = "HTTP/\(parser.httpVersion)"
    metrics.isConnectionReused = curl_info_long(&functions, easy, CURLINFO_NUM_CONNECTS) == 0
    metrics.address =
      curl_info_text(&functions, easy, CURLINFO_PRIMARY_IP)
      .map { String(cString: $0) } ?? ""
    metrics.bytesReceived = Int(curl_info_offset(&functions, easy, CURLINFO_SIZE_DOWNLOAD_T))
    metrics.bytesSent = Int(curl_info_offset(&functions, easy, CURLINFO_SIZE_UPLOAD_T))
    metrics.isConnected = words.isConnected || isHeadSent
    if order.request.inspectsConnection, order.url.isSecure, metrics.tls > .zero {
      metrics.tlsSession = words.session
      metrics.tlsSession?.certificate = curl_info_certificate(&functions, easy)
        .flatMap { Certificate(pem: String(cString: $0)) }
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
    parser.takesUpgrade = order.request.upgrade != nil
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
      guard let address, CurlTransfer.from(context).addresses.mayConnect(to: address) else {
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

  /// Begins an upgrade to another protocol, after curl has made the connection.
  ///
  /// - Returns: whether the request asks for one. The handle and the connection stay then.
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
    guard isHeadSent, let upgrade = order.request.upgrade else { return }
    socket?.enqueue(upgrade.farewell, thenEnds: true)
    _ = socket?.write()
  }

  /// The events of the socket that the loop waits for.
  var awaited: curl_waitfd? { socket?.awaited(reads: !isPaused) }

  /// Sends and receives what is possible without waiting.
  ///
  /// - Returns: how the exchange ended, if it has.
  func serveSocket() -> Result<HTTPMetrics, any Error>? {
    guard let socket else { return nil }
    switch socket.write() {
    case .failed(let code): return outcome(of: code)
    case .ended: return outcome(of: CURLE_OK)
    case .waits: break
    }
    while !isPaused {
      switch socket.read() {
      case .failed(let code): return outcome(of: code)
      case .ended: return outcome(of: CURLE_OK)
      case .waits: return nil
      case .bytes(let bytes):
        guard receive(fromSocket: bytes, socket) else { return outcome(of: CURLE_RECV_ERROR) }
        // The body of a refusal is not read: its length would have to be found out first.
        if parser.status != 101 && isHeadSent { return outcome(of: CURLE_OK) }
      }
    }
    return nil
  }

  /// - Returns: whether to continue.
  private func receive(fromSocket bytes: ArraySlice<UInt8>, _ socket: CurlSocket) -> Bool {
    lastActivity = .now
    var rest = bytes
    while !isHeadSent, !rest.isEmpty {
      let line = rest.prefix(through: rest.firstIndex(of: 0x0A) ?? rest.endIndex - 1)
      headLine += line
      rest = rest[line.endIndex...]
      guard headLine.last == 0x0A || headLine.count > CurlTransfer.maxHeaderBytes else { break }
      guard headLine.withUnsafeBytes({ receive(headerLine: $0) }) else { return false }
      guard parser.status > 0 else {
        failure = HTTPError(
          .protocolError, "\(host) sent a response that is not proper HTTP.", host: host)
        return false
      }
      headLine = []
    }
    guard isHeadSent, parser.status == 101, !rest.isEmpty else { return true }
    if rest.withUnsafeBytes({ receive($0) }) == rest.count { return true }
    socket.putBack(rest)
    return isPaused
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
    // Header lines after the body are trailers, which are not read.
    guard !isHeadSent else { return true }
    if challenge != nil {
      // Header lines after its body are trailers.
      guard line.starts(with: Array("HTTP/".utf8)) else { return true }
      challenge = nil
    }
    headerBytes += line.count
    guard headerBytes <= CurlTransfer.maxHeaderBytes else {
      failure = headTooLarge
      return false
    }
    guard let head = parser.receive(line, url: order.url.description) else { return true }
    // Only a proxy answers with this status (RFC 9110 §15.5.8).
    if head.status == 407, let proxy = CurlProxy(order.proxy) {
      failure = proxy.error(.signIn, for: host)
      return false
    }
    if order.request.digest != nil, head.status == 401, !hasBeenChallenged,
      head.headers.asksForDigest
    {
      hasBeenChallenged = true
      challenge = head
      return true
    }
    return begin(head)
  }

  /// False ends the transfer.
  private func begin(_ head: HTTPResponseHead) -> Bool {
    challenge = nil
    if let limit = order.request.limits.maxBodyBytes, order.request.method != .head,
      let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > limit,
      head.headers["Content-Encoding"] == nil
    {
      failure = tooLarge(limit)
      return false
    }
    if order.request.upgrade == nil {
      do { decoder = try ContentDecoder(head.headers, brotli: brotli) } catch {
        failure = HTTPError(
          .protocolError, "\(host) sent a document that cannot be unpacked.", host: host)
        return false
      }
    }
    isHeadSent = true
    endsWithConnection = head.endsWithConnection && order.request.method != .head
    hasNews = true
    order.channel.send(head: head)
    return true
  }

  /// - Returns: the number of bytes taken, or curl's code for a pause.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let challenge, !begin(challenge) { return 0 }
    return decoder == nil ? deliver(bytes) : unpack(bytes)
  }

  /// Decodes bytes. Curl is paused while the reader of the text has no room, although the decoder has all the
  /// bytes: curl delivers them again later, and they are skipped. So the transfer does not end before its
  /// text has been passed on.
  private func unpack(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    decoder?.take(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(taken)))
    taken = max(taken, bytes.count)
    do {
      while let piece = try held ?? decoder?.next() {
        held = nil
        let result = piece.withUnsafeBytes { deliver($0) }
        if result == Int(CURL_WRITEFUNC_PAUSE) {
          held = piece
          return result
        }
        guard result == piece.count else { return 0 }
      }
    } catch {
      failure = HTTPError(
        .protocolError, "\(host) sent a document that cannot be unpacked.", host: host)
      return 0
    }
    taken -= bytes.count
    return bytes.count
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastActivity = .now
    if let limit = order.request.limits.maxBodyBytes, bodyBytes + bytes.count > limit {
      failure = tooLarge(limit)
      return 0
    }
    guard order.channel.send(bytes) else {
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    bodyBytes += bytes.count
    hasNews = true
    return bytes.count
  }

  private var headTooLarge: HTTPError {
    HTTPError(
      .headTooLarge,
      "\(host) sends a header over the limit of \(CurlTransfer.maxHeaderBytes >> 10) KiB.",
      host: host)
  }

  private func tooLarge(_ limit: Int) -> HTTPError {
    HTTPError(.tooLarge, "\(host) sends more than the \(limit) bytes allowed.", host: host)
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
  }
}
