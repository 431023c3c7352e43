internal import Screen

/// Keys that several screens share. The help lists each once.
extension KeyBinding {
  /// The keys of everything that scrolls.
  static let motions: [KeyBinding] = [
    KeyBinding(Command(.down), [.character("j"), .down], "down", .move),
    KeyBinding(Command(.up), [.character("k"), .up], "up; past the top, twice: refresh", .move),
    KeyBinding(
      Command(.pageDown), [.pageDown, .character(" "), .control("f")], "a page down", .move),
    KeyBinding(Command(.pageUp), [.pageUp, .character("b"), .control("b")], "a page up", .move),
    KeyBinding(Command(.halfDown), [.control("d")], "half a page down", .move),
    KeyBinding(Command(.halfUp), [.control("u")], "half a page up", .move),
    KeyBinding(Command(.first), [.character("g"), .home], "to the top", .move),
    KeyBinding(Command(.last), [.character("G"), .end], "to the end", .move),
  ]

  static let open = KeyBinding(.open, [.enter, .character("l"), .right], "open", .move)
  static let back = KeyBinding(.back, [.character("h"), .left, .escape], "back", .move)
  static let leave = KeyBinding(.leave, [.character("q")], "back; from the sidebar: quit", .move)

  static let removeFeed = KeyBinding(.removeFeed, [.character("d")], "remove the feed", .feeds)
  static let signIn = KeyBinding(
    .signIn, [.character("L")], "sign in at a server that asks for it", .feeds)

  /// The keys of the whole program.
  static let program: [KeyBinding] = [
    KeyBinding(.redraw, [.control("l")], "draw the screen again", .program),
    KeyBinding(.nextTheme, [.function(8)], "the next theme", .program),
    KeyBinding(.suspend, [.control("z")], "suspend; fg comes back", .program),
    KeyBinding(.quit, [.character("Q"), .control("c")], "quit", .program),
  ]
}
