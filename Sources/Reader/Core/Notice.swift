internal import News
internal import Screen

/// A message in the status line that disappears after a while.
struct Notice: Hashable, Sendable {
  enum Kind: Hashable, Sendable { case plain, error }
  var text: String
  var kind: Kind
  /// Identifies the message to the reminder that removes it.
  var serial: Int
}

/// A number with its noun, as in `1 feed` and `3 feeds`.
func quantity(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

extension ReaderState {
  /// Shows a message in the status line, in place of the one before.
  ///
  /// - Parameter milliseconds: the shortest time that it stays, unless another message replaces it.
  mutating func notify(
    _ text: String, _ kind: Notice.Kind = .plain, atLeast milliseconds: Int64 = 0
  ) -> [Effect] {
    serial += 1
    notice = Notice(text: text, kind: kind, serial: serial)
    // A line more takes some two seconds more to read.
    let reading = Int64(max(0, min(text.utf8.count - 80, 400)) * 30)
    return [
      .remind(
        .notice(serial: serial),
        afterMilliseconds: max(milliseconds, (kind == .error ? 8_000 : 4_000) + reading))
    ]
  }

  mutating func notify(_ error: SourceError) -> [Effect] {
    guard error.kind != .cancelled else { return [] }
    return notify(error.line, .error)
  }

  /// Shows that a key has no function on this screen.
  mutating func notifyUnknown(_ keys: KeySequence) -> [Effect] {
    let name = KeyMap.name(of: keys)
    let subject = self.keys.command(for: keys).map { "\(name) (\(settings.keys.help(of: $0)))" }
    return notify(CoreStrings.unusedKey(subject ?? name, help: key(.help)))
  }

  /// Says which keys of the settings are mistakes; those of the screens stay in their place.
  mutating func notifyKeyMistakes() -> [Effect] {
    let mistakes = settings.keys.mistakes
    guard let first = mistakes.first else { return [] }
    return notify(CoreStrings.moreMistakes(first.line, more: mistakes.count - 1), .error)
  }

  mutating func forgetError() {
    if notice?.kind == .error { notice = nil }
  }
}
