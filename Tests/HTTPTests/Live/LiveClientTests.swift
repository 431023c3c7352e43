import FeedServer
import Foundation
import HTTP
import News
import Synchronization
import TestSupport
import Testing

/// The client against the reference server, over both wires.
@Suite struct LiveClientTests {
  private static func makeServer(
    heartbeat: Duration = .milliseconds(20), articles: [Archive.Article] = []
  ) throws -> FeedServer {
    try FeedServer(archive: Archive(title: "Live", articles: articles), heartbeat: heartbeat)
  }

  private static func article(_ id: String, at seconds: Double = 1_773_039_900) -> Archive.Article {
    Archive.Article(
      entry: Entry(id: id, title: id), section: "",
      published: Date(timeIntervalSince1970: seconds))
  }

  /// A client that does not dawdle between connections.
  private static func makeLiveClient(
    _ adjust: (inout LiveConnection.Limits) -> Void = { _ in }
  ) -> LiveClient {
    var configuration = LiveClient.Configuration()
    configuration.clock.random = { 0 }
    configuration.limits.firstWait = .milliseconds(5)
    adjust(&configuration.limits)
    return LiveClient(client: makeClient(), configuration: configuration)
  }

  private static func events(
    _ wire: LiveClient.Wire, _ server: FeedServer, after id: String = "",
    _ adjust: (inout LiveConnection.Limits) -> Void = { _ in }
  ) -> LiveEvents.Iterator {
    let url = server.apiURL + "/live"
    return makeLiveClient(adjust).events(over: wire, after: id) { HTTPRequest(.get, url) }
      .makeAsyncIterator()
  }

  private static func liveRequests(_ server: FeedServer) -> [WireRequest] {
    server.requests.filter { $0.path.hasSuffix("/live") }
  }

  /// The next event of the server; nil at the end.
  private static func nextEvent(_ events: inout LiveEvents.Iterator) async throws -> ServerEvent? {
    while let live = try await events.next() {
      if case .event(let event) = live { return event }
    }
    return nil
  }

  private static func nextID(_ events: inout LiveEvents.Iterator) async throws -> String? {
    try id(of: await nextEvent(&events))
  }

