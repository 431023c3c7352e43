package import struct Foundation.Date

/// Error of this module; the only one besides `CancellationError`.
///
/// `message` is a sentence for the screen. Neither it nor `detail` contains a credential, a query or a
/// body.
package struct HTTPError: Error, Sendable, Hashable {
  /// Category of the failure, which decides about retries and advice.
  package enum Kind: Sendable, Hashable {
    /// There is no network.
    case offline
    /// The user has turned the network off (`OfflineSwitch`).
    case offlineByChoice
    /// Which of the three limits of `HTTPLimits` was reached.
    case timeout(Limit)
    case dns
    /// The server refused the connection: nothing listens on the port.
    case refused
    /// The connection ended before the response was complete.
    case cutShort
    /// The exchange ended properly, but the end of the body is missing: its compressed contents break off,
    /// or TLS was closed without notice where the end of the connection is the end of the body.
    case cutBody
    /// A TLS failure; never retried.
    case tls
    case tooLarge, headTooLarge, tooManyRedirects, redirectLoop
    /// From https to http.
    case insecureRedirect
    case badURL
    /// The request cannot be sent as it is.
    case badRequest
    /// The server violates HTTP, or speaks another protocol.
    case protocolError
    /// The proxy failed, not the server; `HTTPError.proxy` names it.
    case proxy(ProxyFault)
    /// The `ConnectionPolicy` of the request forbids the address.
    case addressNotAllowed
    /// The circuit breaker is open: the server failed several times, and `pausedUntil` says when it
    /// is asked again.
    case paused
    /// The server answered with an error; see `status`.
    case status
    /// The body cannot be decoded.
    case decoding
    /// The file of a download cannot be written here.
    case disk
    /// libcurl is missing or unusable on this machine, or something this list does not foresee.
    case other
  }

  package enum Limit: String, Sendable, Hashable {
    case connect, silence, total
  }

  package var kind: Kind
  package var message: String
  /// Empty where there is none.
  package var host: String
  /// For kind `proxy`: its scheme, host and port.
  package var proxy: String?
  /// For kind `tls`: the cause.
  package var tlsFailure: TLSFailure?
  package var status: Int?
  /// For kind `status`: the address of the answer after redirects, with its query: not to be shown.
  package var url: String?
  /// For kind `status`: `HTTPResponseHead.unstoredURL`.
  package var unstoredURL: String?
  /// For kind `status`: the check for bots that has answered, or may have.
  package var botCheck: BotCheck?
  /// The server's explanation of an error status, where it sent one.
  package var serverError: ServerError?
  /// The time before which the server must not be asked again (Retry-After, or the reset of its quota where the request is
  /// polled; at most a day).
  package var retryAfter: Date?
  /// When the circuit breaker lets the next probe pass.
  package var pausedUntil: Date?
  /// For the log: the message of curl, or the path of what could not be decoded.
  package var detail: String?
  /// For kinds `cutShort` and `cutBody`: what arrived. For the statuses 409, 412 and 416: the whole response.
  package var partial: PartialResponse?
  /// How far the exchange came, where the request asked for it.
  package var metrics: HTTPMetrics?
  /// For kind `protocolError`: whether the body is in no coding that it could be read in. Another answer, without a coding,
  /// may be whole.
  var isMiscoded = false

  package init(
    _ kind: Kind, _ message: String, host: String = "", status: Int? = nil, detail: String? = nil
  ) {
    self.kind = kind
    self.message = message
    self.host = host
    self.status = status
    self.detail = detail
  }

  /// Whether the server says that it is asked too often.
  package var isLimit: Bool { status == 429 || status == 503 && retryAfter != nil }
}

/// Response whose body is incomplete, or says what stood against a request.
package struct PartialResponse: Sendable, Hashable {
  package var head: HTTPResponseHead
  package var body: [UInt8]
}

extension PartialResponse: Redacted {
  package var description: String { "\(head.status) with \(body.count) bytes" }
}
