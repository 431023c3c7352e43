internal import Synchronization

/// Commands of other threads to the curl thread, in order. Waking the thread is the one thing of curl
/// that is done outside it.
final class CurlInbox: Sendable {
  enum Command: Sendable {
    case start(CurlOrder)
    case resume(UInt64)
    case cancel(UInt64)
    /// Bytes for a connection that was upgraded, and whether they are the last.
    case send(UInt64, [UInt8], thenEnds: Bool)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var wake: (@Sendable () -> Void)?
    var isStarted = false
    var lastID: UInt64 = 0
    /// The reason why there is no thread and will be none.
    var failure: HTTPError?
  }

  private let state = Mutex(State())

  func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// True for the first caller, who starts the thread.
  func claimStart() -> Bool {
    state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
  }

  func post(_ command: Command) {
    let failure = state.withLock { state in
      // Under the lock, so that the thread cannot take its handle down in between.
      if state.commands.isEmpty { state.wake?() }
      if state.failure == nil { state.commands.append(command) }
      return state.failure
    }
    if let failure { CurlInbox.refuse(command, failure) }
  }

  /// The thread cannot do its work: every request, now and later, gets `error`.
  func fail(_ error: HTTPError) {
    state.withLock { $0.failure = error }
    for command in removeAll() { CurlInbox.refuse(command, error) }
  }

  private static func refuse(_ command: Command, _ error: HTTPError) {
    if case .start(let order) = command { order.channel.finish(.failure(error)) }
  }

  func removeAll() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// How to interrupt the thread's wait; nil before its handle goes away.
  func setWake(_ wake: (@Sendable () -> Void)?) {
    state.withLock { $0.wake = wake }
  }
}

/// Request for the curl thread: checked, and with its limits worked out.
struct CurlOrder: Sendable {
  var id: UInt64
  var request: HTTPRequest
  var url: HTTPURL
  var proxy: ProxyChoice
  var deadline: ContinuousClock.Instant?
  var channel: BodyChannel
}
