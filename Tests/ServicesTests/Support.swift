internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// Monday, 9 March 2026, 07:05:00 UTC.
let now = Date(timeIntervalSince1970: 1_773_039_900)

let demo =
  URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path() + "Fixtures/demo"

extension FeedFinder {
  func discover(_ address: String) async throws -> FoundFeeds {
    try await discover(address, signIn: nil)
  }
}

/// Runs the body against a server of the demo.
func withServer(
  articles: Int = 130, _ body: (FeedServer, Sources) async throws -> Void
) async throws {
  let server = try FeedServer(
    archive: Archive(directory: demo, now: now, count: articles), clock: { now })
  try await server.whileServing { _ in try await body(server, makeSources()) }
}

/// Runs the body against a server that answers as it is told.
func withAnswers(
  _ respond: @escaping RawServer.Responder,
  _ body: (_ base: String, RawServer, Sources) async throws -> Void
) async throws {
  let server = RawServer(respond: respond)
  let port = try server.start()
  do {
    try await body("http://127.0.0.1:\(port)", server, makeSources())
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Sources that try once: what a retry does is the business of HTTP's own tests.
func makeSources(
  caFile: String? = nil, proxy: ProxySettings = ProxySettings(),
  _ change: (inout HTTPLimits) -> Void = { _ in }
) -> Sources {
  var limits = HTTPLimits()
  limits.silence = .seconds(20)
  change(&limits)
  var policy = RetryPolicy()
  policy.maxAttempts = 1
  // Servers that fail on purpose are asked all the same.
  var gate = OriginGate.Settings()
  gate.breaker.failuresToOpen = .max
  let transport = CurlTransport(
    CurlTransport.Configuration(caFile: caFile, proxy: proxy))
  return Sources(
    client: ResilientClient(
      HTTPClient(transport: transport), gate: OriginGate(gate),
      retries: RetryingSend(policy: policy)), limits: limits)
}

func feed(_ url: String, format: FeedFormat? = nil, isUserEntered: Bool = true) -> Feed {
  Feed(
    id: FeedID(1), account: format == .api ? apiAccount : .local, url: url, format: format,
    isUserEntered: isUserEntered)
}

/// An account at a Feed API that nobody is signed in to.
let apiAccount = Account(id: AccountID(2), service: .feedAPI)

extension NewsSources {
  func source(for feed: Feed) -> any PageSource {
    source(of: feed.account).pages(of: feed) { _ in }
  }
}

extension Sources {
  func page(
    of feed: Feed, after cursor: Cursor? = nil, known: KnownPage = KnownPage()
  ) async throws -> Page {
    let answer = try await source(for: feed).page(after: cursor, known: known)
    guard case .page(let page) = answer.body else {
      throw SourceError(.decoding, stage: .parse, subject: "test", message: "unchanged")
    }
    return page
  }
}

extension WireReply {
  static func rss(_ titles: [String], headers: [(name: String, value: String)] = []) -> WireReply {
    let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    return WireReply(
      type: "application/rss+xml", headers: headers,
      text: "<rss version='2.0'><channel><title>T</title>\(items)</channel></rss>")
  }
}
