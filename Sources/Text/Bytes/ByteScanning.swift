#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Text as its UTF-8 bytes, borrowed for the length of a call.
package typealias ByteBuffer = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer where Element == UInt8 {
  /// Where `byte` occurs first at or after `start`.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress else { return nil }
    guard let hit = memchr(base + start, Int32(byte), count - start) else { return nil }
    return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
  }

  /// Where `byte` occurs first in `range`.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    UnsafeBufferPointer(rebasing: self[range]).firstIndex(of: byte, from: 0)
      .map { $0 + range.lowerBound }
  }

  /// Where the first byte at or after `start` is that is no ASCII; `count` where there is none.
  package func firstNonASCII(from start: Int) -> Int {
    var index = start
    while let block = SixteenBytes(self, at: index) {
      if let first = block.first(where: block.nonASCII) { return index + first }
      index += 16
    }
    while index < count, self[index] < 0x80 { index += 1 }
    return index
  }

  /// Where the first byte at or after `start` is that is `first`, `second`, `third` or a control
  /// character other than tab and line feed; `count` where there is none.
  package func firstStop(from start: Int, _ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int {
    var index = start
    while let block = SixteenBytes(self, at: index) {
      let stops = block.equal(to: first) | block.equal(to: second) | block.equal(to: third)
      if let first = block.first(where: stops | block.controlsInText) { return index + first }
      index += 16
    }
    while index < count {
      let byte = self[index]
      if byte == first || byte == second || byte == third { return index }
      if byte < 0x20, byte != 0x0A, byte != 0x09 { return index }
      index += 1
    }
    return index
  }

  /// Whether the bytes at `start` are those of `other`.
  package func hasBytes(of other: ByteBuffer, at start: Int) -> Bool {
    guard start >= 0, start + other.count <= count, let base = baseAddress,
      let wanted = other.baseAddress
    else { return other.isEmpty }
    return memcmp(base + start, wanted, other.count) == 0
  }

  /// Whether the bytes at `start` are `word`, ASCII letters compared without case.
  /// `word` is lower case.
  package func hasWord(_ word: StaticString, at start: Int) -> Bool {
    let length = word.utf8CodeUnitCount
    guard start >= 0, start + length <= count else { return false }
    for offset in 0..<length
    where self[start + offset].asciiLowercased != word.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Whether the bytes of `range` are `word` and nothing else; `word` is lower case.
  package func isWord(_ word: StaticString, in range: Range<Int>) -> Bool {
    range.count == word.utf8CodeUnitCount && hasWord(word, at: range.lowerBound)
  }

  /// `range` without the ASCII white space at its ends.
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, self[low].isASCIISpace { low += 1 }
    while high > low, self[high - 1].isASCIISpace { high -= 1 }
    return low..<high
  }

  /// The bytes of a range as UTF-8; invalid bytes become U+FFFD.
  package func string(_ range: Range<Int>) -> String {
    String(decoding: ByteBuffer(rebasing: self[range]), as: UTF8.self)
  }
}

/// Sixteen bytes looked at in one step. What is asked of them comes as a mask: 0xFF for each byte of
/// which it is true, 0 for the others.
struct SixteenBytes {
  typealias Mask = SIMD16<UInt8>

  private let bytes: SIMD16<UInt8>

  /// The bytes from `index` on; nil where there are not so many.
  @inline(__always)
  init?(_ buffer: ByteBuffer, at index: Int) {
    guard index <= buffer.count - 16, let base = buffer.baseAddress else { return nil }
    bytes = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
  }

  @inline(__always)
  var nonASCII: Mask { atLeast(0x80) }

  /// C0 control characters.
  @inline(__always)
  var controls: Mask { Self.mask(bytes .< SIMD16(repeating: 0x20)) }

  /// C0 control characters other than tab and line feed.
  @inline(__always)
  var controlsInText: Mask { controls & ~(equal(to: 0x09) | equal(to: 0x0A)) }

  @inline(__always)
  func equal(to byte: UInt8) -> Mask { Self.mask(bytes .== SIMD16(repeating: byte)) }

  @inline(__always)
  func atLeast(_ byte: UInt8) -> Mask { Self.mask(bytes .>= SIMD16(repeating: byte)) }

  /// The first byte for which `mask` holds, from 0.
  @inline(__always)
  func first(where mask: Mask) -> Int? {
    // Asking the mask itself, through SIMDMask, is many times slower than the two words it is of.
    let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    if halves[0] != 0 { return UInt64(littleEndian: halves[0]).trailingZeroBitCount / 8 }
    if halves[1] != 0 { return 8 + UInt64(littleEndian: halves[1]).trailingZeroBitCount / 8 }
    return nil
  }

  @inline(__always)
  private static func mask(_ mask: SIMDMask<SIMD16<Int8>>) -> Mask {
    unsafeBitCast(mask, to: Mask.self)
  }
}

extension UInt8 {
  @inlinable @inline(__always) package var asciiLowercased: UInt8 {
    self >= 0x41 && self <= 0x5A ? self | 0x20 : self
  }

  /// Space, tab, line feed, form feed, carriage return: HTML's white space.
  @inlinable @inline(__always) package var isASCIISpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }

  @inlinable @inline(__always) package var isASCIILetter: Bool {
    (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A
  }

  @inlinable @inline(__always) package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// The value of a hexadecimal digit.
  package var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x41...0x46: UInt32(self - 0x37)
    case 0x61...0x66: UInt32(self - 0x57)
    default: nil
    }
  }
}

extension String {
  /// The text that well-formed UTF-8 stands for, without looking at it again. With other bytes the
  /// string is broken: only for what a decoder has made.
  package init(wellFormed bytes: ByteBuffer) {
    assert(String(validating: bytes, as: UTF8.self) != nil, "Not what a decoder has made.")
    self.init(copying: UTF8Span(unchecked: bytes.span))
  }

  /// Whether an ASCII character occurs in the text.
  package func contains(byte: UInt8) -> Bool {
    withBytes { $0.firstIndex(of: byte, from: 0) != nil }
  }

  /// Calls `body` with the text's bytes, copied only where the string is not contiguous UTF-8.
  @inlinable package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    return try Array(utf8).withUnsafeBufferPointer(body)
  }
}

extension [UInt8] {
  /// Appends the UTF-8 form of a scalar value; U+FFFD for what is none.
  package mutating func append(scalar value: UInt32) {
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    append(contentsOf: UTF8.encode(scalar)!)
  }
}
