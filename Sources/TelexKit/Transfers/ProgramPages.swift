internal import Foundation

/// Pages of the program's own file in memory.
enum ProgramPages {
  /// Gives back those that only the start has needed, some twenty megabytes: the runtime looks through the
  /// tables of the whole program then. They are never changed, and what is needed again is read again.
  static func release() {
    #if os(Linux)
      guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
      else { return }
      for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }) == own
        else { continue }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1],
          let start = UnsafeMutableRawPointer(bitPattern: ends[0])
        else { continue }
        _ = madvise(start, Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    #endif
  }
}
