internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Work that is called off at any moment leaves nothing behind.
@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
  private static let waves = 10
  private static let atOnce = 5
  private static let demo =
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path() + "Fixtures/demo"

  /// One that is the same in every run, and one that never is; a failure names it.
  private static let seeds = [1, UInt64.random(in: 2 ... .max)]

  @Test(arguments: seeds)
  func `Of what is cancelled at random instants nothing is left`(seed: UInt64) async throws {
    var dice = SplitMix(seed: seed)
    let server = try FeedServer(
      archive: Archive(directory: Self.demo, now: Date(), count: 2_000),
      heartbeat: .milliseconds(5))
    try await server.whileServing { _ async throws in
      let traces = try await Self.workAndCancel(server, &dice)
      // A task that was left somewhere would hold the transport or the repository, and the transport
      // its connections.
      #expect(await eventually { traces.isGone })
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
      #expect(server.liveConnections == 0)
    }
  }

  private static func workAndCancel(
    _ server: FeedServer, _ dice: inout SplitMix
  ) async throws -> Traces {
    let desk = try await Desk(server)
    defer { try? FileManager.default.removeItem(atPath: desk.store.folder) }
    for _ in 0..<waves {
      let works = (0..<atOnce).map { _ in Work.allCases.randomElement(using: &dice) ?? .refresh }
      let instants = works.map { _ in dice.instant() }
      await withTaskGroup { group in
        for (work, instant) in zip(works, instants) {
          group.addTask { await desk.begin(work, andCancelAfter: instant) }
        }
      }
      #expect(
        await eventually(within: closingTime) { server.busyConnections == 0 }, "after \(works)")
      await desk.expectRest()
    }
    // What was called off can be done all the same.
    server.clearFaults()
    let report = try await desk.repository.refresh(.all)
    #expect(report.outcomes.count == desk.feeds.count && report.failed.isEmpty)
    try await desk.repository.pages.load(.all)
    await desk.expectRest()
    return Traces(transport: desk.transport, repository: desk.repository)
  }

  private struct Traces {
    weak let transport: CurlTransport?
    weak let repository: FeedRepository?

    var isGone: Bool { transport == nil && repository == nil }
  }
}

private enum Work: CaseIterable {
  case refresh
  case refreshOfOne
  case olderPages
  case export
  case eventStream
  case webSocket
  case sharedRequest
  case retriedRequest
}

/// All that can be called off, over one transport.
private struct Desk: Sendable {
  let server: FeedServer
  let store: Store
  let transport = CurlTransport(CurlTransport.Configuration(proxy: ProxySettings()))
  let client: ResilientClient
  let sources: Sources
  let repository: FeedRepository
  let feeds: [Feed]
  private let api: Feed

  /// Every answer takes its time, or does not come, each in another way.
  init(_ server: FeedServer) async throws {
    self.server = server
    var gate = OriginGate.Settings()
    gate.breaker.failuresToOpen = .max
    client = ResilientClient(HTTPClient(transport: transport), gate: OriginGate(gate))
    sources = Sources(client: client)
    let store = try Store(folder: NSTemporaryDirectory() + "telex-cancel-\(UUID().uuidString)")
    self.store = store
    repository = FeedRepository(store: store, sources: sources)
    let addresses = ["/rss.xml", "/atom.xml", "/rdf.xml", "/feed.json", "/archive/atom.xml"]
    for address in addresses + ["/api"] {
      _ = try await repository.subscribe(server.baseURL + address)
    }
    feeds = try await store.view { try $0.feeds.all() }
    api = try #require(feeds.first { $0.format == .api })
    for (fault, path) in [
      (Fault.drip(bytes: 1_000, milliseconds: 1), "/rss.xml"),
      (.delay(milliseconds: 20), "/atom.xml"), (.status(503), "/rdf.xml"), (.hang, "/feed.json"),
      (.cut(afterBytes: 500), "/archive/atom.xml"),
      (.drip(bytes: 5_000, milliseconds: 1), "/api/articles"),
    ] {
      server.inject(fault, on: path, times: nil)
    }
  }

  func begin(_ work: Work, andCancelAfter instant: Duration) async {
    let task = Task { try await perform(work) }
    // Not to wait for something: the instant is what is tried.
    try? await Task.sleep(for: instant)
    task.cancel()
    _ = await task.result
  }

  private func perform(_ work: Work) async throws {
    switch work {
    case .refresh: _ = try await repository.refresh(.all)
    case .refreshOfOne: _ = try await repository.refresh(.feeds([feeds[0].id]))
    case .olderPages: for try await _ in repository.pages.all(of: api) {}
    case .export: for try await _ in try await sources.export(of: api, batchSize: 20) {}
    case .eventStream: try await listen(.eventStream)
    case .webSocket: try await listen(.webSocket)
    case .sharedRequest:
      let request = HTTPRequest(.get, server.baseURL + "/atom.xml")
      async let beside = client.response(for: request)
      _ = try await client.response(for: request)
      _ = try await beside
    case .retriedRequest:
      _ = try await client.response(for: HTTPRequest(.get, server.baseURL + "/rdf.xml"))
    }
  }

  private func listen(_ wire: LiveClient.Wire) async throws {
    let events = LiveClient(client: client.client).events(over: wire) {
      HTTPRequest(.get, server.apiURL + "/live")
    }
    for try await _ in events {}
  }

  /// Nobody works on anything.
  func expectRest() async {
    let refresh = repository.refresher.status.withLock { $0 }
    #expect(refresh.activity == .idle)
    #expect(refresh.waits.isEmpty)
    #expect(repository.pages.status.withLock { $0.loading.isEmpty })
    #expect(await !repository.refresher.isRunning)
    let ids = feeds.map(\.id)
    let claimed = try? await store.view {
      try $0.claims.claimed(ids, byOthersThan: "nobody", at: .distantPast)
    }
    #expect(claimed == [])
  }
}

extension SplitMix {
  /// Up to a tenth of a second; the first moments, where most begins, are tried most often.
  fileprivate mutating func instant() -> Duration {
    let chance = Double.random(in: 0..<1, using: &self)
    return .seconds(0.1 * chance * chance * chance)
  }
}
