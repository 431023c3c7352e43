internal import News
internal import Screen

/// Numbers before motions, as in `5j`.
enum Counting {
  /// The largest one that counts.
  static let largestCount = 9_999
  static let largestRow = 1_000_000

  static func beginCount(_ key: KeyEvent?, in state: inout ReaderState) -> [Effect] {
    guard case .character(let digit)? = key else { return [] }
    state.ask(.count, LineEditor(String(digit)))
    return []
  }

  /// Does the motion of a key as often as was typed, on the pane that has the focus.
  ///
  /// - Returns: nil where the key is none of a motion.
  static func perform(
    _ press: KeyPress, times text: String, in state: inout ReaderState
  ) -> [Effect]? {
    // Motions of a screen above the panes are done once.
    guard let key = press.key, state.stack.topPage == nil else { return nil }
    if state.keys.isBeginning(KeySequence(key)) {
      state.begun = BegunSequence(keys: [key], count: text)
      return []
    }
    return state.keys.command(for: key).flatMap {
      perform($0, times: text, press, in: &state)
    }
  }

  /// Does a motion as often as was typed, on the pane that has the focus.
  ///
  /// - Returns: nil where the command is no motion, or the text no number above 0.
  static func perform(
    _ command: Command, times text: String, _ press: KeyPress, in state: inout ReaderState
  ) -> [Effect]? {
    guard let count = Int(text), count > 0 else { return nil }
    // The number of a row may be larger.
    let isRow = command == Command(.first) || command == Command(.last)
    let times = min(count, isRow ? Self.largestRow : Self.largestCount)
    switch command {
    case .nextArticle: return goToArticle(1, times: times, in: &state)
    case .previousArticle: return goToArticle(-1, times: times, in: &state)
    default:
      guard command.motion != nil else { return nil }
      var press = press
      press.count = times
      var pane: any ReaderScreen = state.focus.screen
      switch pane.perform(command, press, in: &state) {
      case .done(let effects), .closed(let effects): return effects
      case .ignored: return []
      }
    }
  }

  private static func goToArticle(_ step: Int, times: Int, in state: inout ReaderState) -> [Effect]
  {
    guard state.article != nil, state.focus == .article else {
      return Stepping.goToArticle(step * times, in: &state)
    }
    let effects = times > 1 ? state.list.move(by: step * (times - 1)) : []
    return effects + Stepping.goToArticle(step, in: &state)
  }
}

extension ReaderState {
  /// Whether a number is being typed.
  var isCounting: Bool { (front as? Prompt)?.purpose == .count }
}
