internal import Foundation
internal import News

/// A file of this machine, or standard input, read once from its beginning to its end.
package struct InputFile {
  /// `-` for standard input.
  package let path: String
  /// Bytes of the largest file that is read.
  package let limit: Int
  /// What to do about a larger one.
  package let adviceWhenLarger: String?

  package init(path: String, limit: Int, adviceWhenLarger: String? = nil) {
    self.path = path
    self.limit = limit
    self.adviceWhenLarger = adviceWhenLarger
  }

  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { bytes += $0 }
    return bytes
  }

  /// Hands on the contents in pieces of a quarter of a megabyte, so that a large file is never in
  /// memory as a whole.
  ///
  /// - Throws: `SourceError`, and what the body throws.
  package func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor = try open()
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    var total = 0
    while true {
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure("the file cannot be read", "check the disk and its permissions")
      }
      total += count
      guard total <= limit else {
        throw SourceError(
          .tooLarge, stage: .fetch, subject: subject,
          message: "the file is larger than \(limit) bytes", next: adviceWhenLarger)
      }
      try body(piece[..<count])
    }
  }

  private var subject: String { path == "-" ? "standard input" : path }

  private func open() throws -> Int32 {
    guard path != "-" else { return STDIN_FILENO }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw failure("there is no such file", "check the path")
    }
    guard !isFolder.boolValue else { throw failure("this is a folder", "name a file") }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw failure("the file cannot be opened", "check its permissions")
    }
    return descriptor
  }

  private func failure(_ message: String, _ next: String) -> SourceError {
    SourceError(.file, stage: .fetch, subject: subject, message: message, next: next)
  }
}
