internal import HTTP
internal import News
internal import Testing

@testable internal import Services

@Suite struct TLSErrorTests {
  static let steps: [(TLSFailure, SourceError.Stage, String)] = [
    (.expired, .connect, "do not trust this connection; check this machine's clock"),
    (.notYetValid, .connect, "do not trust this connection; check this machine's clock"),
    (.wrongName, .connect, "do not trust this connection; check the address"),
    (.untrusted, .connect, "set ca_file"),
    (.pin, .connect, "network.pins"),
    (.protocolVersion, .connect, "min_tls"),
    (.notTLS, .connect, "the scheme and the port"),
    (.caFile, .config, "check ca_file in the settings"),
    (.systemCertificates, .config, "ca-certificates"),
    (.other, .connect, "do not trust this connection; check the clock and the address"),
  ]

  @Test(arguments: steps)
  func `Each failure of TLS leads to the step that helps`(
    failure: TLSFailure, stage: SourceError.Stage, next: String
  ) {
    var cause = HTTPError(.tls, "what happened", host: "example.org")
    cause.tlsFailure = failure
    let error = SourceError(cause, url: "https://me:secret@example.org/?key=secret")
    #expect(error.kind == .tls)
    #expect(error.stage == stage)
    #expect(error.next?.contains(next) == true, "\(error.line)")
    #expect(!"\(error)".contains("secret"))
    // Where nothing was connected to, no connection is to be distrusted.
    #expect(stage == .connect || error.next?.contains("do not trust") == false)
  }

  @Test func `A missing ca_file is the configuration's fault and not the server's`() async {
    let error = await #expect(throws: SourceError.self) {
      try await makeSources(caFile: "/nowhere/ca.pem").page(of: feed("https://localhost:1/"))
    }
    #expect(error?.kind == .tls)
    #expect(error?.stage == .config)
    #expect(error?.line.contains("The ca_file /nowhere/ca.pem cannot be read") == true)
  }
}
