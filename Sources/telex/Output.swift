internal import Foundation
internal import News

/// Standard output and standard error.
enum Output {
  /// A line of the result, written at once: who reads it may stop in the middle.
  static func line(_ text: String) {
    write(text + "\n", to: STDOUT_FILENO)
  }

  /// Text that brings its own line ends.
  static func print(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  static func line(_ value: JSONValue) {
    value.writeLine { write($0, to: STDOUT_FILENO) }
  }

  static func complain(_ error: SourceError) {
    complain("telex: \(error.stage.rawValue): \(error.line)")
  }

  static func complain(_ text: String) {
    write(text + "\n", to: STDERR_FILENO)
  }

  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of a line on standard output; 80 where it is no terminal, and never very many.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(Int(size.ws_col), 100)
  }

  static var hasColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
      && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// A bar on standard error that is drawn over itself; nothing where nobody looks.
  static func progress(done: Int, total: Int, failed: Int) {
    guard showsProgress, total > 0 else { return }
    let cells = 24
    let filled = min(cells, done * cells / total)
    let bar =
      String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
    let failures = failed > 0 ? " · \(failed) failed" : ""
    write("\r\u{1B}[K\(bar) \(done)/\(total)\(failures)", to: STDERR_FILENO)
  }

  /// How far something has come whose end is not known; drawn over itself.
  static func progress(_ text: String) {
    if showsProgress { write("\r\u{1B}[K\(text)", to: STDERR_FILENO) }
  }

  static func endProgress() {
    if showsProgress { write("\r\u{1B}[K", to: STDERR_FILENO) }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN:
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
          continue
        // Nobody reads any more: what a pager that was quit leaves behind.
        case EPIPE: _exit(0)
        default:
          // What is cut must not look complete.
          guard descriptor == STDOUT_FILENO else { return }
          complain(
            "telex: output: standard output cannot be written: \(String(cString: strerror(errno)))")
          _exit(1)
        }
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}
