internal import Foundation

/// Line of a text that arrives in pieces.
package struct TextLine: Hashable, Sendable {
  /// The number of the line, from 1; empty lines count.
  package var number: Int
  /// The line without its end; empty where it exceeded the limit.
  package var bytes: [UInt8]
  package var isTooLong = false
}

/// Splitter of bytes into lines as they arrive. A line ends with CR LF, LF or the end of the text.
///
/// Empty lines and a byte order mark at the beginning are skipped. A line longer than `limit` is dropped
/// without holding more of it than that.
package struct LineSplitter: Sendable {
  /// The size of the longest line without its end, in bytes.
  package let limit: Int

  /// The chunk that is being read, from `place` on.
  private var piece: [UInt8] = []
  private var place = 0
  /// The line that has begun.
  private var line: [UInt8] = []
  private var isTooLong = false
  /// Lines that have ended.
  private var count = 0

  package init(limit: Int = 1 << 20) { self.limit = max(0, limit) }

  package mutating func append(_ bytes: [UInt8]) {
    if place < piece.count {
      piece.removeFirst(place)
      piece += bytes
    } else {
      piece = bytes
    }
    place = 0
  }

  /// The next complete line; nil until more bytes arrive.
  package mutating func next() -> TextLine? {
    while place < piece.count {
      guard let end = Self.lineEnd(in: piece, from: place) else {
        append(upTo: piece.count)
        return nil
      }
      append(upTo: end)
      place = end + 1
      if let line = endLine() { return line }
    }
    return nil
  }

  /// The last line, where the text ends without a line's end.
  package mutating func finish() -> TextLine? {
    line.isEmpty && !isTooLong ? nil : endLine()
  }

  /// Drops the incomplete line: its rest will not arrive.
  package mutating func drop() {
    line = []
    isTooLong = false
  }

  private mutating func append(upTo end: Int) {
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
