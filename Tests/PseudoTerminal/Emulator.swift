internal import CVTerm
internal import Synchronization

/// The emulation, shared by the reader and the test.
final class SharedEmulator: Sendable {
  private let emulator: Mutex<Emulator>

  init(width: Int, height: Int) {
    emulator = Mutex(Emulator(width: width, height: height))
  }

  func locked<Result: Sendable>(_ body: (Emulator) -> Result) -> Result {
    emulator.withLock { body($0) }
  }

  /// What the terminal sends for an input.
  func encoded(_ input: (Emulator) -> Void) -> [UInt8] {
    emulator.withLock { emulator in
      input(emulator)
      return emulator.takeReplies()
    }
  }

  /// Whether the program and its children have let go of the line.
  var isEnded: Bool { locked { $0.isEnded } }

  /// Ends `readAll` soon, though there may be more to read.
  func abandon() { locked { $0.isEnded = true } }

  /// Takes over what the program writes, and answers what it asks of the terminal, until the line
  /// is closed.
  func readAll(from descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnded {
      if locked({ $0.takesNothing }) {
        usleep(1_000)
        continue
      }
      let count = telex_pty_read(descriptor, &buffer, buffer.count, 50)
      if count < 0 { return abandon() }
      if count == 0 { continue }
      let replies = encoded { $0.feed(buffer[..<count]) }
      _ = telex_pty_write(descriptor, replies, replies.count)
    }
  }
}

/// libvterm with its screen, used by one thread at a time.
final class Emulator {
  enum Button: Int32 {
    case left = 1
    case wheelUp = 4
    case wheelDown = 5
  }

  var isEnded = false { didSet { if isEnded { show(held.drain()) } } }
  /// The last megabyte of what the program wrote.
  private(set) var output: [UInt8] = []

  /// Whether nothing is read for now of what the program writes.
  var takesNothing = false

  /// What is answered instead of the emulation's own answers; nil leaves those.
  var answers: TerminalAnswers?

  private let terminal: OpaquePointer
  private let cells: OpaquePointer
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>
  private var width: Int
  private var height: Int
  private var replies: [UInt8] = []
  private var isCursorVisible = true
  private var isAlternateScreen = false
  private var held = SynchronizedUpdates()
  /// The last look at the screen, until something is written.
  private var lastScreen: ScreenText?

  private static let longestOutput = 1 << 20

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    terminal = vterm_new(Int32(height), Int32(width))
    vterm_set_utf8(terminal, 1)
    cells = vterm_obtain_screen(terminal)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: VTermScreenCallbacks())
    let user = Unmanaged.passUnretained(self).toOpaque()
    callbacks.pointee.settermprop = { property, value, user in
      guard let user, let value else { return 0 }
      let emulator = Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue()
      emulator.set(property, value.pointee.boolean != 0)
      return 1
    }
    vterm_screen_set_callbacks(cells, callbacks, user)
    vterm_output_set_callback(
      terminal,
      { bytes, count, user in
        guard let bytes, let user else { return }
        let emulator = Unmanaged<Emulator>.fromOpaque(user).takeUnretainedValue()
        emulator.replies += UnsafeRawBufferPointer(start: bytes, count: count)
      }, user)
    vterm_screen_enable_altscreen(cells, 1)
    vterm_screen_reset(cells, 1)
  }

  deinit {
    vterm_free(terminal)
    callbacks.deallocate()
  }

  func feed(_ bytes: ArraySlice<UInt8>) {
    output += bytes
    if output.count > Self.longestOutput {
      output.removeFirst(output.count - Self.longestOutput)
    }
    show(held.complete((answers?.shown(bytes) ?? Array(bytes))[...]))
    if let answers = answers?.take(bytes) { replies = answers }
  }

  private func show(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    lastScreen = nil
    bytes.withUnsafeBytes { raw in
      _ = raw.withMemoryRebound(to: CChar.self) {
        vterm_input_write(terminal, $0.baseAddress, $0.count)
      }
    }
  }

  func resize(width: Int, height: Int) {
    lastScreen = nil
    self.width = width
    self.height = height
    vterm_set_size(terminal, Int32(height), Int32(width))
  }

  func takeReplies() -> [UInt8] {
    defer { replies = [] }
    return replies
  }

  // MARK: - Input

  func press(_ key: Key) {
    switch key {
    case .character(let character):
      for scalar in character.unicodeScalars {
        vterm_keyboard_unichar(terminal, scalar.value, VTERM_MOD_NONE)
      }
    case .control(let character):
      for scalar in character.unicodeScalars {
        vterm_keyboard_unichar(terminal, scalar.value, VTERM_MOD_CTRL)
      }
    default:
      let (code, modifier) = key.code
      vterm_keyboard_key(terminal, code, modifier)
    }
  }

  func bracketPaste(begins: Bool) {
    if begins { vterm_keyboard_start_paste(terminal) } else { vterm_keyboard_end_paste(terminal) }
  }

  func click(_ button: Button, x: Int, y: Int) {
    vterm_mouse_move(terminal, Int32(y), Int32(x), VTERM_MOD_NONE)
    vterm_mouse_button(terminal, button.rawValue, true, VTERM_MOD_NONE)
    vterm_mouse_button(terminal, button.rawValue, false, VTERM_MOD_NONE)
  }

  // MARK: - Screen

  var screen: ScreenText {
    if let lastScreen { return lastScreen }
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    let rows = (0..<height).map { y in (0..<width).map { x in cell(x: x, y: y) } }
    let screen = ScreenText(
      width: width, rows: rows, cursor: (Int(position.col), Int(position.row)),
      isCursorVisible: isCursorVisible, isAlternateScreen: isAlternateScreen)
    lastScreen = screen
    return screen
  }

  private func cell(x: Int, y: Int) -> ScreenText.Cell {
    let flat = telex_vterm_cell_at(cells, Int32(x), Int32(y))
    var text = ""
    withUnsafeBytes(of: flat.scalars) { raw in
      for value in raw.bindMemory(to: UInt32.self).prefix(Int(flat.count)) {
        text.unicodeScalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
      }
    }
    return ScreenText.Cell(
      text: text.isEmpty && flat.width > 0 ? " " : text, width: Int(flat.width),
      isBold: flat.bold, isItalic: flat.italic, isUnderlined: flat.underline,
      isReversed: flat.reverse, foreground: ScreenText.Color(flat.foreground),
      background: ScreenText.Color(flat.background))
  }

  private func set(_ property: VTermProp, _ isOn: Bool) {
    switch property {
    case VTERM_PROP_CURSORVISIBLE: isCursorVisible = isOn
    case VTERM_PROP_ALTSCREEN: isAlternateScreen = isOn
    default: break
    }
  }
}
