/// Request method (RFC 9110 §9).
package enum HTTPMethod: String, Sendable, Hashable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"

  /// Sending it twice is the same as sending it once (RFC 9110 §9.2.2).
  package var isIdempotent: Bool { self != .post && self != .patch }
}

/// How long a request may take and how much may come back.
package struct HTTPLimits: Sendable, Hashable {
  /// Name lookup, connection and TLS together. Waiting for a free connection does not count.
  package var connect: Duration = .seconds(10)
  /// Without a byte in either direction, once connected. Time in which the reader of the body lags
  /// does not count.
  package var silence: Duration = .seconds(30)
  /// The whole exchange: redirects and the body included, and in `RetryingSend` all attempts and
  /// the waits between them. nil for transfers and live streams.
  package var total: Duration? = .seconds(300)
  /// Bytes of the body, counted after decompression as they arrive. nil where the body is not held.
  package var maxBodyBytes: Int? = 32 << 20
  package var maxRedirects = 10

  package init() {}
}

/// Asks the server to speak another protocol on this connection from here on (RFC 9110 §7.8). Where
/// it agrees, the response is a 101 whose stream is what it says, and can be answered.
package struct HTTPUpgrade: Sendable, Hashable {
  /// As in `websocket`. The transport sets the headers Connection and Upgrade.
  package var name: String
  /// Sent, if it can be at once, when nobody reads on: this protocol's goodbye.
  package var farewell: [UInt8]

  package init(name: String, farewell: [UInt8] = []) {
    self.name = name
    self.farewell = farewell
  }
}

/// One logical request. Checked when it is sent: an address, header or body that cannot go on the
/// wire is an `HTTPError` of kind `badURL` or `badRequest`.
package struct HTTPRequest: Sendable {
  /// Headers that are taken for credentials without being named in `credentialHeaders`.
  static let usualCredentialHeaders = [
    "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key",
  ]

  package var method: HTTPMethod
  /// Absolute, http or https. User and password in it become Basic credentials.
  package var url: String
  /// Host, Content-Length, Connection and Accept-Encoding belong to the transport.
  package var headers: HTTPHeaders
  /// Goes with exactly one Content-Type; without a body there is none.
  package var body: [UInt8]?
  package var limits: HTTPLimits
  /// Which addresses may be connected to, asked on each hop.
  package var connections: ConnectionPolicy
  /// Overrides the transport's proxy settings for this request.
  package var proxy: ProxyChoice?
  /// Whether cookies that a redirect sets are sent on the hops that follow it, and forgotten then. For
  /// documents on the web; an API has no use for them.
  package var keepsCookies = false
  /// Where the cookies are kept for the requests that follow; nil forgets them with this one.
  package var cookieSession: CookieSession?
  /// Names, beside the usual ones, of headers that never leave the origin they were made for.
  package var credentialHeaders: [String] = []
  /// Redirects to another origin are refused (`insecureRedirect`): for what only the origin itself can
  /// answer, such as whether it takes a password.
  package var staysAtOrigin = false
  /// In the place of Basic credentials, for a server that asks for it.
  var digest: DigestSignIn?
  /// For a GET without a body. Any response but a 101 comes without its body then.
  package var upgrade: HTTPUpgrade?
  /// The metrics tell of the connection's TLS (`HTTPMetrics.tlsSession`), and a failure how far it
  /// came (`HTTPError.metrics`). Costs a little.
  package var inspectsConnection = false
  /// Follow those of the client: how this request is signed.
  package var middlewares: [HTTPMiddleware] = []
  /// Sent as X-Request-ID, the same for all attempts; the client makes one where it is nil.
  package var id: String?
  /// 1 for the first.
  package var attempt = 1
  /// When everything must be over; the client derives it from `limits.total` where it is nil.
  package var deadline: ContinuousClock.Instant?

  package init(
    _ method: HTTPMethod = .get, _ url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    limits: HTTPLimits = HTTPLimits(), connections: ConnectionPolicy = .anywhere
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.connections = connections
  }

  /// The moment of `deadline` and `limits.total` that comes first, counted from `now`.
  package func effectiveDeadline(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let own = limits.total.map { now.advanced(by: $0) }
    guard let deadline, let own else { return deadline ?? own }
    return min(deadline, own)
  }
}

/// Status line and headers of a response.
package struct HTTPResponseHead: Sendable, Hashable {
  package var status: Int
  package var headers: HTTPHeaders
  /// The address that answered, after redirects; without user and password.
  package var url: String
  /// The address to store from now on: that of the leading 301 and 308 hops; nil where the first
  /// hop was temporary or there was none. Valid only when the request succeeded.
  package var permanentURL: String?
  package var redirectCount = 0
  /// As in `1.1` or `2`.
  package var httpVersion: String

  package init(status: Int, headers: HTTPHeaders, url: String, httpVersion: String = "1.1") {
    self.status = status
    self.headers = headers
    self.url = url
    self.httpVersion = httpVersion
  }

  package var statusClass: StatusClass { StatusClass(status) }

  /// Whether only the end of the connection tells that of the body (RFC 9112 §6.3).
  package var endsWithConnection: Bool {
    httpVersion.hasPrefix("1") && headers["Content-Length"] == nil
      && headers["Transfer-Encoding"] == nil && status >= 200 && status != 204 && status != 304
  }
}

/// What a server answered: with its body, or with the body still to come.
package protocol HTTPAnswer: Sendable {
  var head: HTTPResponseHead { get }
}

extension HTTPStream: HTTPAnswer {}

/// A response whose body is in memory.
package struct HTTPResponse: HTTPAnswer {
  package var head: HTTPResponseHead
  package var body: [UInt8]
  package var metrics: HTTPMetrics
  /// Why the body lacks its end; nil where it is whole. Only who asks for such a response gets one
  /// (`HTTPError.partial`).
  package var cut: HTTPError?

  package init(head: HTTPResponseHead, body: [UInt8], metrics: HTTPMetrics = HTTPMetrics()) {
    self.head = head
    self.body = body
    self.metrics = metrics
  }
}

/// Times of one exchange, each from its start; zero where a phase did not happen, as on a reused
/// connection.
package struct HTTPMetrics: Sendable, Hashable {
  package var dns: Duration = .zero
  package var connect: Duration = .zero
  package var tls: Duration = .zero
  package var firstByte: Duration = .zero
  package var total: Duration = .zero
  /// As in `HTTP/1.1` or `HTTP/2`; empty if nothing was received.
  package var httpVersion = ""
  package var isConnectionReused = false
  /// The address connected to; the proxy's, where there is one.
  package var address = ""
  /// Body bytes as they came over the wire, before decompression.
  package var bytesReceived = 0
  package var bytesSent = 0
  /// For a request that asks for it: whether a connection stood, TLS aside. Where a handshake fails,
  /// `connect` is zero.
  package var isConnected = false
  /// For a request that asks for it, on a connection that was made for it over TLS.
  package var tlsSession: TLSSession?

  package init() {}
}
