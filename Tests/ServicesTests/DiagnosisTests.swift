internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import Testing

/// What `diagnose` finds out about servers that behave, and about those that do not.
@Suite struct DiagnosisTests {
  private func diagnose(
    _ path: String = "/", _ respond: @escaping RawServer.Responder
  ) async throws -> Diagnosis {
    let found = Mutex<Diagnosis?>(nil)
    try await withAnswers(respond) { base, _, sources in
      let diagnosis = try await sources.diagnose(base + path, proxies: .none)
      found.withLock { $0 = diagnosis }
    }
    return try #require(found.withLock { $0 })
  }

  /// How a server may answer the second time, and what that means.
  enum Second: Sendable, CaseIterable {
    case notModified, same, other, error, nothing
  }

  @Test(arguments: Second.allCases)
  func `A second request shows whether the validators are worth anything`(
    second: Second
  ) async throws {
    let validators = [(name: "ETag", value: "\"one\"")]
    let diagnosis = try await diagnose { request in
      guard request.header("If-None-Match") == "\"one\"" else {
        return .reply(.rss(["a"], headers: validators))
      }
      return switch second {
      case .notModified: .reply(WireReply(status: 304, headers: validators))
      case .same: .reply(.rss(["a"], headers: validators))
      case .other: .reply(.rss(["b"], headers: validators))
      case .error: .reply(WireReply(status: 500))
      case .nothing: .reset
      }
    }
    #expect(diagnosis.validators == Validators(etag: "\"one\""))
    switch (second, diagnosis.revalidation) {
    case (.notModified, .notModified), (.same, .sentAgain), (.other, .changed),
      (.error, .status(500)), (.nothing, .failed):
      break
    default: Issue.record("\(second): \(String(describing: diagnosis.revalidation))")
    }
    #expect(diagnosis.problem == nil)
  }

  @Test func `Without validators there is no second request`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base, proxies: .none)
      guard case .feed(let page) = diagnosis.document else {
        return #expect(Bool(false), "a feed")
      }
      #expect(page.entries.count == 1 && diagnosis.revalidation == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `An error of the server is told, and nothing is asked twice`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 503)) }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base, proxies: .none)
      #expect(diagnosis.problem?.status == 503 && diagnosis.document == nil)
      #expect(diagnosis.trace.hops.map(\.head.status) == [503])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A page, the Feed API and something else are told apart`() async throws {
    let page = "<html><link rel='alternate' type='application/rss+xml' href='/f.xml'></html>"
    let found = try await diagnose { _ in .reply(WireReply(type: "text/html", text: page)) }
    guard case .page(let links) = found.document else { return #expect(Bool(false), "a page") }
    #expect(links.count == 1)
    let other = try await diagnose { _ in .reply(WireReply(type: "text/plain", text: "hello")) }
    guard case .unreadable(let error) = other.document else {
      return #expect(Bool(false), "nothing")
    }
    #expect(error.kind == .notAFeed)
    try await withServer { server, sources in
      let diagnosis = try await sources.diagnose(server.apiURL, proxies: .none)
      guard case .api(.success(let page)) = diagnosis.document else {
        return #expect(Bool(false), "the API")
      }
      #expect(page.entries.count == 50)
      server.addUser("ada", password: "sesame")
      let closed = try await sources.diagnose(server.apiURL, proxies: .none)
      guard case .api(.failure(let error)) = closed.document else {
        return #expect(Bool(false), "the API without a sign-in")
      }
      #expect(error.status == 401)
    }
  }

  @Test func `Behind a proxy the name is not looked up here`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, _, sources in
      let proxies = ProxySettings(http: "http://proxy.example:3128")
      let diagnosis = try await sources.diagnose(
        base.replacing("127.0.0.1", with: "localhost"), proxies: proxies)
      // This machine is never reached by a proxy.
      #expect(diagnosis.route == .direct)
      let addresses = try #require(try diagnosis.addresses?.get())
      #expect(addresses.contains { $0.isLoopback })
    }
  }

  @Test func `The clock is compared with the server that is nearest to it`() async throws {
    func server(behind seconds: Double) -> RawServer {
      RawServer { _ in
        let date = HTTPDate.string(from: Date().addingTimeInterval(-seconds))
        return .reply(WireReply(headers: [(name: "Date", value: date)]))
      }
    }
    let (near, far, mute) = (
      server(behind: 1_000), server(behind: 9_000), RawServer { _ in .reset }
    )
    let feeds = try [far, near, mute].map { feed("http://127.0.0.1:\(try $0.start())/") }
    let skew = try await makeSources().clockSkew(of: feeds, limit: .seconds(60))
    #expect(skew?.host == "127.0.0.1")
    #expect((995...1_100).contains((skew?.skew ?? .zero) / .seconds(1)))
    #expect(near.requests.map(\.method) == ["HEAD"])
    #expect(try await makeSources().clockSkew(of: [feeds[2]], limit: .seconds(60)) == nil)
    for server in [near, far, mute] { await server.stop() }
  }
}
