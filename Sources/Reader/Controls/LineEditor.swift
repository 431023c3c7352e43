internal import Screen

/// A line of text input with a cursor.
struct LineEditor: Hashable, Sendable {
  private var before: [Character] = []
  /// In reverse: the last one is next to the cursor.
  private var after: [Character] = []

  /// Whether the first typed letter replaces the whole text, as in a selected text field.
  private var isSelected = false

  /// The choices that Tab goes through; nil after any other key.
  private(set) var choosing: Choosing?

  struct Choosing: Hashable, Sendable {
    /// Where the choice begins, in characters.
    var start: Int
    var choices: [String]
    var chosen: Int
  }

  init(_ text: String = "") { before = Array(text) }

  /// A text that is replaced by the first typed letter, or edited after any other key.
  init(selected text: String) {
    before = Array(text)
    isSelected = true
  }

  var text: String { String(before + after.reversed()) }
  var textBeforeCursor: String { String(before) }
  var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// The line with a dot for each character.
  var masked: LineEditor {
    var masked = self
    masked.before = before.map { _ in "•" }
    masked.after = after.map { _ in "•" }
    return masked
  }

  mutating func insert(_ text: String) {
    if isSelected { before = [] }
    isSelected = false
    choosing = nil
    join(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  /// Puts a text before the cursor. Keys bring each scalar by itself: what belongs to the character before, such as a
  /// mark or the next part of an emoji, becomes part of it (UAX #29).
  private mutating func join(_ text: String) {
    let last = before.popLast().map { String($0) } ?? ""
    before.append(contentsOf: last + text)
  }

  /// Puts the cursor before a character, counted from 0.
  mutating func moveCursor(to place: Int) {
    let all = before + after.reversed()
    let place = max(0, min(all.count, place))
    before = Array(all[..<place])
    after = all[place...].reversed()
    isSelected = false
    choosing = nil
  }

  /// Puts the first of some choices before the cursor, or the next one where the last key did so too.
  ///
  /// - Parameters:
  ///   - step: 1, or -1 for the one before.
  ///   - find: what may stand at the end of the text before the cursor, and where that begins.
  mutating func choose(_ step: Int, find: (String) -> (start: Int, choices: [String])?) {
    isSelected = false
    var next: Choosing
    if let choosing {
      next = choosing
      next.chosen = (choosing.chosen + step + choosing.choices.count) % choosing.choices.count
    } else {
      guard let (start, choices) = find(textBeforeCursor), !choices.isEmpty else { return }
      next = Choosing(start: start, choices: choices, chosen: step > 0 ? 0 : choices.count - 1)
    }
    before = before.prefix(next.start) + Array(next.choices[next.chosen])
    choosing = next
  }

  /// Handles a key.
  ///
  /// - Returns: false for a key without a function in a line.
  mutating func handle(_ key: KeyEvent) -> Bool {
    if isSelected, case .character = key { before = [] }
    isSelected = false
    choosing = nil
    switch key {
    case .character(let character): join(String(character))
    case .backspace, .control("h"): _ = before.popLast()
    case .delete: _ = after.popLast()
    case .left, .control("b"): if let last = before.popLast() { after.append(last) }
    case .right, .control("f"): if let next = after.popLast() { before.append(next) }
    case .home, .control("a"):
      after.append(contentsOf: before.reversed())
      before = []
    case .end, .control("e"):
      before.append(contentsOf: after.reversed())
      after = []
    case .control("u"): before = []
    case .control("k"): after = []
    case .control("w"):
      while before.last?.isWhitespace == true { before.removeLast() }
      while let last = before.last, !last.isWhitespace { before.removeLast() }
    default: return false
    }
    return true
  }
}
