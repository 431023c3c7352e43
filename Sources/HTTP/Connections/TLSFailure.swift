/// Reason why a connection cannot be trusted: each needs another remedy.
package enum TLSFailure: Sendable, Hashable {
  case expired, notYetValid
  /// The certificate is for other names.
  case wrongName
  /// Signed by itself, or by nobody who is known here.
  case untrusted
  /// The certificate is good, but its key is none of those pinned for the host.
  case pin
  /// The server offers only versions that are too old.
  case protocolVersion
  case notTLS
  /// `ca_file` is missing or holds no certificate.
  case caFile
  case systemCertificates
  /// The one that this machine shows cannot be used.
  case clientCertificate
  /// The server wants one, and there is none for it.
  case clientCertificateWanted
  case other

  /// Whether a certificate was shown, and refused.
  package var isOfCertificate: Bool {
    switch self {
    case .expired, .notYetValid, .wrongName, .untrusted, .pin: true
    case .protocolVersion, .notTLS, .caFile, .systemCertificates, .clientCertificate,
      .clientCertificateWanted, .other:
      false
    }
  }
}

/// The oldest version of TLS that is spoken.
package enum TLSVersion: String, Sendable, Hashable {
  case v12 = "1.2"
  case v13 = "1.3"
}
