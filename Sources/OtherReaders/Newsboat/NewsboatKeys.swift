internal import Text

/// Telex's names of newsboat's keys and operations.
enum NewsboatKeys {
  static func name(of key: String) -> String? {
    if let known = named[key.uppercased()], key.count > 1 { return known }
    if key.count == 2, key.hasPrefix("^"), let letter = key.last, letter.isASCII, letter.isLetter {
      return "Ctrl-\(letter.lowercased())"
    }
    if key.count > 1, let number = Int(key.dropFirst()), key.uppercased().hasPrefix("F"),
      (1...12).contains(number)
    {
      return "F\(number)"
    }
    return key.count == 1 && PlainText.sanitized(key) == key ? key : nil
  }

  private static let named = [
    "ENTER": "Enter", "SPACE": "Space", "ESC": "Esc", "TAB": "Tab", "UP": "Up", "DOWN": "Down",
    "LEFT": "Left", "RIGHT": "Right", "HOME": "Home", "END": "End", "PPAGE": "PgUp",
    "PAGEUP": "PgUp", "NPAGE": "PgDn", "PAGEDOWN": "PgDn", "BACKSPACE": "Backspace",
    "DELETE": "Del",
  ]

  /// - Parameter dialog: the dialog of the key; empty for all.
  static func command(of operation: String, in dialog: String) -> String? {
    if dialog == "feedlist", ["sort", "rev-sort"].contains(operation) {
      return "change-feed-order"
    }
    return commands[operation]
  }

  private static let commands = [
    "open": "open", "quit": "leave", "hard-quit": "quit", "reload": "refresh",
    "reload-all": "refresh-all", "mark-feed-read": "mark-all-read",
    "mark-all-feeds-read": "mark-all-feeds-read", "save": "save",
    "next-unread": "next-unread", "prev-unread": "previous-unread", "next": "next-article",
    "prev": "previous-article", "toggle-article-read": "toggle-read",
    "open-in-browser": "open-in-browser", "open-in-browser-noninteractively": "open-in-background",
    "open-in-browser-and-mark-read": "open-in-browser-and-mark-read",
    "toggle-show-read-feeds": "toggle-unread-only", "show-urls": "show-addresses",
    "goto-url": "link-hints", "edit-flags": "tag", "pipe-to": "pipe", "open-search": "search",
    "delete-article": "delete-article", "sort": "change-order", "rev-sort": "change-order",
    "set-tag": "jump", "enqueue": "download", "help": "help", "up": "up", "down": "down",
    "pageup": "page-up", "pagedown": "page-down", "halfpageup": "half-up",
    "halfpagedown": "half-down",
    "home": "first", "end": "last", "redraw": "redraw", "cmdline": "command-line",
    "next-unread-feed": "next-unread-feed", "prev-unread-feed": "previous-unread-feed",
    "random-unread": "random-unread", "mark-all-above-as-read": "mark-above-read",
    "set-filter": "limit", "clear-filter": "clear-limit",
  ]

  /// Nil if Telex has no such screen.
  static func table(of dialog: String) -> String? {
    switch dialog {
    case "all", "": "[keys]"
    case "feedlist": "[keys.sidebar]"
    case "articlelist": "[keys.list]"
    case "article": "[keys.article]"
    case "help": "[keys.help]"
    default: nil
    }
  }
}
