internal import Dispatch
internal import Reader
internal import Synchronization

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
