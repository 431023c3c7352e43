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
  /// Whether mouse events are read.
  package var mouse = true
  /// The length of the longest line of an article, in columns.
  package var textWidth = 80
  /// Whether the user is asked before the program quits by a key.
  package var asksBeforeQuitting = false
  /// Whether feeds are refreshed automatically.
  package var refreshesByItself = true
  /// A program, with its arguments, that reads what is to be copied; nil for none.
  package var copyCommand: [String]?
  /// The command that opens web pages; nil for that of the system.
  package var browser: String?
  /// Whether that command draws on the terminal of the reader.
  package var browserUsesTerminal = false

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
  }

  /// The defaults.
  package init() {}
}
