internal import Foundation

/// `credentials.json`: mode 0600 in a folder of mode 0700, replaced whole or not at all. Blocks.
///
/// One process at a time changes it, under a lock beside it. A reader needs no lock.
struct CredentialFile: Sendable {
  /// How long to wait for another process's lock.
  private static let longestWait: Duration = .seconds(10)

  let folder: String
  /// The end of the command's time; nil for none. Other processes are not waited for beyond it.
  var deadline: ContinuousClock.Instant?
  var path: String { folder + "/credentials.json" }

  /// The contents; empty where there is no file.
  ///
  /// - Throws: `SecretError`, also where others may read the file or its folder.
  func read() throws -> Contents {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw failure("read") }
      return Contents()
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try requirePrivate(folder, mode: "700") { stat(folder, &$0) }
    try requirePrivate(path, mode: "600") { fstat(descriptor, &$0) }
    guard let data = try? handle.readToEnd() ?? Data() else { throw failure("read") }
    guard let contents = try? JSONDecoder().decode(Contents.self, from: data) else {
      throw SecretError(
        .damaged, subject: path, message: "the file is damaged",
        next: "move it away and sign in again")
    }
    return contents
  }

  /// Changes the contents. An error of `body` leaves the file as it was.
  ///
  /// - Parameter isUrgent: whether another process is waited for past the deadline too.
  func update(isUrgent: Bool = false, _ body: (inout Contents) throws -> Void) throws {
    try makeFolder()
    try withLock(isUrgent: isUrgent) {
      // Whoever wrote this did not get to the end.
      unlink(newPath)
      let old = try read()
      var contents = old
      try body(&contents)
      if contents != old { try write(contents) }
    }
  }

  /// The error of another process that a change would have to wait for; nil for none.
  var holdUp: SecretError? {
    let lock = open(lockPath, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard lock >= 0 else { return nil }
    defer { close(lock) }
    guard flock(lock, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK,
      LockSignature.process(in: lock) != getpid()
    else { return nil }
    return busy(lock)
  }

  private var newPath: String { path + ".new" }
  private var lockPath: String { folder + "/credentials.lock" }

  // MARK: Writing

  private func write(_ contents: Contents) throws {
    if contents.isEmpty {
      guard unlink(path) == 0 || errno == ENOENT else { throw failure("removed") }
    } else {
      // Before anything is written, so that nobody reads it in between.
      try requirePrivate(folder, mode: "700") { stat(folder, &$0) }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(contents), save(data) else {
        let error = failure("written")
        unlink(newPath)
        throw error
      }
    }
    sync(folder)
  }

  /// False, with `errno`, where the data does not get to the disk.
  private func save(_ data: Data) -> Bool {
    let descriptor = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let isWritten = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return fsync(descriptor) == 0
    }
    let reason = errno
    guard close(descriptor) == 0, isWritten else {
      errno = isWritten ? errno : reason
      return false
    }
    return rename(newPath, path) == 0
  }

  /// Makes a rename durable.
  private func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  // MARK: The folder and its lock

  private func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw SecretError(
        .file, subject: folder, message: "the folder for credentials cannot be made",
        next: "check the permissions of the folder above it")
    }
  }

  private func withLock(isUrgent: Bool, _ body: () throws -> Void) throws {
    let lock = open(lockPath, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw failure("locked") }
    defer { close(lock) }
    let longest = ContinuousClock.now + Self.longestWait
    let end = isUrgent ? longest : min(longest, deadline ?? longest)
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("locked") }
      guard ContinuousClock.now < end else { throw busy(lock) }
      usleep(5_000)
    }
    LockSignature.write(to: lock)
    defer { LockSignature.remove(from: lock) }
    try body()
  }

  // MARK: Failures

  private func requirePrivate(_ path: String, mode: String, _ look: (inout stat) -> Int32) throws {
    var status = stat()
    guard look(&status) == 0 else { throw failure("read") }
    guard status.st_uid == geteuid() else {
      throw SecretError(
        .permissions, subject: path, message: "it belongs to somebody else",
        next: "take it away, or make it yours with chown")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw SecretError(
        .permissions, subject: path, message: "others may read it, and it is for credentials",
        next: "run: chmod \(mode) '\(path)'")
    }
  }

  private func busy(_ lock: Int32) -> SecretError {
    let holder = LockSignature.process(in: lock).map { "Telex (process \($0))" } ?? "process"
    return SecretError(
      .busy, subject: path, message: "another \(holder) keeps the credentials to itself",
      next: "see whether it hangs or was stopped")
  }

  private func failure(_ verb: String) -> SecretError {
    let reason = String(cString: strerror(errno))
    return SecretError(
      .file, subject: path, message: "the file cannot be \(verb): \(reason)",
      next: "check the permissions of its folder and the space on the disk")
  }
}

extension CredentialFile {
  /// Secrets by name, and the removals that the keyring has missed.
  struct Contents: Equatable {
    var secrets: [SecretName: Secret] = [:]
    private(set) var removed: Set<SecretName> = []

    var isEmpty: Bool { secrets.isEmpty && removed.isEmpty }

    mutating func remove(_ name: SecretName, isKeptInMind: Bool) {
      secrets[name] = nil
      if isKeptInMind { removed.insert(name) }
    }
  }
}

extension CredentialFile.Contents: Codable {
  private struct Entry: Codable {
    var origin: String
    var account: String
    var kind: SecretName.Kind
    var secret: String
  }

  private enum Key: String, CodingKey { case version, secrets, removed }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard try container.decode(Int.self, forKey: .version) == 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "a version that is not known")
    }
    for entry in try container.decode([Entry].self, forKey: .secrets) {
      let name = try SecretName(origin: entry.origin, account: entry.account, kind: entry.kind)
      secrets[name] = Secret(entry.secret)
    }
    removed = Set(try container.decodeIfPresent([SecretName].self, forKey: .removed) ?? [])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(1, forKey: .version)
    let order = { (name: SecretName) in "\(name.origin) \(name.account) \(name.kind)" }
    let entries = secrets.sorted { order($0.key) < order($1.key) }.map { name, secret in
      Entry(origin: name.origin, account: name.account, kind: name.kind, secret: secret.text)
    }
    try container.encode(entries, forKey: .secrets)
    if !removed.isEmpty {
      try container.encode(removed.sorted { order($0) < order($1) }, forKey: .removed)
    }
  }
}
