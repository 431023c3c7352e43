internal import Foundation
internal import Text

/// A zone that is named after a place, as the IANA time zone database has them: `Europe/Berlin`.
///
/// What was the time there comes from the data that Foundation holds within itself; no file is read.
struct PlaceZone {
  private let zone: TimeZone

  /// Where the name of such a zone stands in a text; nil where there is none.
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

  /// Nil for a name that nobody knows.
  init?(_ name: String) {
    // The names count letters by their case; not all who write them do.
    guard let zone = TimeZone(identifier: name) ?? TimeZone(identifier: Self.capitalized(name))
    else { return nil }
    self.zone = zone
  }

  /// Minutes east of UTC at a time of the zone's own clocks. Where they show it twice the first counts.
  func offset(at fields: DateFields) -> Int {
    var utc = fields
    utc.offset = 0
    let local = Double(utc.seconds)
    func seconds(_ moment: Double) -> Int {
      zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment))
    }
    // A day before and a day behind there was no other change.
    let (before, after) = (seconds(local - 86_400), seconds(local + 86_400))
    let isBefore = seconds(local - Double(before)) == before
    return (isBefore ? before : seconds(local - Double(after))) / 60
  }

  /// The areas of the database that lie on Earth, and those of its old names.
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
