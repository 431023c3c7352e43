internal import CCurl

/// Receives a response from curl: reads its head, decodes its body, and passes both on to the reader.
struct ResponseReceiver {
  /// More header bytes than any honest server sends.
  static let maxHeaderBytes = 256 << 10

  private let order: CurlOrder
  private let brotli: BrotliLibrary?
  private(set) var parser = ResponseHeadParser()
  private(set) var isHeadSent = false
  /// Whether the body ends where the connection does.
  private(set) var endsWithConnection = false
  private(set) var failure: HTTPError?
  /// Whether bytes have arrived since the reader was woken.
  var hasNews = false
  /// Whether the reader has no room for more.
  var isPaused = false

  /// The head of a 401 that curl answers with Digest; passed on where it does not.
  private var challenge: HTTPResponseHead?
  private var hasBeenChallenged = false
  private var headerBytes = 0
  private var bodyBytes = 0
  /// The decoder of the content coding; nil for a plain body.
  private var decoder: ContentDecoder?
  /// Decoded text that its reader had no room for.
  private var held: [UInt8]?
  /// Bytes at the beginning of curl's next delivery that the decoder has already.
  private var taken = 0

  init(_ order: CurlOrder, brotli: BrotliLibrary?) {
    self.order = order
    self.brotli = brotli
    parser.takesUpgrade = order.request.upgrade != nil
  }

  private var host: String { order.url.host }

  /// Whether the body ended in the middle of its compression.
  var isCut: Bool { decoder?.isCut == true }

  /// Passes on the head of a 401 that curl did not answer.
  mutating func passOnChallenge() {
    if let challenge { _ = begin(challenge) }
  }

  /// False ends the transfer.
  mutating func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    // Header lines after the body are trailers, which are not read.
    guard !isHeadSent else { return true }
    if challenge != nil {
      // Header lines after its body are trailers.
      guard line.starts(with: Array("HTTP/".utf8)) else { return true }
      challenge = nil
    }
    headerBytes += line.count
    guard headerBytes <= Self.maxHeaderBytes else {
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
  private mutating func begin(_ head: HTTPResponseHead) -> Bool {
    challenge = nil
    if let limit = order.request.limits.maxBodyBytes, order.request.method != .head,
      let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > limit,
      head.headers["Content-Encoding"] == nil
    {
      failure = tooLarge(limit)
      return false
    }
    if order.request.upgrade == nil {
      do {
        decoder = try ContentDecoder(head.headers, brotli: brotli, isFile: order.request.isFile)
      } catch {
        failure = miscoded
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
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    if let challenge, !begin(challenge) { return 0 }
    return decoder == nil ? deliver(bytes) : unpack(bytes)
  }

  /// Decodes bytes. Curl is paused while the reader of the text has no room, although the decoder has all the
  /// bytes: curl delivers them again later, and they are skipped. So the transfer does not end before its
  /// text has been passed on.
  private mutating func unpack(_ bytes: UnsafeRawBufferPointer) -> Int {
    decoder?.append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(taken)))
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
      failure = miscoded
      return 0
    }
    taken -= bytes.count
    return bytes.count
  }

  private mutating func deliver(_ bytes: UnsafeRawBufferPointer) -> Int {
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

  var headTooLarge: HTTPError {
    HTTPError(
      .headTooLarge,
      "\(host) sends a header over the limit of \(Self.maxHeaderBytes >> 10) KiB.",
      host: host)
  }

  private var miscoded: HTTPError {
    var error = HTTPError(
      .protocolError, "\(host) sent a document that cannot be unpacked.", host: host)
    error.isMiscoded = true
    return error
  }

  private func tooLarge(_ limit: Int) -> HTTPError {
    HTTPError(.tooLarge, "\(host) sends more than the \(limit) bytes allowed.", host: host)
  }
}
