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

/// Limits on the time and the size of an exchange.
package struct HTTPLimits: Sendable, Hashable {
  /// The limit on name lookup, connection and TLS handshake together, without waiting for a free
  /// connection.
  package var connect: Duration = .seconds(10)
  /// The longest time without a byte in either direction on a connection, without the time in which the
  /// reader of the body is slow.
  package var silence: Duration = .seconds(30)
  /// The limit on the whole exchange with redirects and body; in `RetryingSend`, with all attempts and
  /// waits. Nil for long transfers and live streams.
  package var total: Duration? = .seconds(300)
  /// The size of the body after decompression, in bytes. Nil where it is not kept in memory.
  package var maxBodyBytes: Int? = 32 << 20
  package var maxRedirects = 10

  package init() {}
}

/// Upgrade of the connection to another protocol (RFC 9110 §7.8). Where the server agrees, the response
/// has status 101, and its stream reads and writes that protocol.
package struct HTTPUpgrade: Sendable, Hashable {
  /// As in `websocket`. The transport sets the headers Connection and Upgrade.
  package var name: String
  /// The closing message of the protocol, sent when reading ends, if that is possible at once.
  package var farewell: [UInt8]

  package init(name: String, farewell: [UInt8] = []) {
    self.name = name
    self.farewell = farewell
  }
}

/// Validators of a document (RFC 9110 §8.8), sent only to the address that gave them, be it the first of a request
/// or the target of a redirect.
package struct HTTPCondition: Sendable, Hashable {
  package var etag: String?
  package var lastModified: String?
  /// That address; nil for the first one of the request.
  package var url: String?

  package init(etag: String?, lastModified: String?, url: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.url = url
  }
}

/// Request, which may be sent in several attempts. It is checked when it is sent: an invalid address,
/// header or body is an `HTTPError` of kind `badURL` or `badRequest`.
package struct HTTPRequest: Sendable {
  /// Headers that count as credentials without being named in `credentialHeaders`.
  static let usualCredentialHeaders = [
    "Authorization", "Cookie", "Proxy-Authorization", "X-API-Key",
  ]

  package var method: HTTPMethod
  /// The absolute address, http or https. A name and password in it become Basic credentials.
  package var url: String
  /// Without Host, Content-Length, Connection and Accept-Encoding, which the transport sets.
  package var headers: HTTPHeaders
  /// Validators of the stored document, for which an unchanged one is answered with 304; nil for none.
  package var condition: HTTPCondition?
  /// The body with its Content-Type; nil for none.
  package var body: [UInt8]?
  package var limits: HTTPLimits
  /// The rule for the addresses that may be connected to, checked on each hop.
  package var connections: ConnectionPolicy
  /// Overrides the transport's proxy settings for this request.
  package var proxy: ProxyChoice?
  /// Whether cookies that a redirect sets are sent on the following hops, and then discarded.
  package var keepsCookies = false
  /// The cookies of several requests that belong together; nil discards them after this one.
  package var cookieSession: CookieSession?
  /// Names of further headers that count as credentials: they are sent to the first origin only.
  package var credentialHeaders: [String] = []
  /// Names of headers that the user has set for this server. They do not go to another one, and a redirect to
  /// another one is never permanent.
  package var serverHeaders: [String] = []
  /// Whether a redirect to another origin is not permanent, whatever it says: for requests with a secret of a single
  /// feed, which would be lost with the address.
  package var keepsAddress = false
  /// Whether redirects to another origin are refused (`insecureRedirect`): for requests whose answer must
  /// come from the origin itself, such as testing a password.
  package var staysAtOrigin = false
  /// Whether it only reads, whatever its method: it may be sent twice, and redirects keep its method.
  package var isQuery = false
  /// Whether it must not be sent twice, whatever its method: for calls that undo what they did.
  package var isToggle = false
  /// Whether it asks for a document again and again, such as a feed. It is not retried after a 429, or a 503 with
  /// `Retry-After`.
  package var isPolled = false
  /// Replaces Basic credentials, for a server that asks for it.
  var digest: DigestSignIn?
  /// The protocol to upgrade to, for a GET without a body. A response other than 101 has no body then.
  package var upgrade: HTTPUpgrade?
  /// Whether the metrics include the TLS session (`HTTPMetrics.tlsSession`), and failures their metrics
  /// (`HTTPError.metrics`). Costs a little.
  package var inspectsConnection = false
  /// Whether the body is a file to be kept as it is: no content coding is asked for, and larger pieces of
  /// it are read at once.
  package var isFile = false
  /// Whether no content coding is asked for, because the document came in one that cannot be undone.
  var refusesCodings = false
  /// Called as the body is sent, with the bytes that are on their way: on a thread of the transport, and for
  /// bodies of more than 64 KiB only. Each attempt begins anew.
  package var onSent: (@Sendable (Int64) -> Void)?
  /// Middlewares of this request, after those of the client.
  package var middlewares: [HTTPMiddleware] = []
  /// The id, the same for all attempts; nil for one that the client makes.
  package var id: String?
  /// The number of the attempt, from 1.
  package var attempt = 1
  /// Whether id and attempt are sent, as X-Request-ID and X-Request-Attempt: to an account or the Feed API. Servers
  /// of feeds could tell the requests of one reader apart by them.
  package var sendsID = false
  /// The end of the time for all attempts; nil to derive it from `limits.total`.
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

  /// Whether it may be sent twice: by its method, or by an idempotency key.
  var isRepeatable: Bool {
    !isToggle && (method.isIdempotent || isQuery || headers["Idempotency-Key"] != nil)
  }

  /// The earlier of `deadline` and the end of `limits.total` from `now`.
  package func effectiveDeadline(from now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let own = limits.total.map { now.advanced(by: $0) }
    guard let deadline, let own else { return deadline ?? own }
    return min(deadline, own)
  }
}

