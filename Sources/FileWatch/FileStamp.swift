internal import Foundation

/// By what a file that has changed is known: which file it is, its size, and when it was written. That of a folder changes
/// when a file in it comes or goes.
package struct FileStamp: Hashable, Sendable {
  /// Nothing where there is no file.
  private var values: [Int64] = []

  package init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    values = [
      Int64(status.st_ino), Int64(status.st_size), Int64(modified.tv_sec), Int64(modified.tv_nsec),
    ]
  }
}
