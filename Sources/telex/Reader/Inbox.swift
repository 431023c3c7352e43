internal import Dispatch
internal import News
internal import Reader
internal import Synchronization
internal import TelexKit

/// Queue of all actions, in the order in which they happened. It is emptied in bursts: many actions are
/// one drawing.
final class Inbox: Sendable {
  private struct State {
    var actions: [Action] = []
    var isScheduled = false
    var receiver: (@MainActor @Sendable ([Action]) -> Void)?
  }

  private let state = Mutex(State())

  @MainActor
  func deliver(to receiver: @escaping @MainActor @Sendable ([Action]) -> Void) {
    state.withLock { $0.receiver = receiver }
    schedule()
  }

  func send(_ action: Action) {
    state.withLock { $0.actions.append(action) }
    schedule()
  }

  private func schedule() {
    let isNew = state.withLock { state in
      guard !state.isScheduled, state.receiver != nil, !state.actions.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    guard isNew else { return }
    DispatchQueue.main.async { @Sendable in
      MainActor.assumeIsolated { self.drain() }
    }
  }

  /// Passes on the actions in the queue. Also called by a sender that does not want to wait.
  @MainActor
  func drain() {
    let (actions, receiver) = state.withLock { state in
      defer {
        state.actions = []
        state.isScheduled = false
      }
      return (state.actions, state.receiver)
    }
    if !actions.isEmpty { receiver?(actions) }
  }
}

/// Follows a sequence of the store's values for as long as the task lives. Where the store cannot be read, that is told
/// once, and the sequence is begun again after a pause: a passing failure must not leave a part of the screen as it was
/// for the rest of the session.
///
/// - Parameters:
///   - pause: between two attempts.
///   - begin: begins the sequence; called again after each failure.
///   - fail: tells of a failure, unless no value has come since the last one.
nonisolated(nonsending) func follow<Values: AsyncSequence>(
  pause: Duration = .seconds(3), _ begin: () throws -> Values,
  fail: (SourceError) -> Void, _ take: (Values.Element) throws -> Void
) async {
  var isTold = false
  while true {
    do {
      for try await value in try begin() {
        isTold = false
        try take(value)
      }
      return
    } catch is CancellationError {
      return
    } catch {
      guard !Task.isCancelled else { return }
      if !isTold { fail(SourceError(describing: error)) }
      isTold = true
    }
    guard (try? await Task.sleep(for: pause)) != nil else { return }
  }
}

extension Inbox {
  /// Follows a sequence of the store's values, and tells of failures of the store.
  nonisolated(nonsending) func follow<Values: AsyncSequence>(
    _ begin: () throws -> Values, _ take: (Values.Element) throws -> Void
  ) async {
    await telex.follow(begin, fail: { send(.failed($0)) }, take)
  }
}
