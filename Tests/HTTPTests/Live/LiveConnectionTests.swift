import HTTP
import Testing
import WebSocket

@Suite struct LiveConnectionTests {
  private typealias Action = LiveConnection.Action

  private let start = ContinuousClock.now

  private func at(_ seconds: Double) -> ContinuousClock.Instant {
    start.advanced(by: .seconds(seconds))
  }

  /// A connection that stands since the start.
  private func opened(
    _ adjust: (inout LiveConnection.Limits) -> Void = { $0.ping = nil }
  ) -> LiveConnection {
    var limits = LiveConnection.Limits()
    adjust(&limits)
    var connection = LiveConnection(limits: limits)
    #expect(connection.start() == .connect)
    connection.opened(at: start)
    #expect(connection.state == .open)
    return connection
  }

  /// The waits of a row of failures, in seconds, until it stops.
  private func waits(
    _ connection: inout LiveConnection, _ drop: LiveConnection.Drop = .end, jitter: Double = 0
  ) -> [Double] {
    var waits: [Double] = []
    var now = start
    while case .wait(let until, let attempt) = connection.ended(drop, at: now, jitter: jitter) {
      waits.append(now.duration(to: until) / .seconds(1))
      #expect(attempt == waits.count)
      now = until
      #expect(connection.tick(at: now) == .connect)
    }
    return waits
  }

  @Test func `It waits twice as long each time, up to a minute, and stops after ten`() {
    var connection = opened()
    #expect(waits(&connection) == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    #expect(connection.state == .stopped(.exhausted))
    #expect(connection.start() == nil)
    #expect(connection.tick(at: at(1_000)) == nil)
  }

