internal import Dispatch
internal import Foundation
internal import News

/// File of this device, or standard input, read once from beginning to end.
package struct InputFile: Sendable {
  /// `-` for standard input.
  package let path: String
  /// The size of the largest file that is read, in bytes.
  package let limit: Int
  /// The next step in the error about a larger file.
  package let adviceWhenLarger: String?
  /// Whether pipes and devices are refused: they may never end.
  package let isRegular: Bool

  package init(path: String, limit: Int, adviceWhenLarger: String? = nil, isRegular: Bool = false) {
    self.path = path
    self.limit = limit
    self.adviceWhenLarger = adviceWhenLarger
    self.isRegular = isRegular
  }

  /// - Throws: `SourceError`.
  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { bytes += $0 }
    return bytes
  }

  /// Reads in pieces of at most 256 KiB, so that a large file is never in memory as a whole.
  ///
  /// - Throws: `SourceError`, and what `body` throws.
  package func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor = try open(waits: !isRegular)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var piece = [UInt8](repeating: 0, count: 256 << 10)
    var total = 0
    while true {
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw unreadable
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

  var unreadable: SourceError {
    failure("the file cannot be read", "check the disk and its permissions")
  }

  /// - Parameter waits: whether opening and reading a pipe wait for a writer.
  func open(waits: Bool) throws -> Int32 {
    guard path != "-" else { return STDIN_FILENO }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? failure("there is no such file", "check the path")
        : failure("the file cannot be opened", "check its permissions")
    }
    var status = stat()
    fstat(descriptor, &status)
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR, !isRegular || kind == S_IFREG else {
      close(descriptor)
      throw kind == S_IFDIR
        ? failure("this is a folder", "name a file")
        : failure("this is not an ordinary file", "copy what it gives to a file")
    }
    return descriptor
  }

  private func failure(_ message: String, _ next: String) -> SourceError {
    SourceError(.file, stage: .fetch, subject: subject, message: message, next: next)
  }
}

/// Runs on a thread of Dispatch: a slow disk must not block Swift's pool of threads.
func onDisk<Value: Sendable>(
  _ quality: DispatchQoS.QoSClass = .utility, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { done in
    DispatchQueue.global(qos: quality).async { done.resume(with: Result { try body() }) }
  }
}
