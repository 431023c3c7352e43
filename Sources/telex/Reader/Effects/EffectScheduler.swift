/// Scheduler of asynchronous work: one task at a time for each id, changes in the order in which they were made, and an
/// end that loses none of them. The only place where unstructured tasks are started.
@MainActor
final class EffectScheduler<ID: Hashable & Sendable> {
  typealias Work = @Sendable () async -> Void

  private var tasks: [ID: (number: Int, task: Task<Void, Never>)] = [:]
  /// Tasks that ask servers about what is stored here already, by their numbers.
  private var errands: [Int: Task<Void, Never>] = [:]
  /// Tasks that run until the end.
  private var observers: [Task<Void, Never>] = []
  private var lastChange: Task<Void, Never>?
  private var lastNumber = 0

  /// Starts work, and cancels what runs with its id.
  ///
  /// - Parameters:
  ///   - id: nil for work that runs beside all other, and that the end neither cancels nor waits for.
  ///   - waits: whether the work waits until the changes that were made before it are written.
  func start(_ id: ID?, afterChanges waits: Bool = false, _ work: @escaping Work) {
    lastNumber += 1
    let (number, before) = (lastNumber, waits ? lastChange : nil)
    let task = Task { [weak self] in
      await before?.value
      if !waits || !Task.isCancelled { await work() }
      self?.end(id, number)
    }
    guard let id else { return }
    tasks.updateValue((number, task), forKey: id)?.task.cancel()
  }

  func isRunning(_ id: ID) -> Bool { tasks[id] != nil }

  func cancel(_ id: ID) { tasks.removeValue(forKey: id)?.task.cancel() }

  /// Writes something for the user after all that was to be written before it. It is never cancelled.
  func change(_ work: @escaping Work) {
    let before = lastChange
    lastChange = Task {
      await before?.value
      await work()
    }
  }

  /// Starts what asks a server about something that is stored. It is cancelled at the end, but after the changes.
  func startErrand(_ work: @escaping Work) {
    lastNumber += 1
    let number = lastNumber
    errands[number] = Task { [weak self] in
      await work()
      self?.errands[number] = nil
    }
  }

  /// Starts an errand that begins with a change: other changes, and the end, wait until the work says that it is written.
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

  /// Starts what runs until the end.
  func observe(priority: TaskPriority? = nil, _ work: @escaping Work) {
    observers.append(Task(priority: priority) { await work() })
  }

  /// Cancels all tasks but the changes, and waits for the end of all: a cancelled refresh has to release its claims.
  ///
  /// - Parameter last: is done once the changes are written, before the errands are cancelled.
  func finish(_ last: () async -> Void = {}) async {
    let cancelled = tasks.values.map(\.task) + observers
    (tasks, observers) = ([:], [])
    for task in cancelled { task.cancel() }
    await lastChange?.value
    await last()
    // What they are about is kept by now: the next start, or the next refresh, goes on with it.
    let errands = errands.values
    for task in errands { task.cancel() }
    for task in cancelled + errands { await task.value }
  }

  private func end(_ id: ID?, _ number: Int) {
    guard let id, tasks[id]?.number == number else { return }
    tasks[id] = nil
  }
}
