internal import CCurl

/// The options of curl for a request: address, way, TLS, method, headers and body.
struct CurlOptions {
  private var functions: curl_functions
  private let easy: UnsafeMutableRawPointer
  private let order: CurlOrder
  /// The headers, which are to be freed after the handle.
  private(set) var headerList: UnsafeMutablePointer<curl_slist>?

  init(_ functions: curl_functions, _ easy: UnsafeMutableRawPointer, _ order: CurlOrder) {
    self.functions = functions
    self.easy = easy
    self.order = order
  }

  /// The buffer for files, in bytes.
  private static let fileBuffer = 256 << 10

  /// Sets all but the callbacks.
  mutating func apply(_ context: CurlLoop.Context) {
    let request = order.request
    set(CURLOPT_URL, order.url.description)
    set(CURLOPT_PATH_AS_IS, 1)
    curl_set_web_only(&functions, easy)
    curl_set_quick_exit(&functions, easy)
    // Signals belong to the program; curl would use SIGALRM for name lookups.
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.limits.connect.milliseconds)))
    set(CURLOPT_HTTP_VERSION, newestVersion(context))
    // Wait for a connection that may turn out to be HTTP/2 and take many; over plain http none does,
    // and a request would wait behind one that hangs.
    set(CURLOPT_PIPEWAIT, order.url.isSecure ? 1 : 0)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    // Content codings are decoded by `ContentDecoder`.
    set(
      CURLOPT_ACCEPT_ENCODING,
      request.isFile || request.refusesCodings
        ? "identity" : ContentCoding.accepted(hasBrotli: context.library.brotli != nil))
    if request.isFile { set(CURLOPT_BUFFERSIZE, CurlOptions.fileBuffer) }
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_PROXY, order.proxy.curlText)
    set(CURLOPT_NOPROXY, "")
    setTLS(context)
    if let digest = request.digest {
      _ = curl_set_digest(&functions, easy, digest.user, digest.password)
    }
    if request.inspectsConnection { set(CURLOPT_CERTINFO, 1) }
    if request.upgrade == nil {
      setMethod(request)
      setHeaders(request)
    } else {
      setConnectOnly()
    }
  }

  private func newestVersion(_ context: CurlLoop.Context) -> Int {
    let version = context.library.versions.newest(
      isSecure: order.url.isSecure, isDirect: order.proxy == .direct,
      isPinned: context.configuration.pins.arePinned(for: order.url.host),
      isUpgrade: order.request.upgrade != nil)
    return switch version {
    case .three: Int(CURL_HTTP_VERSION_3)
    case .two: Int(CURL_HTTP_VERSION_2TLS)
    case .one: Int(CURL_HTTP_VERSION_1_1)
    }
  }

  private mutating func setTLS(_ context: CurlLoop.Context) {
    let version =
      context.configuration.minTLS == .v13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
    set(CURLOPT_SSLVERSION, version)
    set(CURLOPT_PROXY_SSLVERSION, version)
    // Looked at after the certificate has been found valid, never instead.
    if let pins = context.configuration.pins.curlText(for: order.url.host) {
      set(CURLOPT_PINNEDPUBLICKEY, pins)
    }
    if let certificates = context.certificates {
      certificates.withUnsafeBytes {
        _ = curl_set_ca_blob(&functions, easy, $0.baseAddress, $0.count)
        _ = curl_set_proxy_ca_blob(&functions, easy, $0.baseAddress, $0.count)
      }
    }
    if order.url.isSecure,
      let own = context.configuration.clientCertificates[order.url.origin]
    {
      set(CURLOPT_SSLCERT, own.certificate)
      set(CURLOPT_SSLKEY, own.keyFile)
      // Nobody is asked for one on the terminal.
      set(CURLOPT_KEYPASSWD, "")
    }
    // With a bundle the folder adds nothing, and without it curl can keep the parsed bundle for the
    // next connection.
    if context.library.systemCAFile != nil { curl_set_text(&functions, easy, CURLOPT_CAPATH, nil) }
  }

  /// The upgrade's request is written by `CurlSocket`; curl makes the connection, through proxy and
  /// TLS, and leaves it open.
  private mutating func setConnectOnly() {
    set(CURLOPT_CONNECT_ONLY, 1)
    set(CURLOPT_HTTPPROXYTUNNEL, 1)
    set(CURLOPT_PIPEWAIT, 0)
  }

  private mutating func setMethod(_ request: HTTPRequest) {
    switch request.method {
    case .get: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    case .post, .put, .patch, .delete: break
    }
    let body = request.body ?? (request.method == .get || request.method == .head ? nil : [])
    if let body, !(body.isEmpty && request.method == .delete) {
      curl_set_offset(&functions, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      // A null pointer would mean "ask for the body as it is sent", so an empty one points anywhere.
      let somewhere = UnsafeRawPointer(easy)
      body.withUnsafeBytes { bytes in
        let start = bytes.baseAddress ?? somewhere
        _ = curl_set_pointer(&functions, easy, CURLOPT_COPYPOSTFIELDS, start)
      }
    }
    if !request.isRepeatable {
      // Where a kept connection turns out to be dead, curl sends again by itself; what must not be
      // done twice gets a new one.
      set(CURLOPT_FRESH_CONNECT, 1)
    }
    if request.method != .get && request.method != .head || request.body != nil {
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  private mutating func setHeaders(_ request: HTTPRequest) {
    for field in request.headers.fields {
      // curl's way to say "an empty value" is a semicolon; a colon would remove the header.
      let bytes = field.bytes
      appendHeader(bytes.isEmpty ? "\(field.name);" : "\(field.name): ", bytes)
    }
    // Headers that curl would add by itself.
    if request.headers["Accept"] == nil { appendHeader("Accept:") }
    if request.headers["Content-Type"] == nil { appendHeader("Content-Type:") }
    appendHeader("Expect:")
    curl_set_pointer(&functions, easy, CURLOPT_HTTPHEADER, headerList)
  }

  private mutating func appendHeader(_ beginning: String, _ value: [UInt8] = []) {
    let line = beginning.utf8.map { CChar(bitPattern: $0) } + value.map { CChar(bitPattern: $0) }
    if let list = functions.slist_append(headerList, line + [0]) { headerList = list }
  }

  private mutating func set(_ option: CURLoption, _ value: Int) {
    curl_set_long(&functions, easy, option, value)
  }

  private mutating func set(_ option: CURLoption, _ value: String) {
    curl_set_text(&functions, easy, option, value)
  }
}
