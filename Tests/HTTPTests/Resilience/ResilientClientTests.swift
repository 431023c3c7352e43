import FeedServer
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing

/// The whole composition against a real server, with time that passes only when it is slept.
@Suite(.timeLimit(.minutes(10)))
struct ResilientClientTests {
  private let time = FakeTime()

  private func client(
    gate: OriginGate.Settings = OriginGate.Settings(), authorizer: (any Authorizer)? = nil
  ) -> ResilientClient {
    ResilientClient(
      makeClient(), gate: OriginGate(gate, clock: time.clock),
      retries: RetryingSend(clock: time.clock), authorizer: authorizer)
  }

  private func attempt(_ client: ResilientClient, _ url: String) async -> HTTPError? {
    do {
      _ = try await client.response(for: HTTPRequest(.get, url))
      return nil
    } catch {
      return error as? HTTPError
    }
  }

  @Test func `The breaker sees each attempt, and an open one is not retried`() async throws {
    let server = try LoopbackServer { _ in [.response(500, "")] }
    let client = client()
    #expect(await attempt(client, server.url("/a"))?.kind == .status)
    #expect(server.requests.count == 3)
    let error = await attempt(client, server.url("/b"))
    // The fifth failure opens it, so that the third attempt at /b is never made. What went wrong
    // is told, and when there is another try: half a minute after that failure.
    #expect(error?.kind == .status)
    #expect(server.requests.count == 5)
    let (slept, probe) = (time.slept, time.date.addingTimeInterval(29))
    #expect(error?.pausedUntil == probe && error?.retryAfter == nil && slept.last == .seconds(1))
    let refused = await attempt(client, server.url("/c"))
    #expect(refused?.kind == .paused)
    #expect(refused?.pausedUntil == probe && refused?.retryAfter == nil)
    #expect(server.requests.count == 5)
    #expect(time.slept == slept)
  }

  @Test func `One probe goes through, and two successes let everything pass`() async throws {
    let works = Gate()
    let isHeld = Gate()
    let server = try LoopbackServer { request in
      guard works.isOpen else { return [.response(503, "")] }
      return request.target == "/slow"
        ? [.wait(isHeld), .response(200, "late")] : [.response(200, "ok")]
    }
    let client = client()
    for path in ["/a", "/b"] { _ = await attempt(client, server.url(path)) }
    #expect(server.requests.count == 5)
    works.open()
    time.pass(.seconds(30))
    async let probe = attempt(client, server.url("/slow"))
    #expect(await eventually { server.requests.count == 6 })
    // While it is under way, others are turned away.
    #expect(await attempt(client, server.url("/c"))?.kind == .paused)
    isHeld.open()
    #expect(await probe == nil)
    #expect(await attempt(client, server.url("/d")) == nil)
    #expect(await attempt(client, server.url("/e")) == nil)
    #expect(server.requests.count == 8)
  }

  @Test func `The user's own key closes the breaker of that server only`() async throws {
    let servers = try (0..<2).map { _ in try LoopbackServer { _ in [.response(500, "")] } }
    let client = client()
    for server in servers {
      for path in ["/a", "/b"] { _ = await attempt(client, server.url(path)) }
    }
    client.gate.reopen([servers[0].url("/x")])
    _ = await attempt(client, servers[0].url("/c"))
    _ = await attempt(client, servers[1].url("/c"))
    #expect(servers.map { $0.requests.count } == [8, 5])
    client.gate.reopenAll()
    _ = await attempt(client, servers[1].url("/c"))
    #expect(servers[1].requests.count == 8)
  }

  @Test func `Being told off does not open the breaker`() async throws {
    let server = try LoopbackServer { _ in [.response(404, "")] }
    let client = client()
    for number in 0..<8 {
      #expect(await attempt(client, server.url("/\(number)"))?.status == 404)
    }
    #expect(server.requests.count == 8)
  }

