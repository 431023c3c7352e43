internal import Foundation

/// Files of a few lines that the reader keeps for the next one.
enum SmallFile {
  /// Puts a text in the place of a file in one step, for its owner alone. What cannot be written leaves the file as it
  /// is, and so does a file that is there and cannot be read: what it holds is not in the text.
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
}
