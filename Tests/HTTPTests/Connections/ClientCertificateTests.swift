import ChildProcess
import Foundation
import HTTP
import LoopbackTLS
import Requirements
import Testing

@Suite(.needs(.openssl))
struct ClientCertificateTests {
  /// Lets in only who shows the certificate of `own`.
  private func server(for own: TLSIdentity) async throws -> TLSServer {
    try await TLSServer(["-Verify", "1", "-verify_return_error", "-CAfile", own.certificate])
  }

  private func client(
    _ server: TLSServer, _ own: ClientCertificate, for origin: String
  ) -> HTTPClient {
    makeClient {
      $0.caFile = server.certificate
      $0.clientCertificates = [origin: own]
    }
  }

  private func failure(_ client: HTTPClient, _ url: String) async -> HTTPError? {
    await #expect(throws: HTTPError.self) {
      try await client.response(for: HTTPRequest(.get, url))
    }
  }

  @Test func `A server that wants a certificate gets the one for it`() async throws {
    let own = try await TLSIdentity()
    let server = try await server(for: own)
    let shown = ClientCertificate(certificate: own.certificate, key: own.key)
    let origin = "https://localhost:\(server.port)"
    let response = try await client(server, shown, for: origin)
      .response(for: HTTPRequest(.get, server.url))
    #expect(response.head.status == 200)
  }

  @Test func `No other origin is shown it, another port of the host neither`() async throws {
    let own = try await TLSIdentity()
    let server = try await server(for: own)
    let shown = ClientCertificate(certificate: own.certificate, key: own.key)
    let error = await failure(client(server, shown, for: "https://localhost:1"), server.url)
    #expect(error?.kind == .tls)
    #expect(error?.tlsFailure == .clientCertificateWanted)
    #expect(error?.message == "localhost wants a client certificate.")
  }

  @Test func `Files that cannot be used are told, and nobody is asked for a password`()
    async throws
  {
    let own = try await TLSIdentity()
    let server = try await server(for: own)
    let locked = own.folder.appending(path: "locked.pem").path
    let process = try ChildProcess(
      try #require(Program.path(of: "openssl")),
      ["pkcs8", "-topk8", "-in", own.key, "-out", locked, "-passout", "pass:secret"])
    try #require(await process.end() == .exited(0), "\(process.errors)")
    let origin = "https://localhost:\(server.port)"
    for (files, words) in [
      (ClientCertificate(certificate: own.certificate, key: locked), "has a password"),
      (ClientCertificate(certificate: own.certificate, key: own.certificate), "holds no key"),
      (ClientCertificate(certificate: own.certificate), "holds no key"),
      (ClientCertificate(certificate: own.key, key: own.key), "holds no certificate"),
      (ClientCertificate(certificate: "/nowhere.pem", key: own.key), "cannot be read"),
      (ClientCertificate(certificate: own.certificate, key: "/nowhere.pem"), "cannot be read"),
      (ClientCertificate(certificate: server.certificate, key: own.key), "cannot be used"),
    ] {
      let error = await failure(client(server, files, for: origin), server.url)
      #expect(error?.tlsFailure == .clientCertificate, "\(words)")
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "") lacks \(words)")
    }
  }
}
