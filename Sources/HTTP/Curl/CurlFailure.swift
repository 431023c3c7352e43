internal import CCurl

/// Failure of a transfer, by the kinds that the screen tells apart.
struct CurlFailure {
  let code: CURLcode
  /// `errno` of the connection that failed, or 0.
  let osError: Int32
  /// curl's own description.
  let words: String
  let host: String
  let port: Int
  let proxy: CurlProxyState?
  /// The TLS library's verdict on the certificate; see `CurlTLSFailure`.
  let verdict: Int
  let minTLS: TLSVersion
  let hasCAFile: Bool

  var error: HTTPError {
    if let proxy, let fault = proxy.fault(of: code, osError) {
      return proxy.proxy.error(fault, for: host, status: proxy.status, detail: words)
    }
    if let proxy, code == CURLE_COULDNT_CONNECT, !proxy.isReady {
      return HTTPError(
        .offline, "There is no way to the proxy \(proxy.proxy.name): the network is not reachable.",
        host: host, detail: words)
    }
    var error = HTTPError(kind, message, host: host, detail: words)
    if kind == .tls { error.tlsFailure = tls.failure }
    return error
  }

  private var tls: CurlTLSFailure {
    CurlTLSFailure(code: code, verdict: verdict, words: words, hasCAFile: hasCAFile)
  }

  private var kind: HTTPError.Kind {
    switch code {
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .dns
    case CURLE_COULDNT_CONNECT: connectKind
    // The other limits are kept by the loop.
    case CURLE_OPERATION_TIMEDOUT: .timeout(.connect)
    case CURLE_SSL_CONNECT_ERROR: isDroppedHandshake ? .cutShort : .tls
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED, CURLE_USE_SSL_FAILED:
      .tls
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: tls.wantsCertificate ? .tls : .cutShort
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM: .cutShort
    // The store of what a paused transfer has decompressed is full.
    case CURLE_OUT_OF_MEMORY, CURLE_FILESIZE_EXCEEDED: .tooLarge
    // The scheme has been checked, so an unsupported protocol is what the server speaks.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_WEIRD_SERVER_REPLY:
      .protocolError
    default: .other
    }
  }

  /// Whether the connection ended, rather than the handshake: nobody has refused anything then.
  private var isDroppedHandshake: Bool {
    if osError == ECONNRESET || osError == EPIPE { return true }
    let words = words.lowercased()
    // OpenSSL since 3.0, before it, GnuTLS, Secure Transport.
    return ["unexpected eof", "ssl_error_syscall", "non-properly terminated", "closed abruptly"]
      .contains { words.contains($0) }
  }

  private var connectKind: HTTPError.Kind {
    switch osError {
    case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL: .offline
    case ETIMEDOUT: .timeout(.connect)
    default: .refused
    }
  }

  private var message: String {
    switch kind {
    case .badURL: "The address cannot be opened."
    case .dns: "The name \(host) could not be found."
    case .offline: "\(host) cannot be reached: there is no network."
    case .refused: "\(host) does not accept connections on port \(port)."
    case .timeout: "\(host) could not be reached in time."
    case .tls: tls.failure.message(host: host, minTLS: minTLS, words: words)
    case .cutShort: "\(host) ended the connection before the response was complete."
    case .tooLarge: "\(host) sent more than fits into memory."
    case .protocolError: "\(host) sent a response that is not proper HTTP."
    default: "\(host) could not be read: \(words)."
    }
  }
}
