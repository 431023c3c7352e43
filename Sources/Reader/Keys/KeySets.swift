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

  /// The default keys of newsboat. Other commands have keys that newsboat leaves free: its users press theirs without
  /// looking.
  private static let newsboat: [String: [KeyEvent]] = [
    "open": [.enter, .right], "first": [.home], "last": [.end],
    "page-down": [.pageDown, .character(" ")], "page-up": [.pageUp, .character("b")],
    "next-unread": plain("n"), "previous-unread": plain("p"),
    "next-article": plain("J"), "previous-article": plain("K"),
    "next-unread-feed": control("n") + plain(")"),
    "previous-unread-feed": control("p") + plain("("),
    "random-unread": control("k") + plain("~"), "jump": [.function(3)] + plain("t", ";"),
    "toggle-read": plain("N"), "mark-all-read": plain("A"), "mark-all-feeds-read": plain("C"),
    "delete-article": plain("D") + [.delete], "tag": control("e"),
    "toggle-unread-only": plain("l"), "list.change-order": plain("g", "G"),
    "change-feed-order": plain("g", "G"), "sidebar.change-order": [],
    "keep-both": plain("2"), "keep-theirs": plain("1"),
    "limit": plain("F", "&"), "clear-limit": control("f"),
    "open-in-browser": plain("o"), "open-in-browser-and-mark-read": plain("O"),
    "show-addresses": plain("u"), "link-hints": plain("#", "f"),
    "download": plain("e"), "save-for-later": control("b"), "save": plain("s"),
    "refresh": plain("r") + [.function(5)], "refresh-all": plain("R"),
    "search": plain("/", "\\"), "article.search": plain("\\"), "find": plain("/"),
    // Of Telex alone.
    "undo": plain("U"), "redo": plain("Z"), "toggle-star": control("s"),
    "open-comments": plain("c"), "full-text": plain("M"), "queue-file": plain("+"),
    "queue": control("a"), "outbox": control("w"), "trip": plain("B"),
    "add-folder": plain("m"), "palette": [.function(2)],
  ]
}
