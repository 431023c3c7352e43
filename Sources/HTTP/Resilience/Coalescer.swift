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

  /// A transfer and the callers that wait for it, by their numbers.
  private struct Flight {
    let number: Int
    var readers: [Int: Reader]
    let task: Task<Void, Never>
  }

  private struct State {
    // Not `[:]`: that makes the runtime search all conformances of the program at each start.
    var flights = [Key: Flight]()
    private var lastNumber = 0

    /// A new number for a caller or a flight.
    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// How many callers wait for a transfer now.
  package var callers: Int {
    state.withLock { $0.flights.values.reduce(0) { $0 + $1.readers.count } }
  }

  /// - Parameter send: makes the transfer; called for the first of several identical requests only.
  package func response(
    for request: HTTPRequest, identity: Identity? = nil,
    send: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let key = Key(request, identity: identity) else { return try await send(request) }
    let caller = state.withLock { $0.nextNumber() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (reader: Reader) in
        state.withLock { state in
          // Cancelled before it began to wait, so that `leave` did not find it.
          if Task.isCancelled { return reader.resume(throwing: CancellationError()) }
          guard state.flights[key] == nil else {
            state.flights[key]?.readers[caller] = reader
            return
          }
          let number = state.nextNumber()
          let task = Task {
            let result: Result<HTTPResponse, any Error>
            do { result = .success(try await send(request)) } catch { result = .failure(error) }
            self.land(number, key, result)
          }
          state.flights[key] = Flight(number: number, readers: [caller: reader], task: task)
        }
      }
    } onCancel: {
      leave(caller, key)
    }
  }

  /// Removes a caller that was cancelled, and cancels its transfer if no other one waits for it.
  private func leave(_ caller: Int, _ key: Key) {
    let (reader, transfer) = state.withLock { state -> (Reader?, Task<Void, Never>?) in
      let reader = state.flights[key]?.readers.removeValue(forKey: caller)
      guard reader != nil, let flight = state.flights[key], flight.readers.isEmpty else {
        return (reader, nil)
      }
      state.flights[key] = nil
      return (reader, flight.task)
    }
    transfer?.cancel()
    reader?.resume(throwing: CancellationError())
  }

  /// Hands a result to the callers; to none where the transfer was cancelled and another has taken its place.
  private func land(_ number: Int, _ key: Key, _ result: Result<HTTPResponse, any Error>) {
    let readers = state.withLock { state -> [Reader] in
      guard let flight = state.flights[key], flight.number == number else { return [] }
      state.flights[key] = nil
      return Array(flight.readers.values)
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
