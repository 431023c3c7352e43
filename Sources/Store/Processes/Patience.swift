internal import Foundation
internal import GRDB
internal import Synchronization

/// How long other processes are waited for: ten seconds for one that writes, and never past the
/// deadline of the command.
final class Patience: Sendable {
  /// Seconds for which another process may write before it has been too long.
  private static let limit = 10.0

  private let deadline: ContinuousClock.Instant?
  private let isWaived = Atomic(false)

  init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

  /// Until the deadline; nil without one.
  var remaining: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Runs the work, which finds others at work without waiting for them.
  func waived<Value>(_ work: () throws -> Value) rethrows -> Value {
    isWaived.store(true, ordering: .relaxed)
    defer { isWaived.store(false, ordering: .relaxed) }
    return try work()
  }

  /// SQLite's busy handler.
  var mode: Database.BusyMode {
    .callback { [self] tries in
      if isWaived.load(ordering: .relaxed) || isOver { return false }
      let waited = (0..<min(tries, 1_000)).reduce(0) { $0 + Self.pause(after: $1) }
      guard waited < Self.limit else { return false }
      var pause = Self.pause(after: tries)
      if let deadline {
        pause = min(pause, ContinuousClock.now.duration(to: deadline) / .seconds(1))
      }
      usleep(UInt32(max(0, pause) * 1_000_000) + 1)
      return true
    }
  }

  /// Seconds: short at first, for most transactions are.
  private static func pause(after tries: Int) -> Double {
    [0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.025, 0.025, 0.05, 0.05, 0.1][min(tries, 11)]
  }
}

/// Who holds a lock, as far as the kernel tells: on Linux, and in this process's own namespace.
package enum LockHolder {
  /// As in "telex (process 12)"; nil where it is not known.
  ///
  /// - Parameter byte: of the file, for a lock on a part of it; nil for one on the whole.
  package static func name(ofLockOn path: String, byte: Int64? = nil) -> String? {
    // The kernel hands the table out in pieces, and one can be missed while other locks come and go.
    for _ in 0..<3 {
      if let name = listed(lockOn: path, byte: byte) { return name }
    }
    return nil
  }

  private static func listed(lockOn path: String, byte: Int64?) -> String? {
    #if os(Linux)
      var status = stat()
      // Not opened: to close the file again would release this process's own locks on it.
      guard stat(path, &status) == 0,
        let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
      else { return nil }
      for line in table.split(separator: "\n") {
        // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF
        let words = line.split(separator: " ")
        guard words.count == 8, words[3] == "WRITE", let process = Int32(words[4]), process > 0,
          process != getpid(), words[5].split(separator: ":").last == "\(status.st_ino)"
        else { continue }
        if let byte {
          guard words[1] != "FLOCK", let first = Int64(words[6]), first <= byte,
            Int64(words[7]).map({ $0 >= byte }) ?? true
          else { continue }
        } else if words[1] != "FLOCK" {
          continue
        }
        let program = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        let name = program?.split(separator: "\n").first.map(String.init) ?? "another program"
        return "\(name) (process \(process))"
      }
    #endif
    return nil
  }

  /// Who writes the database. Byte 120 of the log's index is what SQLite locks then (its document
  /// on the format of the WAL index calls it `WAL_WRITE_LOCK`).
  static func writer(of path: String) -> String? { name(ofLockOn: path + "-shm", byte: 120) }
}
