internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import Testing

@testable internal import Repository

/// A time that moves when it is told to.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_773_039_900))
  var now: Date { time.withLock { $0 } }
  func set(_ date: Date) { time.withLock { $0 = date } }
  func advance(_ seconds: Double) { time.withLock { $0.addTimeInterval(seconds) } }
}

/// A store on disk and a repository on it; the folder goes when the test is over.
struct TestReader: ~Copyable {
  let folder: String
  let store: Store
  let clock = TestClock()
  let repository: FeedRepository

  init(attempts: Int = 1, _ change: (inout RefreshSettings) -> Void = { _ in }) throws {
    let folder = NSTemporaryDirectory() + "telex-repository-\(UUID().uuidString)"
    store = try Store(folder: folder)
    self.folder = folder
    repository = makeRepository(store, clock, attempts: attempts, change)
  }

  /// A copy of the store in a folder, which nothing is writing to.
  init(copying original: String) throws {
    let folder = NSTemporaryDirectory() + "telex-repository-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: original, toPath: folder)
    store = try Store(folder: folder)
    self.folder = folder
    repository = makeRepository(store, clock)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Subscribes without asking the server.
  @discardableResult
  func add(_ urls: String...) async throws -> [Feed] { try await add(urls) }

  @discardableResult
  func add(_ urls: [String]) async throws -> [Feed] {
    let now = clock.now
    return try await store.edit { edit in
      try urls.compactMap { url in
        try edit.view.feeds.feed(edit.feeds.subscribe(url: url, isUserEntered: true, now: now).feed)
      }
    }
  }

  func feed(_ feed: Feed) async throws -> Feed {
    try #require(try await store.view { try $0.feeds.feed(feed.id) })
  }

  func titles(_ timeline: Timeline = .all) async throws -> [String] {
    try await store.view { view in
      try view.timeline.slice(TimelineQuery(timeline, olderCount: 10_000)).rows.compactMap { row in
        if case .article(let article) = row { article.title } else { nil }
      }
    }
  }
}

/// Sources that try once where nothing else is said: few tests wait for a retry.
func makeRepository(
  _ store: Store, _ clock: TestClock, attempts: Int = 1,
  _ change: (inout RefreshSettings) -> Void = { _ in }
) -> FeedRepository {
  var settings = RefreshSettings()
  change(&settings)
  return FeedRepository(
    store: store, sources: makeSources(attempts: attempts), settings: settings,
    now: { clock.now })
}

func makeSources(attempts: Int = 1) -> Sources {
  var policy = RetryPolicy()
  policy.maxAttempts = attempts
  // Servers that fail on purpose are asked all the same.
  var gate = OriginGate.Settings()
  gate.breaker.failuresToOpen = .max
  let transport = CurlTransport(CurlTransport.Configuration(proxy: ProxySettings()))
  let live = CurlTransport(CurlTransport.Configuration(proxy: ProxySettings()))
  return Sources(
    client: ResilientClient(
      HTTPClient(transport: transport), gate: OriginGate(gate),
      retries: RetryingSend(policy: policy)),
    live: (HTTPClient(transport: live), .eventStream))
}

/// Runs the body against a server that answers as it is told.
func withAnswers(
  _ respond: @escaping RawServer.Responder,
  _ body: (_ base: String, RawServer) async throws -> Void
) async throws {
  let server = RawServer(respond: respond)
  let port = try server.start()
  do {
    try await body("http://127.0.0.1:\(port)", server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Answers that a test lets go one by one, so that it decides what is under way at which moment.
final class Gate: Sendable {
  private let isOpen = Mutex(false)
  func open() { isOpen.withLock { $0 = true } }
  func close() { isOpen.withLock { $0 = false } }

  /// Called on a connection's own thread, which may wait.
  func wait() {
    let end = ContinuousClock.now + .seconds(60)
    while !isOpen.withLock({ $0 }), ContinuousClock.now < end { usleep(2_000) }
  }
}

extension Page {
  /// One of the Feed API, as its source makes it.
  static func api(_ entries: [Entry] = [], next: String? = nil) -> Page {
    var page = Page(
      description: FeedDescription(format: .api), entries: entries,
      nextCursor: next.map { Cursor($0) })
    page.service = .feedAPI
    return page
  }
}

extension WireReply {
  static func rss(
    _ titles: [String], ttl: Int? = nil, headers: [(name: String, value: String)] = []
  ) -> WireReply {
    let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    let life = ttl.map { "<ttl>\($0)</ttl>" } ?? ""
    return WireReply(
      type: "application/rss+xml", headers: headers,
      text: "<rss version='2.0'><channel><title>T</title>\(life)\(items)</channel></rss>")
  }

  /// A page of the Feed API.
  static func api(_ ids: [String], next: String? = nil) -> WireReply {
    let items = ids.map { #"{"id": "\#($0)", "title": "\#($0)"}"# }.joined(separator: ",")
    let cursor = next.map { "\"\($0)\"" } ?? "null"
    return WireReply(
      type: "application/json",
      text: #"{"feed": {"title": "T"}, "items": [\#(items)], "nextCursor": \#(cursor)}"#)
  }
}
