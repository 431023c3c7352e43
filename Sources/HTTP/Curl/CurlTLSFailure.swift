internal import CCurl

/// Classification of TLS failures by curl's code, OpenSSL's verdict on the certificate, and the message where
/// neither decides.
struct CurlTLSFailure {
  let code: CURLcode
  /// OpenSSL's `X509_V_ERR_…`; 0 where the certificate was not what failed, or the library is another.
  let verdict: Int
  let words: String
  /// Whether the user named certificates: then it is those that cannot be read.
  let hasCAFile: Bool

  var failure: TLSFailure {
    switch code {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pin
    case CURLE_SSL_CACERT_BADFILE: hasCAFile ? .caFile : .systemCertificates
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      ofCertificate
    case CURLE_SSL_CERTPROBLEM: .clientCertificate
    case CURLE_SSL_CONNECT_ERROR: ofHandshake
    // The server's answer to the handshake may come when that is over (TLS 1.3).
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: .clientCertificateWanted
    default: .other
    }
  }

  private var ofCertificate: TLSFailure {
    switch verdict {
    case 10: return .expired
    case 9: return .notYetValid
    // Two of a missing issuer, signed by itself alone or in a chain, a first that cannot be verified,
    // and an authority that is not accepted.
    case 2, 18, 19, 20, 21, 24, 26, 27, 28: return .untrusted
    case 62, 63, 64: return .wrongName
    default: break
    }
    // GnuTLS, Secure Transport and others have words only; so has a name that does not match.
    if says("expired") { return .expired }
    if says("not yet valid", "not activated", "not yet activated") { return .notYetValid }
    if says("subject name", "host name", "hostname", "name mismatch", "not match") {
      return .wrongName
    }
    if says(
      "self-signed", "self signed", "issuer", "not trusted", "untrusted", "unknown ca", "root")
    {
      return .untrusted
    }
    return .other
  }

  private var ofHandshake: TLSFailure {
    if wantsCertificate { return .clientCertificateWanted }
    if says("protocol version", "unsupported protocol", "no protocols available", "version too low")
    {
      return .protocolVersion
    }
    if says("wrong version number", "packet length too long", "http request", "unexpected message")
    {
      return .notTLS
    }
    return .other
  }

  var wantsCertificate: Bool { says("certificate required") }

  private func says(_ parts: String...) -> Bool {
    let words = words.lowercased()
    return parts.contains { words.contains($0) }
  }
}

extension TLSFailure {
  /// The sentence for the user; `words` are the library's own, where there are no better ones.
  func message(host: String, minTLS: TLSVersion, words: String) -> String {
    switch self {
    case .expired: "The certificate of \(host) has expired."
    case .notYetValid: "The certificate of \(host) is not valid yet."
    case .wrongName: "The certificate of \(host) is for another name."
    case .untrusted: "The certificate of \(host) is not signed by a trusted authority."
    case .pin: "The key of \(host) does not match the pinned ones, though its certificate is valid."
    case .protocolVersion: "\(host) does not offer TLS \(minTLS.rawValue) or newer."
    case .notTLS: "The server at \(host) does not speak TLS."
    case .caFile: "The ca_file cannot be used: \(words)."
    case .systemCertificates: "The system's certificates cannot be read: \(words)."
    case .clientCertificate: "The client certificate for \(host) cannot be used: \(words)."
    case .clientCertificateWanted: "\(host) wants a client certificate."
    case .other: "No safe connection to \(host): \(words)."
    }
  }
}
