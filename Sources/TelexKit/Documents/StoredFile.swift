package import Foundation
package import News

/// Files that a program keeps for the next one, and reads before it writes them anew.
package enum StoredFile {
  /// What is in a file; nil only where there is none. A file that is there and cannot be read must not be taken for
  /// an empty one: what it holds would be gone with the next writing.
  ///
  /// Blocks.
  ///
  /// - Parameter purpose: what the file is, for the error.
  /// - Throws: `SourceError` of stage `.store`.
  package static func contents(of path: String, purpose: String) throws(SourceError) -> Data? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path, purpose)
    }
    defer { close(file) }
    var data = Data()
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, purpose) }
      guard count > 0 else { return data }
      data.append(contentsOf: bytes[..<count])
    }
  }

  private static func failure(_ path: String, _ purpose: String) -> SourceError {
    SourceError(
      .file, stage: .store, subject: path,
      message: "\(purpose) cannot be read: \(String(cString: strerror(errno)))",
      next: "nothing has changed; check the permissions of the file and its disk, then try again")
  }
}
