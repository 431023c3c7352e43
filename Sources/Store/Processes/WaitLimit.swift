internal import Foundation
internal import GRDB
internal import Synchronization

/// Limit of the wait for other processes: ten seconds for a writer, and the deadline of the
/// command.
final class WaitLimit: Sendable {
  /// The longest wait for a write of another process, in seconds.
  private static let limit = 10.0

  private let deadline: ContinuousClock.Instant?
  private let isWaived = Atomic(false)

  init(deadline: ContinuousClock.Instant?) { self.deadline = deadline }

  var remaining: Duration? { deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }

  var isOver: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Runs work that fails at once where another process has locked the database.
  func waived<Value>(_ work: () throws -> Value) rethrows -> Value {
    isWaived.store(true, ordering: .relaxed)
    defer { isWaived.store(false, ordering: .relaxed) }
    return try work()
  }

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

  /// The pauses between two attempts, in seconds: short at first, since most transactions are short.
  private static func pause(after tries: Int) -> Double {
    [0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.025, 0.025, 0.05, 0.05, 0.1][min(tries, 11)]
  }
}

/// Process that holds a lock, where the kernel tells it: on Linux, in the namespace of this process.
package enum LockHolder {
  /// For example "telex (process 12)"; nil where unknown.
  ///
  /// - Parameter byte: the locked byte of the file; nil for a lock on the whole file.
  package static func name(ofLockOn path: String, byte: Int64? = nil) -> String? {
    // The kernel returns the table in pieces: an entry can be missed while others come and go.
    for _ in 0..<10 {
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

  /// The process that writes the database, by byte 120 of the log's index (`WAL_WRITE_LOCK` in
  /// SQLite's document on it).
  static func writer(of path: String) -> String? { name(ofLockOn: path + "-shm", byte: 120) }
}
