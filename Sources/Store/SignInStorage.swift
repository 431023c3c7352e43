internal import GRDB
package import News

package import struct Foundation.Date

extension StoreView {
  /// The sign-ins, without their secrets.
  package func signIns() throws -> [SignIn] {
    try Row.fetchAll(db, sql: "SELECT origin, kind, user, detail FROM account ORDER BY origin")
      .compactMap { row in
        let (origin, detail) = (StoredText.address(row[0] as String), row[3] as String?)
        let scheme: SignIn.Scheme
        switch row[1] as String {
        case "bearer": scheme = .bearer(base: StoredText.address(detail ?? origin))
        case "basic": scheme = .basic
        case "apiKey": scheme = .apiKey(header: StoredText.name(detail ?? "X-API-Key"))
        default: return nil
        }
        return SignIn(origin: origin, user: StoredText.name(row[2] as String), scheme: scheme)
      }
  }
}

extension StoreEdit {
  /// Keeps a sign-in; one of the same origin is replaced.
  package func save(_ account: SignIn, now: Date) throws {
    let (kind, detail) = Self.columns(of: account.scheme)
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO account (origin, kind, user, detail, createdAt)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [account.origin, kind, account.user, detail, seconds(now)])
  }

  /// Writes down another base or header of a sign-in; nothing of the one before stays in the files.
  package func replace(_ account: SignIn) throws {
    let detail = Self.columns(of: account.scheme).detail
    try db.execute(
      sql: "UPDATE account SET detail = ? WHERE origin = ?", arguments: [detail, account.origin])
    try noteErasure()
  }

  private static func columns(of scheme: SignIn.Scheme) -> (kind: String, detail: String?) {
    switch scheme {
    case .bearer(let base): ("bearer", base)
    case .basic: ("basic", nil)
    case .apiKey(let header): ("apiKey", header)
    }
  }

  /// Removes a sign-in, with all that waits to be sent in its name.
  package func removeSignIn(at origin: String) throws {
    let feeds = try view.feeds().filter { WebAddress.isAt($0.url, origin: origin) }
    for feed in feeds {
      try db.execute(
        sql: "DELETE FROM outbox WHERE articleID IN (SELECT id FROM article WHERE feedID = ?)",
        arguments: [feed.id.rawValue])
    }
    try noteErasure()
    try db.execute(sql: "DELETE FROM account WHERE origin = ?", arguments: [origin])
  }
}
