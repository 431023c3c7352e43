package import HTTP
package import News
internal import Text

extension SourceError {
  /// The failure of a request as it is shown to the user: the only mapping of one to the other.
  package init(_ error: HTTPError, url: String) {
    let (kind, stage, next) = Self.meaning(of: error)
    self.init(
      kind, stage: stage, subject: WebAddress.redacted(url), message: error.message, next: next,
      status: error.status, retryAfter: error.retryAfter, pausedUntil: error.pausedUntil)
  }

  /// Runs requests to an address, with their failures as they are shown to the user.
  static func mapping<Value>(
    _ url: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch let error as HTTPError {
      throw SourceError(error, url: url)
    }
  }

  private static func meaning(of error: HTTPError) -> (Kind, Stage, String?) {
    switch error.kind {
    case .offline: (.offline, .connect, "Telex tries again once there is a network")
    case .offlineByChoice:
      (.offline, .connect, SourceError.offlineByChoice(subject: "").next)
    case .timeout(let limit):
      (.timeout, limit == .connect ? .connect : .fetch, "try again later")
    case .dns: (.dns, .connect, "check the name, or the connection")
    case .refused: (.refused, .connect, "check the address, or try again later")
    case .cutShort: (.cutShort, .fetch, "try again")
    case .proxy(let fault): meaning(of: fault)
    case .cutBody: (.cutShort, .fetch, "try again later")
    case .tls: meaning(ofTLS: error.tlsFailure ?? .other)
    case .tooLarge: (.tooLarge, .fetch, "raise max_body_bytes in the settings")
    case .headTooLarge: (.tooLarge, .fetch, "tell the people who run the server")
    case .redirectLoop: (.redirect, .fetch, passingBotCheck)
    case .tooManyRedirects, .insecureRedirect:
      (.redirect, .fetch, "open the page in a browser and look for its feed")
    case .badURL, .badRequest: (.address, .address, "check the address")
    case .addressNotAllowed:
      (
        .address, .connect,
        "if you trust the host, type the address, or import the list with --trust"
      )
    case .paused: (.paused, .connect, "r tries now")
    case .protocolError: (.decoding, .fetch, "check that the address is one of a web server")
    case .status where error.botCheck != nil: (.status, .fetch, passingBotCheck)
    case .status: (.status, .fetch, next(afterStatus: error.status ?? 0))
    case .decoding: (.decoding, .parse, "tell the people who run the server")
    case .disk:
      (.file, .store, "make room, or name another folder; what has come is kept for the next try")
    case .other: (.cutShort, .fetch, "try again")
    }
  }

  private static let passingBotCheck =
    "ask for the feed by another name (--user-agent of telex add and telex set), or ask its owner to let news readers in"

  private static func meaning(of fault: ProxyFault) -> (Kind, Stage, String?) {
    switch fault {
    case .unknown, .refused, .timeout, .broken:
      (
        .proxy, .connect,
        "check the proxy: network.proxy in the settings, http_proxy and https_proxy in the "
          + "environment, or telex set FEED --proxy"
      )
    case .fails, .cannotReach: (.proxy, .connect, "try again later, or ask who runs the proxy")
    case .tls: (.proxy, .config, "do not trust this proxy; for one of your own, set ca_file")
    case .signIn:
      (
        .proxy, .config,
        "give them with the proxy's address: telex set FEED --proxy http://NAME@HOST:PORT asks for "
          + "the password"
      )
    case .forbids:
      (
        .proxy, .config,
        "ask who runs the proxy, or go another way: telex set FEED --proxy direct"
      )
    }
  }

  private static func meaning(ofTLS failure: TLSFailure) -> (Kind, Stage, String?) {
    switch failure {
    case .caFile: (.tls, .config, "check ca_file in the settings: it is a file of PEM text")
    case .systemCertificates: (.tls, .config, "install the system's package ca-certificates")
    case .expired, .notYetValid:
      (.tls, .connect, "do not trust this connection; check this machine's clock")
    case .wrongName: (.tls, .connect, "do not trust this connection; check the address")
    case .untrusted:
      (.tls, .connect, "do not trust this connection; for a server of your own, set ca_file")
    case .pin:
      (
        .tls, .connect,
        "do not trust this connection, unless you know of a new key: see network.pins"
      )
    case .protocolVersion:
      (.tls, .connect, "the people who run the server have to bring it up to date; see min_tls")
    case .notTLS: (.tls, .connect, "check the scheme and the port of the address")
    case .clientCertificate:
      (.tls, .config, "check network.client_certificates in the settings")
    case .clientCertificateWanted:
      (.tls, .connect, "name one with network.client_certificates in the settings")
    case .other: (.tls, .connect, "do not trust this connection; check the clock and the address")
    }
  }

  private static func next(afterStatus status: Int) -> String? {
    switch status {
    case 401: "sign in with: telex login URL"
    case 403: "sign in, or ask who runs the server for access"
    case 404: "check the address"
    case 408, 425: "try again later"
    case 410: "Telex no longer fetches it; remove the feed, or find its new address"
    case 413: "send a smaller file, or ask who runs the server"
    case 429: "try again when the server allows it"
    case 507: "try again when the people who run the server have made room"
    case 500...: "try again later"
    default: "check the address"
    }
  }
}
