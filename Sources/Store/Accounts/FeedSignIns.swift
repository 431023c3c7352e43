internal import Foundation
internal import GRDB
package import News

extension SignInsView {
  /// The sign-ins whose passwords no feed needs any more, and that are still kept.
  package func discarded() throws -> [FeedSignIn] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT signIn FROM discardedSignIn")
    ).compactMap { StoredJSON.decode($0) }
  }
}

extension SignInsEdit {
  /// Says whose password opens a feed. The one that it had is discarded.
  package func set(_ signIn: FeedSignIn?, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET signIn = ? WHERE id = ?", [signIn.flatMap(StoredJSON.encode), feed])
  }

  /// The password has been taken away.
  package func removeDiscarded(_ signIn: FeedSignIn) throws {
    try db.run("DELETE FROM discardedSignIn WHERE signIn = ?", [StoredJSON.encode(signIn)])
  }
}