package struct HTTPResponseHead: Sendable, Hashable {
  package var status: Int
  package var headers: HTTPHeaders
  /// The address of the response after redirects, without name and password.
  package var url: String
  /// The address to store from now on: that of the leading 301 and 308 hops; nil where the first
  /// hop was temporary or there was none. Valid only when the request succeeded.
  package var permanentURL: String?
  /// The address that leading 301 and 308 hops name, but that is not stored because headers of the request are not
  /// sent there (`serverHeaders`, `keepsAddress`); nil for none.
  package var unstoredURL: String?
  package var redirectCount = 0
  /// Whether a redirect has made the request a GET, so that no server has its body (RFC 9110 §15.4).
  package var becameGet = false
  /// As in `1.1` or `2`.
  package var httpVersion: String

  package init(status: Int, headers: HTTPHeaders, url: String, httpVersion: String = "1.1") {
    self.status = status
    self.headers = headers
    self.url = url
    self.httpVersion = httpVersion
  }

  package var statusClass: StatusClass { StatusClass(status) }

  /// The host of `url`; empty where that is no address.
  var host: String { (try? HTTPURL(url).host) ?? "" }

  /// Whether the body ends with the connection, so that a lost connection looks the same (RFC 9112 §6.3).
  package var endsWithConnection: Bool {
    httpVersion.hasPrefix("1") && headers["Content-Length"] == nil
      && headers["Transfer-Encoding"] == nil && status >= 200 && status != 204 && status != 304
  }
}

/// Response of a server, with its body or with a stream of it.
package protocol HTTPAnswer: Sendable {
  var head: HTTPResponseHead { get }
}

package struct HTTPResponse: HTTPAnswer {
  package var head: HTTPResponseHead
  package var body: [UInt8]
  package var metrics: HTTPMetrics
  /// Why the end of the body is missing; nil for a complete one. Such responses are made from
  /// `HTTPError.partial` on request only.
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
  /// The IP address of the server or proxy.
  package var address = ""
  /// Bytes of the body on the wire, before decompression.
  package var bytesReceived = 0
  package var bytesSent = 0
  /// For a request that asks for it: whether a connection stood, TLS aside. Where a handshake fails,
  /// `connect` is zero.
  package var isConnected = false
  /// For a request that asks for it, on a connection that was made for it over TLS.
  package var tlsSession: TLSSession?

  package init() {}
}
