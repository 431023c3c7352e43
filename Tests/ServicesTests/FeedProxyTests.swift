internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The way to one feed.
@Suite struct FeedProxyTests {
  private func withProxy(
    credentials: String? = nil, _ body: (LoopbackProxy, RawServer) async throws -> Void
  ) async throws {
    let server = RawServer { request in
      request.target == "/next"
        ? .reply(WireReply(type: "application/feed+json", text: Self.json("2", next: nil)))
        : .reply(WireReply(type: "application/feed+json", text: Self.json("1", next: "/next")))
    }
    let port = try server.start()
    do {
      try await body(LoopbackProxy(to: port, credentials: credentials), server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private static func json(_ id: String, next: String?) -> String {
    let next = next.map { "\"next_url\": \"\($0)\"," } ?? ""
    return """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T", \(next)
       "items": [{"id": "\(id)", "title": "\(id)"}]}
      """
  }

  private func sources(
    proxy: ProxySettings = .none, password: @escaping @Sendable (Feed) -> String? = { _ in nil }
  ) -> Sources {
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    let transport = CurlTransport(CurlTransport.Configuration(proxy: proxy))
    return Sources(
      client: ResilientClient(
        HTTPClient(transport: transport), retries: RetryingSend(policy: policy)),
      proxyPassword: { password($0) })
  }

  private func feed(_ url: String, by proxy: FeedProxy) -> Feed {
    Feed(id: FeedID(7), url: url, format: .json, isUserEntered: true, proxy: proxy)
  }

  @Test(arguments: ["http", "socks5h"])
  func `Every page of a feed comes by the feed's own proxy`(scheme: String) async throws {
    try await withProxy(credentials: "ada:s3:cret") { proxy, _ in
      let sources = sources(password: { $0.id == FeedID(7) ? "s3:cret" : nil })
      let feed = feed("http://feeds.invalid/feed", by: .via(proxy.url(scheme, as: "ada")))
      let newest = try await sources.page(of: feed)
      let older = try await sources.page(of: feed, after: newest.nextCursor)
      #expect((newest.entries + older.entries).map(\.title) == ["1", "2"])
      #expect(Set(proxy.visits.map(\.host)) == ["feeds.invalid"])
      let looked = try await sources.diagnose(feed.url, proxies: .none, of: feed)
      #expect(looked.route.proxyOrigin == proxy.url(scheme))
      guard case .feed? = looked.document else {
        Issue.record("\(String(describing: looked.problem))")
        return
      }
    }
  }

  @Test func `A feed may go directly where all others have a proxy`() async throws {
    try await withProxy { proxy, server in
      let sources = sources(proxy: ProxySettings(http: proxy.url(), https: proxy.url()))
      let page = try await sources.page(
        of: feed("http://127.0.0.1:\(server.port)/feed", by: .direct))
      #expect(page.entries.count == 1)
      #expect(proxy.visits.isEmpty)
    }
  }

  @Test func `A new address for a feed is looked for on the feed's way`() async throws {
    try await withProxy { proxy, _ in
      let sources = sources()
      let feed = feed("http://old.invalid/feed", by: .via(proxy.url()))
      let found = try await sources.onWay(of: feed).discover("http://new.invalid/feed")
      guard case .feed(let located) = found else {
        Issue.record("\(found)")
        return
      }
      #expect(located.url == "http://new.invalid/feed")
      #expect(proxy.visits.map(\.host) == ["new.invalid"])
    }
  }

  @Test(
    arguments: [
      (403, SourceError.Stage.config), (407, .config), (503, .connect), (502, .connect),
    ] as [(UInt16, SourceError.Stage)])
  func `What a proxy refuses is an error of its own`(
    status: UInt16, stage: SourceError.Stage
  ) async throws {
    let proxy = try LoopbackProxy(to: 1, .refuses(status))
    let error = await #expect(throws: SourceError.self) {
      try await sources().page(
        of: feed("https://feeds.invalid/feed", by: .via(proxy.url(as: "ada:s3cret"))))
    }
    #expect(error?.kind == .proxy && error?.stage == stage && error?.status == nil)
    #expect(error?.isConnectivity == (stage == .connect))
    #expect(error?.line.contains(proxy.url()) == true)
    #expect(error?.line.contains("s3cret") == false)
  }
}
