internal import TOMLKit

extension ScreenSettings {
  /// Reads the table of a command of the user's own. What is wrong is noted and does not keep the reader shut.
  mutating func take(
    own name: String, _ value: any TOMLValueConvertible, isProgram: Bool, _ reader: TableReader
  ) {
    let path = [isProgram ? "commands" : "macros", name]
    func place(_ path: [String]) -> String {
      let (line, column) = reader.place(of: path)
      return "\(reader.subject):\(line):\(column)"
    }
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
      case ("keys", let texts?): keys.append(Keys(command: name, keys: texts, place: here))
      case ("run", let texts?) where !texts.isEmpty: command.words = texts
      case ("help", _) where value.string != nil: command.help = value.string
      case ("input", _) where isProgram && value.string != nil: command.input = value.string
      case ("output", _) where isProgram && value.string != nil: command.output = value.string
      default:
        let known = ["keys", "run", "help"] + (isProgram ? ["input", "output"] : [])
        let message =
          known.contains(key)
          ? "must be a text, or a list of texts"
          : "is no setting; there are \(known.joined(separator: ", "))"
        mistakes.append(Mistake(place: here, message: "\(name).\(key) \(message)"))
      }
    }
    ownCommands.append(command)
  }
}