  @Test func `The rate window spaces the requests to a host`() async throws {
    let arrivals = Mutex<[Double]>([])
    let time = time
    let server = try LoopbackServer { _ in
      arrivals.withLock { $0.append(time.date.timeIntervalSince(FakeTime.start)) }
      return [.response(200, "")]
    }
    var gate = OriginGate.Settings()
    gate.rate = RateWindow.Settings(requests: 3, per: .seconds(10))
    gate.isRateBoundOnLoopback = true
    let client = client(gate: gate)
    for number in 0..<7 { _ = await attempt(client, server.url("/\(number)")) }
    #expect(arrivals.withLock { $0 } == [0, 0, 0, 10, 10, 10, 20])
    // A deadline that comes first is kept, and its place is given back.
    var hasty = HTTPRequest(.get, server.url("/hasty"))
    hasty.limits.total = .seconds(5)
    for _ in 0..<2 { _ = await attempt(client, server.url("/x")) }
    let refused = try? await client.response(for: hasty)
    #expect(refused == nil)
    #expect(server.requests.count == 9)
  }

  @Test func `The hosts of Reddit get one request a minute, whatever the settings say`()
    async throws
  {
    var settings = OriginGate.Settings()
    settings.rate = nil
    let gate = OriginGate(settings, clock: time.clock)
    var arrivals: [TimeInterval] = []
    for host in ["reddit.com", "www.reddit.com", "old.reddit.com", "notreddit.com", "e.org"] {
      let url = "https://\(host)/r/swift/.rss"
      _ = try await gate.answer(to: HTTPRequest(.get, url)) { _ in
        HTTPResponse(
          head: HTTPResponseHead(status: 200, headers: HTTPHeaders(), url: url), body: [])
      }
      arrivals.append(time.date.timeIntervalSince(FakeTime.start))
    }
    #expect(arrivals == [0, 60, 120, 120, 120])
  }

  @Test func `Identical GETs at the same time share one transfer`() async throws {
    let isHeld = Gate()
    let server = try LoopbackServer { _ in [.wait(isHeld), .response(200, "once")] }
    let client = client()
    let url = server.url("/same")
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<50 {
        group.addTask { try await client.response(for: HTTPRequest(.get, url)).body }
      }
      // Another address is not the same, and neither is another language.
      group.addTask {
        try await client.response(for: HTTPRequest(.get, url + "?x=1")).body
      }
      group.addTask {
        try await client.response(
          for: HTTPRequest(.get, url, headers: ["Accept-Language": "de"])
        ).body
      }
      #expect(await eventually { server.requests.count >= 3 })
      isHeld.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies.count == 52)
    #expect(bodies.allSatisfy { $0 == Array("once".utf8) })
    // Those that came when the first had landed begin another; on a machine that is not drowned,
    // all fifty are there before the gate opens.
    #expect(server.requests.count { $0.target == "/same" } <= 4)
    // No cache: the next one asks again.
    let before = server.requests.count
    _ = try await client.response(for: HTTPRequest(.get, url))
    #expect(server.requests.count == before + 1)
  }

  @Test func `A caller that leaves does not take the transfer with it, the last one does`()
    async throws
  {
    let isHeld = Gate()
    let server = try LoopbackServer { _ in [.wait(isHeld), .response(200, "kept")] }
    let (client, coalescer) = (makeClient(), Coalescer())
    func call(_ url: String) -> Task<[UInt8], any Error> {
      Task {
        try await coalescer.response(for: .patient(url)) {
          try await client.response(for: $0)
        }.body
      }
    }
    let (first, second) = (call(server.url()), call(server.url()))
    #expect(await eventually { coalescer.callers == 2 && server.requests.count == 1 })
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(server.connectionsLeft == 0)
    isHeld.open()
    #expect(try await second.value == Array("kept".utf8))
    #expect(server.requests.count == 1)

    let hanging = try LoopbackServer { _ in [.hang] }
    let both = [call(hanging.url()), call(hanging.url())]
    #expect(await eventually { coalescer.callers == 2 && hanging.requests.count == 1 })
    for caller in both { caller.cancel() }
    for caller in both {
      await #expect(throws: CancellationError.self) { try await caller.value }
    }
    #expect(await eventually { hanging.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
    #expect(coalescer.callers == 0)
  }

  @Test func `Twenty calls to a host use six connections at most`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "")] }
    let client = client()
    let port = server.port
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = try await client.response(
            for: HTTPRequest(.get, "http://127.0.0.1:\(port)/\(number)"))
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 20)
    #expect(server.connectionsMade <= 6)
  }
}
