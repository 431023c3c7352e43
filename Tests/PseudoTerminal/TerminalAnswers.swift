/// What a terminal of a test answers.
struct TerminalAnswers {
  private let pairs: [(question: [UInt8], answer: [UInt8])]
  /// The end of what was written, which may be the beginning of a question.
  private var tail: [UInt8] = []

  private enum Place {
    case text
    case escape
    case command
    case commandEscape
    /// The beginning of a string, which may go past tmux.
    case string
  }

  private static let passage = Array("tmux;".utf8)
  private var string: [UInt8] = []

  private var place = Place.text

  init(_ pairs: [(question: String, answer: String)]) {
    self.pairs = pairs.map { (Array($0.question.utf8), Array($0.answer.utf8)) }
  }

  /// The answers to the questions that end in these bytes, in their order.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let all = tail + bytes
    var answers: [UInt8] = []
    for end in tail.count + 1..<all.count + 1 {
      for (question, answer) in pairs
      where all[..<end].suffix(question.count).elementsEqual(question) {
        answers += answer
      }
    }
    tail = all.suffix((pairs.map(\.question.count).max() ?? 1) - 1)
    return answers
  }

  /// What is to be shown of the bytes: application program commands are taken out, which libvterm prints,
  /// and what goes past tmux.
  mutating func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    for byte in bytes {
      switch (place, byte) {
      case (.text, 0x1B): place = .escape
      case (.text, _): shown.append(byte)
      case (.escape, UInt8(ascii: "_")): place = .command
      case (.escape, UInt8(ascii: "P")): place = .string
      case (.escape, _):
        place = .text
        shown += [0x1B, byte]
      case (.command, 0x1B): place = .commandEscape
      case (.command, _): break
      case (.commandEscape, UInt8(ascii: "\\")): place = .text
      // Doubled within what goes past tmux.
      case (.commandEscape, _): place = .command
      case (.string, _):
        string.append(byte)
        guard string.count == Self.passage.count || byte == 0x1B else { break }
        if string == Self.passage {
          place = .command
        } else {
          shown += [0x1B, UInt8(ascii: "P")] + string.dropLast(byte == 0x1B ? 1 : 0)
          place = byte == 0x1B ? .escape : .text
        }
        string = []
      }
    }
    return shown
  }
}
