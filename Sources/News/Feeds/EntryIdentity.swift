internal import Text

/// What an entry is known by where its feed does not say so, or says the same of several.
package enum EntryIdentity {
  /// An id made from what an entry says: from its title and date where it has both, so that a
  /// correction of its text makes no new article of it; else from all there is. The same in every run.
  package static func derived(from entry: Entry) -> String {
    let date = (entry.published ?? entry.updated).map(Timestamp.text(of:))
    let body = entry.title != nil && date != nil ? nil : entry.contentHTML ?? entry.summary
    return derivedPrefix + digest([entry.title, body, date, entry.enclosures.first?.url])
  }

  /// Whether an id was made up for want of one.
  package static func isDerived(_ id: String) -> Bool { id.hasPrefix(derivedPrefix) }

  /// An id for one of several entries that their feed gives the same one: that id, and after it what
  /// tells the entry from the others. That is its address, title, date of publication and first file:
  /// instalments differ in the last two alone, and one that comes twice is better than one that never
  /// does.
  package static func distinct(_ entry: Entry) -> String {
    // Whether an id counts as an address too changes in some feeds, and says nothing.
    let url = entry.url == entry.id ? nil : entry.url
    let date = entry.published.map(Timestamp.text(of:))
    let file = entry.enclosures.first?.url
    let body = isToldByText(entry) ? entry.contentHTML ?? entry.summary : nil
    return entry.id + separator + digest([url, entry.title, date, file, body])
  }

  /// Whether only its text tells an entry from others of its id: where there is no title, or neither an
  /// id nor a date.
  package static func isToldByText(_ entry: Entry) -> Bool {
    entry.title == nil
      || entry.published == nil && entry.enclosures.isEmpty && entry.id == entry.url
  }

  /// The id that the feed gave an entry whose id is `distinct`; nil for any other id.
  package static func shared(in id: String) -> String? {
    let digits = id.utf8.suffix(32)
    let rest = id.utf8[..<digits.startIndex]
    let end = rest.suffix(separator.utf8.count)
    guard digits.count == 32, digits.allSatisfy(isHex), end.elementsEqual(separator.utf8) else {
      return nil
    }
    return String(id[..<end.startIndex])
  }

  private static let derivedPrefix = "telex:"
  private static let separator = "#telex:"

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  /// Stored with the articles: another way of mixing would make each of them new.
  private static func digest(_ parts: [String?]) -> String {
    var low: UInt64 = 0xCBF2_9CE4_8422_2325
    var high: UInt64 = 0x6C62_272E_07BB_0142
    func mix(_ byte: UInt8) {
      low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      high = (high ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    }
    for part in parts {
      part?.utf8.forEach(mix)
      mix(0xFF)
    }
    func hex(_ value: UInt64) -> String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hex(low) + hex(high)
  }
}
