internal import Foundation
internal import Synchronization
internal import WebSocket

/// Sequence of live events (`LiveClient.events`). Each iterator has a connection of its own.
package struct LiveEvents: AsyncSequence, Sendable {
  package typealias Element = LiveEvent

  let wire: LiveClient.Wire
  let client: HTTPClient
  let configuration: LiveClient.Configuration
  let lastEventID: String
  let renew: (@Sendable () async throws -> Bool)?
  let makeRequest: @Sendable () async throws -> HTTPRequest

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  package struct Iterator: AsyncIteratorProtocol {
    private let plan: LiveEvents
    private let connection: Connection
    private var lastEventID: String
    private var open: (stream: HTTPStream, reader: LiveReader)?
    private var pending: [LiveEvent] = []
    private var needsRenewal = false
    /// Since when nobody has been listening.
    private var pausedAt: ContinuousClock.Instant?

    init(_ plan: LiveEvents) {
      self.plan = plan
      connection = Connection(plan.configuration.limits)
      lastEventID = plan.lastEventID
    }

    /// - Throws: `CancellationError`, and errors of the maker of requests; the connection is closed.
    package mutating func next() async throws -> LiveEvent? {
      do {
        while pending.isEmpty {
          guard try await advance() else { return nil }
        }
        pausedAt = clock.uptime()
        return pending.removeFirst()
      } catch {
        connection.state.withLock { $0.close() }
        open = nil
        throw error
      }
    }

    private var clock: RetryClock { plan.configuration.clock }

    /// False once it is all over.
    private mutating func advance() async throws -> Bool {
      try Task.checkCancellation()
      switch connection.state.withLock({ $0.state }) {
      case .idle: _ = connection.state.withLock { $0.start() }
      case .connecting: try await connect()
      case .open: try await listen()
      case .waiting(let until):
        try await clock.sleep(Swift.max(.zero, clock.uptime().duration(to: until)))
        _ = connection.state.withLock { [clock] in $0.tick(at: clock.uptime()) }
      case .stopped: return false
      }
      return true
    }

    private mutating func connect() async throws {
      let key = WebSocketHandshake.key(
        (0..<4).flatMap { _ in
          withUnsafeBytes(of: plan.configuration.randomBits()) { Array($0) }
        })
      do {
        if needsRenewal {
          needsRenewal = false
          guard try await plan.renew?() ?? false else {
            return end(.status(401), HTTPError.notLive(status: 401, host: ""))
          }
        }
        let stream = try await plan.client.stream(for: request(key: key))
        guard plan.wire.accepts(stream.head, key: key) else { return end(refusal: stream.head) }
        open = (stream, LiveReader(plan.wire, lastEventID: lastEventID))
        connection.state.withLock { [clock] in $0.opened(at: clock.uptime()) }
        pausedAt = nil
        pending.append(.opened)
      } catch let error as HTTPError {
        end(LiveConnection.Drop(error, now: clock.now()), error)
      }
    }

    private func request(key: String) async throws -> HTTPRequest {
      var request = try await plan.makeRequest()
      request.limits.total = nil
      request.limits.maxBodyBytes = nil
      request.limits.silence = plan.configuration.limits.silence
      request.attempt = connection.state.withLock { $0.failures + 1 }
      if plan.wire == .webSocket {
        let farewell = WebSocketFrame.close(.normal).bytes(mask: plan.configuration.randomBits())
        request.upgrade = HTTPUpgrade(name: "websocket", farewell: farewell)
      }
      return plan.wire.request(request, lastEventID: lastEventID, key: key)
    }

    private mutating func listen() async throws {
      guard let stream = open?.stream else { return end(.end, HTTPError.lost(host: "")) }
      let now = clock.uptime()
      if let since = pausedAt.take() {
        connection.state.withLock { $0.resumed(after: since.duration(to: now)) }
      }
      do {
        switch try await arrival(from: stream) {
        case .bytes(let bytes): receive(bytes)
        case .drop(let drop): end(drop, HTTPError.lost(drop, host: stream.head.host))
        }
      } catch let error as HTTPError {
        end(LiveConnection.Drop(error, now: clock.now()), error)
      }
    }

    private enum Arrival: Sendable {
      case bytes([UInt8])
      case drop(LiveConnection.Drop)
    }

    /// The next bytes, or why there will be none; keeps the connection alive meanwhile.
    private func arrival(from stream: HTTPStream) async throws -> Arrival {
      try await withThrowingTaskGroup(of: Arrival.self) { [connection, plan] group in
        group.addTask { try await stream.nextChunk().map { .bytes($0) } ?? .drop(.end) }
        group.addTask { .drop(try await connection.keepAlive(stream, plan.configuration)) }
        defer { group.cancelAll() }
        return try await group.next() ?? .drop(.end)
      }
    }

    private mutating func receive(_ bytes: [UInt8]) {
      guard let stream = open?.stream, let readings = open?.reader.consume(bytes) else { return }
      lastEventID = open?.reader.lastEventID ?? lastEventID
      connection.state.withLock { [clock] in $0.heard(at: clock.uptime()) }
      for reading in readings {
        switch reading {
        case .event(let event):
          connection.state.withLock { $0.succeeded() }
          pending.append(.event(event))
        case .heartbeat: connection.state.withLock { $0.succeeded() }
        case .pong: connection.state.withLock { $0.ponged() }
        case .retry(let wait): connection.state.withLock { $0.retryAsked(wait) }
        case .answer(let frame):
          connection.state.withLock { $0.succeeded() }
          stream.send(frame.bytes(mask: plan.configuration.randomBits()))
        case .drop(let drop, let frame):
          if let frame {
            stream.send(frame.bytes(mask: plan.configuration.randomBits()), thenEnds: true)
          }
          end(drop, HTTPError.lost(drop, host: stream.head.host))
        }
      }
    }

    private mutating func end(refusal head: HTTPResponseHead) {
      let isExpected = head.status == 200 || head.status == 101
      let wait = RetryAfter.wait(head.headers, now: clock.now())
      end(
        isExpected ? .notLive : .status(head.status, retryAfter: wait),
        HTTPError.notLive(status: head.status, host: head.host))
    }

    private mutating func end(_ drop: LiveConnection.Drop, _ error: HTTPError) {
      open = nil
      let uptime = clock.uptime()
      let jitter = clock.random()
      switch connection.state.withLock({ $0.ended(drop, at: uptime, jitter: jitter) }) {
      case .renew: needsRenewal = true
      case .wait(let until, let attempt):
        let date = clock.now().addingTimeInterval(uptime.duration(to: until) / .seconds(1))
        pending.append(.waiting(until: date, attempt: attempt, because: error))
      case .stop(let stop): pending.append(.ended(stop, stop == .finished ? nil : error))
      case .connect, .ping, .drop, nil: break
      }
    }
  }

  /// The state, shared by the two tasks of a waiting iterator: one reads, one watches the clock.
  private final class Connection: Sendable {
    let state: Mutex<LiveConnection>

    init(_ limits: LiveConnection.Limits) { state = Mutex(LiveConnection(limits: limits)) }

    /// Pings when it is time; returns why the connection has to be given up.
    func keepAlive(
      _ stream: HTTPStream, _ configuration: LiveClient.Configuration
    ) async throws -> LiveConnection.Drop {
      let clock = configuration.clock
      while true {
        let due = state.withLock { $0.nextTick } ?? clock.uptime().advanced(by: .seconds(60))
        let wait = clock.uptime().duration(to: due)
        if wait > .zero { try await clock.sleep(wait) }
        try Task.checkCancellation()
        switch state.withLock({ $0.tick(at: clock.uptime()) }) {
        case .ping: stream.send(WebSocketFrame(.ping).bytes(mask: configuration.randomBits()))
        case .drop(let drop): return drop
        default: break
        }
      }
    }
  }
}

