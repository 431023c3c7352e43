/// Scheduler of asynchronous work: one task for each id, ordered changes, and an end that loses
/// none of them. The only place that starts unstructured tasks.
@MainActor
final class EffectScheduler<ID: Hashable & Sendable> {
  typealias Work = @Sendable () async -> Void

  private var tasks: [ID: (number: Int, task: Task<Void, Never>)] = [:]
  /// Requests to servers about stored changes, by number.
  private var errands: [Int: Task<Void, Never>] = [:]
  /// Tasks until the end.
  private var observers: [Task<Void, Never>] = []
  private var lastChange: Task<Void, Never>?
  private var lastNumber = 0

  /// Starts work, and cancels running work with the id.
  ///
  /// - Parameters:
  ///   - id: nil for independent work, which the end neither cancels nor waits for.
  ///   - waits: whether the work starts after earlier changes are written.
  ///   - priority: nil for work that the user waits for.
  func start(
    _ id: ID?, afterChanges waits: Bool = false, priority: TaskPriority? = nil,
    _ work: @escaping Work
  ) {
    lastNumber += 1
    let (number, before) = (lastNumber, waits ? lastChange : nil)
    let task = Task(priority: priority) { [weak self] in
      await before?.value
      if !waits || !Task.isCancelled { await work() }
      self?.end(id, number)
    }
    guard let id else { return }
    tasks.updateValue((number, task), forKey: id)?.task.cancel()
  }

  func isRunning(_ id: ID) -> Bool { tasks[id] != nil }

  func cancel(_ id: ID) { tasks.removeValue(forKey: id)?.task.cancel() }

  /// Queues a change after earlier ones. It is never cancelled.
  func change(_ work: @escaping Work) {
    let before = lastChange
    lastChange = Task {
      await before?.value
      await work()
    }
  }

  /// Starts a request about stored changes, which the end cancels after the changes.
  func startErrand(_ work: @escaping Work) {
    lastNumber += 1
    let number = lastNumber
    errands[number] = Task { [weak self] in
      await work()
      self?.errands[number] = nil
    }
  }

  /// Starts an errand that begins with a change: other changes and the end wait for `noteKept`.
  func startKeeping(
    _ work: @escaping @Sendable (_ noteKept: @escaping @Sendable () -> Void) async -> Void
  ) {
    let (kept, keeping) = AsyncStream.makeStream(of: Void.self)
    startErrand {
      await work { keeping.finish() }
      keeping.finish()
    }
    change { for await _ in kept {} }
  }

  /// Starts work that runs until the end.
  func observe(priority: TaskPriority? = nil, _ work: @escaping Work) {
    observers.append(Task(priority: priority) { await work() })
  }

  /// Cancels all tasks but the changes, and waits for all: a cancelled refresh has to release its
  /// claims.
  ///
  /// - Parameter last: runs after the changes, before errands are cancelled.
  func finish(_ last: () async -> Void = {}) async {
    let cancelled = tasks.values.map(\.task) + observers
    (tasks, observers) = ([:], [])
    for task in cancelled { task.cancel() }
    await lastChange?.value
    await last()
    // Their changes are stored, and the next start or refresh continues.
    let errands = errands.values
    for task in errands { task.cancel() }
    for task in cancelled + errands { await task.value }
  }

  private func end(_ id: ID?, _ number: Int) {
    guard let id, tasks[id]?.number == number else { return }
    tasks[id] = nil
  }
}
