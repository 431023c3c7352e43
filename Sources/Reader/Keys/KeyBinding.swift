import Screen

/// A row of a screen's table of keys, for the keys to work and for the help.
struct KeyBinding: Hashable, Sendable {
  var command: Command
  var keys: [KeySequence]
  var help: String
  /// The section of the help that lists it; nil for none.
  var topic: KeyTopic?
  /// Replaces the list of keys in the help, as in `1 … 9`.
  var range: String?

  init(
    _ command: Command, _ keys: [KeyEvent], _ help: String, _ topic: KeyTopic?, range: String? = nil
  ) {
    self.command = command
    self.keys = keys.map { KeySequence($0) }
    self.help = help
    self.topic = topic
    self.range = range
  }

  /// Whether a line of the help is this one too: for the same command, with some of its keys.
  func isListed(as line: KeyBinding) -> Bool {
    // The name first, which tells nearly all apart: this is asked for each pair of rows.
    command == line.command && help == line.help && topic == line.topic && range == line.range
      && (keys.allSatisfy(line.keys.contains) || line.keys.allSatisfy(keys.contains))
  }

  /// The keys as the help writes them.
  var keyNames: String {
    // A sequence has spaces of its own.
    let separator = keys.contains { $0.keys.count > 1 } ? ", " : " "
    return range ?? keys.map(KeyMap.name).joined(separator: separator)
  }
}

struct KeyTopic: Hashable, Sendable {
  let title: String

  init(_ title: String) { self.title = title }

  static let move = KeyTopic("Move")
  static let read = KeyTopic("Read")
  static let feeds = KeyTopic("Feeds")
  static let program = KeyTopic("Telex")
}
