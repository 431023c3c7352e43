/// A 64-bit digest (FNV-1a) that is the same in every run. Tells changed from unchanged; not a
/// defence against anybody.
package struct StableDigest: Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ text: String?) {
    guard var text else { return add(byte: 0xFF) }
    text.withUTF8 { bytes in
      for byte in bytes { add(byte: byte) }
    }
    add(byte: 0)
  }

  package mutating func add(_ number: Int64?) {
    var rest = UInt64(bitPattern: number ?? .min)
    for _ in 0..<8 {
      add(byte: UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte: byte) }
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  package var stored: Int64 { Int64(bitPattern: value) }
}