  private static func id(of event: ServerEvent?) throws -> String? {
    let data = Data(try #require(event).data.utf8)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return object?["id"] as? String
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `What happens is told as it happens`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer(articles: [Self.article("old")])
    try await server.whileServing { _ async throws in
      var events = Self.events(wire, server)
      #expect(try await events.next() == .opened)
      server.insert([Self.article("a/b \"quoted\" ü")])
      server.insert([Self.article("old", at: 1_773_039_901)])
      server.delete(id: "old")
      var told: [String] = []
      for _ in 0..<3 {
        let event = try await Self.nextEvent(&events)
        told.append("\(event?.name ?? "") \(try Self.id(of: event) ?? "")")
      }
      #expect(told == ["article a/b \"quoted\" ü", "updated old", "deleted old"])
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `Across drops every event arrives once and in order`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      var events = Self.events(wire, server)
      #expect(try await events.next() == .opened)
      var expected: [String] = []
      var told: [String] = []
      var lastID = ""
      for round in 0..<5 {
        for number in 0..<3 {
          expected.append("\(round)-\(number)")
          server.insert([Self.article("\(round)-\(number)")])
        }
        // With the first of them read, or none: what is lost with the connection comes again.
        for _ in 0..<round % 3 {
          let event = try await Self.nextEvent(&events)
          told.append(try Self.id(of: event) ?? "")
          lastID = event?.id ?? ""
        }
        server.dropLiveConnections()
      }
      while told.count < expected.count {
        let event = try await Self.nextEvent(&events)
        told.append(try Self.id(of: event) ?? "")
        lastID = event?.id ?? ""
      }
      #expect(told == expected)
      #expect(lastID.hasSuffix("-15"))
      let requests = Self.liveRequests(server)
      #expect(requests.count > 1)
      #expect(requests.first?.header("Last-Event-ID") == nil)
      #expect(requests.dropFirst().allSatisfy { $0.header("Last-Event-ID") != nil })
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `A connection lost before its first event loses nothing`(
    wire: LiveClient.Wire
  ) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      server.insert([Self.article("before")])
      var events = Self.events(wire, server)
      #expect(try await events.next() == .opened)
      server.dropLiveConnections()
      // The drop is noticed and waited for before anything happens.
      guard case .waiting(_, 1, _) = try await events.next() else {
        Issue.record("no wait after the drop")
        return
      }
      server.insert([Self.article("meanwhile")])
      #expect(try await Self.nextID(&events) == "meanwhile")
      #expect(Self.liveRequests(server).last?.header("Last-Event-ID")?.hasSuffix("-1") == true)
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `An id of another time begins with a reset`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      var events = Self.events(wire, server, after: "other-7")
      #expect(try await events.next() == .opened)
      #expect(try await Self.nextEvent(&events)?.name == "reset")
      server.insert([Self.article("next")])
      #expect(try await Self.nextID(&events) == "next")
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `Cancelling closes the connection`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      let task = Task {
        var events = Self.events(wire, server)
        while try await events.next() != nil {}
      }
      #expect(await eventually { server.liveConnections == 1 })
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await eventually { server.openConnections == 0 && server.liveConnections == 0 })
      #expect(Self.liveRequests(server).count == 1)
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `Letting go of the events closes the connection`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      let client = Self.makeLiveClient()
      let url = server.apiURL + "/live"
      for try await event in client.events(over: wire, makeRequest: { HTTPRequest(.get, url) }) {
        #expect(event == .opened)
        break
      }
      #expect(await eventually { server.liveConnections == 0 })
      withExtendedLifetime(client) {}
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `A mute server is a drop`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      server.inject(.mute, on: "/api/live")
      var events = Self.events(wire, server) { $0.silence = .milliseconds(300) }
      #expect(try await events.next() == .opened)
      guard case .waiting(_, 1, let error) = try await events.next() else {
        Issue.record("the silence was not noticed")
        return
      }
      #expect(error.kind == .timeout(.silence))
    }
  }

