internal import News
internal import Screen

/// Something that the line at the bottom tells once.
package struct Notice: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case plain, error }
  package var text: String
  package var kind: Kind
  /// Tells it from those before, for the reminder that takes it away.
  var serial: Int
}

extension ReaderState {
  /// Tells something in the line at the bottom, in place of what it told before.
  ///
  /// - Parameter milliseconds: how long it stays at least, unless something else is told.
  mutating func tell(
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

  mutating func tell(_ error: SourceError) -> [Effect] {
    guard error.kind != .cancelled else { return [] }
    return tell(error.line, .error)
  }

  /// Says that a key does nothing: it may be meant for another screen, or for another program.
  mutating func tellUnknown(_ key: KeyEvent) -> [Effect] {
    tell("\(KeyMap.name(of: key)) does nothing here; ? shows the keys")
  }

  /// Takes an error away that has been seen.
  mutating func forgetError() {
    if notice?.kind == .error { notice = nil }
  }
}
