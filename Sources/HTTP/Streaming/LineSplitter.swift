internal import Foundation

/// One line of a text that comes in pieces.
package struct TextLine: Hashable, Sendable {
  /// 1 for the first; empty lines count.
  package var number: Int
  /// Without the line's end; empty where the line was too long to be held.
  package var bytes: [UInt8]
  package var isTooLong = false
}

/// Cuts bytes into lines as they arrive: CR LF or LF ends one, and the end of the text the last.
///
/// Empty lines and a byte order mark at the beginning are passed over. Of a line longer than `limit`
/// no more is held than that.
package struct LineSplitter: Sendable {
  /// Bytes of the longest line, without its end.
  package let limit: Int

  /// What has not been looked at begins at `place`.
  private var piece: [UInt8] = []
  private var place = 0
  /// The line that has begun.
  private var line: [UInt8] = []
  private var isTooLong = false
  /// Lines that have ended.
  private var count = 0

  package init(limit: Int = 1 << 20) { self.limit = max(0, limit) }

  /// Takes the next bytes.
  package mutating func append(_ bytes: [UInt8]) {
    if place < piece.count {
      piece.removeFirst(place)
      piece += bytes
    } else {
      piece = bytes
    }
    place = 0
  }

  /// The next line that has come whole; nil until more bytes are there.
  package mutating func next() -> TextLine? {
    while place < piece.count {
      guard let end = Self.lineEnd(in: piece, from: place) else {
        take(upTo: piece.count)
        return nil
      }
      take(upTo: end)
      place = end + 1
      if let line = endLine() { return line }
    }
    return nil
  }

  /// The last line, where the text ends without a line's end.
  package mutating func finish() -> TextLine? {
    line.isEmpty && !isTooLong ? nil : endLine()
  }

  /// Forgets the line that has begun: the rest of it will not come.
  package mutating func drop() {
    line = []
    isTooLong = false
  }

  private mutating func take(upTo end: Int) {
    // A byte order mark and the CR of the line's end are not the line's own.
    if !isTooLong, line.count + end - place <= limit + 4 {
      line += piece[place..<end]
    } else {
      line = []
      isTooLong = true
    }
    place = end
  }

  private mutating func endLine() -> TextLine? {
    var bytes = line
    let wasTooLong = isTooLong
    drop()
    count += 1
    if count == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard !wasTooLong, bytes.count <= limit else {
      return TextLine(number: count, bytes: [], isTooLong: true)
    }
    return bytes.isEmpty ? nil : TextLine(number: count, bytes: bytes)
  }

  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      memchr(bytes.baseAddress! + start, 0x0A, bytes.count - start).map {
        UnsafeRawPointer($0) - bytes.baseAddress!
      }
    }
  }
}
