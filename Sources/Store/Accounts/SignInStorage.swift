package import Foundation
internal import GRDB
package import News
internal import Text

extension SignInsView {
  /// Credentials of origins without an account, without their secrets.
  package func all() throws -> [SignIn] {
    try db.rows("SELECT * FROM signIn ORDER BY origin")
      .compactMap { row in
        let scheme: SignIn.Scheme
        switch row["kind"] as String {
        case "basic": scheme = .basic
        case "apiKey":
          scheme = .apiKey(header: StoredText.name(row["detail"] as String? ?? "X-API-Key"))
        default: return nil
        }
        return SignIn(
          origin: StoredText.address(row["origin"] as String),
          user: StoredText.name(row["user"] as String),
          scheme: scheme)
      }
  }

  /// Sign-ins of removed feeds whose passwords are still in the keyring.
  package func discarded() throws -> [FeedSignIn] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT signIn FROM discardedSignIn")
    ).compactMap { StoredJSON.decode($0) }
  }
}

extension SignInsEdit {
  /// Keeps the credential of an origin, and replaces an earlier one. Tokens belong to accounts.
  package func save(_ signIn: SignIn, now: Date) throws {
    let (kind, detail): (String, String?)
    switch signIn.scheme {
    case .basic: (kind, detail) = ("basic", nil)
    case .apiKey(let header): (kind, detail) = ("apiKey", header)
    default: return
    }
    try db.run(
      """
      INSERT OR REPLACE INTO signIn (origin, kind, user, detail, createdAt)
      VALUES (?, ?, ?, ?, ?)
      """, [signIn.origin, kind, signIn.user, detail, seconds(now)])
  }

  /// Removes the credential of an origin with its outbox. Changes of a user who is signed in to an
  /// account there stay.
  package func remove(at origin: String) throws {
    let feeds = try view.feeds.all().filter {
      $0.account.user.isEmpty && WebAddress.isAt($0.url, origin: origin)
    }
    for feed in feeds {
      try db.run(
        "DELETE FROM outbox WHERE articleID IN (SELECT id FROM article WHERE feedID = ?)", [feed.id]
      )
    }
    try edit.noteErasure()
    try db.run("DELETE FROM signIn WHERE origin = ?", [origin])
  }

  /// Sets the sign-in of a feed, and discards the former one.
  package func set(_ signIn: FeedSignIn?, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET signIn = ? WHERE id = ?", [signIn.flatMap(StoredJSON.encode), feed])
  }

  /// Notes that the password was removed from the keyring.
  package func removeDiscarded(_ signIn: FeedSignIn) throws {
    try db.run("DELETE FROM discardedSignIn WHERE signIn = ?", [StoredJSON.encode(signIn)])
  }
}
