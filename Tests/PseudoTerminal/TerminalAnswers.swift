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
  }

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

  /// What is to be shown of the bytes: application program commands are taken out, which libvterm prints.
  mutating func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var shown: [UInt8] = []
    for byte in bytes {
      switch (place, byte) {
      case (.text, 0x1B): place = .escape
      case (.text, _): shown.append(byte)
      case (.escape, UInt8(ascii: "_")): place = .command
      case (.escape, _):
        place = .text
        shown += [0x1B, byte]
      case (.command, 0x1B): place = .commandEscape
      case (.command, _): break
      case (.commandEscape, _): place = .text
      }
    }
    return shown
  }
}
