internal import Synchronization

/// Buffer between the thread that receives the body of a response and the task that reads it.
///
/// Holds at most `capacity` bytes and one delivery more. When it is full the sender is told to stop, and
/// it is signalled when there is room again. One reader, one sender.
final class BodyChannel: Sendable {
  enum Signal: Sendable {
    /// There is room again after `send` returned false.
    case resume
    /// Reading was cancelled.
    case cancel
  }

  typealias Observer = @Sendable (_ outcome: Result<HTTPMetrics, any Error>, _ bytes: Int) -> Void

  private struct State {
    var head: HTTPResponseHead?
    var buffer: [UInt8] = []
    var isPaused = false
    /// Set once, at the end; the buffer is still read first.
    var outcome: Result<HTTPMetrics, any Error>?
    var observer: Observer?
    /// The number of bytes that were read.
    var handedOn = 0
    var headReader: CheckedContinuation<HTTPResponseHead, any Error>?
    var chunkReader: CheckedContinuation<[UInt8]?, any Error>?
  }

  private let state: Mutex<State>
  private let capacity: Int
  private let control: @Sendable (Signal) -> Void

  init(capacity: Int, control: @escaping @Sendable (Signal) -> Void) {
    state = Mutex(State())
    self.capacity = capacity
    self.control = control
  }

  // MARK: Sender

  /// Stores the head without waking the reader, which `flush` does for all that arrived together.
  func send(head: HTTPResponseHead) {
    state.withLock { $0.head = head }
  }

  /// False when the buffer is full: the bytes were not taken, and `resume` will be signalled.
  func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { state in
      if state.buffer.count >= capacity {
        state.isPaused = true
        return false
      }
      if state.outcome == nil { state.buffer.append(contentsOf: bytes) }
      return true
    }
  }

  /// Wakes a waiting reader with what has arrived.
  func flush() {
    let wasPaused = state.withLock { state in
      if let head = state.head, let reader = state.headReader.take() {
        reader.resume(returning: head)
      }
      guard !state.buffer.isEmpty, let reader = state.chunkReader.take() else { return false }
      return BodyChannel.hand(&state, to: reader)
    }
    if wasPaused { control(.resume) }
  }

  func finish(_ outcome: Result<HTTPMetrics, any Error>) {
    flush()
    let observer = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      BodyChannel.answerReaders(&state)
      return BodyChannel.removeObserver(&state)
    }
    observer?()
  }

  func observeEnd(_ observer: @escaping Observer) {
    let now = state.withLock { state in
      state.observer = observer
      return BodyChannel.removeObserver(&state)
    }
    now?()
  }

  /// The observer, to be called outside the lock; nil where there is none, or the end has not come.
  private static func removeObserver(_ state: inout State) -> (@Sendable () -> Void)? {
    guard let outcome = state.outcome, let observer = state.observer.take() else { return nil }
    let count = state.handedOn + state.buffer.count
    return { observer(outcome, count) }
  }

  // MARK: Reader

  func awaitHead() async throws -> HTTPResponseHead {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        state.withLock { state in
          if let head = state.head {
            reader.resume(returning: head)
          } else {
            state.headReader = reader
            if state.outcome != nil { BodyChannel.answerReaders(&state) }
          }
        }
      }
    } onCancel: {
      abandon()
    }
  }

  /// All bytes since the last call; waits for some where there are none. Nil at the end.
  func nextChunk() async throws -> [UInt8]? {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        let wasPaused = state.withLock { state in
          if !state.buffer.isEmpty { return BodyChannel.hand(&state, to: reader) }
          state.chunkReader = reader
          if state.outcome != nil { BodyChannel.answerReaders(&state) }
          return false
        }
        if wasPaused { control(.resume) }
      }
    } onCancel: {
      abandon()
    }
  }

  /// Cancels reading: a waiting reader gets `CancellationError`, and the sender is told to stop.
  func abandon() {
    let (wasRunning, observer) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      state.buffer = []
      guard state.outcome == nil else { return (false, nil) }
      state.outcome = .failure(CancellationError())
      BodyChannel.answerReaders(&state)
      return (true, BodyChannel.removeObserver(&state))
    }
    if wasRunning { control(.cancel) }
    observer?()
  }

  /// Nil until the response has ended without an error.
  var metrics: HTTPMetrics? {
    state.withLock { try? $0.outcome?.get() }
  }

  /// Empties the buffer. True if the sender was refused and has to be resumed.
  private static func hand(
    _ state: inout State, to reader: CheckedContinuation<[UInt8]?, any Error>
  ) -> Bool {
    let chunk = state.buffer
    state.handedOn += chunk.count
    state.buffer = []
    reader.resume(returning: chunk)
    defer { state.isPaused = false }
    return state.isPaused
  }

  private static func answerReaders(_ state: inout State) {
    let headReader = state.headReader.take()
    let chunkReader = state.chunkReader.take()
    switch state.outcome {
    case .success:
      chunkReader?.resume(returning: nil)
      headReader?.resume(throwing: HTTPError(.protocolError, "The server sent no response."))
    case .failure(let error):
      chunkReader?.resume(throwing: error)
      headReader?.resume(throwing: error)
    case nil: break
    }
  }
}
