/// A key as the terminal sent it.
package enum KeyEvent: Hashable, Sendable {
  case character(Character)
  /// A letter with Control held, lower case.
  case control(Character)
  case function(Int)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, pageUp, pageDown, home, end
}

/// A mouse event, with the cell it happened in.
package struct MouseEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case click, doubleClick, wheelUp, wheelDown
  }

  package var kind: Kind
  package var x: Int
  package var y: Int

  package init(_ kind: Kind, x: Int, y: Int) {
    self.kind = kind
    self.x = x
    self.y = y
  }
}

/// Motion of the mouse with its button held since a click.
package struct MouseDrag: Hashable, Sendable {
  package var x: Int
  package var y: Int
  /// Whether the button was released here.
  package var isOver: Bool

  package init(x: Int, y: Int, isOver: Bool = false) {
    self.x = x
    self.y = y
    self.isOver = isOver
  }
}

/// Event from the terminal.
package enum InputEvent: Hashable, Sendable {
  case key(KeyEvent)
  case mouse(MouseEvent)
  case drag(MouseDrag)
  /// A bracketed paste, control characters already taken out.
  case paste(String)
  /// The answer to the question for the terminal's background, which may come late or never.
  case background(Background)
}
