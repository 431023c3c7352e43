/// A 64-bit digest that is the same in every run and on every machine: the rounds and the last
/// mixing of XXH64, eight bytes at a time. Tells changed from unchanged; not a defence against
/// anybody.
///
/// Digests are stored: another way of mixing would make every article look changed.
package struct StableDigest: Sendable {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63

  private var state: UInt64 = 0x27D4_EB2F_1656_67C5

  package init() {}

  /// No text is another thing than an empty one, and two texts than their concatenation.
  package mutating func add(_ text: String?) {
    guard var text else { return mix(.max) }
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  package mutating func add(_ number: Int64?) {
    mix(UInt64(bitPattern: number ?? .min))
  }

  package mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    var place = 0
    while place + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    guard place < bytes.count else { return }
    var rest: UInt64 = 0
    for byte in bytes[place...].reversed() { rest = rest << 8 | UInt64(byte) }
    mix(rest)
  }

  private mutating func mix(_ lane: UInt64) {
    state ^= rotated(lane &* Self.prime2, by: 31) &* Self.prime1
    state = rotated(state, by: 27) &* Self.prime1 &+ Self.prime4
  }

  private func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
    value << count | value >> (64 - count)
  }

  package var value: UInt64 {
    var value = state
    value ^= value >> 33
    value = value &* Self.prime2
    value ^= value >> 29
    value = value &* Self.prime3
    return value ^ value >> 32
  }

  package var stored: Int64 { Int64(bitPattern: value) }
}
