internal import Foundation

/// Standard input, output and error.
enum StandardStreams {
  /// Opens those that whoever started the program has closed (`telex list >&-`) on /dev/null. Without
  /// that the next file or connection to be opened gets their number, and what was meant for somebody to
  /// read is written into it. To be called before anything else is opened.
  static func open() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest number that is free: those below are open by now.
      guard Foundation.open("/dev/null", mode) == descriptor else { _exit(1) }
    }
  }
}
