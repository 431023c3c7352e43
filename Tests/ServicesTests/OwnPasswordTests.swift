internal import FeedServer
internal import HTTP
internal import News
internal import Services
internal import Testing

/// What is asked of a feed that has a name and password of its own.
@Suite(.timeLimit(.minutes(10))) struct OwnPasswordTests {
  /// Somebody who has signed in at the server, beside the feed's own name and password.
  private struct OtherSignIn: Authorizer {
    let credential: Credential

    func authorization(for url: HTTPURL) async throws -> Authorization? {
      .credential(credential)
    }
  }

  /// The API asks everybody for ada's password, its description of itself included.
  private func withLockedAPI(
    kept: String?, other: Credential? = nil,
    _ body: (FeedServer, Sources, Feed) async throws -> Void
  ) async throws {
    try await withServer(articles: 30) { server, _ in
      server.protect("/api", with: .basic(user: "ada", password: "s3cret"))
      let signIn = FeedSignIn(origin: server.baseURL, user: "ada", key: "k")
      var policy = RetryPolicy()
      policy.maxAttempts = 1
      func client() -> HTTPClient {
        HTTPClient(transport: CurlTransport(CurlTransport.Configuration(proxy: ProxySettings())))
      }
      let sources = Sources(
        client: ResilientClient(
          client(), retries: RetryingSend(policy: policy),
          authorizer: other.map(OtherSignIn.init)),
        live: (client(), .eventStream),
        secrets: FeedSecrets(
          read: {
            guard let kept else {
              throw SourceError(
                .secret, stage: .config, subject: signIn.origin, message: "the ring is locked")
            }
            return $0 == signIn ? kept : nil
          }, write: { _, _ in }, remove: { _ in }))
      let feed = Feed(
        id: FeedID(1), account: apiAccount, url: server.apiURL, format: .api, isUserEntered: true,
        signIn: signIn)
      try await body(server, sources, feed)
    }
  }

  @Test func `An export is signed with it`() async throws {
    try await withLockedAPI(kept: "s3cret") { _, sources, feed in
      var count = 0
      for try await batch in try await sources.export(of: feed) { count += batch.entries.count }
      #expect(count == 30)
    }
  }

  @Test func `An export goes with the sign-in at the server where it opens nothing any more`()
    async throws
  {
    let other = Credential.basic(user: "ada", password: "s3cret")
    try await withLockedAPI(kept: "old", other: other) { server, sources, feed in
      var count = 0
      for try await batch in try await sources.export(of: feed) { count += batch.entries.count }
      #expect(count == 30)
      #expect(Set(server.requests.map { $0.header("Authorization") }).count == 2)
    }
    try await withLockedAPI(kept: "old") { server, sources, feed in
      let error = await #expect(throws: SourceError.self) { try await sources.export(of: feed) }
      #expect(error?.status == 401)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `While it cannot be read, the feed is fetched by the sign-in at the server, or not`()
    async throws
  {
    try await withLockedAPI(kept: nil) { server, sources, feed in
      let error = await #expect(throws: SourceError.self) { try await sources.export(of: feed) }
      #expect(error?.kind == .secret && error?.status == nil)
      #expect(server.requests.isEmpty)
    }
    let other = Credential.basic(user: "ada", password: "s3cret")
    try await withLockedAPI(kept: nil, other: other) { _, sources, feed in
      var count = 0
      for try await batch in try await sources.export(of: feed) { count += batch.entries.count }
      #expect(count == 30)
    }
  }

  @Test func `What a server tells by itself is asked for with it`() async throws {
    try await withLockedAPI(kept: "s3cret") { _, sources, feed in
      let news = try #require(sources.source(of: feed.account).live(of: feed)?.news(after: ""))
      var iterator = news.makeAsyncIterator()
      #expect(try await iterator.next() == .opened)
    }
    try await withLockedAPI(kept: "old") { _, sources, feed in
      let news = try #require(sources.source(of: feed.account).live(of: feed)?.news(after: ""))
      let error = await #expect(throws: SourceError.self) {
        for try await _ in news {}
      }
      #expect(error?.status == 401)
    }
  }
}
