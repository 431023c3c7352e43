internal import Foundation
internal import GRDB
package import News

extension SignInsView {
  /// The sign-ins whose passwords no feed needs any more, and that are still kept.
  package func discarded() throws -> [FeedSignIn] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT signIn FROM discardedSignIn")
    ).compactMap { StoredSignIn.decode($0) }
  }
}

extension SignInsEdit {
  /// Says whose password opens a feed. The one that it had is discarded.
  package func set(_ signIn: FeedSignIn?, of feed: FeedID) throws {
    try db.run(
      "UPDATE feed SET signIn = ? WHERE id = ?", [signIn.flatMap(StoredSignIn.encode), feed])
  }

  /// The password has been taken away.
  package func removeDiscarded(_ signIn: FeedSignIn) throws {
    try db.run("DELETE FROM discardedSignIn WHERE signIn = ?", [StoredSignIn.encode(signIn)])
  }
}

/// A feed's sign-in in one column, as JSON.
enum StoredSignIn {
  static func encode(_ signIn: FeedSignIn) -> String? {
    let encoder = JSONEncoder()
    // The same text each time: a row of `discardedSignIn` is known by it.
    encoder.outputFormatting = [.sortedKeys]
    return (try? encoder.encode(signIn)).map { String(decoding: $0, as: UTF8.self) }
  }

  static func decode(_ text: String?) -> FeedSignIn? {
    guard let text else { return nil }
    return try? JSONDecoder().decode(FeedSignIn.self, from: Data(text.utf8))
  }
}
