package import struct Foundation.Date

/// The one error of this module, cancellation (`CancellationError`) aside.
///
/// `message` is a plain sentence for the screen. Neither it nor `detail` holds a credential, a query
/// or a body.
package struct HTTPError: Error, Sendable, Hashable {
  /// Category of the failure, which decides about retries and advice.
  package enum Kind: Sendable, Hashable {
    /// There is no way out to the network.
    case offline
    /// Which of the three limits of `HTTPLimits` was reached.
    case timeout(Limit)
    case dns
    /// Nothing listens there.
    case refused
    /// The connection ended before the response did.
    case cutShort
    /// The exchange is over, and the end of the body is missing: what is compressed in it breaks off, or
    /// nobody can tell, because TLS was closed without notice where that was to be the end.
    case cutBody
    /// Never retried, never papered over.
    case tls
    case tooLarge
    /// The head of the response is over its limit.
    case headTooLarge
    case tooManyRedirects
    case redirectLoop
    /// From https to http.
    case insecureRedirect
    case badURL
    /// The request cannot be sent as it is.
    case badRequest
    /// The server does not speak HTTP, or breaks it.
    case protocolError
    /// The proxy on the way is at fault, and not the server; `HTTPError.proxy` names it.
    case proxy(ProxyFault)
    /// The `ConnectionPolicy` of the request forbids the address.
    case addressNotAllowed
    /// The circuit breaker is open: the server failed several times, and `pausedUntil` says when it
    /// is asked again.
    case paused
    /// The server answered with an error; see `status`.
    case status
    /// The body is not what it should be.
    case decoding
    /// libcurl is missing or unusable on this machine, or something this list does not foresee.
    case other
  }

  /// A time limit of `HTTPLimits`.
  package enum Limit: String, Sendable, Hashable {
    case connect
    case silence
    case total
  }

  package var kind: Kind
  package var message: String
  /// Empty where there is none.
  package var host: String
  /// For kind `proxy`: its scheme, host and port.
  package var proxy: String?
  /// For kind `tls`: what is wrong.
  package var tlsFailure: TLSFailure?
  /// For kind `status`.
  package var status: Int?
  /// The server's own words about it, where it sent any that can be read.
  package var serverError: ServerError?
  /// Not to be asked again before this moment (Retry-After, capped at an hour).
  package var retryAfter: Date?
  /// When the circuit breaker lets the next probe pass; nobody has asked for that.
  package var pausedUntil: Date?
  /// For the log: curl's own words, or the path to what could not be decoded.
  package var detail: String?
  /// For kinds `cutShort` and `cutBody`: what did arrive.
  package var partial: PartialResponse?
  /// How far the exchange came, where the request asked for it.
  package var metrics: HTTPMetrics?

  package init(_ kind: Kind, _ message: String, host: String = "", detail: String? = nil) {
    self.kind = kind
    self.message = message
    self.host = host
    self.detail = detail
  }
}

/// A response without the end of its body.
package struct PartialResponse: Sendable, Hashable {
  package var head: HTTPResponseHead
  package var body: [UInt8]
}

extension PartialResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// Without the body: an error that is printed holds none.
  package var description: String { "\(head.status) with \(body.count) bytes" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