  @Test func `Chance adds up to a second to each wait`() {
    var connection = opened()
    #expect(
      waits(&connection, jitter: 0.5) == [1.5, 2.5, 4.5, 8.5, 16.5, 32.5, 60.5, 60.5, 60.5, 60.5])
  }

  @Test(
    arguments: [
      // One that wants no wait gets one: nothing that is doubled stays nothing.
      (0.25, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]), (0, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]),
      (45, [45, 60, 60, 60, 60, 60, 60, 60, 60, 60]), (90, Array(repeating: 90, count: 10)),
      (999_999, Array(repeating: 3_600, count: 10)),
    ] as [(Double, [Double])])
  func `The server's retry is where the waits begin`(retry: Double, expected: [Double]) {
    var connection = opened()
    connection.retryAsked(.seconds(retry))
    #expect(waits(&connection) == expected)
  }

  @Test func `Only a success begins the row anew`() {
    var connection = opened()
    var now = start
    for attempt in 1...9 {
      guard case .wait(let until, attempt) = connection.ended(.end, at: now, jitter: 0) else {
        Issue.record("no attempt \(attempt)")
        return
      }
      now = until
      #expect(connection.tick(at: now) == .connect)
      // To be let in is not enough, nor is a byte of what may become something.
      connection.opened(at: now)
      connection.heard(at: now)
    }
    connection.succeeded()
    #expect(waits(&connection).count == 10)
  }

  @Test func `A pong is a success`() {
    var connection = opened()
    _ = connection.ended(.end, at: start, jitter: 0)
    #expect(connection.failures == 1)
    #expect(connection.tick(at: at(1)) == .connect)
    connection.opened(at: at(1))
    connection.ponged()
    #expect(connection.failures == 0)
  }

  static let drops: [(LiveConnection.Drop, LiveConnection.Stop?)] = [
    (.status(204), .finished), (.status(400), .refused), (.status(403), .refused),
    (.status(404), .refused), (.status(406), .refused), (.status(410), .refused),
    (.status(426), .refused), (.status(302), .refused), (.status(304), .refused),
    (.status(408), nil), (.status(429), nil), (.status(500), nil), (.status(502), nil),
    (.status(503), nil), (.notLive, .refused), (.end, nil), (.silence, nil), (.noPong, nil),
    (.failure(.offline), nil), (.failure(.dns), nil), (.failure(.refused), nil),
    (.failure(.cutShort), nil), (.failure(.timeout(.connect)), nil),
    (.failure(.timeout(.silence)), nil), (.failure(.tls), .refused),
    (.failure(.badURL), .refused), (.failure(.badRequest), .refused),
    (.failure(.addressNotAllowed), .refused), (.failure(.redirectLoop), .refused),
    (.failure(.insecureRedirect), .refused), (.closed(nil), nil), (.closed(.normal), .finished),
    (.closed(.goingAway), nil), (.closed(.protocolError), .refused),
    (.closed(.invalidData), .refused), (.closed(.policyViolation), .refused),
    (.closed(.tooLarge), .refused), (.closed(.internalError), nil),
    (.closed(WebSocketCloseCode(rawValue: 1003)), .refused),
    (.closed(WebSocketCloseCode(rawValue: 1010)), .refused),
    (.closed(WebSocketCloseCode(rawValue: 1012)), nil),
    (.closed(WebSocketCloseCode(rawValue: 1013)), nil),
    (.closed(WebSocketCloseCode(rawValue: 3003)), .refused),
    (.closed(WebSocketCloseCode(rawValue: 4000)), .refused), (.violation(.protocolError), nil),
    (.violation(.tooLarge), nil),
  ]

  @Test(arguments: drops)
  func `Each end leads back, or nowhere`(drop: LiveConnection.Drop, stop: LiveConnection.Stop?) {
    var connection = opened()
    let action = connection.ended(drop, at: start, jitter: 0)
    #expect(action == stop.map { .stop($0) } ?? .wait(until: at(1), attempt: 1))
  }

  @Test(arguments: [(7.0, 7.0), (0, 1), (120, 120)])
  func `Retry-After makes a wait longer, never shorter`(asked: Double, wait: Double) {
    var connection = opened()
    let drop = LiveConnection.Drop.status(503, retryAfter: .seconds(asked))
    #expect(connection.ended(drop, at: start, jitter: 0) == .wait(until: at(wait), attempt: 1))
  }

  @Test(arguments: [
    LiveConnection.Drop.status(401), .closed(WebSocketCloseCode(rawValue: 3000)),
  ])
  func `A credential is renewed once until something succeeds`(drop: LiveConnection.Drop) {
    var connection = opened()
    #expect(connection.ended(drop, at: start, jitter: 0) == .renew)
    #expect(connection.state == .connecting)
    connection.opened(at: at(1))
    connection.succeeded()
    #expect(connection.ended(drop, at: at(2), jitter: 0) == .renew)
    connection.opened(at: at(3))
    #expect(connection.ended(drop, at: at(4), jitter: 0) == .stop(.unauthorized))
  }

  @Test func `A minute without a byte is a drop`() {
    var connection = opened()
    #expect(connection.nextTick == at(60))
    #expect(connection.tick(at: at(59.5)) == nil)
    connection.heard(at: at(59.5))
    #expect(connection.tick(at: at(60)) == nil)
    #expect(connection.nextTick == at(119.5))
    #expect(connection.tick(at: at(119.5)) == .drop(.silence))
    #expect(connection.ended(.silence, at: at(119.5), jitter: 0) != nil)
    #expect(connection.nextTick == at(120.5))
  }

  @Test func `It pings every 25 seconds, and a missing pong is a drop`() {
    var connection = opened { _ in }
    #expect(connection.nextTick == at(25))
    #expect(connection.tick(at: at(24)) == nil)
    #expect(connection.tick(at: at(25)) == .ping)
    #expect(connection.tick(at: at(25)) == nil)
    connection.ponged()
    #expect(connection.tick(at: at(50)) == .ping)
    // Other signs of life are no pong.
    connection.heard(at: at(60))
    #expect(connection.tick(at: at(74.9)) == nil)
    #expect(connection.tick(at: at(75)) == .drop(.noPong))
  }

  @Test func `A connection begins with no ping to be answered`() {
    var connection = opened { _ in }
    #expect(connection.tick(at: at(25)) == .ping)
    #expect(connection.ended(.end, at: at(30), jitter: 0) == .wait(until: at(31), attempt: 1))
    #expect(connection.tick(at: at(31)) == .connect)
    connection.opened(at: at(31))
    #expect(connection.tick(at: at(55)) == nil)
    #expect(connection.tick(at: at(56)) == .ping)
  }

  @Test func `Time in which nobody listened does not count`() {
    var connection = opened { _ in }
    #expect(connection.tick(at: at(25)) == .ping)
    connection.resumed(after: .seconds(100))
    #expect(connection.tick(at: at(126)) == nil)
    #expect(connection.nextTick == at(150))
    #expect(connection.tick(at: at(150)) == .drop(.noPong))
  }

  @Test func `It does not connect before its time`() {
    var connection = opened()
    #expect(connection.ended(.end, at: start, jitter: 0.25) == .wait(until: at(1.25), attempt: 1))
    #expect(connection.tick(at: at(1.2)) == nil)
    #expect(connection.nextTick == at(1.25))
    #expect(connection.tick(at: at(1.25)) == .connect)
    #expect(connection.tick(at: at(2)) == nil)
  }

  @Test func `Who closes it is not connected again`() {
    for isOpen in [true, false] {
      var connection = opened()
      if !isOpen { _ = connection.ended(.end, at: start, jitter: 0) }
      connection.close()
      #expect(connection.state == .stopped(.closed))
      #expect(connection.ended(.end, at: at(1), jitter: 0) == nil)
      #expect(connection.tick(at: at(100)) == nil)
      #expect(connection.start() == nil)
      #expect(connection.nextTick == nil)
      connection.opened(at: at(101))
      #expect(connection.state == .stopped(.closed))
    }
  }
}
