internal import Foundation
internal import News

/// A file that comes whole or not at all: it is written under another name beside its own, and renamed.
package struct OutputFile: ~Copyable {
  package let path: String
  private let draft: String
  private let file: Int32
  private var isDone = false

  /// - Throws: `SourceError` where its folder takes no file.
  package init(_ path: String) throws {
    self.path = path
    let url = URL(filePath: path)
    let name = ".\(url.lastPathComponent.prefix(100)).\(getpid()).part"
    draft = url.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
    file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw Self.failure(path, errno) }
  }

  deinit {
    close(file)
    if !isDone { unlink(draft) }
  }

  /// - Throws: `SourceError` where the disk is full, for one.
  package func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(file, rest.baseAddress, rest.count)
        if count < 0, errno != EINTR { throw Self.failure(path, errno) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }

  /// Gives the file its name.
  ///
  /// - Parameter replaces: whether it takes the place of a file that is there.
  /// - Throws: `SourceError`.
  package mutating func finish(replacing replaces: Bool) throws {
    guard fsync(file) == 0 || errno == EINVAL else { throw Self.failure(path, errno) }
    if !replaces {
      // In one step, unlike a look before a renaming; not all disks have links.
      if link(draft, path) == 0 { return }
      guard errno != EEXIST, access(path, F_OK) != 0 else { throw Self.failure(path, EEXIST) }
    }
    guard rename(draft, path) == 0 else { throw Self.failure(path, errno) }
    isDone = true
  }

  /// Writes a file that is not there yet.
  ///
  /// - Throws: `SourceError`.
  package static func write(_ bytes: [UInt8], to path: String) throws {
    var file = try OutputFile(path)
    try file.write(bytes)
    try file.finish(replacing: false)
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
