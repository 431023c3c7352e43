internal import Foundation
internal import News

/// Small files that only their owner can read.
enum SmallFile {
  /// Replaces a file atomically. Errors leave it unchanged, and so does an unreadable file, since
  /// its lines are not in the text.
  static func write(_ text: String, to path: String) {
    let former = open(path, O_RDONLY | O_CLOEXEC)
    guard former >= 0 || errno == ENOENT else { return }
    if former >= 0 { close(former) }
    let draft = path + ".\(getpid())"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    let bytes = Array(text.utf8)
    let isWhole = Foundation.write(file, bytes, bytes.count) == bytes.count
    close(file)
    if !isWhole || rename(draft, path) != 0 { unlink(draft) }
  }

  /// Writes a text to a new file.
  ///
  /// - Throws: `SourceError` where the file exists or cannot be written; no file is left.
  static func create(_ text: String, at path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let bytes = Array(text.utf8)
    let isWhole = file >= 0 && Foundation.write(file, bytes, bytes.count) == bytes.count
    let code = errno
    if file >= 0 { close(file) }
    guard isWhole else {
      if file >= 0 { unlink(path) }
      throw unwritten(path, code)
    }
  }

  static func unwritten(_ path: String, _ code: Int32) -> SourceError {
    SourceError(
      .file, stage: .config, subject: path,
      message: "the text cannot be written: \(String(cString: strerror(code)))")
  }
}