  @Test func `A WebSocket whose pings are not answered is a drop`() async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      server.inject(.mute, on: "/api/live")
      var events = Self.events(.webSocket, server) { $0.ping = .milliseconds(50) }
      #expect(try await events.next() == .opened)
      guard case .waiting(_, 1, let error) = try await events.next() else {
        Issue.record("the missing pong was not noticed")
        return
      }
      #expect(error.kind == .timeout(.silence))
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `Heartbeats and pings are not events`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      // The clock is asked anew whenever something has come in.
      let sleeps = Mutex(0)
      var configuration = LiveClient.Configuration()
      configuration.limits.ping = .milliseconds(50)
      configuration.clock.sleep = { wait in
        sleeps.withLock { $0 += 1 }
        try await Task.sleep(for: wait)
      }
      let url = server.apiURL + "/live"
      var events = LiveClient(client: makeClient(), configuration: configuration)
        .events(over: wire) { HTTPRequest(.get, url) }.makeAsyncIterator()
      #expect(try await events.next() == .opened)
      async let insertion: Void = {
        #expect(await eventually { sleeps.withLock { $0 } > 20 })
        server.insert([Self.article("late")])
      }()
      // A machine that is drowned answers a ping too late; what is told is the same.
      #expect(try await Self.nextID(&events) == "late")
      await insertion
    }
  }

  @Test(arguments: [
    ("status:204", LiveConnection.Stop.finished), ("status:404", .refused),
    ("status:403", .refused),
    ("status:401", .unauthorized),
  ])
  func `A refusal ends it`(fault: String, stop: LiveConnection.Stop) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      for wire in LiveClient.Wire.allCases {
        server.inject(try #require(Fault(fault)), on: "/api/live", times: nil)
        var events = Self.events(wire, server)
        guard case .ended(let found, let error) = try await events.next() else {
          Issue.record("\(fault) did not end it")
          return
        }
        #expect(found == stop)
        #expect((error == nil) == (stop == .finished))
        #expect(try await events.next() == nil)
      }
      #expect(Self.liveRequests(server).count == 2)
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `After ten failures in a row it ends`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      server.inject(.status(503), on: "/api/live", times: nil)
      var events = Self.events(wire, server) { $0.longestWait = .milliseconds(5) }
      for attempt in 1...10 {
        guard case .waiting(_, attempt, let error) = try await events.next() else {
          Issue.record("no attempt \(attempt)")
          return
        }
        #expect(error.status == 503)
      }
      guard case .ended(.exhausted, let error) = try await events.next() else {
        Issue.record("it goes on")
        return
      }
      #expect(error?.status == 503)
      #expect(Self.liveRequests(server).count == 11)
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `A refused credential is renewed once`(wire: LiveClient.Wire) async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      server.inject(.status(401), on: "/api/live")
      let token = Mutex("old")
      let url = server.apiURL + "/live"
      var events = Self.makeLiveClient().events(
        over: wire,
        renew: {
          token.withLock { $0 = "new" }
          return true
        }
      ) {
        HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(token.withLock { $0 })"])
      }.makeAsyncIterator()
      #expect(try await events.next() == .opened)
      let sent = Self.liveRequests(server).map { $0.header("Authorization") }
      #expect(sent == ["Bearer old", "Bearer new"])
    }
  }

  @Test(arguments: LiveClient.Wire.allCases)
  func `A redirect to another origin takes no credential along`(
    wire: LiveClient.Wire
  ) async throws {
    let target = try Self.makeServer()
    try await target.whileServing { _ async throws in
      let location = target.apiURL + "/live"
      let first = try LoopbackServer { _ in [.redirect(307, to: location)] }
      var events = Self.makeLiveClient().events(over: wire) {
        HTTPRequest(.get, first.url("/live"), headers: ["Authorization": "Bearer secret"])
      }.makeAsyncIterator()
      #expect(try await events.next() == .opened)
      #expect(first.requests.first?.header("authorization") == "Bearer secret")
      let arrived = try #require(Self.liveRequests(target).first)
      #expect(arrived.header("Authorization") == nil)
    }
  }

  @Test func `Close codes say whether to come back`() async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      var events = Self.events(.webSocket, server)
      for code: UInt16 in [1001, 1011, 1012] {
        while try await events.next() != .opened {}
        server.dropLiveConnections(code: code)
        guard case .waiting(_, _, let error) = try await events.next() else {
          Issue.record("\(code) is not a reason to come back")
          return
        }
        #expect(error.detail == "close code \(code)")
      }
      while try await events.next() != .opened {}
      server.dropLiveConnections(code: 1000)
      #expect(try await events.next() == .ended(.finished, nil))
      #expect(await eventually { server.openConnections == 0 })
    }
  }

  @Test func `The address of a WebSocket may say so`() async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      let port = server.port
      var events = Self.makeLiveClient().events(over: .webSocket) {
        HTTPRequest(.get, "ws://127.0.0.1:\(port)/api/live?x=1")
      }.makeAsyncIterator()
      #expect(try await events.next() == .opened)
      let request = try #require(server.requests.first)
      #expect(request.target == "/api/live?x=1")
      #expect(request.header("Host") == "127.0.0.1:\(port)")
    }
  }

  @Test func `An address that the policy forbids is not connected to`() async throws {
    let server = try Self.makeServer()
    try await server.whileServing { _ async throws in
      let url = server.apiURL + "/live"
      for wire in LiveClient.Wire.allCases {
        var events = Self.makeLiveClient().events(over: wire) {
          HTTPRequest(.get, url, connections: .publicOnly)
        }.makeAsyncIterator()
        guard case .ended(.refused, let error) = try await events.next() else {
          Issue.record("it was connected to")
          return
        }
        #expect(error?.kind == .addressNotAllowed)
      }
      #expect(server.requests.isEmpty)
    }
  }
}
