internal import Synchronization

/// The way of one response from the thread that receives it to the task that reads it.
///
/// Holds at most `capacity` bytes and one delivery more; at that point the sender is told to stop,
/// and it is called on when the reader has caught up. One reader, one sender.
final class BodyChannel: Sendable {
  enum Signal: Sendable {
    /// There is room again after `send` was refused.
    case resume
    /// Nobody reads any more.
    case cancel
  }

  typealias Observer = @Sendable (_ outcome: Result<HTTPMetrics, any Error>, _ bytes: Int) -> Void

  private struct State {
    var head: HTTPResponseHead?
    var buffer: [UInt8] = []
    var isPaused = false
    /// Set once, at the end. What is in the buffer then is still handed out first.
    var outcome: Result<HTTPMetrics, any Error>?
    var observer: Observer?
    /// How many bytes have been handed on.
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

  // MARK: The sender's side

  /// Does not wake the reader: `flush` does, once for all that came together.
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

  /// Hands what has arrived to a reader that waits.
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
      return BodyChannel.takeObserver(&state)
    }
    observer?()
  }

  func observeEnd(_ observer: @escaping Observer) {
    let now = state.withLock { state in
      state.observer = observer
      return BodyChannel.takeObserver(&state)
    }
    now?()
  }

  /// What is to be told once the lock is open; nil where nobody asked, or the end has not come.
  private static func takeObserver(_ state: inout State) -> (@Sendable () -> Void)? {
    guard let outcome = state.outcome, let observer = state.observer.take() else { return nil }
    let count = state.handedOn + state.buffer.count
    return { observer(outcome, count) }
  }

  // MARK: The reader's side

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

  /// All that has arrived since the last call, waiting for some if need be; nil at the end.
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

  /// Nobody will read on: readers that wait get `CancellationError`, the sender is told to stop.
  func abandon() {
    let (wasRunning, observer) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      state.buffer = []
      guard state.outcome == nil else { return (false, nil) }
      state.outcome = .failure(CancellationError())
      BodyChannel.answerReaders(&state)
      return (true, BodyChannel.takeObserver(&state))
    }
    if wasRunning { control(.cancel) }
    observer?()
  }

  /// nil until the response has ended well.
  var metrics: HTTPMetrics? {
    state.withLock { try? $0.outcome?.get() }
  }

  /// Empties the buffer. True if the sender had been refused and has to be called on.
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
