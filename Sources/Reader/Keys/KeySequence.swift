internal import Screen

/// One key, or several that are pressed one after the other, as in `g u`.
struct KeySequence: Hashable, Sendable {
  /// At least one.
  let keys: [KeyEvent]

  init(_ key: KeyEvent) { keys = [key] }
  init(_ keys: [KeyEvent]) { self.keys = keys }

  /// The keys before its last one; the shortest first, none for a single key.
  var beginnings: [KeySequence] { (1..<keys.count).map { KeySequence(Array(keys.prefix($0))) } }

  /// The longest sequence that counts.
  static let longest = 5
}

/// A sequence of which the first keys have been pressed.
struct BegunSequence: Hashable, Sendable {
  var keys: [KeyEvent]
  /// The number that was typed before it; empty for none.
  var count = ""
}

extension ReaderState {
  /// Goes on with a sequence, or begins one.
  ///
  /// - Returns: nil where the key is neither of a sequence nor its beginning.
  mutating func continueSequence(
    with key: KeyEvent, at milliseconds: Int64
  ) -> [Effect]? {
    let former = begun
    let sequence = KeySequence((former?.keys ?? []) + [key])
    begun = nil
    if keys.isBeginning(sequence) {
      begun = BegunSequence(keys: sequence.keys, count: former?.count ?? "")
      return []
    }
    guard let former else { return nil }
    guard let command = keys.command(for: sequence) else {
      return key == .escape ? [] : notifyUnknown(sequence)
    }
    let press = KeyPress(milliseconds: milliseconds)
    return Counting.perform(command, times: former.count, press, in: &self)
      ?? run(command, at: milliseconds)
  }

  var continuations: [KeyHint] {
    (begun.map { keys.continuations(of: $0.keys) } ?? []).map { KeyHint($0.key, $0.text) }
  }
}
