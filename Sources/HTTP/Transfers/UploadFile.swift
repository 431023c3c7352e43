internal import Foundation

/// Version of a file on this machine.
package struct FileVersion: Hashable, Sendable, Codable {
  /// Bytes.
  package var size: Int64
  /// When it was last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// Another one where a program has replaced the file.
  package var inode: UInt64
}

/// File that is sent, read piece by piece.
///
/// The caller closes it. Reading blocks the calling thread.
package struct UploadFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `HTTPError` of kind `disk` where there is no regular file that this user may read.
  package init(_ path: String) throws {
    self.path = path
    // A pipe would block until somebody writes to it.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(errno, path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Foundation.close(descriptor)
      throw HTTPError(.disk, "\(path) is not a file.", detail: path)
    }
  }

  package func close() { Foundation.close(descriptor) }

  /// The version of the file that the path names now; it is another one too where the path names another
  /// file than the one that is open.
  package func version() throws -> FileVersion {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.failure(errno, path) }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return FileVersion(
      size: Int64(status.st_size),
      modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
      inode: UInt64(status.st_ino))
  }

  /// The bytes from an offset on; fewer than asked for only at the end of the file.
  package func read(at offset: Int64, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      while filled < count {
        let got = pread(
          descriptor, space.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw Self.failure(errno, path) }
        if got == 0 { break }
        filled += got
      }
    }
  }

  private static func failure(_ code: Int32, _ path: String) -> HTTPError {
    HTTPError(.disk, "\(path) cannot be read: \(String(cString: strerror(code))).", detail: path)
  }
}
