/// Numbers and texts at places of a file; nil past its end.
struct ByteReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func byte(_ offset: Int) -> Int? {
    offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : nil
  }

  func bigEndian(_ offset: Int, _ size: Int) -> Int? {
    number(offset, size) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  func littleEndian(_ offset: Int, _ size: Int) -> Int? {
    number(offset, size) { $0 << 8 | Int(bytes[offset + size - 1 - $1]) }
  }

  func has(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { has($0, at: offset) }
  }

  func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    guard offset >= 0, offset <= bytes.count - expected.count else { return false }
    return bytes[offset...].starts(with: expected)
  }

  /// Of at most seven bytes, so that no number is too large.
  private func number(_ offset: Int, _ size: Int, _ next: (Int, Int) -> Int) -> Int? {
    guard size < 8, offset >= 0, offset <= bytes.count - size else { return nil }
    return (0..<size).reduce(0, next)
  }
}
