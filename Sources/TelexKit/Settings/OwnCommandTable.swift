internal import TOMLKit

extension ScreenSettings {
  /// Reads the keys of a command, or of the commands of a screen. Mistakes are shown on the screen.
  mutating func take(
    keys name: String, _ value: any TOMLValueConvertible, _ reader: TableReader
  ) throws {
    if name == "set" {
      guard let set = value.string, ["vi", "emacs", "newsboat"].contains(set) else {
        throw SettingMistake(
          message: "this must be one of: vi, emacs, newsboat", next: "correct the line")
      }
      keySet = set
      return
    }
    func keys(of command: String, _ value: any TOMLValueConvertible, _ path: [String]) -> Keys {
      let keys = value.string.map { [$0] } ?? value.array?.map { $0.string ?? "" } ?? [""]
      return Keys(command: command, keys: keys, place: reader.text(of: reader.place(of: path)))
    }
    guard let screen = value.table else {
      return self.keys.append(keys(of: name, value, ["keys", name]))
    }
    for (command, value) in screen {
      self.keys.append(keys(of: "\(name).\(command)", value, ["keys", name, command]))
    }
  }

  /// Reads the commands of an event. Mistakes are noted and do not keep the reader from starting.
  mutating func take(
    event name: String, _ value: any TOMLValueConvertible, _ reader: TableReader
  ) {
    let place = reader.text(of: reader.place(of: ["events", name]))
    events.place = events.place.isEmpty ? place : events.place
    func note(_ message: String) {
      mistakes.append(Mistake(place: place, message: "events.\(name) \(message)"))
    }
    let texts = Self.texts(value)
    switch (name, texts) {
    case ("on_start", let texts?): events.onStart = texts
    case ("on_refresh", let texts?): events.onRefresh = texts
    case ("on_new", let texts?): events.onNew.append(NewRule(run: texts))
    case ("on_new", nil):
      let tables = value.table.map { [$0] } ?? value.array?.compactMap(\.table) ?? []
      if tables.isEmpty { note("must be a list of commands, or tables with query, notify and run") }
      for (index, table) in tables.enumerated() {
        events.onNew.append(rule(table, at: index, reader))
      }
    case ("on_start", nil), ("on_refresh", nil): note("must be a list of commands")
    default: note("is not an event; the events are on_start, on_refresh and on_new")
    }
  }

  private mutating func rule(_ table: TOMLTable, at index: Int, _ reader: TableReader) -> NewRule {
    var rule = NewRule()
    for (key, value) in table {
      let place = reader.text(of: reader.place(of: key, inList: "events.on_new", at: index))
      switch key {
      case "query" where value.string != nil: (rule.query, rule.queryPlace) = (value.string, place)
      case "notify" where value.string != nil:
        (rule.notify, rule.notifyPlace) = (value.string, place)
      case "run" where Self.texts(value) != nil: rule.run = Self.texts(value) ?? []
      default:
        let message = "has a \(key) that is not one of: query and notify as strings, run as a list"
        mistakes.append(Mistake(place: place, message: "events.on_new \(message)"))
      }
    }
    return rule
  }

  /// A text, or a list of texts; nil for anything else.
  private static func texts(_ value: any TOMLValueConvertible) -> [String]? {
    if let text = value.string { return [text] }
    guard let array = value.array else { return nil }
    let texts = array.compactMap(\.string)
    return texts.count == array.count ? texts : nil
  }
}

extension ScreenSettings {
  /// Reads the table of a command of the user's own. Mistakes are noted and do not keep the reader
  /// from starting.
  mutating func take(
    own name: String, _ value: any TOMLValueConvertible, isProgram: Bool, _ reader: TableReader
  ) {
    let path = [isProgram ? "commands" : "macros", name]
    func place(_ path: [String]) -> Place { reader.text(of: reader.place(of: path)) }
    guard let table = value.table else {
      let message = "write it as a table: [\(path.joined(separator: "."))]"
      mistakes.append(Mistake(place: place(path), message: message))
      return
    }
    var command = OwnCommand(name: name, words: [], isProgram: isProgram, place: place(path))
    for (key, value) in table {
      let here = place(path + [key])
      let texts = value.string.map { [$0] } ?? value.array?.map { $0.string ?? "" }
      switch (key, texts) {
      case ("keys", let texts?):
        keys.append(Keys(command: name, keys: texts, place: here, owner: command.place))
      case ("run", let texts?) where !texts.isEmpty: command.words = texts
      case ("help", _) where value.string != nil: command.help = value.string
      case ("input", _) where isProgram && value.string != nil: command.input = value.string
      case ("output", _) where isProgram && value.string != nil: command.output = value.string
      default:
        let known = ["keys", "run", "help"] + (isProgram ? ["input", "output"] : [])
        let message =
          known.contains(key)
          ? "must be a string or a list of strings"
          : "is not a setting; the settings here are \(known.joined(separator: ", "))"
        mistakes.append(Mistake(place: here, message: "\(name).\(key) \(message)"))
      }
    }
    ownCommands.append(command)
  }
}
