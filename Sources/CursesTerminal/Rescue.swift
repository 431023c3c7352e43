internal import CNcurses

/// Gives the terminal back when the program crashes: after a trap no handler may call ncurses, so a
/// C handler writes the saved modes and a string that is kept for it, then lets the crash go on.
///
/// The handler's state lives in C, once for each file that calls its functions: this is the only
/// file that does.
@MainActor
enum Rescue {
  /// Ends an update of the screen, bracketed paste, the mouse, keypad mode and colours, shows the
  /// cursor, and leaves the alternate screen. For a crash nothing better is at hand than what every
  /// xterm understands.
  private static let leave =
    "\u{1b}[?2026l\u{1b}[?2004l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[?1l\u{1b}>\u{1b}(B\u{1b}[m\u{1b}[?1049l\u{1b}[?25h\r"

  /// Whether all pictures of kitty's graphics are taken away first, with what the terminal has kept of them.
  static var takesPictures = false { didSet { if takesPictures != oldValue { update() } } }

  /// The sequence that makes the terminal order letters again; empty where it was not told to leave them.
  static var order = "" { didSet { if order != oldValue { update() } } }

  /// Whether the terminal's keys are those of kitty's protocol.
  static var leavesKeys = false { didSet { if leavesKeys != oldValue { update() } } }

  private static func update() {
    let keys = leavesKeys ? TerminalLine.keysOff : ""
    let pictures = takesPictures ? "\u{1b}_Gm=0;\u{1b}\\\u{1b}_Ga=d,d=A,q=2\u{1b}\\" : ""
    telex_rescue_leave(kept(keys + pictures + order + leave))
  }

  /// A text for as long as the program lives. There are a few of these, and the handler may read any of them.
  private static func kept(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(memory)
  }

  /// Installs the handlers; they do nothing until the rescue is armed.
  static func install(modes: termios) {
    var modes = modes
    telex_rescue_install(TerminalLine.output, &modes, kept(leave))
  }

  /// Makes the rescue work on the calling thread even when its stack is full.
  ///
  /// On Linux the main actor is not bound to the main thread once `main` is asynchronous, and the
  /// stack for signals belongs to a thread: call this now and then.
  static func useOwnStack() { telex_rescue_use_stack() }

  /// Whether the terminal is ours to give back.
  static func arm(_ armed: Bool) { telex_rescue_arm(armed) }
}
