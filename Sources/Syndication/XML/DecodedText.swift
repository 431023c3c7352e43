internal import Text

/// Text with decoded references, whose buffer is reused.
///
/// A final class, because the scanner and its caller share the bytes.
final class DecodedText {
  // Never overlapping: no checks at run time.
  @exclusivity(unchecked) private var room = [UInt8](repeating: 0, count: 512)
  @exclusivity(unchecked) private var count = 0

  func begin() { count = 0 }

  func withBytes<Result>(_ body: (ByteBuffer) -> Result) -> Result {
    room.withUnsafeBufferPointer { body(ByteBuffer(rebasing: $0[..<count])) }
  }

  func append(_ bytes: ByteBuffer, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    reserve(range.count)
    room.withUnsafeMutableBufferPointer {
      ($0.baseAddress! + count).update(
        from: bytes.baseAddress! + range.lowerBound, count: range.count)
    }
    count += range.count
  }

  func append(_ bytes: ByteBuffer, _ range: Range<Int>, then byte: UInt8) {
    reserve(range.count + 1)
    let place = count
    room.withUnsafeMutableBufferPointer { room in
      let target = room.baseAddress! + place
      if !range.isEmpty {
        target.update(from: bytes.baseAddress! + range.lowerBound, count: range.count)
      }
      target[range.count] = byte
    }
    count = place + range.count + 1
  }

  func append(_ scalar: UInt32) {
    reserve(4)
    if scalar < 0x80 {
      room[count] = UInt8(scalar)
      count += 1
    } else {
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}")! {
        room[count] = byte
        count += 1
      }
    }
  }

  func append(_ text: String) { text.withBytes { append($0, 0..<$0.count) } }

  private func reserve(_ more: Int) {
    guard count + more > room.count else { return }
    room.append(contentsOf: repeatElement(0, count: max(room.count, more)))
  }
}
