internal import Foundation
internal import News

/// What an entry is known by where its feed does not say so, or says the same of several.
enum EntryIdentity {
  /// An id made from what an entry says: from its title and date where it has both, so that a
  /// correction of its text makes no new article of it; else from all there is. The same in every run.
  static func derived(from entry: Entry) -> String {
    let date = (entry.published ?? entry.updated).map(FeedDate.iso8601)
    let body = entry.title != nil && date != nil ? nil : entry.contentHTML ?? entry.summary
    return "telex:" + digest([entry.title, body, date, entry.enclosures.first?.url])
  }

  /// An id for one of several entries that their feed gives the same one.
  static func distinct(_ entry: Entry) -> String {
    // Whether an id counts as an address too changes in some feeds, and says nothing.
    let url = entry.url == entry.id ? nil : entry.url
    let date = entry.published.map(FeedDate.iso8601)
    let file = entry.enclosures.first?.url
    // Where there is no id at all, and no date, only the text can tell.
    let body = entry.title == nil || date == nil && file == nil && entry.id == entry.url
    return entry.id + "#telex:"
      + digest([url, entry.title, date, file, body ? entry.contentHTML ?? entry.summary : nil])
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
