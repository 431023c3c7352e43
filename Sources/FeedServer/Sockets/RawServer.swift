internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An HTTP/1.1 server on plain sockets that answers with any bytes, the broken ones included.
///
/// Binds 127.0.0.1 only. Each connection has a thread of its own and is kept alive, so neither a
/// script that waits nor a client that blocks a thread of Swift's concurrency pool holds up another.
package final class RawServer: Sendable {
  /// Called on the connection's thread, for many connections at once.
  package typealias Responder = @Sendable (WireRequest) -> Script

  /// How each connection begins.
  package enum Opening: Sendable {
    /// With the client's first request.
    case request
    /// With these bytes of the server's, which a server of another protocol would send.
    case greeting([UInt8])
    /// With nothing, whatever the client sends.
    case silence
    /// With its end, in order, once something has come over it.
    case dropping
  }

  /// What happened on all connections.
  final class Counts: Sendable {
    let leavings = Atomic(0)
    let filledBytes = Atomic(0)
  }

  private let connections: ConnectionList
  private let respond: Responder

  /// - Parameters:
  ///   - port: 0 takes a free port at the first start, and keeps it for the next ones.
  ///   - opening: how each connection begins.
  ///   - records: whether `requests` is kept; a benchmark turns it off.
  package init(
    port: UInt16 = 0, opening: Opening = .request, records: Bool = true,
    respond: @escaping Responder
  ) {
    self.respond = respond
    connections = ConnectionList(port: port, opening: opening, records: records)
  }

  deinit { connections.hangUp() }

  /// The port it listens on, or listened on last; 0 before the first start without a port.
  package var port: UInt16 { connections.state.withLock { $0.port } }

  /// All requests since the server was made, in the order they arrived.
  package var requests: [WireRequest] { connections.state.withLock { $0.requests } }

  /// Forgets the requests recorded so far.
  package func forgetRequests() { connections.state.withLock { $0.requests = [] } }

  /// How many clients are connected now.
  package var openConnections: Int { connections.state.withLock { $0.open.count } }

  /// How many of them wait for an answer, or for the rest of one.
  package var busyConnections: Int { connections.state.withLock { $0.busy.count } }

  /// How many connections were ever made.
  package var madeConnections: Int { connections.state.withLock { $0.made } }

  /// How many connections the client has ended, or were broken.
  package var connectionsLeft: Int { connections.counts.leavings.load(ordering: .relaxed) }

  /// How many bytes of `Script.Step.fill` clients have taken.
  package var filledBytes: Int { connections.counts.filledBytes.load(ordering: .relaxed) }

  /// Starts to listen; does nothing if it does already. Connections are accepted from here on.
  ///
  /// - Returns: the port.
  /// - Throws: `POSIXError`, for example `EADDRINUSE`.
  @discardableResult
  package func start() throws -> UInt16 {
    try connections.state.withLock { state in
      guard state.wake == nil else { return state.port }
      let reserved = try state.reserved ?? ReservedPort(state.port)
      let listener = try LoopbackListener(port: reserved.number)
      state.reserved = reserved
      state.port = reserved.number
      state.wake = listener.wake
      connections.spawn { [connections, respond] in
        connections.accept(on: listener, respond: respond)
      }
      return state.port
    }
  }

  /// Stops listening and ends all connections, then waits until their threads are done. A client
  /// that connects afterwards is refused. The port stays reserved: `start()` takes it again.
  package func stop() async {
    connections.hangUp()
    await connections.finished()
  }
}

/// The sockets and threads of a server. The threads hold it, so that the server itself can go.
private final class ConnectionList: Sendable {
  struct State {
    var port: UInt16
    /// Since the first start: between a stop and a start nobody else is given the port.
    var reserved: ReservedPort?
    let records: Bool
    /// The writing end of the pipe that ends the accepting thread; nil while stopped.
    var wake: Int32?
    var open: Set<Int32> = []
    var busy: Set<Int32> = []
    var made = 0
    var requests: [WireRequest] = []
  }

  let state: Mutex<State>
  let counts = RawServer.Counts()
  private let opening: RawServer.Opening
  private let threads = DispatchGroup()

  init(port: UInt16, opening: RawServer.Opening, records: Bool) {
    self.opening = opening
    state = Mutex(State(port: port, records: records))
  }

  func spawn(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    let thread = Thread { [threads] in
      body()
      threads.leave()
    }
    thread.stackSize = 512 << 10
    thread.start()
  }

  func accept(on listener: LoopbackListener, respond: @escaping RawServer.Responder) {
    while let socket = listener.accept() {
      // A stop can come between the two; then this connection is not among those it ended.
      let number = state.withLock { state -> Int? in
        guard state.wake == listener.wake else { return nil }
        state.made += 1
        state.open.insert(socket)
        return state.made
      }
      guard let number else {
        close(socket)
        continue
      }
      spawn { [self] in
        let connection = RawConnection(
          socket: socket, number: number, opening: opening, counts: counts)
        let reset = connection.serve { request in
          state.withLock {
            if $0.records { $0.requests.append(request) }
            $0.busy.insert(socket)
          }
          return respond(request)
        } whenAnswered: {
          state.withLock { _ = $0.busy.remove(socket) }
        }
        // Under the lock, so that `hangUp` never touches a number that is in use again.
        state.withLock {
          $0.open.remove(socket)
          $0.busy.remove(socket)
          connection.end(reset: reset)
        }
      }
    }
    listener.end()
  }

  func hangUp() {
    state.withLock {
      guard let wake = $0.wake else { return }
      $0.wake = nil
      close(wake)
      for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  func finished() async {
    await withCheckedContinuation { done in
      threads.notify(queue: .global()) { done.resume() }
    }
  }
}
