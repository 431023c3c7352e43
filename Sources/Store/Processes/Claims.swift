internal import Dispatch
package import Foundation
internal import GRDB
package import News
internal import Text

/// Owner of claims on feeds, which other processes do not fetch while it exists.
///
/// It locks a file beside the database, which the kernel unlocks however the process ends. Without
/// working file locks, and for a stopped process, claims only expire.
package final class Claimant: Sendable {
  /// The name that is stored with a claimed feed: that of the file, or of no file without locks.
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
      // Another process may have removed the file as an abandoned one before it was locked.
      if isLocked, !ClaimFile.isLinked(descriptor, path) {
        close(descriptor)
        continue
      }
      guard isLocked else {
        unlink(path)
        close(descriptor)
        break
      }
      // The name of this process for the messages of others; missing on a full disk.
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

enum ClaimFile {
  private static let prefix = "claim-"

  /// The name of this machine, without the network request that Foundation makes for it.
  static let hostName: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "this machine" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  static func newName() -> String { prefix + UUID().uuidString.lowercased() }

  /// Whether a name from the database is that of a lock file: no other file is opened.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  /// `isHeldClaim(claimant)`: whether the claimant may still be running.
  static func isHeldFunction(in folder: String) -> DatabaseFunction {
    DatabaseFunction("isHeldClaim", argumentCount: 1) { values in
      String.fromDatabaseValue(values[0]).map { isHeld($0, in: folder) }
    }
  }

  /// Whether a claimant may still be running: not where its file is gone or unlocked.
  static func isHeld(_ name: String, in folder: String) -> Bool {
    guard isName(name) else { return true }
    let descriptor = open(folder + "/" + name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno != ENOENT }
    defer { close(descriptor) }
    return !isFree(descriptor)
  }

  /// A shared lock, so that two processes that test it do not take each other for the owner.
  private static func isFree(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }

  static func isLinked(_ descriptor: Int32, _ path: String) -> Bool {
    var (mine, there) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  /// Removes the files of processes that were killed.
  static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where isName(name) {
      let path = folder + "/" + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // Removed while this process holds the lock, so that no other has begun to use it.
      if isFree(descriptor), isLinked(descriptor, path) { unlink(path) }
      close(descriptor)
    }
  }

  /// For example "telex refresh (process 12)"; "another Telex" where unknown.
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
  /// A new owner of claims, until it is deinitialised.
  ///
  /// - Parameter program: its name for messages of waiting processes.
  package func claimant(program: String) async -> Claimant {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [folder] in
        continuation.resume(returning: Claimant(program: program, in: folder))
      }
    }
  }

  package func holder(ofClaimsBy claimant: String) -> String {
    ClaimFile.holder(claimant, in: folder)
  }
}

extension ClaimsView {
  /// Feeds that other owners than `claimant` have claimed.
  ///
  /// - Parameter horizon: the end of a claim made now; a later one was made before the clock was
  ///   set back.
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

  package func claimant(of feed: FeedID) throws -> String? {
    try db.value("SELECT claimant FROM feedState WHERE feedID = ?", [feed])
  }
}

extension ClaimsEdit {
  /// Claims feeds, and returns those that were free.
  ///
  /// A claim ends with the recorded fetch, with the process, or at `until`. A later end was set
  /// before the clock was set back, and is ignored.
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
        claimant, seconds(until), feed, claimant, seconds(now), seconds(until),
      ])
      if db.changesCount > 0 { claimed.insert(feed) }
    }
    return claimed
  }

  package func renew(of claimant: String, until: Date) throws {
    try db.run(
      "UPDATE feedState SET claimedUntil = ? WHERE claimant = ?", [seconds(until), claimant])
  }

  package func release(of claimant: String) throws {
    try db.run(
      "UPDATE feedState SET claimant = NULL, claimedUntil = NULL WHERE claimant = ?", [claimant])
  }
}
