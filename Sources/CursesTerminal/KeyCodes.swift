internal import CNcurses
internal import Screen

/// The keys that ncurses and the common escape sequences name.
enum KeyCodes {
  /// Keys that ncurses recognised by the terminal's description.
  static func key(forCurses code: Int32) -> KeyEvent? {
    if let key = curses[code] { return key }
    // KEY_F0 is followed by room for 63 function keys.
    if (KEY_F0 + 1...KEY_F0 + 63).contains(code) { return .function(Int(code - KEY_F0)) }
    return nil
  }

  /// `CSI … final` and `SS3 final`, for terminals that do not keep to their description. Modifiers
  /// are left out of account.
  static func key(forFinal final: UInt8, parameter: Int) -> KeyEvent? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
    case UInt8(ascii: "~"): tilde[parameter]
    default: nil
    }
  }

  /// A key that is one byte: a control character or a printable ASCII character.
  static func key(forByte byte: UInt8) -> KeyEvent {
    switch byte {
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x08, 0x7F: .backspace
    case 0x00: .control(" ")
    // Control takes bits 5 and 6 off: 1 is "a", 28 is "\".
    case ..<0x1B: .control(Character(Unicode.Scalar(byte + 0x60)))
    case ..<0x20: .control(Character(Unicode.Scalar(byte + 0x40)))
    default: .character(Character(Unicode.Scalar(byte)))
    }
  }

  /// Keys of kitty's protocol, as terminals without it send them: with Alt the escape key goes before.
  ///
  /// - Parameter bytes: those between `CSI` and `u`: the number of the key, and of the letters that Shift and the usual
  ///   layout make of it; then modifiers.
  static func keys(forProtocol bytes: [UInt8]) -> [KeyEvent] {
    let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
        UInt32(String(decoding: $0, as: UTF8.self))
      }
    }
    guard let numbers = fields.first, let code = numbers[0] else { return [] }
    let modifiers = (fields.dropFirst().first?.first ?? nil).map { ($0 &- 1) & 0x3F } ?? 0
    // Super, Hyper and Meta make other keys.
    guard modifiers < 8 else { return [] }
    let (hasShift, hasControl) = (modifiers & 1 != 0, modifiers & 4 != 0)
    let shifted = hasShift && numbers.count > 1 ? numbers[1] ?? code : code
    let key: KeyEvent? =
      switch code {
      case 9: hasShift ? .backTab : .tab
      case 13: .enter
      case 27: .escape
      case 127: .backspace
      case 57376...57398: .function(Int(code) - 57363)
      case 57399...57408: .character(Character("\(code - 57399)"))
      case 57409...57427: keypad[Int(code) - 57409]
      case ..<32, 128..<160, 57344...63743: nil
      case _ where hasControl:
        control(shifted < 0x80 ? shifted : numbers.count > 2 ? numbers[2] ?? code : code)
      default: Unicode.Scalar(shifted).map { .character(Character($0)) }
      }
    guard let key else { return [] }
    return modifiers & 2 != 0 ? [.escape, key] : [key]
  }

  /// The key that Control makes of another one.
  private static func control(_ code: UInt32) -> KeyEvent? {
    switch code {
    case 0x20, 0x32: .control(" ")
    case 0x33...0x37: control(code + 0x28)
    case 0x2F: .control("_")
    case 0x38, 0x3F: .backspace
    case 0x5B, 0x7B: .escape
    case 0x40...0x7E: key(forByte: UInt8(code & 0x1F))
    case 0x21..<0x40: .character(Character(Unicode.Scalar(UInt8(code))))
    default: nil
    }
  }

  /// Keys of the keypad from the decimal point on.
  private static let keypad: [KeyEvent?] = [
    .character("."), .character("/"), .character("*"), .character("-"), .character("+"), .enter,
    .character("="), .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home, .end,
    nil, .delete, nil,
  ]

  private static let curses: [Int32: KeyEvent] = [
    KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
    KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_HOME: .home, KEY_END: .end,
    KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end, KEY_C3: .pageDown,
    KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_ENTER: .enter, KEY_BTAB: .backTab,
  ]

  private static let tilde: [Int: KeyEvent] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12),
  ]
}
