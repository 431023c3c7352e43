/// Scanner of lists of ids as FreshRSS and Miniflux write them:
/// `{"itemRefs":[{"id":"1"},…],"continuation":"1"}`. They have tens of thousands of entries and
/// come with every sync; a decoder takes ten times as long.
///
/// Any other form, damage included, is left to the decoder.
struct GoogleReaderIDScan {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  /// Nil for another form.
  static func ids(in body: [UInt8]) -> (ids: [GoogleReaderItemID], continuation: String?)? {
    body.withUnsafeBufferPointer { bytes in
      var scan = GoogleReaderIDScan(bytes: bytes)
      return scan.list()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func list() -> (ids: [GoogleReaderItemID], continuation: String?)? {
    guard skip("{"), skip("\"itemRefs\""), skip(":"), skip("[") else { return nil }
    var ids: [GoogleReaderItemID] = []
    // The shortest entry is `{"id":"1"},`.
    ids.reserveCapacity(bytes.count / 20)
    if !skip("]") {
      repeat {
        guard skip("{"), skip("\"id\""), skip(":"), let id = id(), skip("}") else { return nil }
        ids.append(id)
      } while skip(",")
      guard skip("]") else { return nil }
    }
    var continuation: String?
    if skip(",") {
      guard skip("\"continuation\""), skip(":"), let range = text() else { return nil }
      continuation = String(decoding: bytes[range], as: UTF8.self)
    }
    guard skip("}") else { return nil }
    skipSpace()
    return place == bytes.count ? (ids, continuation) : nil
  }

  private mutating func id() -> GoogleReaderItemID? {
    guard let range = text() else { return nil }
    let digits = bytes[range]
    guard (1...18).contains(digits.count), digits.first != 0x30,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      return GoogleReaderItemID(String(decoding: digits, as: UTF8.self))
    }
    return GoogleReaderItemID(digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) })
  }

  /// The text between quotation marks; nil unless it is plain ASCII.
  private mutating func text() -> Range<Int>? {
    guard skip("\"") else { return nil }
    let start = place
    while place < bytes.count, bytes[place] != 0x22 {
      guard bytes[place] >= 0x20, bytes[place] < 0x7F, bytes[place] != 0x5C else { return nil }
      place += 1
    }
    guard place < bytes.count else { return nil }
    place += 1
    return start..<place - 1
  }

  /// Skips white space and a token; false where another one follows.
  private mutating func skip(_ token: StaticString) -> Bool {
    skipSpace()
    let count = token.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[place + offset] != token.utf8Start[offset] { return false }
    place += count
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      default: return
      }
    }
  }
}
