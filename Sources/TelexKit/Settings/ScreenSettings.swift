package import News

/// Settings of a front end from `config.toml`, which TelexKit itself does not use.
package struct ScreenSettings: Hashable, Sendable {
  /// Brightness of the background of the terminal.
  package enum Background: String, Hashable, Sendable {
    case dark
    case light
  }

  /// Nil where the terminal is to be asked.
  package var background: Background?
  /// Whether colours are used.
  package var colors = true
  /// Whether the window is named after the program and the number of unread articles.
  package var namesWindow = true
  /// Whether right-to-left text is put into the order of the screen by the reader.
  package var ordersText = true
  /// Whether mouse events are read.
  package var mouse = true
  /// The order of lists that were given no other.
  package var order = ListOrder.newest
  /// The length of the longest line of an article, in columns.
  package var textWidth = 80
  /// Names of columns of the list, in their order; nil for the default.
  package var columns: [String]?
  /// As for `strftime`; nil for the default.
  package var dateFormat: String?
  package var scrollMargin = 0
  /// Whether signs are of ASCII; nil where that depends on the terminal.
  package var usesAsciiSigns: Bool?
  /// Whether the selected article shows where there is room.
  package var previews = true
  /// For how long the selected article has to show, in seconds, to be marked as read; nil for ever.
  package var secondsUntilRead: Int?
  /// Whether the user is asked before the program quits by a key.
  package var asksBeforeQuitting = false
  /// Whether feeds are refreshed automatically.
  package var refreshesByItself = true
  /// A program, with its arguments, that reads what is to be copied; nil for none.
  package var copyCommand: [String]?
  /// The command that opens web pages; nil for that of the system.
  package var browser: String?
  /// Whether that command draws on the terminal of the reader; nil where its name tells.
  package var browserUsesTerminal: Bool?
  /// The program, with its arguments, that opens pages beside the reader; nil where `browser` does.
  package var backgroundBrowser: [String]?
  /// The program, with its arguments, that writes mail to the addresses of `mailto:` links; nil to open none.
  package var mailProgram: [String]?
  /// The program, with its arguments, that plays sounds and films; nil for that of the system.
  package var player: [String]?
  /// Whether it draws on the terminal of the reader.
  package var playerUsesTerminal = false

  /// The program, with its arguments, that reads aloud what it gets; nil for one that is installed.
  package var speechCommand: [String]?

  /// The name of a theme, and where it stands.
  package var theme: PlacedText?
  /// Themes of the user's own.
  package var themes: [ThemeTable] = []

  /// What is to stand out.
  package var highlights: [HighlightTable] = []

  package struct PlacedText: Hashable, Sendable {
    package var text: String
    /// As in `config.toml:12:3`.
    package var place: String
  }

  /// A style for what a pattern matches, as it was written.
  package struct HighlightTable: Hashable, Sendable {
    /// By what they are looked for in.
    package var patterns: [String: String] = [:]
    package var style: String?
    /// As in `config.toml:12:3`.
    package var place: String
  }

  /// A theme of the user's own, as it was written.
  package struct ThemeTable: Hashable, Sendable {
    package var name: String
    /// The theme that it changes; nil for the default.
    package var base: String?
    package var styles: [ThemeStyle] = []
    /// As in `config.toml:12:3`.
    package var place: String
  }

  package struct ThemeStyle: Hashable, Sendable {
    /// Of the screen.
    package var part: String
    package var words: String
    /// The background that it is for; nil for any.
    package var background: Background?
    /// As in `config.toml:12:3`.
    package var place: String
  }

  /// The name of the built-in set of keys.
  package var keySet = "vi"
  /// The keys of single commands, as they were written, and the place of each.
  package var keys: [Keys] = []

  /// What is done by itself.
  package var events = Events()

  package struct Events: Hashable, Sendable {
    /// The names of commands.
    package var onStart: [String] = []
    package var onRefresh: [String] = []
    package var onNew: [NewRule] = []
    /// As in `config.toml:12:3`.
    package var place = ""
  }

  package struct NewRule: Hashable, Sendable {
    package var query: String?
    /// As it was written.
    package var notify: String?
    /// Where the two stand, as in `config.toml:12:3`.
    package var queryPlace = ""
    package var notifyPlace = ""
    package var run: [String] = []
  }

  /// Commands of the user's own, by name.
  package var ownCommands: [OwnCommand] = []
  /// What is wrong with them, and where.
  package var mistakes: [Mistake] = []

  package struct Mistake: Hashable, Sendable {
    /// As in `config.toml:12:3`.
    package var place: String
    package var message: String
  }

  /// A command of the user's own: several commands, or a program with what it gets and gives.
  package struct OwnCommand: Hashable, Sendable {
    package var name: String
    package var help: String?
    /// Commands, or a program and its arguments.
    package var words: [String]
    package var isProgram: Bool
    /// As they were written; nil for the default.
    package var input: String?
    package var output: String?
    package var place: String
  }

  /// Keys of a command as they were written.
  package struct Keys: Hashable, Sendable {
    /// With the name of a screen and a dot before it, where it is for that one.
    package var command: String
    package var keys: [String]
    /// As in `config.toml:12:3`.
    package var place: String
    /// Where the command of the user's own is that they are a part of; nil for any other.
    package var owner: String?
  }

  /// The defaults.
  package init() {}
}
