internal import Foundation

enum StandardStreams {
  /// Opens closed streams (`telex list >&-`) on /dev/null. Otherwise the next file or connection
  /// would get the descriptor, and output would be written into it. Call before opening anything
  /// else.
  ///
  /// A closed standard output is opened for reading only: output that nobody gets is a failure, as
  /// on a full disk.
  static func open() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // `open` returns the lowest free descriptor; those below are open.
      guard Foundation.open("/dev/null", mode) == descriptor else { _exit(1) }
    }
  }
}
