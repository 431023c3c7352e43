internal import CVTerm

/// A key of the keyboard.
package enum Key: Hashable, Sendable {
  case character(Character)
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, pageUp, pageDown, home, end
  case function(Int)

  /// libvterm's name for a key that has no character.
  var code: (VTermKey, VTermModifier) {
    switch self {
    case .character, .control: (VTERM_KEY_NONE, VTERM_MOD_NONE)
    case .enter: (VTERM_KEY_ENTER, VTERM_MOD_NONE)
    case .escape: (VTERM_KEY_ESCAPE, VTERM_MOD_NONE)
    case .tab: (VTERM_KEY_TAB, VTERM_MOD_NONE)
    case .backTab: (VTERM_KEY_TAB, VTERM_MOD_SHIFT)
    case .backspace: (VTERM_KEY_BACKSPACE, VTERM_MOD_NONE)
    case .delete: (VTERM_KEY_DEL, VTERM_MOD_NONE)
    case .up: (VTERM_KEY_UP, VTERM_MOD_NONE)
    case .down: (VTERM_KEY_DOWN, VTERM_MOD_NONE)
    case .left: (VTERM_KEY_LEFT, VTERM_MOD_NONE)
    case .right: (VTERM_KEY_RIGHT, VTERM_MOD_NONE)
    case .pageUp: (VTERM_KEY_PAGEUP, VTERM_MOD_NONE)
    case .pageDown: (VTERM_KEY_PAGEDOWN, VTERM_MOD_NONE)
    case .home: (VTERM_KEY_HOME, VTERM_MOD_NONE)
    case .end: (VTERM_KEY_END, VTERM_MOD_NONE)
    case .function(let number):
      (VTermKey(VTERM_KEY_FUNCTION_0.rawValue + UInt32(number)), VTERM_MOD_NONE)
    }
  }
}

/// Where the wheel of the mouse is turned.
package enum WheelDirection: Hashable, Sendable {
  case up
  case down
}
