enum DeckStrings {
  static let end = "No more cards."
  static let noDecision = "No decision to undo yet."
  static let hints = [
    KeyHint.keys, KeyHint(.toggleStar, "star"), KeyHint(.later, "later"),
    KeyHint(.toggleRead, "read"), KeyHint(.addRule, "mute"), KeyHint(.next, "next"),
    KeyHint(.open, "open"), KeyHint(.undo, "undo"), KeyHint.back,
  ]
  static let endHints = [KeyHint.keys, KeyHint(.undo, "undo"), KeyHint.back]
  static func decision(_ decision: DeckState.Decision) -> String {
    switch decision {
    case .kept: "starred"
    case .later: "in Later"
    case .done: "marked as read"
    case .read: "opened"
    }
  }
  static func progress(_ number: Int, of count: Int, minutes: Int) -> String {
    "\(number) of \(count) · about \(minutes) min left"
  }
  static func summary(_ decisions: [DeckState.Decision], left: Int) -> String {
    let counts = DeckState.Decision.allCases.compactMap { kind -> String? in
      let count = decisions.count { $0 == kind }
      return count > 0 ? "\(count) \(decision(kind))" : nil
    }
    return (counts + (left > 0 ? ["\(left) unchanged"] : [])).joined(separator: ", ")
  }
}
