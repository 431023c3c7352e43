internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Synchronization
internal import Testing

@testable internal import Services

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
    let authorizer = accounts.authorizer(for: Signer(.user(nil)))
    let url = try HTTPURL(origin.address)
    guard !origin.isSafe else {
      #expect(try await authorizer.authorization(for: url) != nil)
      return
    }
    let error = await #expect(throws: HTTPError.self) {
      try await authorizer.authorization(for: url)
    }
    #expect(error?.kind == .badRequest)
  }

  @Test func `A kept token that cannot be read is told, and not taken for none`() async throws {
    let account = SignIn(
      origin: "https://e.org", user: "ada", scheme: .bearer(base: "https://e.org/api"))
    let signIns = SignIns(
      list: { [account] },
      vault: SecretVault(
        read: { _ in #"{"accessToken":"a","refreshToken":"r","expires":"+11476-01-01T00:00:00Z"}"#
        },
        write: { _, _ in }, remove: { _ in }),
      client: ResilientClient(HTTPClient(transport: TwoHosts())))
    let authorizer = signIns.authorizer(for: Signer(.user(nil), asking: .api))
    guard
      case .bearer(let session)? = try await authorizer.authorization(
        for: try HTTPURL("https://e.org/api"))
    else { throw CancellationError() }
    let error = await #expect(throws: SourceError.self) { try await session.accessToken() }
    #expect(error?.message.contains("cannot be read") == true && error?.status == 401)
  }

  /// A service whose pages and API lie at two hosts, without a network.
  private final class TwoHosts: Transport {
    let asked = Mutex<[String]>([])

    func stream(_ request: HTTPRequest) async throws -> HTTPStream {
      asked.withLock { $0.append(request.url) }
      let body =
        switch request.url {
        case "https://www.bazqux.com/accounts/ClientLogin": "Auth=token\n"
        case let url where url.hasPrefix("https://www.bazqux.com/reader/api/0/user-info"):
          #"{"userId":"1","userName":"ada","userProfileId":"1","userEmail":"ada"}"#
        default: "<html></html>"
        }
      let head = HTTPResponseHead(status: 200, headers: [:], url: request.url)
      return HTTPStream(head: head, body: Array(body.utf8))
    }
  }

  @Test func `A sign-in belongs to the origin of the API, whatever page was typed`() async throws {
    let server = TwoHosts()
    let kept = Locked<[String: SignIn]>([:])
    let signIns = SignIns(
      list: { [] },
      vault: SecretVault(
        read: { _ in nil }, write: { kept.value[$0] = $1 }, remove: { _ in }),
      client: ResilientClient(HTTPClient(transport: server)))
    let signIn = try await signIns.signIn(
      at: "https://bazqux.com", user: "ada", secret: "s3cret", scheme: nil)
    #expect(signIn.origin == "https://www.bazqux.com")
    #expect(kept.value == ["s3cret": signIn])
    // As it is found again once the account is stored.
    let (service, base) = try #require(Sources.service(of: signIn))
    let account = Account(id: AccountID(2), service: service, base: base, user: "ada")
    #expect(Sources.signIn(of: account).map(signIn.isSame) == true)
    #expect(
      try SignIns.origins(of: "https://bazqux.com/i/feeds")
        == ["https://bazqux.com", "https://www.bazqux.com"])
    #expect(try SignIns.origins(of: "https://example.org/a") == ["https://example.org"])
  }

  @Test func `What a refresh would not get is not added`() async throws {
    @Sendable func answer(_ request: WireRequest) -> Script {
      request.header("Authorization") == "Bearer ada"
        ? .reply(
          WireReply(
            type: "application/rss+xml",
            text: "<rss version='2.0'><channel><title>T</title></channel></rss>"))
        : .reply(WireReply(status: 401, type: "text/plain", text: ""))
    }
    try await withAnswers(answer) { base, _, _ in
      let all = ["ada", "bob"].map {
        SignIn(origin: base, user: $0, scheme: .bearer(base: base + "/api"))
      }
      let end = Date(timeIntervalSinceNow: 3_600)
      let signIns = SignIns(
        list: { all },
        vault: SecretVault(
          read: {
            TokenPair(accessToken: $0.user, refreshToken: "r", expires: end).secret
          }, write: { _, _ in }, remove: { _ in }),
        client: ResilientClient(HTTPClient(transport: CurlTransport())))
      let client = ResilientClient(
        HTTPClient(transport: CurlTransport(CurlTransport.Configuration(proxy: ProxySettings()))))
      let sources = Sources(client: client, signIns: signIns).acting(for: "ada")
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(base + "/feed.xml", signIn: nil)
      }
      #expect(error?.status == 401 && error?.next?.contains("--basic") == true)
    }
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
