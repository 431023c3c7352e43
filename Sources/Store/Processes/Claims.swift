internal import Dispatch
package import Foundation
internal import GRDB
package import News
internal import Text

/// The owner of claims on feeds: while it lives, other processes leave the feeds that are claimed
/// under its name to it.
///
/// It holds a lock on a file of its own beside the database, which the kernel releases however the
/// process ends. The lock is held across containers and machines as far as the file system carries
/// locks; where it carries none, claims end by their time only. So do those of a process that was
/// stopped, and those of a Telex that knows no locks.
package final class Claimant: Sendable {
  /// What stands with a claimed feed: the name of the file, or of nothing.
  package let name: String
  private let path: String
  private let descriptor: Int32

  init(program: String, in folder: String) {
    ClaimFile.removeAbandoned(in: folder)
    let text = "\(program)\n\(getpid())\n\(ClaimFile.hostName)\n"
    for _ in 0..<8 {
      let name = ClaimFile.newName()
      let path = folder + "/" + name
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { break }
      var isLocked: Bool
      repeat { isLocked = flock(descriptor, LOCK_EX) == 0 } while !isLocked && errno == EINTR
      // Somebody may have taken the file for an abandoned one before it was locked.
      if isLocked, !ClaimFile.isLinked(descriptor, path) {
        close(descriptor)
        continue
      }
      guard isLocked else {
        unlink(path)
        close(descriptor)
        break
      }
      // Who the others wait for; on a full disk they wait for nobody in particular.
      _ = text.withCString { write(descriptor, $0, strlen($0)) }
      (self.name, self.path, self.descriptor) = (name, path, descriptor)
      return
    }
    (name, path, descriptor) = (UUID().uuidString, "", -1)
  }

  deinit {
    guard descriptor >= 0 else { return }
    unlink(path)
    close(descriptor)
  }
}

/// The files that claims name.
enum ClaimFile {
  private static let prefix = "claim-"

  /// Without the look into the network that Foundation takes for it.
  static let hostName: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  static func newName() -> String { prefix + UUID().uuidString.lowercased() }

  /// Whether a file of the folder is one: nothing else that a database names is opened.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  /// `isHeldClaim(claimant)`: whether the claimant may still be at work.
  static func isHeldFunction(in folder: String) -> DatabaseFunction {
    DatabaseFunction("isHeldClaim", argumentCount: 1) { values in
      String.fromDatabaseValue(values[0]).map { isHeld($0, in: folder) }
    }
  }

  /// False only where the claimant is known to have ended: its file is gone, or nobody locks it.
  static func isHeld(_ name: String, in folder: String) -> Bool {
    guard isName(name) else { return true }
    let descriptor = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    return !isFree(descriptor)
  }

  /// Shared, so that two who look do not take each other for the owner.
  private static func isFree(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }

  static func isLinked(_ descriptor: Int32, _ path: String) -> Bool {
    var (mine, there) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  /// Removes what processes that were killed have left behind.
  static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where isName(name) {
      let path = folder + "/" + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // Removed while the lock is held: nobody can have begun to use it.
      if isFree(descriptor), isLinked(descriptor, path) { unlink(path) }
      close(descriptor)
    }
  }

  /// As in "telex refresh (process 12)"; "another Telex" where it has not said who it is.
  static func holder(_ name: String, in folder: String) -> String {
    let unknown = "another Telex"

    guard isName(name), let file = FileHandle(forReadingAtPath: folder + "/" + name),
      let bytes = try? file.read(upToCount: 512)
    else { return unknown }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      PlainText.sanitized(String($0))
    }
    guard lines.count == 3 else { return unknown }
    return "\(lines[0]) (process \(lines[1])\(lines[2] == hostName ? "" : " on \(lines[2])"))"
  }
}

extension Store {
  /// Begins to own claims, until the value is gone.
  ///
  /// - Parameter program: what those who wait for it are told.
  package func claimant(program: String) async -> Claimant {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [folder] in
        continuation.resume(returning: Claimant(program: program, in: folder))
      }
    }
  }

  /// Who is behind the name of a claimant, in words.
  package func holder(ofClaimsBy claimant: String) -> String {
    ClaimFile.holder(claimant, in: folder)
  }
}

extension StoreView {
  /// Those of `feeds` that others than `claimant` have claimed for fetching and not finished.
  ///
  /// - Parameter horizon: when a claim made now would end; one that holds for longer is none.
  package func claimed(
    _ feeds: [FeedID], byOthersThan claimant: String, at now: Date, horizon: Date = .distantFuture
  ) throws -> Set<FeedID> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT 1 FROM feedState
        WHERE feedID = ? AND claimant <> ? AND claimedUntil BETWEEN ? AND ?
          AND isHeldClaim(claimant)
        """)
    return try feeds.reduce(into: []) { claimed, feed in
      let arguments: StatementArguments = [
        feed.rawValue, claimant, seconds(now), seconds(horizon),
      ]
      if try Row.fetchOne(statement, arguments: arguments) != nil { claimed.insert(feed) }
    }
  }

  /// The claimant of a feed, at work or not.
  package func claimant(of feed: FeedID) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT claimant FROM feedState WHERE feedID = ?"),
      arguments: [feed.rawValue])
  }
}

extension StoreEdit {
  /// Claims feeds for fetching, so that two processes do not fetch the same one.
  ///
  /// A claim ends with the outcome that is recorded, with the process of its claimant, or by itself
  /// at `until`. One that holds for longer than that was made before the clock was set back, and
  /// counts for nothing.
  /// - Returns: those that were free.
  package func claim(
    _ feeds: [FeedID], by claimant: String, until: Date, now: Date
  ) throws -> Set<FeedID> {
    let statement = try db.cachedStatement(
      sql: """
        UPDATE feedState SET claimant = ?, claimedUntil = ?
        WHERE feedID = ? AND (
          claimant IS NULL OR claimant = ? OR claimedUntil NOT BETWEEN ? AND ?
            OR NOT isHeldClaim(claimant))
        """)
    var claimed: Set<FeedID> = []
    for feed in feeds {
      try statement.execute(arguments: [
        claimant, seconds(until), feed.rawValue, claimant, seconds(now), seconds(until),
      ])
      if db.changesCount > 0 { claimed.insert(feed) }
    }
    return claimed
  }

  /// Makes all claims of `claimant` hold until then.
  package func renewClaims(of claimant: String, until: Date) throws {
    try db.execute(
      sql: "UPDATE feedState SET claimedUntil = ? WHERE claimant = ?",
      arguments: [seconds(until), claimant])
  }

  /// Gives up all claims of `claimant`.
  package func releaseClaims(of claimant: String) throws {
    try db.execute(
      sql: "UPDATE feedState SET claimant = NULL, claimedUntil = NULL WHERE claimant = ?",
      arguments: [claimant])
  }
}
