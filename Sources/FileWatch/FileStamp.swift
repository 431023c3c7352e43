internal import Foundation

/// Identity, size and time of a file, which differ once it has changed. Those of a folder differ when a file in it
/// comes or goes.
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
