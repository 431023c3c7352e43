internal import CNcurses
internal import Screen
internal import Synchronization

/// The line to the terminal under ncurses: its modes, its size, and bytes that ncurses has no
/// function for.
enum TerminalLine {
  static let input: Int32 = 0
  static let output: Int32 = 1

  /// Keeps the name of the window on the terminal's stack of names, and takes it back from there.
  static let titleKept = "\u{1b}[22;2t"
  static let titleBack = "\u{1b}[23;2t"
  /// Bracketed paste, and mouse buttons with motions while one is held (mode 1002), with coordinates in decimal (SGR,
  /// mode 1006).
  static let pasteOn = "\u{1b}[?2004h"
  static let pasteOff = "\u{1b}[?2004l"
  static let mouseOn = "\u{1b}[?1002h\u{1b}[?1006h"
  static let mouseOff = "\u{1b}[?1006l\u{1b}[?1002l"

  /// Kitty's keyboard protocol: the question for it, the keys told apart (1) with the letters that Shift and another layout
  /// make of them (4), and back to what was before. The main screen and the other one have each their own.
  static let keysAsked = "\u{1b}[?u"
  static let keysOn = "\u{1b}[>5u"
  static let keysOff = "\u{1b}[<u"

  static let cursorShown = "\u{1b}[?25h"

  /// Synchronized updates (mode 2026): a terminal that knows them shows what stands between these
  /// at once, and never half a frame; others pass them over.
  static let updateBegins = "\u{1b}[?2026h"
  static let updateEnds = "\u{1b}[?2026l"

  /// Beyond this ncurses would take gigabytes for a size that no window has.
  private static let largest = Size(width: 2048, height: 1024)

  static var modes: termios {
    get {
      var modes = termios()
      tcgetattr(input, &modes)
      return modes
    }
    set {
      var modes = newValue
      tcsetattr(input, TCSADRAIN, &modes)
    }
  }

  /// The window's size; 80 × 24 where the kernel knows none, as on a serial line.
  static var size: Size {
    var width: Int32 = 0
    var height: Int32 = 0
    guard telex_window_size(output, &width, &height) else { return Size(width: 80, height: 24) }
    return Size(width: min(Int(width), largest.width), height: min(Int(height), largest.height))
  }

  /// The size of a cell in pixels; nil where the terminal does not tell it, or tells what no cell has.
  static var cell: Size? {
    var width: Int32 = 0
    var height: Int32 = 0
    let cells = size
    guard telex_window_pixels(output, &width, &height) else { return nil }
    return CellSize.of(window: Size(width: Int(width), height: Int(height)), cells: cells)
  }

  static var isHungUp: Bool { telex_is_hung_up(input) }

  /// Whether some bytes can be written without a wait.
  static var isWritable: Bool { telex_is_writable(output, 0) }

  /// Waits until the line takes something, or is gone. ncurses asks a line that does not wait for its
  /// terminal (`O_NONBLOCK`) again and again.
  static func waitUntilWritable() { _ = telex_is_writable(output, -1) }

  // MARK: - Writing

  private struct Writing {
    /// Whether the last write has ended within a sequence: the line took nothing more for a second, which happens only
    /// where it does not wait for the terminal (`O_NONBLOCK`).
    var isCut = false
    /// The file that a frame is gathered in.
    var frame: Int32?
  }

  private static let writing = Mutex(Writing())

  /// Step before a drawing.
  enum Mending {
    case nothing
    /// A sequence that was cut off is ended; what the terminal shows is not known.
    case mended
    /// The line takes nothing yet.
    case stalled
  }

  /// Ends a sequence that was cut off, waiting for the line up to a time, so that later bytes are no part of it.
  @discardableResult
  static func mend(waiting milliseconds: Int32 = 0) -> Mending {
    writing.withLock { writing in
      guard writing.isCut else { return .nothing }
      guard telex_is_writable(output, milliseconds), put(end, to: output) else { return .stalled }
      writing.isCut = false
      return .mended
    }
  }

  /// ST ends a string, and any other sequence.
  private static let end = Array("\u{1b}\\".utf8)

  /// Writes all of it. Nothing is written after what was cut off before `mend()`.
  static func write(_ bytes: [UInt8]) {
    writing.withLock { writing in
      if let frame = writing.frame {
        _ = put(bytes, to: frame)
      } else if !writing.isCut {
        writing.isCut = !put(bytes, to: output)
      }
    }
  }

  /// Makes what is written go to a file, and to the terminal again for nil.
  static func gather(in frame: Int32?) { writing.withLock { $0.frame = frame } }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// - Returns: whether the line has taken all of it, or is gone.
  private static func put(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      telex_write(descriptor, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
    }
  }
}
