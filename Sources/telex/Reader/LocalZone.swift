internal import Foundation
internal import Reader

extension WallClock {
  /// The current time in the local zone.
  ///
  /// By the C library: Foundation takes milliseconds to load a time zone, before the first screen.
  static func local(now: Int64 = Int64(time(nil))) -> WallClock {
    WallClock(now: now, offsets: offsets)
  }

  /// The offsets to UTC from 1990 to 2040, sampled monthly, with a search between two that differ.
  private static let offsets: [ZoneOffset] = {
    tzset()
    let month: Int64 = 30 * 86_400
    let start: Int64 = 631_152_000
    var offsets = [ZoneOffset(from: .min, seconds: offset(at: start))]
    var time = start
    while time < 2_208_988_800 {
      let next = time + month
      if let last = offsets.last, offset(at: next) != last.seconds {
        var (before, after) = (time, next)
        while after - before > 1 {
          let middle = (before + after) / 2
          if offset(at: middle) == last.seconds { before = middle } else { after = middle }
        }
        offsets.append(ZoneOffset(from: after, seconds: offset(at: after)))
      }
      time = next
    }
    return offsets
  }()

  private static func offset(at time: Int64) -> Int64 {
    var time = time_t(time)
    var parts = tm()
    localtime_r(&time, &parts)
    return Int64(parts.tm_gmtoff)
  }
}
