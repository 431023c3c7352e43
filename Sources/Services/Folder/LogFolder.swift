internal import Foundation
internal import News
internal import Text

/// Folder of the logs of the user's devices on a disk: `DIR/telex/MACHINE/NNNNNN.tsv`.
///
/// Writes only the files of this device, and so that a program that copies the folder at any moment
/// copies whole lines: by appending, or by renaming a complete file.
struct LogFolder: LogSource {
  /// The folder that the user has named.
  let path: String
  private var root: String { path + "/telex" }

  init(path: String) { self.path = path }

  /// In bytes. No log is larger.
  private static let longest = 256 << 20

  // MARK: - Reading

  func files() async throws -> [LogFile] {
    try await onDisk {
      try check()
      var files: [LogFile] = []
      for machine in try names(in: root) where LogText.isMachine(machine) {
        for name in try names(in: root + "/" + machine) where Self.isLog(name) {
          guard let status = Self.status(of: "\(root)/\(machine)/\(name)") else { continue }
          files.append(LogFile(path: machine + "/" + name, fingerprint: Self.fingerprint(status)))
        }
      }
      return files.sorted { $0.path < $1.path }
    }
  }

  /// Sync programs name copies of conflicting files so that they end as the file does: they are
  /// read. Their temporary files begin with a dot.
  private static func isLog(_ name: String) -> Bool {
    name.hasSuffix(".tsv") && !name.hasPrefix(".")
  }

  func read(_ file: LogFile, after position: LogPosition?) async throws -> LogPage {
    try await onDisk {
      LogPage(of: file, try contents(of: file.path), after: position)
    }
  }

  // MARK: - Writing

  func append(_ records: [LogRecord], to log: OwnLog) async throws -> LogWriteOutcome {
    try await onDisk {
      try check()
      let lines = LogText.lines(records)
      let path = "\(root)/\(log.path)"
      guard let status = Self.status(of: path) else { return .displaced }
      var offset = Int(log.size)
      var missing = lines
      // As this device has left it: its contents need no look.
      if Self.fingerprint(status) != log.fingerprint || status.st_size != log.size {
        switch LogAppending(lines, to: try contents(of: log.path), after: log) {
        case .displaced: return .displaced
        case .nothing: missing = []
        case .write(let bytes, let place): (missing, offset) = (bytes, place)
        }
      }
      // A file that was removed meanwhile is not recreated.
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(path, "cannot be written") }
      defer { close(descriptor) }
      // Another process of this device may be writing the same bytes to the same place.
      try write(missing, at: offset, to: descriptor, path)
      var digest = RunningDigest(log.digest)
      digest.add(lines)
      var written = log
      written.size += Int64(lines.count)
      written.digest = digest.stored
      written.fingerprint = Self.fingerprint(try self.status(of: descriptor, path))
      return .written(written)
    }
  }

  func rewrite(_ log: OwnLog, with records: [LogRecord]) async throws -> OwnLog {
    try await onDisk {
      try check(isNew: log.file == 0)
      let folder = root + "/" + log.machine
      if mkdir(folder, 0o755) != 0, errno != EEXIST { throw failure(folder, "cannot be made") }
      var written = log
      let numbers = try names(in: folder).compactMap { Int($0.prefix { $0.isNumber }) }
      written.file = max(log.file, numbers.max() ?? 0) + 1
      let bytes = LogText.header(of: log.machine) + LogText.lines(records)
      let path = "\(root)/\(written.path)"
      let draft = "\(folder)/.\(written.file).tmp"
      let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw failure(draft, "cannot be written") }
      defer { close(descriptor) }
      try write(bytes, at: 0, to: descriptor, draft)
      guard rename(draft, path) == 0 else { throw failure(path, "cannot be written") }
      Self.synchronize(folder: folder)
      written.size = Int64(bytes.count)
      written.base = written.size
      written.digest = RunningDigest.of(bytes)
      written.fingerprint = Self.fingerprint(try self.status(of: descriptor, path))
      return written
    }
  }

  func removeFormer(than log: OwnLog, read positions: [LogPosition]) async throws {
    try await onDisk {
      let read = Dictionary(positions.map { ($0.path, $0.fingerprint) }) { first, _ in first }
      for name in try names(in: root + "/" + log.machine) where Self.isLog(name) {
        let path = log.machine + "/" + name
        guard path != log.path, let status = Self.status(of: root + "/" + path),
          read[path] == Self.fingerprint(status)
        else { continue }
        unlink(root + "/" + path)
      }
    }
  }

  /// Creates the folder of the logs in an existing folder, and keeps programs from changing the
  /// logs' line ends.
  func prepare() async throws {
    try await onDisk {
      try check(isNew: true)
      if mkdir(root, 0o755) != 0, errno != EEXIST { throw failure(root, "cannot be made") }
      let attributes = root + "/.gitattributes"
      guard Self.status(of: attributes) == nil else { return }
      try? Data("*.tsv -text\n".utf8).write(to: URL(filePath: attributes))
    }
  }

  // MARK: - Files

  /// A missing folder may be on a disk that is not mounted: it is not created.
  private func check(isNew: Bool = false) throws {
    func isFolder(_ path: String) -> Bool {
      Self.status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }
    guard isFolder(path) else {
      throw SourceError(
        .file, stage: .fetch, subject: path, message: "the folder is not there",
        next: "mount it, or telex logout and sign in at another; what waits is kept")
    }
    guard isNew || isFolder(root) else {
      throw SourceError(
        .file, stage: .fetch, subject: path,
        message: "the folder has no logs of Telex any more; it may not be mounted",
        next: "bring its folder telex back, or telex logout and sign in again")
    }
  }

  private func names(in folder: String) throws -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw SourceError(.file, stage: .fetch, subject: folder, message: "the folder cannot be read")
    }
  }

  private func contents(of file: String) throws -> [UInt8] {
    try InputFile(
      path: "\(root)/\(file)", limit: Self.longest, adviceWhenLarger: "no log is so large",
      isRegular: true
    ).bytes()
  }

  private func write(_ bytes: [UInt8], at offset: Int, to descriptor: Int32, _ path: String) throws
  {
    try bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = pwrite(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw failure(path, "cannot be written") }
        done += count
      }
    }
    guard fsync(descriptor) == 0 else { throw failure(path, "cannot be brought to the disk") }
  }

  private func failure(_ path: String, _ what: String) -> SourceError {
    SourceError(
      .file, stage: .store, subject: path,
      message: "\(path) \(what): \(String(cString: strerror(errno)))", next: "what waits is kept")
  }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private func status(of descriptor: Int32, _ path: String) throws -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, "cannot be read") }
    return status
  }

  private static func fingerprint(_ status: stat) -> Int64 {
    var digest = StableDigest()
    digest.add(Int64(status.st_size))
    digest.add(Int64(truncatingIfNeeded: status.st_ino))
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    digest.add(Int64(time.tv_sec))
    digest.add(Int64(time.tv_nsec))
    return digest.stored
  }

  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

}
