#if canImport(Darwin)
  internal import Darwin
  internal import Dispatch
  internal import Synchronization

  /// Watches files and their folders with kqueue(2): folders for files that come or go, files for writes.
  final class Kqueue: Sendable {
    private struct State {
      var sources: [String: any DispatchSourceFileSystemObject] = [:]
      var isSuspended = false
      var hasChanged = false
      var isCancelled = false
    }

    private let paths: Set<String>
    private let folders: Set<String>
    private let queue: DispatchQueue
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter onLoss: never called.
    /// - Returns: nil where a folder is missing, or no descriptor is left: the files are looked at then.
    init?(
      files: [String], queue: DispatchQueue, onChange: @escaping @Sendable () -> Void,
      onLoss: @escaping @Sendable () -> Void
    ) {
      folders = Set(
        files.map { path in
          path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        })
      paths = folders.union(files.filter { !$0.hasSuffix("/") })
      self.queue = queue
      self.onChange = onChange
      open()
      let isWhole = state.withLock { state in folders.allSatisfy { state.sources[$0] != nil } }
      guard isWhole else {
        cancel()
        return nil
      }
    }

    deinit { cancel() }

    private func open() {
      for path in paths {
        state.withLock { state in
          guard !state.isCancelled, state.sources[path] == nil else { return }
          let descriptor = Darwin.open(path, O_EVTONLY | O_CLOEXEC)
          guard descriptor >= 0 else { return }
          let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename],
            queue: queue)
          source.setCancelHandler { close(descriptor) }
          source.setEventHandler { @Sendable [weak self] in self?.note(path) }
          state.sources[path] = source
          source.activate()
        }
      }
    }

    private func note(_ path: String) {
      let isTold = state.withLock { state in
        if let source = state.sources[path], !source.data.isDisjoint(with: [.delete, .rename]) {
          source.cancel()
          state.sources[path] = nil
        }
        state.hasChanged = state.hasChanged || state.isSuspended
        return !state.isSuspended && !state.isCancelled
      }
      open()
      if isTold { onChange() }
    }

    func suspend() { state.withLock { $0.isSuspended = true } }

    func resume() {
      let isTold = state.withLock { state in
        defer { (state.isSuspended, state.hasChanged) = (false, false) }
        return state.hasChanged && !state.isCancelled
      }
      if isTold { queue.async { [onChange] in onChange() } }
    }

    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        for source in state.sources.values { source.cancel() }
        state.sources = [:]
      }
    }
  }
#endif
