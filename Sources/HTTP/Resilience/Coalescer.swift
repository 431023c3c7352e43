internal import Synchronization

/// Sharing of one transfer by identical GET requests at the same time. Not a cache: after the transfer
/// the next caller starts another.
///
/// Cancelling one caller does not affect the others; when the last one is cancelled, so is the transfer,
/// and its connection is closed. This is one of two places where HTTP starts unstructured tasks: a
/// transfer must outlive the caller that started it.
package final class Coalescer: Sendable {
  /// The properties in which identical requests agree: the address, all headers that may change the
  /// response (the credential included, request ids not), and the limits.
  struct Key: Hashable, Sendable {
    let url: String
    let headers: [HTTPHeaders.Field]
    let condition: HTTPCondition?
    let limits: HTTPLimits
    let policy: ConnectionPolicy
    let proxy: ProxyChoice?
    let staysAtOrigin: Bool
    let deadline: ContinuousClock.Instant?
    let keepsCookies: Bool
    /// The session, since its token is not in the headers yet.
    let identity: Identity?
  }

  package enum Identity: Hashable, Sendable {
    case session(ObjectIdentifier)
    case credential(Credential)
  }

  private typealias Reader = CheckedContinuation<HTTPResponse, any Error>

  private struct State {
    var table = FlightTable<Key>()
    var tasks: [Int: Task<Void, Never>] = [:]
    var readers: [Int: Reader] = [:]
    var lastCaller = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// How many callers wait for a transfer now.
  package var callers: Int { state.withLock { $0.readers.count } }

  /// - Parameter send: makes the transfer; called for the first of several identical requests only.
  package func response(
    for request: HTTPRequest, identity: Identity? = nil,
    send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let key = Key(request, identity: identity) else { return try await send(request) }
    let caller = state.withLock { state in
      state.lastCaller += 1
      return state.lastCaller
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (reader: Reader) in
        state.withLock { state in
          // Cancelled before it began to wait, so that `leave` did not find it.
          if Task.isCancelled { return reader.resume(throwing: CancellationError()) }
          state.readers[caller] = reader
          guard case .begins(let flight) = state.table.board(caller, for: key) else { return }
          state.tasks[flight] = Task {
            let result: Result<HTTPResponse, any Error>
            do { result = .success(try await send(request)) } catch { result = .failure(error) }
            self.land(flight, key, result)
          }
        }
      }
    } onCancel: {
      leave(caller, key)
    }
  }

  private func leave(_ caller: Int, _ key: Key) {
    let (reader, transfer) = state.withLock { state -> (Reader?, Task<Void, Never>?) in
      let flight = state.table.leave(caller, for: key)
      return (
        state.readers.removeValue(forKey: caller),
        flight.flatMap { state.tasks.removeValue(forKey: $0) }
      )
    }
    transfer?.cancel()
    reader?.resume(throwing: CancellationError())
  }

  private func land(_ flight: Int, _ key: Key, _ result: Result<HTTPResponse, any Error>) {
    let readers = state.withLock { state in
      state.tasks[flight] = nil
      return state.table.land(flight, for: key).compactMap {
        state.readers.removeValue(forKey: $0)
      }
    }
    for reader in readers { reader.resume(with: result) }
  }
}

extension Coalescer.Key {
  /// Nil for requests that are never shared.
  init?(_ request: HTTPRequest, identity: Coalescer.Identity?) {
    guard request.method == .get, request.body == nil, request.cookieSession == nil else {
      return nil
    }
    url = request.url
    headers = request.headers.fields
      .filter { !$0.name.lowercased().hasPrefix("x-request-") }
      .sorted { ($0.name.lowercased(), $0.value) < ($1.name.lowercased(), $1.value) }
    condition = request.condition
    limits = request.limits
    policy = request.connections
    proxy = request.proxy
    staysAtOrigin = request.staysAtOrigin
    deadline = request.deadline
    keepsCookies = request.keepsCookies
    self.identity = identity
  }
}
