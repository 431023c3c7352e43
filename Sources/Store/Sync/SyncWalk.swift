package import Foundation
internal import GRDB
package import News

/// Walk through all sets of ids of a server.
///
/// It belongs to the claimant of its account, and writes nothing after another one has taken over
/// (`SyncEdit.check`).
package struct SyncWalk: Hashable, Sendable {
  package let account: AccountID
  package let number: Int64
  let claimant: String
  /// The moment up to which an earlier walk has seen all articles; nil where none has.
  package let walkedUpTo: Date?
  /// When all ids that the server has were last listed; nil where they never were.
  package let fullWalkAt: Date?

  /// How much nearer to the front ids come whose articles are unread or starred.
  static let urgency = Int64(1) << 60
  /// How many syncs ask for the article of an id that the server lists and does not hand out.
  static let tries = 3
  /// Stands for tries of an article that was trimmed here: it is not asked for again.
  static let trimmed = 1_000_000

  /// Place in the queue of what is fetched, lowest first: later walks first, then the order of the
  /// server.
  func rank(at index: Int) -> Int64 { -(number << 32) + Int64(index) }
}

/// Another sync has taken an account over, or the account has been removed: what is under way ends.
package struct WalkOvertaken: Error {
  package init() {}
}

package struct WalkedSet: Sendable {
  package let keys: Set<ItemKey>
  /// Whether what is not among `keys` is known not to belong to the set.
  package let isWhole: Bool

  package init(keys: Set<ItemKey>, isWhole: Bool) {
    self.keys = keys
    self.isWhole = isWhole
  }
}

extension SyncEdit {
  /// - Throws: `WalkOvertaken` where another claimant has taken over.
  package func beginWalk(of account: AccountID, by claimant: String) throws -> SyncWalk {
    try db.run(
      "UPDATE account SET walk = walk + 1 WHERE id = ? AND claimant = ?", [account, claimant])
    let row = try db.row(
      "SELECT walk, walkedUpTo, fullWalkAt FROM account WHERE id = ? AND claimant = ?",
      [account, claimant])
    guard let row else { throw WalkOvertaken() }
    return SyncWalk(
      account: account, number: row[0], claimant: claimant, walkedUpTo: date(row[1]),
      fullWalkAt: date(row[2]))
  }

  /// Checks that the account is still the walk's own, first in each of its transactions.
  ///
  /// - Throws: `WalkOvertaken`.
  package func check(_ walk: SyncWalk) throws {
    let isOwn = try db.row(
      "SELECT 1 FROM account WHERE id = ? AND walk = ? AND claimant = ?",
      [walk.account, walk.number, walk.claimant])
    if isOwn == nil { throw WalkOvertaken() }
  }

  /// Notes up to which moment all articles were seen.
  ///
  /// - Parameter isFull: whether the server has listed all, not only new ones.
  package func setWalkedUpTo(_ moment: Date, isFull: Bool, in walk: SyncWalk) throws {
    try check(walk)
    if isFull { try askAgain(in: walk, at: moment) }
    try db.run(
      """
      UPDATE account SET walkedUpTo = ?1, fullWalkAt = CASE WHEN ?2 THEN ?1 ELSE fullWalkAt END
      WHERE id = ?3
      """, [seconds(moment), isFull, walk.account])
  }

  /// Keeps the server's own count of unread articles; nil where it has told none.
  package func setUnreadThere(_ count: Int?, in walk: SyncWalk) throws {
    try check(walk)
    try db.run(
      "UPDATE account SET unreadThere = ?2 WHERE id = ?1 AND unreadThere IS NOT ?2",
      [walk.account, count])
  }

  /// Retries ids that were given up, once a day while the server lists them.
  private func askAgain(in walk: SyncWalk, at moment: Date) throws {
    func day(_ date: Date?) -> Int64? { seconds(date).map { $0 / 86_400 } }
    guard day(walk.fullWalkAt) != day(moment) else { return }
    try db.run(
      """
      UPDATE item SET tries = \(SyncWalk.tries - 1)
      WHERE account = ? AND articleID IS NULL
        AND tries BETWEEN \(SyncWalk.tries) AND \(SyncWalk.trimmed - 1)
      """, [walk.account])
  }
}
