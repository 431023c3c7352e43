/// Newsraft's keys and actions by the names that Telex has for them.
enum NewsraftKeys {
  /// The name of a key, which newsraft has as ncurses writes it; nil where there is none.
  static func name(of key: String) -> String? {
    if let known = named[key.uppercased()], key.count > 1 { return known }
    if key.count == 2, key.hasPrefix("^"), let letter = key.last, letter.isASCII, letter.isLetter {
      return "Ctrl-\(letter.lowercased())"
    }
    if let match = key.wholeMatch(of: #/KEY_F\(?(\d{1,2})\)?/#), let number = Int(match.1),
      (1...12).contains(number)
    {
      return "F\(number)"
    }
    return key.count == 1 ? key : nil
  }

  private static let named = [
    "SPACE": "Space", "ENTER": "Enter", "KEY_ENTER": "Enter", "^J": "Enter", "^M": "Enter",
    "TAB": "Tab", "^I": "Tab", "KEY_BTAB": "Shift-Tab", "ESCAPE": "Esc", "^[": "Esc",
    "BACKSPACE": "Backspace", "KEY_BACKSPACE": "Backspace", "^?": "Backspace", "KEY_DC": "Del",
    "KEY_UP": "Up", "KEY_DOWN": "Down", "KEY_LEFT": "Left", "KEY_RIGHT": "Right",
    "KEY_HOME": "Home", "KEY_END": "End", "KEY_PPAGE": "PgUp", "KEY_NPAGE": "PgDn",
  ]

  /// The command that does what an action does; nil where there is none. Read and unread are one command here, as are
  /// important and unimportant.
  static func command(of action: String) -> String? { commands[action] }

  private static let commands = [
    "select-next": "down", "select-prev": "up", "select-next-page": "page-down",
    "select-next-page-half": "half-down", "select-prev-page": "page-up",
    "select-prev-page-half": "half-up", "select-first": "first", "select-last": "last",
    "jump-to-next": "next-article", "jump-to-prev": "previous-article",
    "next-unread": "next-unread", "jump-to-next-unread": "next-unread",
    "prev-unread": "previous-unread", "jump-to-prev-unread": "previous-unread",
    "next-important": "next-starred", "jump-to-next-important": "next-starred",
    "prev-important": "previous-starred", "jump-to-prev-important": "previous-starred",
    "goto-feed": "go-to-feed", "enter": "open", "reload": "refresh", "reload-all": "refresh-all",
    "read": "toggle-read", "mark-read": "toggle-read", "unread": "toggle-read",
    "mark-unread": "toggle-read", "toggle-read": "toggle-read", "read-all": "mark-all-read",
    "mark-read-all": "mark-all-read", "important": "toggle-star", "mark-important": "toggle-star",
    "unimportant": "toggle-star", "mark-unimportant": "toggle-star",
    "toggle-important": "toggle-star", "toggle-read-feeds": "toggle-unread-only",
    "toggle-hide-read-feeds": "toggle-unread-only", "toggle-read-items": "toggle-unread-only",
    "toggle-hide-read-items": "toggle-unread-only", "view-errors": "health",
    "status-history-menu": "health", "open-in-browser": "open-in-browser",
    "copy-to-clipboard": "copy-address", "start-search-input": "search", "return": "back",
    "navigate-back": "back", "quit": "leave", "quit-hard": "quit",
  ]

  /// Why there is no command for an action.
  static func reason(withoutCommandOf action: String) -> String {
    switch action {
    case "edit", "find": "queries and tags take the place of SQL: see telex smart and telex tag"
    case _ where action.hasPrefix("sort-by"): "change-order goes from one order to the next"
    case "mark-unread-all", "unread-all": "undo takes back that all were marked read"
    default: "there is no command that does \(action)"
    }
  }
}
