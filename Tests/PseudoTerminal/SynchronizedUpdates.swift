/// Holds back an update of the screen until it is whole, as a terminal with synchronized updates
/// (DEC private mode 2026) does: nobody sees half a frame.
struct SynchronizedUpdates {
  private static let begin = Array("\u{1B}[?2026h".utf8)
  private static let end = Array("\u{1B}[?2026l".utf8)

  private var held: [UInt8] = []

  /// What can be shown once `bytes` have come.
  mutating func complete(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    held += bytes
    let ended = Self.lastIndex(of: Self.end, in: held[...]).map { $0 + Self.end.count } ?? 0
    let begun = Self.firstIndex(of: Self.begin, in: held[ended...])
    let count = begun ?? held.count - Self.overlap(of: held[ended...], with: Self.begin)
    defer { held.removeFirst(count) }
    return Array(held[..<count])
  }

  /// Gives out all of it: there will be no more.
  mutating func drain() -> [UInt8] {
    defer { held = [] }
    return held
  }

  private static func firstIndex(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: mark) }
  }

  private static func lastIndex(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.indices.last { bytes[$0...].starts(with: mark) }
  }

  /// How many bytes at the end may be the beginning of `mark`.
  private static func overlap(of bytes: ArraySlice<UInt8>, with mark: [UInt8]) -> Int {
    (1..<mark.count).last { bytes.count >= $0 && bytes.suffix($0).elementsEqual(mark.prefix($0)) }
      ?? 0
  }
}
