internal import Text

/// The names of the elements that are open, from the root in.
struct OpenElements {
  private var names: [UInt8] = []
  private var starts: [Int] = []
  /// A hash of each name without regard to case, which a search compares first.
  private var keys: [UInt64] = []

  var count: Int { starts.count }
  var isEmpty: Bool { starts.isEmpty }

  func name(at index: Int) -> ArraySlice<UInt8> {
    let end = index + 1 < starts.count ? starts[index + 1] : names.count
    return names[starts[index]..<end]
  }

  mutating func push(_ bytes: ByteBuffer, _ name: Range<Int>) {
    keys.append(Self.key(bytes, name))
    starts.append(names.count)
    names.append(contentsOf: bytes[name])
  }

  mutating func pop() {
    guard let start = starts.popLast() else { return }
    keys.removeLast()
    names.removeSubrange(start...)
  }

  /// The innermost element of that name, letters compared without case where none has the very name.
  func lastIndex(of name: Range<Int>, in bytes: ByteBuffer) -> Int? {
    let key = Self.key(bytes, name)
    var candidate: Int?
    for index in keys.indices.reversed() where keys[index] == key {
      if self.name(at: index).elementsEqual(bytes[name]) { return index }
      if candidate == nil, isNamed(name, in: bytes, at: index) { candidate = index }
    }
    return candidate
  }

  /// Whether the element has that local name, whatever its prefix. `word` is lower case.
  func isLocalName(_ word: StaticString, at index: Int) -> Bool {
    name(at: index).withUnsafeBufferPointer { XMLNames.isLocalName(word, $0, 0..<$0.count) }
  }

  /// Whether the element has that very name, letters compared without case.
  func isNamed(_ name: Range<Int>, in bytes: ByteBuffer, at index: Int) -> Bool {
    guard keys[index] == Self.key(bytes, name) else { return false }
    let other = self.name(at: index)
    return other.count == name.count
      && zip(other, bytes[name]).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// A hash of the whole name (FNV-1a): a shortcut, and no proof that two names are one.
  private static func key(_ bytes: ByteBuffer, _ name: Range<Int>) -> UInt64 {
    var key: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name {
      key = (key ^ UInt64(bytes[index].asciiLowercased)) &* 0x0000_0100_0000_01B3
    }
    return key
  }
}
