internal import Dispatch
internal import News
internal import Reader
internal import Synchronization
internal import TelexKit

/// The queue of actions, in their order. It is drained in bursts: many actions are one drawing.
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

  /// Delivers the queued actions. Senders call this, too, to avoid a wait.
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

/// Handles the values of a sequence of the store for as long as the task lives. A failure is
/// reported once, and the sequence starts again after a pause, so that a part of the screen does
/// not stay outdated.
///
/// - Parameters:
///   - pause: between two attempts.
///   - begin: starts the sequence, again after each failure.
///   - fail: called once for failures in a row.
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
  /// Handles the values of a sequence of the store, and reports failures.
  nonisolated(nonsending) func follow<Values: AsyncSequence>(
    _ begin: () throws -> Values, _ take: (Values.Element) throws -> Void
  ) async {
    await telex.follow(begin, fail: { send(.failed($0)) }, take)
  }
}
