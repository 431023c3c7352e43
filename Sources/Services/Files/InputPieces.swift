internal import Foundation

/// Contents of a file, read piece by piece on demand. Waiting for a disk or a pipe blocks no thread
/// of Swift's pool, and ends within 100 ms of the cancellation of the task.
package struct InputPieces: AsyncSequence, Sendable {
  package typealias Element = [UInt8]

  private let file: InputFile

  package init(of file: InputFile) { self.file = file }

  package func makeAsyncIterator() -> Iterator { Iterator(file) }

  /// Opens the file when the first piece is requested.
  package struct Iterator: AsyncIteratorProtocol {
    private let file: InputFile
    private var opened: OpenedFile?

    fileprivate init(_ file: InputFile) { self.file = file }

    package mutating func next() async throws -> [UInt8]? {
      let opened = try opened ?? OpenedFile(file)
      self.opened = opened
      while true {
        try Task.checkCancellation()
        if let piece = try await opened.piece() { return piece.isEmpty ? nil : piece }
      }
    }
  }
}

/// Open file, closed with the value.
private final class OpenedFile: Sendable {
  private static let pieceSize = 64 << 10
  /// The longest that a cancellation goes unnoticed, in milliseconds.
  private static let pollTime: Int32 = 100

  private let file: InputFile
  private let descriptor: Int32

  init(_ file: InputFile) throws {
    self.file = file
    descriptor = try file.open(waits: false)
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// Empty at the end, nil while no bytes are there yet.
  func piece() async throws -> [UInt8]? {
    try await onDisk(.default) { try self.readPiece() }
  }

  private func readPiece() throws -> [UInt8]? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Self.pollTime) > 0 else { return nil }
    var result = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { space, count in
      result = read(descriptor, space.baseAddress, space.count)
      count = max(0, result)
    }
    if result < 0 {
      if errno == EINTR || errno == EAGAIN { return nil }
      throw file.unreadable
    }
    return piece
  }
}
