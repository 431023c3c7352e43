#if canImport(Glibc)
  internal import Dispatch
  internal import Glibc
  internal import Synchronization

  /// Watches the folders of files with inotify(7). A folder that is missing is waited for in the one above it.
  final class Inotify: Sendable {
    private static let mask = UInt32(
      IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF
        | IN_ONLYDIR)

    /// A folder whose files are watched.
    private struct Folder {
      var path: String
      /// Names of files; nil for all.
      var names: Set<String>?
      var watch: Int32?
      /// The watch of the folder above, as long as this one is missing.
      var parentWatch: Int32?
    }

    private struct State {
      var folders: [Folder]
      var source: (any DispatchSourceRead)?
      var isSuspended = false
      var isCancelled = false
    }

    private let descriptor: Int32
    private let state: Mutex<State>
    private let onChange: @Sendable () -> Void
    private let onLoss: @Sendable () -> Void

    /// - Parameters:
    ///   - onChange: called on `queue`.
    ///   - onLoss: called on `queue` where a folder and the one above it are gone.
    /// - Returns: nil where the user has no instance or watch left, or where a folder and the one above it are missing.
    init?(
      files: [String], queue: DispatchQueue, onChange: @escaping @Sendable () -> Void,
      onLoss: @escaping @Sendable () -> Void
    ) {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      var folders: [Folder] = []
      for file in files {
        let (path, name) = Self.parts(file)
        let place = folders.firstIndex { $0.path == path } ?? folders.endIndex
        if place == folders.endIndex { folders.append(Folder(path: path, names: [])) }
        if name.isEmpty { folders[place].names = nil } else { folders[place].names?.insert(name) }
      }
      guard Self.addWatches(&folders, descriptor) != nil else {
        close(descriptor)
        return nil
      }
      self.descriptor = descriptor
      self.onChange = onChange
      self.onLoss = onLoss
      state = Mutex(State(folders: folders))
      state.withLock { state in
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { @Sendable [weak self] in self?.read() }
        source.activate()
        state.source = source
      }
    }

    deinit { cancel() }

    func suspend() {
      state.withLock { state in
        guard !state.isSuspended, !state.isCancelled else { return }
        state.isSuspended = true
        state.source?.suspend()
      }
    }

    func resume() {
      state.withLock { state in
        guard state.isSuspended else { return }
        state.isSuspended = false
        state.source?.resume()
      }
    }

    func cancel() {
      state.withLock { state in
        guard !state.isCancelled else { return }
        state.isCancelled = true
        state.source?.cancel()
        // A source that is released while it is suspended ends the program.
        if state.isSuspended {
          state.isSuspended = false
          state.source?.resume()
        }
      }
    }

    /// The folder of a path, without a slash at its end, and the name of the file.
    private static func parts(_ path: String) -> (folder: String, name: String) {
      guard let slash = path.lastIndex(of: "/") else { return (".", path) }
      let folder = path[..<slash]
      return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    /// Watches each folder that is there, and the one above those that are not; returns whether a folder has come, nil
    /// where one cannot be watched.
    private static func addWatches(_ folders: inout [Folder], _ descriptor: Int32) -> Bool? {
      var hasCome = false
      for index in folders.indices where folders[index].watch == nil {
        let watch = inotify_add_watch(descriptor, folders[index].path, mask)
        if watch >= 0 {
          (folders[index].watch, folders[index].parentWatch) = (watch, nil)
          hasCome = true
          continue
        }
        guard errno == ENOENT else { return nil }
        let parent = inotify_add_watch(descriptor, parts(folders[index].path).folder, mask)
        guard parent >= 0 else { return nil }
        folders[index].parentWatch = parent
      }
      return hasCome
    }

    private func read() {
      let isCancelled = state.withLock(\.isCancelled)
      guard !isCancelled else { return }
      let events = InotifyEvents(descriptor)
      enum News { case none, change, loss }
      let news = state.withLock { state -> News in
        var news = News.none
        var isMissing = false
        for event in events {
          // What was lost may be that a folder has gone.
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return .loss }
          for index in state.folders.indices {
            let folder = state.folders[index]
            if folder.watch == event.watch {
              // What its path names from now on cannot be told by this watch.
              if event.mask & UInt32(IN_MOVE_SELF) != 0 { return .loss }
              if event.mask & UInt32(IN_IGNORED) != 0 {
                state.folders[index].watch = nil
                isMissing = true
                news = .change
              } else if folder.names?.contains(event.name) ?? true {
                news = .change
              }
            } else if folder.parentWatch == event.watch,
              event.name == Self.parts(folder.path).name || event.mask & UInt32(IN_IGNORED) != 0
            {
              isMissing = true
            }
          }
        }
        if isMissing {
          switch Self.addWatches(&state.folders, descriptor) {
          case nil: return .loss
          case true?: news = .change
          case false?: break
          }
        }
        return news
      }
      switch news {
      case .none: break
      case .change: onChange()
      case .loss: onLoss()
      }
    }
  }

  /// The events that wait, read once.
  private struct InotifyEvents: Sequence, IteratorProtocol {
    struct Event {
      var watch: Int32
      var mask: UInt32
      var name: String
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ descriptor: Int32) {
      var bytes = [UInt8]()
      var block = [UInt8](repeating: 0, count: 16 << 10)
      // Bounded: what comes meanwhile is read next time.
      for _ in 0..<16 {
        let count = Glibc.read(descriptor, &block, block.count)
        guard count > 0 else { break }
        bytes += block[..<count]
      }
      self.bytes = bytes
    }

    mutating func next() -> Event? {
      let head = MemoryLayout<inotify_event>.size
      guard place + head <= bytes.count else { return nil }
      let event = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
      }
      let name = bytes[(place + head)..<Swift.min(bytes.count, place + head + Int(event.len))]
      place += head + Int(event.len)
      return Event(
        watch: event.wd, mask: event.mask,
        name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
    }
  }
#endif
