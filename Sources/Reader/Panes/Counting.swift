internal import News
internal import Screen

extension Command {
  static let count = Command("count")
}

extension KeyBinding {
  static let count = KeyBinding(
    .count, (1...9).map { .character(Character("\($0)")) }, "how often the motion after it is done",
    .move, range: "1 … 9")
}

/// Numbers before motions, as in `5j`.
extension ReaderState {
  /// The largest one that counts.
  static let largestCount = 9_999
  static let largestRow = 1_000_000

  /// Whether a number is being typed.
  var isCounting: Bool {
    if case .count? = front as? Prompt { return true }
    return false
  }

  mutating func beginCount(_ key: KeyEvent?) -> [Effect] {
    guard case .character(let digit)? = key else { return [] }
    ask(.count(LineEditor(String(digit))))
    return []
  }

  /// Does the motion of a key as often as was typed, on the pane that has the focus.
  ///
  /// - Returns: nil where the key is none of a motion.
  mutating func perform(_ press: KeyPress, times text: String) -> [Effect]? {
    guard let key = press.key else { return nil }
    let kind = type(of: focus.screen)
    if keys.isBeginning(KeySequence(key), on: kind) {
      begun = BegunSequence(keys: [key], count: text)
      return []
    }
    return keys.command(for: key, on: kind).flatMap { perform($0, times: text, press) }
  }

  /// Does a motion as often as was typed, on the pane that has the focus.
  ///
  /// - Returns: nil where the command is no motion, or the text no number above 0.
  mutating func perform(_ command: Command, times text: String, _ press: KeyPress) -> [Effect]? {
    guard let count = Int(text), count > 0 else { return nil }
    // The number of a row may be larger.
    let isRow = command == Command(.first) || command == Command(.last)
    let times = min(count, isRow ? Self.largestRow : Self.largestCount)
    switch command {
    case .nextArticle: return goToArticle(1, times: times)
    case .previousArticle: return goToArticle(-1, times: times)
    default:
      guard command.motion != nil else { return nil }
      var press = press
      press.count = times
      var pane: any ReaderScreen = focus.screen
      switch pane.perform(command, press, in: &self) {
      case .done(let effects), .closed(let effects): return effects
      case .ignored: return []
      }
    }
  }

  private mutating func goToArticle(_ step: Int, times: Int) -> [Effect] {
    guard article != nil, focus == .article else { return goToArticle(step * times) }
    let effects = times > 1 ? list.move(by: step * (times - 1)) : []
    return effects + goToArticle(step)
  }
}
