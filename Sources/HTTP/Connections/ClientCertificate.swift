internal import Foundation

/// Client certificate for one server (TLS), as paths of PEM files.
package struct ClientCertificate: Sendable, Hashable {
  package var certificate = ""
  /// The path of the private key's file; empty where that is the certificate's.
  package var key = ""

  package init(certificate: String = "", key: String = "") {
    self.certificate = certificate
    self.key = key
  }

  var keyFile: String { key.isEmpty ? certificate : key }

  /// The error of the files; nil where a connection can be tried. A key with a password is
  /// refused: the TLS library would ask for it on the terminal, in the middle of the screen.
  func problem(host: String) -> HTTPError? {
    func failure(_ words: String) -> HTTPError {
      var error = HTTPError(.tls, "The client certificate for \(host) cannot be used: \(words).")
      error.host = host
      error.tlsFailure = .clientCertificate
      return error
    }
    guard let shown = PEMText.bytes(ofFile: certificate) else {
      return failure("\(certificate) cannot be read")
    }
    guard PEMText.holdsCertificates(shown) else {
      return failure("\(certificate) holds no certificate that can be read")
    }
    guard let secret = PEMText.bytes(ofFile: keyFile) else {
      return failure("\(keyFile) cannot be read")
    }
    let text = String(decoding: secret, as: UTF8.self)
    guard text.contains("PRIVATE KEY-----") else { return failure("\(keyFile) holds no key") }
    guard !text.contains("ENCRYPTED") else {
      return failure(
        "the key in \(keyFile) has a password; keep one without, in a file of mode 0600")
    }
    return nil
  }
}
