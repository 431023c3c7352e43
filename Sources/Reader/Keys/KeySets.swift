internal import Screen

/// The built-in sets of keys, as far as they differ from the tables of the screens, which are those of vi. A key that a
/// set gives to a command is taken from the command that the tables give it to.
enum KeySets {
  static func keys(of set: String) -> [String: [KeySequence]] {
    let keys =
      switch set {
      case "emacs": emacs
      case "newsboat": newsboat
      default: [String: [KeyEvent]]()
      }
    return keys.mapValues { $0.map { KeySequence($0) } }
  }

  private static func control(_ letters: Character...) -> [KeyEvent] {
    letters.map { .control($0) }
  }
  private static func plain(_ letters: Character...) -> [KeyEvent] {
    letters.map { .character($0) }
  }

  /// The motions of Emacs, and the letters of Elfeed.
  private static let emacs: [String: [KeyEvent]] = [
    "down": control("n") + [.down], "up": control("p") + [.up],
    "page-down": control("v") + [.pageDown, .character(" ")],
    "page-up": [.pageUp, .backspace, .character("<")],
    "half-down": [], "half-up": [],
    "first": [.home], "last": [.end, .character(">")],
    "open": [.enter, .right] + control("f"),
    "back": [.left, .escape] + control("b", "g"),
    "next-unread": plain("n"), "next-article": plain("N"), "previous-article": plain("p"),
    "toggle-read": plain("u"), "toggle-star": plain("m"), "tag": plain("+"),
    "undo": control("_") + plain("U"), "toggle-unread-only": plain("s"),
    "open-in-browser": plain("b"), "refresh": plain("g") + [.function(5)],
    "refresh-all": plain("G"), "search": control("s") + plain("/", "\\"),
    "article.search": plain("\\"), "add-feed": plain("a"),
    "previous-unread": plain("P"), "save-link": plain("K"), "find": control("s") + plain("/"),
    "help": plain("?", "h"), "grow-pane": plain("}"), "shrink-pane": plain("{"),
    "queue-file": plain("e"), "queue": plain("E"), "skim": plain("K"),
    "jump-back": plain("l"), "save": control("x"),
    "mark-above-read": plain("["), "mark-below-read": plain("]"),
  ]

  /// Those that newsboat has by default, for what Telex does too.
  private static let newsboat: [String: [KeyEvent]] = [
    "open": [.enter, .right],
    "next-unread": plain("n"), "next-article": plain("J"), "previous-article": plain("K"),
    "toggle-read": plain("N"), "toggle-star": control("e"), "tag": control("t"),
    "toggle-unread-only": plain("l"), "open-in-browser": plain("o"), "download": plain("e"),
    "save-for-later": control("b"), "save": plain("s"),
    "mark-all-read": plain("A"), "refresh": plain("r"), "refresh-all": plain("R"),
    "search": plain("/", "\\"), "article.search": plain("\\"), "previous-unread": plain("p"),
    "find": plain("/"), "full-text": plain("$"), "limit": plain("F", "&"), "queue-file": plain("+"),
    "add-folder": plain("m"), "next-unread-feed": control("n") + plain(")"),
    "random-unread": control("k") + plain("~"), "trip": plain("D"),
  ]
}
