internal import Foundation
internal import Text

/// Time zone named after a place, as in the IANA time zone database: `Europe/Berlin`.
///
/// Its offsets come from the data built into Foundation; no file is read.
struct PlaceZone {
  private let zone: TimeZone

  /// Returns the range of the first zone name in a text; nil if the text contains none.
  static func place(in bytes: ByteBuffer) -> Range<Int>? {
    var from = 0
    while let slash = bytes.firstIndex(of: 0x2F, from: from) {
      var start = slash
      while start > 0, bytes[start - 1].isASCIILetter { start -= 1 }
      var end = slash + 1
      while end < bytes.count, isOfName(bytes[end]) { end += 1 }
      if areas.contains(where: { bytes.isWord($0, in: start..<slash) }), end > slash + 1 {
        return start..<end
      }
      from = end
    }
    return nil
  }

  /// Fails for an unknown zone name.
  init?(_ name: String) {
    // Zone names are case-sensitive, but some feeds write them in another case.
    guard let zone = TimeZone(identifier: name) ?? TimeZone(identifier: Self.capitalized(name))
    else { return nil }
    self.zone = zone
  }

  /// Returns the offset from UTC in minutes, positive to the east, at a local time of the zone. Of a local
  /// time that occurs twice, the first occurrence counts.
  func offset(at fields: DateFields) -> Int {
    var utc = fields
    utc.offset = 0
    let local = Double(utc.seconds)
    func seconds(_ moment: Double) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment))
    }
    // Assumes that the offset changes at most once between a day before and a day after.
    let (before, after) = (seconds(local - 86_400), seconds(local + 86_400))
    let isBefore = seconds(local - Double(before)) == before
    return (isBefore ? before : seconds(local - Double(after))) / 60
  }

  /// The geographical areas of the database, and the areas of its old names, in lower case.
  private static let areas: [StaticString] = [
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "brazil",
    "canada",
    "chile", "europe", "indian", "mexico", "pacific", "us",
  ]

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte == 0x5F || byte == 0x2D || byte == 0x2F
  }

  private static func capitalized(_ name: String) -> String {
    var isFirst = true
    var capitalized = ""
    for character in name {
      capitalized += isFirst ? character.uppercased() : character.lowercased()
      isFirst = !character.isLetter
    }
    return capitalized
  }
}
