internal import HTTP
internal import News
internal import Services
internal import Testing

/// What is known of names and passwords before anything is sent.
@Suite struct SignInTests {
  @Test(
    arguments: [
      ("https://news.example.org", true), ("http://127.0.0.1:8080", true),
      ("http://[::1]:8080", true), ("http://news.example.org", false),
      ("http://192.168.0.2", false),
    ], [.basic, .apiKey(header: "X-Key"), .bearer(base: "")] as [SignIn.Scheme])
  func `There is a credential for https and for this machine only`(
    origin: (address: String, isSafe: Bool), scheme: SignIn.Scheme
  ) async throws {
    let account = SignIn(origin: origin.address, user: "ada", scheme: scheme)
    let accounts = SignIns(
      list: { [account] },
      vault: SecretVault(read: { _ in "s3cret" }, write: { _, _ in }, remove: { _ in }),
      client: ResilientClient(HTTPClient(transport: CurlTransport())))
    let authorizer = accounts.authorizer(for: .user(nil))
    guard !origin.isSafe else {
      #expect(try await authorizer.authorization(for: origin.address) != nil)
      return
    }
    let error = await #expect(throws: HTTPError.self) {
      try await authorizer.authorization(for: origin.address)
    }
    #expect(error?.kind == .badRequest)
  }

  @Test(arguments: [nil, "another"])
  func `A password that is not there when it is looked for again is not kept`(
    found: String?
  ) async throws {
    let secrets = FeedSecrets(read: { _ in found }, write: { _, _ in }, remove: { _ in })
    let signIn = FeedSignIn(origin: "https://news.example.org", user: "ada", key: "1")
    let error = await #expect(throws: SourceError.self) {
      try await secrets.keep("s3cret", signIn)
    }
    #expect(error?.kind == .secret)
  }
}
