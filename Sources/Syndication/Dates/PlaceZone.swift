internal import Foundation
internal import Text

/// Time zone of the IANA database, as `Europe/Berlin`, from Foundation's own data.
struct PlaceZone {
  private let zone: TimeZone

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

  init?(_ name: String) {
    // Zone names are case-sensitive, but some feeds write them in another case.
    guard let zone = TimeZone(identifier: name) ?? TimeZone(identifier: Self.capitalized(name))
    else { return nil }
    self.zone = zone
  }

  /// Offset in minutes east of UTC at a local time; if that is ambiguous, the earlier one.
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

  /// Areas of the database and of its old names.
  private static let areas: [StaticString] = [
    "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "brazil",
    "canada", "chile", "europe", "indian", "mexico", "pacific", "us",
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
