internal import Foundation
internal import News

/// Files of a few lines, for their owner alone.
enum SmallFile {
  /// Puts a text in the place of a file in one step. What cannot be written leaves the file as it is, and so does a file
  /// that is there and cannot be read: its lines are not in the text.
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
  /// - Throws: `SourceError` where there is a file already, or the text cannot be written; then no file is left.
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
