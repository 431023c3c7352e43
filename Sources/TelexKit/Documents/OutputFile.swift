internal import Foundation
internal import News

/// File that is written under another name and renamed when it is whole. Pipes and the like are
/// written to directly.
package struct OutputFile: ~Copyable {
  package let path: String
  /// Nil where the file itself is written to.
  private let draft: String?
  /// The final name: the target of a symbolic link.
  private let target: String
  private let replaces: Bool
  private let file: Int32
  private var isDone = false

  /// - Parameter replaces: whether it replaces an existing file.
  /// - Throws: `SourceError` where its folder takes no file.
  package init(_ path: String, replacing replaces: Bool) throws {
    (self.path, self.replaces) = (path, replaces)
    var info = stat()
    let isThere = replaces && stat(path, &info) == 0
    guard !isThere || info.st_mode & S_IFMT == S_IFREG else {
      (draft, target) = (nil, path)
      file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw Self.failure(path, errno) }
      return
    }
    target = isThere ? Self.resolved(path) : path
    let name = ".telex-\(UInt64.random(in: 0...(.max))).part"
    let draft = URL(filePath: target).deletingLastPathComponent().appending(path: name)
      .path(percentEncoded: false)
    self.draft = draft
    file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw Self.failure(path, errno) }
    // Others may read it as they could before.
    if isThere { fchmod(file, info.st_mode & 0o777) }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  deinit {
    close(file)
    if !isDone, let draft { unlink(draft) }
  }

  /// - Throws: `SourceError` where the disk is full, for one.
  package func write(_ bytes: [UInt8]) throws {
    guard bytes.withUnsafeBytes({ StoredFile.write(all: $0, to: file) }) else {
      throw Self.failure(path, errno)
    }
  }

  /// Renames the draft to the file.
  package mutating func finish() throws {
    guard fsync(file) == 0 || errno == EINVAL || errno == EROFS else {
      throw Self.failure(path, errno)
    }
    guard let draft else { return }
    if !replaces {
      // In one step, unlike a look before a renaming; not all disks have links.
      if link(draft, target) == 0 { return }
      guard errno != EEXIST, access(target, F_OK) != 0 else { throw Self.failure(path, EEXIST) }
    }
    guard rename(draft, target) == 0 else { throw Self.failure(path, errno) }
    isDone = true
  }

  /// Writes a new file.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    var file = try OutputFile(path, replacing: false)
    try file.write(bytes)
    try file.finish()
  }

  private static func failure(_ path: String, _ code: Int32) -> SourceError {
    let isThere = code == EEXIST
    return SourceError(
      .file, stage: .config, subject: path,
      message: isThere
        ? "there is such a file already"
        : "the file cannot be written: \(String(cString: strerror(code)))",
      next: isThere ? "choose another name" : "choose another place")
  }
}
