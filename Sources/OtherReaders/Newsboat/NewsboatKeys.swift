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

  static let commands = [
    "open": "open", "quit": "leave", "hard-quit": "quit", "reload": "refresh",
    "reload-all": "refresh-all", "mark-feed-read": "mark-all-read",
    "mark-all-feeds-read": "mark-all-feeds-read", "save": "save",
    "next-unread": "next", "prev-unread": "previous", "next": "next-article",
    "prev": "previous-article", "toggle-article-read": "toggle-read",
    "open-in-browser": "open-in-browser", "open-in-browser-noninteractively": "open-in-background",
    "open-in-browser-and-mark-read": "open-in-browser-and-mark-read",
    "toggle-show-read-feeds": "hide-read", "show-urls": "show-addresses",
    "goto-url": "link-hints", "edit-flags": "tag", "pipe-to": "pipe", "open-search": "search",
    "delete-article": "remove", "sort": "sort", "rev-sort": "sort",
    "set-tag": "go-to", "enqueue": "download", "help": "help", "up": "up", "down": "down",
    "pageup": "page-up", "pagedown": "page-down", "halfpageup": "half-up",
    "halfpagedown": "half-down",
    "home": "first", "end": "last", "redraw": "redraw", "cmdline": "command-line",
    "next-unread-feed": "next-unread-feed", "prev-unread-feed": "previous-unread-feed",
    "random-unread": "random-unread", "mark-all-above-as-read": "mark-above-read",
    "set-filter": "filter", "clear-filter": "clear-filter",
  ]

  /// The dialogs whose keys have a place in Telex, but for those of all.
  static let dialogs: Set = ["feedlist", "articlelist", "article", "help"]
}
