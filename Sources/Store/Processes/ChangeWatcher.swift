internal import Dispatch
internal import FileWatch
internal import GRDB
internal import Synchronization

/// Notification of changes of the database.
///
/// SQLite's hooks report commits of their own connection only. For other processes, a change of the
/// log's file and `PRAGMA data_version` tell of commits, once `start` was called.
final class ChangeWatcher: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextListener = 0
    var change: UInt64 = 0
    var watch: FileWatch?
    var timer: (any DispatchSourceTimer)?
  }

  /// Seconds between checks for changes that no kernel reports, as on network disks.
  private static let interval = 15

  private let path: String
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "telex.store.watch", qos: .utility)

  init(path: String) { self.path = path }

  deinit {
    state.withLock { state in
      state.watch?.cancel()
      state.timer?.cancel()
      for listener in state.listeners.values { listener.finish() }
    }
  }

  var listenerCount: Int { state.withLock { $0.listeners.count } }

  /// The number of the last change, from 0 on.
  var changeNumber: UInt64 { state.withLock { $0.change } }

  /// Counts a change of the database and notifies the listeners.
  func noteChange() {
    state.withLock { $0.change += 1 }
    announce()
  }

  /// Notifies the listeners of a change outside of the database.
  func announce() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield() }
  }

  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  func start() {
    state.withLock { state in
      guard state.timer == nil else { return }
      let probe = VersionProbe(path: path)
      let look: @Sendable () -> Void = { [weak self] in
        if probe.hasChanged() { self?.noteChange() }
      }
      #if canImport(Darwin)
        // Closing a descriptor of the database would release SQLite's locks. Its folder reports a
        // replacement.
        let files = [path + "-wal"]
      #else
        let files = [path, path + "-wal"]
      #endif
      state.watch = FileWatch(files: files, onChange: look)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler(handler: look)
      // Finds commits from before the watch at once.
      timer.schedule(deadline: .now(), repeating: .seconds(Self.interval), leeway: .seconds(2))
      timer.activate()
      state.timer = timer
    }
  }
}

/// Connection of its own that tells whether anything was committed since the last call.
private final class VersionProbe: Sendable {
  private let path: String
  private let last = Mutex<(connection: DatabaseQueue, version: Int64)?>(nil)
  /// The open file: another process may replace or remove it.
  private let file = Mutex<FileIdentity?>(nil)

  init(path: String) { self.path = path }

  /// One call at a time.
  func hasChanged() -> Bool {
    let there = FileIdentity(path)
    let isOther = file.withLock { file in
      defer { file = there }
      return file != there
    }
    return last.withLock { last in
      if isOther { last = nil }
      if there == nil { return isOther }
      guard let (connection, version) = last else {
        var configuration = Configuration()
        configuration.readonly = true
        guard let connection = try? DatabaseQueue(path: path, configuration: configuration),
          let version = Self.version(connection)
        else { return false }
        last = (connection, version)
        // Commits before the first call count as changes: they may not have been read.
        return true
      }
      guard let now = Self.version(connection), now != version else { return false }
      last = (connection, now)
      return true
    }
  }

  private static func version(_ connection: DatabaseQueue) -> Int64? {
    try? connection.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
  }
}
