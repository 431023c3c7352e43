package import Screen

/// A line of text that is being typed, with a cursor in it.
package struct LineEditor: Hashable, Sendable {
  private var before: [Character] = []
  /// The nearest to the cursor is last.
  private var after: [Character] = []

  /// Whether all of it goes with the first letter that is typed, as a marked text does.
  private var isSelected = false

  package init(_ text: String = "") { before = Array(text) }

  /// A text to be corrected, or typed over.
  package init(selected text: String) {
    before = Array(text)
    isSelected = true
  }

  package var text: String { String(before + after.reversed()) }
  package var textBeforeCursor: String { String(before) }
  package var isEmpty: Bool { before.isEmpty && after.isEmpty }

  /// The same with a dot for each character.
  var masked: LineEditor {
    var masked = self
    masked.before = before.map { _ in "•" }
    masked.after = after.map { _ in "•" }
    return masked
  }

  package mutating func insert(_ text: String) {
    if isSelected { before = [] }
    isSelected = false
    before.append(contentsOf: text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// Takes a key in; false for one that a line does not know.
  package mutating func handle(_ key: KeyEvent) -> Bool {
    if isSelected, case .character = key { before = [] }
    isSelected = false
    switch key {
    case .character(let character): before.append(character)
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
