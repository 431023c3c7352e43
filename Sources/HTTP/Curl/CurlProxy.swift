internal import CCurl

struct CurlProxy {
  /// Scheme, host and port.
  let name: String
  let isSOCKS: Bool
  let isTLS: Bool
  let hasUser: Bool
  /// Why its address cannot be read, as a sentence; nil where it can.
  let mistake: String?

  init?(_ choice: ProxyChoice) {
    guard case .via(let text) = choice, let name = choice.proxyOrigin else { return nil }
    self.name = name
    isSOCKS = name.hasPrefix("socks")
    isTLS = name.hasPrefix("https://")
    do {
      hasUser = try ProxyAddress(text).user != nil
      mistake = nil
    } catch {
      hasUser = false
      mistake = error.message
    }
  }

  /// - Parameter status: its answer to CONNECT; 0 where there is none.
  func error(
    _ fault: ProxyFault, for host: String, status: Int = 0, detail: String? = nil
  ) -> HTTPError {
    let told = status > 0 ? " (\(status))" : ""
    let message =
      switch fault {
      case _ where mistake != nil: mistake ?? ""
      case .unknown: "The name of the proxy \(name) could not be found."
      case .refused: "The proxy \(name) does not accept connections."
      case .timeout: "The proxy \(name) could not be reached in time."
      case .broken: "The proxy \(name) ended the connection and made none to \(host)."
      case .tls: "The proxy \(name) cannot be trusted: \(detail ?? "its certificate is not valid")."
      case .signIn where hasUser:
        "The proxy \(name) does not accept the name and the password\(told)."
      case .signIn: "The proxy \(name) asks for a name and a password\(told)."
      case .forbids: "The proxy \(name) allows no connection to \(host)\(told)."
      case .fails: "The proxy \(name) failed\(told)."
      case .cannotReach: "The proxy \(name) could not connect to \(host)\(told)."
      }
    var error = HTTPError(.proxy(fault), message, host: host, detail: detail)
    error.proxy = name
    return error
  }
}

/// The state of a transfer through a proxy, as far as curl reports it.
struct CurlProxyState {
  let proxy: CurlProxy
  let host: String
  /// Whether the proxy is asked for a connection, rather than for a document.
  let isTunnel: Bool
  /// Whether a connection to the proxy itself was made.
  let isConnected: Bool
  /// Whether all that comes before the request stood.
  let isReady: Bool
  /// The answer to CONNECT; 0 where none came.
  let status: Int
  /// Of a SOCKS proxy.
  let code: CURLproxycode

  /// The error of the proxy in a failure; nil where the server or the network failed.
  func fault(of failure: CURLcode, _ osError: Int32) -> ProxyFault? {
    // A forwarding proxy that accepts the request and does not answer.
    if isReady { return !isTunnel && failure == CURLE_GOT_NOTHING ? .broken : nil }
    if status >= 300 || (1..<200).contains(status) { return fault(ofStatus: status) }
    switch failure {
    case CURLE_COULDNT_RESOLVE_PROXY: return .unknown
    // So the name of a SOCKS proxy. The server's own is looked up once that is connected, if at all.
    case CURLE_COULDNT_RESOLVE_HOST: return isConnected ? nil : .unknown
    case CURLE_COULDNT_CONNECT:
      switch osError {
      case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL: return nil
      case ETIMEDOUT: return .timeout
      default: return .refused
      }
    case CURLE_OPERATION_TIMEDOUT:
      if !isConnected { return .timeout }
      return isTunnel && status == 0 ? .cannotReach : nil
    case CURLE_PROXY: return fault(ofHandshake: code)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
      return proxy.isTLS && status == 0 ? .tls : nil
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY,
      CURLE_UNSUPPORTED_PROTOCOL:
      return isTunnel && status == 0 ? .broken : nil
    default: return nil
    }
  }

  private func fault(ofStatus status: Int) -> ProxyFault {
    switch status {
    case 407: .signIn
    case 502, 504: .cannotReach
    case 500...: .fails
    default: .forbids
    }
  }

  private func fault(ofHandshake code: CURLproxycode) -> ProxyFault? {
    switch code {
    // It was looked up here.
    case CURLPX_RESOLVE_HOST: nil
    case CURLPX_NO_AUTH, CURLPX_USER_REJECTED, CURLPX_IDENTD, CURLPX_IDENTD_DIFFER,
      CURLPX_GSSAPI, CURLPX_GSSAPI_PERMSG, CURLPX_GSSAPI_PROTECTION, CURLPX_LONG_USER,
      CURLPX_LONG_PASSWD:
      .signIn
    case CURLPX_REPLY_NOT_ALLOWED, CURLPX_REPLY_COMMAND_NOT_SUPPORTED,
      CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED, CURLPX_BAD_ADDRESS_TYPE, CURLPX_LONG_HOSTNAME:
      .forbids
    case CURLPX_REPLY_CONNECTION_REFUSED, CURLPX_REPLY_HOST_UNREACHABLE,
      CURLPX_REPLY_NETWORK_UNREACHABLE, CURLPX_REPLY_TTL_EXPIRED, CURLPX_REQUEST_FAILED:
      .cannotReach
    case CURLPX_REPLY_GENERAL_SERVER_FAILURE, CURLPX_REPLY_UNASSIGNED: .fails
    default: .broken
    }
  }
}
