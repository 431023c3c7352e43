package import News

/// Settings of a front end from `config.toml`, which TelexKit itself does not use.
@dynamicMemberLookup
package struct ScreenSettings: Hashable, Sendable {
  /// A place in the file, as in `config.toml:12:3`.
  package typealias Place = String

  package var preferences = ReadingPreferences()

  package enum Background: String, Hashable, Sendable {
    case dark
    case light
  }

  /// Nil where the terminal is to be asked.
  package var background: Background?
  package var colors = true
  /// Whether the window is named after the program and the number of unread articles.
  package var namesWindow = true
  /// Whether right-to-left text is put into the order of the screen by the reader.
  package var ordersText = true
  package var mouse = true
  /// Whether the reader opens the list and the row where it was left, not All.
  package var opensWhereLeft = true
  /// The order of lists that were given no other.
  package var order = ListOrder.newest
  /// Whether signs are of ASCII; nil where that depends on the terminal.
  package var usesAsciiSigns: Bool?
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
  package var themes: [ThemeTable] = []

  package var highlights: [HighlightTable] = []

  package struct PlacedText: Hashable, Sendable {
    package var text: String
    package var place: Place
  }

  /// A style for what a pattern matches, as it was written.
  package struct HighlightTable: Hashable, Sendable {
    /// By what they are looked for in.
    package var patterns: [String: String] = [:]
    package var style: String?
    package var place: Place
  }

  /// A theme of the user's own, as it was written.
  package struct ThemeTable: Hashable, Sendable {
    package var name: String
    /// The theme that it changes; nil for the default.
    package var base: String?
    package var styles: [ThemeStyle] = []
    package var place: Place
  }

  package struct ThemeStyle: Hashable, Sendable {
    /// Of the screen.
    package var part: String
    package var words: String
    /// The background that it is for; nil for any.
    package var background: Background?
    package var place: Place
  }

  package var keySet = "vi"
  /// The keys of single commands, as they were written, and the place of each.
  package var keys: [Keys] = []

  package var events = Events()

  package struct Events: Hashable, Sendable {
    /// The names of commands.
    package var onStart: [String] = []
    package var onRefresh: [String] = []
    package var onNew: [NewRule] = []
    package var place: Place = ""
  }

  package struct NewRule: Hashable, Sendable {
    package var query: String?
    /// As it was written.
    package var notify: String?
    package var queryPlace: Place = ""
    package var notifyPlace: Place = ""
    package var run: [String] = []
  }

  package var ownCommands: [OwnCommand] = []
  /// What is wrong with them, and where.
  package var mistakes: [Mistake] = []

  package struct Mistake: Hashable, Sendable {
    package var place: Place
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
    package var place: Place
  }

  /// Keys of a command as they were written.
  package struct Keys: Hashable, Sendable {
    /// With the name of a screen and a dot before it, where it is for that one.
    package var command: String
    package var keys: [String]
    package var place: Place
    /// Where the command of the user's own is that they are a part of; nil for any other.
    package var owner: Place?
  }

  package init() {}

  package subscript<Value>(
    dynamicMember path: WritableKeyPath<ReadingPreferences, Value>
  ) -> Value {
    get { preferences[keyPath: path] }
    set { preferences[keyPath: path] = newValue }
  }
}
