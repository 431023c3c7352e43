internal import CCurl
internal import Foundation

/// Looks at the certificate of a server that is not trusted, to say what is wrong with it.
///
/// The one place that does not ask whether a certificate is valid: it makes a connection, sends
/// nothing on it, believes nothing that comes, and closes it.
package enum CertificateLook {
  /// The certificate shown at an address; nil where none could be seen within the limit.
  package static func certificate(
    at url: HTTPURL, proxy: ProxyChoice, connections: ConnectionPolicy, limit: Duration
  ) async -> Certificate? {
    guard url.isSecure else { return nil }
    return await withCheckedContinuation { continuation in
      let thread = Thread {
        curl_block_sigpipe()
        continuation.resume(
          returning: look(at: url, proxy, Gate(host: url.host, connections), limit))
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  private final class Gate {
    let host: String
    let connections: ConnectionPolicy

    init(host: String, _ connections: ConnectionPolicy) {
      self.host = host
      self.connections = connections
    }

    func allows(_ address: IPAddress?) -> Bool {
      address.map { connections.allows($0, for: host) } ?? false
    }
  }

  /// Blocks.
  private static func look(
    at url: HTTPURL, _ proxy: ProxyChoice, _ gate: Gate, _ limit: Duration
  ) -> Certificate? {
    guard case .success(let library) = CurlLibrary.shared,
      let easy = library.functions.easy_init()
    else { return nil }
    var functions = library.functions
    defer { functions.easy_cleanup(easy) }
    curl_set_text(&functions, easy, CURLOPT_URL, url.origin + "/")
    curl_set_web_only(&functions, easy)
    let options: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECT_ONLY, 1), (CURLOPT_CERTINFO, 1),
      (CURLOPT_SSL_VERIFYPEER, 0), (CURLOPT_SSL_VERIFYHOST, 0),
      (CURLOPT_TIMEOUT_MS, max(1, Int(limit.milliseconds))),
      (CURLOPT_HTTPPROXYTUNNEL, 1),
    ]
    for (option, value) in options { curl_set_long(&functions, easy, option, value) }
    curl_set_text(&functions, easy, CURLOPT_NOPROXY, "")
    curl_set_text(&functions, easy, CURLOPT_PROXY, proxy.curlText)
    if proxy == .direct {
      curl_set_on_open_socket(&functions, easy) { context, _, address in
        guard let context, let address else { return CURL_SOCKET_BAD }
        let gate = Unmanaged<Gate>.fromOpaque(context).takeUnretainedValue()
        return gate.allows(IPAddress(address)) ? curl_open_socket(address) : CURL_SOCKET_BAD
      }
      let context = Unmanaged.passUnretained(gate).toOpaque()
      curl_set_pointer(&functions, easy, CURLOPT_OPENSOCKETDATA, context)
    }
    return withExtendedLifetime(gate) {
      guard functions.easy_perform(easy) == CURLE_OK else { return nil }
      return curl_info_certificate(&functions, easy)
        .flatMap { Certificate(pem: String(cString: $0)) }
    }
  }
}
