package import Text

package import struct Foundation.Date

/// Ids of entries whose feed gives none, or one to several entries.
package enum EntryIdentity {
  /// An id derived from title and date, so that a corrected text is no new article; without both,
  /// from all fields. The same in every run.
  package static func derived(from entry: Entry) -> String {
    let date = (entry.published ?? entry.updated).map(Timestamp.text(of:))
    let body = entry.title != nil && date != nil ? nil : entry.contentHTML ?? entry.summary
    return derivedPrefix + digest([entry.title, body, date, entry.enclosures.first?.url])
  }

  package static func isDerived(_ id: String) -> Bool { id.hasPrefix(derivedPrefix) }

  /// An id for one of several entries with the same id: that id, and a digest of address, title,
  /// date of publication and first file. Instalments may differ in the last two only; a repeated
  /// article is better than a missing one.
  package static func distinct(_ entry: Entry) -> String {
    // Some feeds change whether their ids are addresses.
    let url = entry.url == entry.id ? nil : entry.url
    let date = entry.published.map(Timestamp.text(of:))
    let file = entry.enclosures.first?.url
    let body = isToldByText(entry) ? entry.contentHTML ?? entry.summary : nil
    return entry.id + separator + digest([url, entry.title, date, file, body])
  }

  /// Whether only its text distinguishes an entry from others of its id: without a title, or with
  /// neither id nor date.
  package static func isToldByText(_ entry: Entry) -> Bool {
    entry.title == nil
      || entry.published == nil && entry.enclosures.isEmpty && entry.id == entry.url
  }

  /// The original id of one that `distinct` made; nil for any other.
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

  /// Stored with the articles: another digest would make all of them new.
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
    return [low, high].map { String(zeroPadded: $0, to: 16, radix: 16) }.joined()
  }
}

extension Timestamp {
  /// RFC 3339 in UTC and whole seconds: `2024-05-01T12:00:00Z`.
  package static func text(of date: Date) -> String { text(of: date.timeIntervalSince1970) }
}
