internal import Text

/// Names of elements and prefixes in a document, by number.
///
/// A final class, shared by the reader and its element; used from one thread at a time.
final class XMLNameTable {
  /// The empty name, for a missing prefix.
  static let none: Int32 = 0
  /// All names beyond the limit. No elements are made of them.
  static let beyondLimit: Int32 = 1
  /// Feeds have a hundred names; a hostile document must not take all memory.
  static let limit = 1 << 16

  struct Kind: OptionSet {
    let rawValue: UInt8
    /// RSS's item, Atom's entry.
    static let entry = Kind(rawValue: 1)
    /// Contains the list of entries.
    static let list = Kind(rawValue: 2)
    /// HTML's void element, of a name that no feed format uses.
    static let void = Kind(rawValue: 4)
    /// A colon in it is no separator of a prefix.
    static let strayColon = Kind(rawValue: 8)
    static let colon = Kind(rawValue: 16)
    /// Contains a character that is invalid in names.
    static let unsound = Kind(rawValue: 32)
  }

  private struct Name {
    var start: Int
    var length: Int
    /// Length of the prefix and its colon; 0 without a prefix.
    var localStart: Int
    var prefix: Int32
    var lowercased: Int32
    var kind: Kind
  }

  // Accessed for each element and never overlapping: no checks at run time.
  @exclusivity(unchecked) private var names: [Name] = []
  @exclusivity(unchecked) private var pool: [UInt8] = []
  /// Hash table with an unpredictable hash; -1 for an empty place.
  @exclusivity(unchecked) private var places = [Int32](repeating: -1, count: 64)
  /// Cache of recent names by a cheap hash.
  @exclusivity(unchecked) private var latest = [Int32](repeating: none, count: 256)

  init() {
    _ = add(ByteBuffer(start: nil, count: 0))
    names.append(names[0])
    names[Int(Self.beyondLimit)].lowercased = Self.beyondLimit
    names[Int(Self.beyondLimit)].kind = .unsound
  }

  func number(of name: ByteBuffer) -> Int32 {
    guard let first = name.first, let last = name.last else { return Self.none }
    let middle = Int(name[name.count / 2])
    let key = (name.count &* 67 ^ Int(first) &* 7 ^ Int(last) &* 31 ^ middle &* 113) & 255
    let known = latest[key]
    if isSame(known, name) { return known }
    let number = find(name)
    latest[key] = number
    return number
  }

  /// The number for an end tag; the empty one if no start tag has the name.
  func numberToClose(_ name: ByteBuffer) -> Int32 {
    guard !name.isEmpty else { return Self.none }
    if let number = known(name) { return number }
    guard name.contains(where: { $0 != $0.asciiLowercased }) else { return Self.none }
    return name.map(\.asciiLowercased).withUnsafeBufferPointer { known($0) } ?? Self.none
  }

  private func known(_ name: ByteBuffer) -> Int32? {
    var place = self.place(of: name)
    while places[place] >= 0 {
      if isSame(places[place], name) { return places[place] }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  func lowercased(_ number: Int32) -> Int32 { names[Int(number)].lowercased }

  /// Ignores the case of ASCII letters.
  func isAlike(_ one: Int32, _ other: Int32) -> Bool {
    names[Int(one)].lowercased == names[Int(other)].lowercased
  }

  func kind(of number: Int32) -> Kind { names[Int(number)].kind }

  func prefix(of number: Int32) -> Int32 { names[Int(number)].prefix }

  func bytes(of number: Int32) -> ArraySlice<UInt8> {
    let name = names[Int(number)]
    return pool[name.start..<name.start + name.length]
  }

  func text(of number: Int32) -> String { String(decoding: bytes(of: number), as: UTF8.self) }

  func localName(of number: Int32) -> String {
    let name = names[Int(number)]
    return String(
      decoding: pool[name.start + name.localStart..<name.start + name.length], as: UTF8.self)
  }

  /// Ignores the prefix and case. `word` is in lower case.
  func isLocalName(_ word: StaticString, _ number: Int32) -> Bool {
    let name = names[Int(number)]
    return pool.withUnsafeBufferPointer {
      $0.isWord(word, in: name.start + name.localStart..<name.start + name.length)
    }
  }

  func isSame(_ number: Int32, _ name: ByteBuffer) -> Bool {
    let known = names[Int(number)]
    guard known.length == name.count else { return false }
    return pool.withUnsafeBufferPointer { $0.hasBytes(of: name, at: known.start) }
  }

  private func find(_ name: ByteBuffer) -> Int32 {
    if let known = known(name) { return known }
    guard names.count < Self.limit else { return Self.beyondLimit }
    let number = add(name)
    if names.count * 2 > places.count { grow() }
    return number
  }

  private func place(of name: ByteBuffer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize() & (places.count - 1)
  }

  private func insert(_ number: Int32, _ name: ByteBuffer) {
    var place = self.place(of: name)
    while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
    places[place] = number
  }

  private func grow() {
    places = [Int32](repeating: -1, count: places.count * 4)
    pool.withUnsafeBufferPointer { pool in
      for (number, name) in names.enumerated() where name.length > 0 {
        insert(
          Int32(number), ByteBuffer(rebasing: pool[name.start..<name.start + name.length]))
      }
    }
  }

  private func add(_ name: ByteBuffer) -> Int32 {
    let number = Int32(names.count)
    let colon = XMLNames.colon(in: name)
    names.append(
      Name(
        start: pool.count, length: name.count, localStart: colon.map { $0 + 1 } ?? 0,
        prefix: Self.none, lowercased: number, kind: Self.kind(of: name)))
    pool.append(contentsOf: name)
    if !name.isEmpty { insert(number, name) }
    if let colon {
      names[Int(number)].prefix = self.number(of: ByteBuffer(rebasing: name[..<colon]))
    }
    if name.contains(where: { $0 != $0.asciiLowercased }) {
      names[Int(number)].lowercased = name.map(\.asciiLowercased).withUnsafeBufferPointer {
        self.number(of: $0)
      }
    }
    return number
  }

  /// Local names with a meaning. Of HTML's void elements, those that no feed format uses.
  private static let words: [(StaticString, Kind)] = [
    ("item", .entry), ("entry", .entry), ("rss", .list), ("channel", .list), ("feed", .list),
    ("rdf", .list), ("seq", .list), ("li", .list), ("br", .void), ("hr", .void), ("img", .void),
    ("wbr", .void),
  ]

  private static func kind(of name: ByteBuffer) -> Kind {
    var kind: Kind = []
    for (word, meaning) in words where XMLNames.isLocalName(word, name, 0..<name.count) {
      kind.insert(meaning)
    }
    if name.firstIndex(of: 0x3A, from: 0) != nil { kind.insert(.colon) }
    if !XMLNames.isSound(name) { kind.insert(.unsound) }
    if XMLNames.hasStrayColon(name) { kind.insert(.strayColon) }
    return kind
  }
}
