// FileWatch: changes of files by any process, without polling.

internal import Dispatch
internal import Synchronization

/// Reports changes of files, also by other processes. Nothing wakes while they do not change.
///
/// The kernel reports changes (inotify, kqueue); where it cannot, the files are polled twice a second. Writes through
/// mapped memory are not reported: SQLite's index of the log (`-shm`) follows the log with no sign of its own, which is
/// why each change is reported again when it has settled.
///
/// Safe to use from any isolation. A watch ends when it is released, or by `cancel()`.
package final class FileWatch: Sendable {
  /// The time after a change in which no other is reported, and after which it is reported again, in milliseconds.
  private static let (pause, settled) = (250, 1_000)
  private static let pollingInterval: DispatchTimeInterval = .milliseconds(500)

  private struct State {
    var source: WatchSource?
    var timer: (any DispatchSourceTimer)?
    var stamps: [FileStamp] = []
    var isPausing = false
    var changes = 0
    var isCancelled = false
  }

  private let files: [String]
  private let queue: DispatchQueue
  private let onChange: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - files: paths of files; one that ends in `/` stands for the files of that folder: that one has come or gone,
  ///     and where the kernel reports it, writes to one. Neither they nor their folders need to exist.
  ///   - asksKernel: false to poll the files instead.
  ///   - onChange: called on a queue of the watch, at most some times a second; also where nothing has changed.
  package init(files: [String], asksKernel: Bool = true, onChange: @escaping @Sendable () -> Void) {
    self.files = files
    self.onChange = onChange
    queue = DispatchQueue(label: "telex.files", qos: .utility)
    queue.sync {
      if !asksKernel || !watch() { poll() }
    }
  }

  deinit { cancel() }

  /// Ends the watch. Nothing is reported afterwards, but for a call that is under way.
  package func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.source?.cancel()
      state.timer?.cancel()
      (state.source, state.timer) = (nil, nil)
    }
  }

  // MARK: With the kernel's help

  private func watch() -> Bool {
    guard
      let source = WatchSource(
        files: files, queue: queue,
        onChange: { [weak self] in self?.note() },
        onLoss: { [weak self] in self?.lose() })
    else { return false }
    state.withLock { $0.source = source }
    return true
  }

  /// Reports a change at once, then at most one in a pause.
  private func note() {
    let isFirst = state.withLock { state in
      if state.isPausing { return false }
      state.isPausing = true
      // Not one for each of a thousand writes.
      state.source?.suspend()
      return true
    }
    guard isFirst else { return }
    tell()
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [weak self] in
      guard let self else { return }
      self.state.withLock { state in
        state.isPausing = false
        state.source?.resume()
      }
      self.tell()
      self.tellWhenSettled()
    }
  }

  private func tellWhenSettled() {
    let change = state.withLock { state in
      state.changes += 1
      return state.changes
    }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.settled - Self.pause)) { [weak self] in
      guard let self, state.withLock({ $0.changes == change }) else { return }
      tell()
    }
  }

  private func tell() {
    guard !state.withLock(\.isCancelled) else { return }
    onChange()
  }

  /// Polls from now on: the kernel can report no more, as when a disk was taken away.
  private func lose() {
    state.withLock { state in
      state.source?.cancel()
      state.source = nil
    }
    poll()
    tell()
  }

  // MARK: Without it

  private func poll() {
    state.withLock { state in
      guard !state.isCancelled else { return }
      state.stamps = files.map(FileStamp.init)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { @Sendable [weak self] in self?.look() }
      timer.schedule(
        deadline: .now() + Self.pollingInterval, repeating: Self.pollingInterval,
        leeway: .milliseconds(100))
      timer.activate()
      state.timer = timer
    }
  }

  private func look() {
    let now = files.map(FileStamp.init)
    let hasChanged = state.withLock { state in
      defer { state.stamps = now }
      return state.stamps != now
    }
    guard hasChanged else { return }
    tell()
    tellWhenSettled()
  }
}

#if canImport(Darwin)
  private typealias WatchSource = Kqueue
#else
  private typealias WatchSource = Inotify
#endif

extension FileWatch {
  /// The changes of files as a sequence, beginning with one at once. Those that nobody waits for are one.
  package static func changes(of files: [String]) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watch = FileWatch(files: files) { continuation.yield() }
    continuation.onTermination = { _ in watch.cancel() }
    continuation.yield()
    return stream
  }
}