extension LiveConnection.Drop {
  /// The end of a connection by an error, also of the making of its request.
  fileprivate init(_ error: HTTPError, now: Date) {
    guard error.kind == .status, let status = error.status else {
      self = .failure(error.kind)
      return
    }
    let wait = error.retryAfter.map { Duration.seconds(max(0, $0.timeIntervalSince(now))) }
    self = .status(status, retryAfter: wait)
  }
}

extension HTTPError {
  /// A response that is no live connection.
  fileprivate static func notLive(status: Int, host: String) -> HTTPError {
    guard StatusClass(status).isError else {
      return HTTPError(
        .protocolError, "\(host) has no live updates at this address.", host: host,
        detail: "status \(status)")
    }
    let words = StatusClass(status).explanation
    return HTTPError(.status, "\(host) replied \(words) (\(status)).", host: host, status: status)
  }

  fileprivate static func lost(_ drop: LiveConnection.Drop = .end, host: String) -> HTTPError {
    switch drop {
    case .silence, .noPong:
      HTTPError(.timeout(.silence), "\(host) stopped answering.", host: host)
    case .violation(let code):
      HTTPError(
        .protocolError, "\(host) broke the rules of the live connection.", host: host,
        detail: "close code \(code.rawValue)")
    case .closed(let code):
      HTTPError(
        .cutShort, "\(host) closed the live connection.", host: host,
        detail: code.map { "close code \($0.rawValue)" })
    default: HTTPError(.cutShort, "\(host) ended the live connection.", host: host)
    }
  }
}
