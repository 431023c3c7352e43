internal import Foundation

/// The file that a download is written to, beside its target, until it is whole.
///
/// The caller closes it. Writing blocks the calling thread.
struct PartFile: Sendable {
  let path: String
  private let descriptor: Int32

  /// Opens a part that is there; nil where there is none. A link in its place is no part.
  init?(existing path: String) throws {
    descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    self.path = path
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw failure(errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Foundation.close(descriptor)
      throw failure(EINVAL)
    }
  }

  func close() { Foundation.close(descriptor) }

  /// The size in bytes.
  func size() throws -> Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    return Int64(status.st_size)
  }

  /// Cuts it, and goes on writing there.
  func cut(at offset: Int64) throws {
    guard ftruncate(descriptor, off_t(offset)) == 0,
      lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset)
    else { throw failure(errno) }
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
          if errno == EINTR { continue }
          throw failure(errno)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  private func failure(_ code: Int32) -> HTTPError { PartFile.failure(code, path: path) }

  static func failure(_ code: Int32, path: String) -> HTTPError {
    let folder = (path as NSString).deletingLastPathComponent
    let message =
      switch code {
      case ENOSPC, EDQUOT: "There is no room left in \(folder)."
      case EFBIG: "The file is larger than the disk of \(folder) takes."
      default: "A file in \(folder) cannot be written: \(String(cString: strerror(code)))."
      }
    return HTTPError(.disk, message, detail: path)
  }

  /// The bytes that this user may still write in a folder; nil where the system does not say.
  static func freeSpace(_ folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    let (bytes, isOver) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return isOver ? .max : bytes
  }
}
