internal import Foundation
internal import News
internal import TelexKit
internal import Text

/// Standard output and standard error: all output of the program but the reader's screen.
///
/// Control characters other than tabs and line ends, and bidirectional overrides and isolates, are
/// removed from text: they could control the terminal or reorder letters. JSON has them as `\u`
/// escapes. Escape sequences of Telex itself are written apart from texts.
enum Output {
  /// Writes a line at once: the reader of a pipe may stop after any line.
  static func line(_ text: String) {
    writeCleaned(text, end: "\n", to: STDOUT_FILENO)
  }

  /// Writes text that contains its line ends.
  static func print(_ text: String) {
    writeCleaned(text, to: STDOUT_FILENO)
  }

  static func lines(_ lines: [ColoredText], hasColors: Bool) {
    let text = lines.map { line in
      line.parts.map { text, color in
        let text = clean(text)
        guard hasColors, let color else { return text }
        return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
      }.joined()
    }
    write(text.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
  }

  static func line(_ value: JSONOutput) {
    value.writeLine { write($0, to: STDOUT_FILENO) }
  }

  /// Text that is safe for a terminal.
  static func clean(_ text: String) -> String { PlainText.sanitizedBlock(text) }

  static func complain(_ error: SourceError) {
    complain("telex: \(error.stage.rawValue): \(error.line)")
  }

  static func complain(_ text: String) {
    writeCleaned(text, end: "\n", to: STDERR_FILENO)
  }

  /// Writes a line to standard error at a terminal only.
  static func note(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { complain(text) }
  }

  /// Writes bytes unchanged.
  static func bytes(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
  }

  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// The width of standard output in columns, 100 at most; without a terminal `COLUMNS`, else 80.
  static var width: Int {
    if let columns = columns(of: STDOUT_FILENO) { return min(columns, 100) }
    return max(20, min(Environment["COLUMNS"].flatMap { Int($0) } ?? 80, 100))
  }

  /// The width of the terminal at standard output, in columns; nil without one.
  static var terminalWidth: Int? {
    isatty(STDOUT_FILENO) == 1 ? columns(of: STDOUT_FILENO, atLeast: 2) ?? 80 : nil
  }

  /// The width of the terminal at standard error, in columns; 80 without one.
  static var errorWidth: Int { columns(of: STDERR_FILENO, atLeast: 2) ?? 80 }

  private static func columns(of descriptor: Int32, atLeast least: Int = 1) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= least else { return nil }
    return Int(size.ws_col)
  }

  static var hasColors: Bool {
    isatty(STDOUT_FILENO) == 1 && Environment["TERM"] != "dumb"
      && (Environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Redraws a progress bar on standard error; nothing without a terminal.
  static func progress(done: Int, total: Int, failed: Int) {
    guard showsProgress, total > 0 else { return }
    let bar = bar(filled: min(24, done * 24 / total), of: 24)
    let failures = failed > 0 ? " · \(failed) failed" : ""
    progress("\(bar) \(done)/\(total)\(failures)")
  }

  static func bar(filled: Int, of cells: Int) -> String {
    String(repeating: "━", count: filled) + String(repeating: "─", count: cells - filled)
  }

  /// Redraws progress towards an unknown end.
  static func progress(_ text: String) {
    if showsProgress { write(startOfLine + clean(text), to: STDERR_FILENO) }
  }

  static func endProgress() {
    if showsProgress { write(startOfLine, to: STDERR_FILENO) }
  }

  /// Moves to the first column and clears the line.
  private static let startOfLine = "\r\u{1B}[K"

  /// All text is written here, so that none is left unclean.
  private static func writeCleaned(_ text: String, end: String = "", to descriptor: Int32) {
    write(clean(text) + end, to: descriptor)
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
        // The reader of the pipe has ended, such as a pager.
        case EPIPE: _exit(0)
        default:
          // Truncated output must not look complete.
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

struct ColoredText {
  /// SGR codes (ECMA-48, 8.3.117).
  enum Color: Int {
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  var parts: [(text: String, color: Color?)] = []

  init(_ text: String, _ color: Color? = nil) { parts = [(text, color)] }

  static func + (a: ColoredText, b: ColoredText) -> ColoredText {
    var sum = a
    sum.parts += b.parts
    return sum
  }
}
