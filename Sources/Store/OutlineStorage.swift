internal import Foundation
internal import GRDB
package import News

/// What an exported list says of a feed beside what the feed says itself.
package struct StoredOutline: Hashable, Sendable {
  /// Whether the reader has named the feed.
  package var hasOwnTitle: Bool
  package var attributes: [OutlineAttribute]
}

extension StoreEdit {
  /// Keeps what other readers have noted about a feed, instead of what was noted before.
  package func keepOutline(_ attributes: [OutlineAttribute], of feed: FeedID) throws {
    guard let text = OutlineText.encode(attributes) else { return }
    try db.cachedStatement(sql: "UPDATE feed SET outline = ? WHERE id = ?")
      .execute(arguments: [text, feed.rawValue])
  }

  /// The same for a folder.
  package func keepOutline(_ attributes: [OutlineAttribute], ofFolder folder: String) throws {
    guard let text = OutlineText.encode(attributes) else { return }
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO folderOutline (folder, outline) VALUES (?, ?)"
    ).execute(arguments: [folder, text])
  }
}

extension StoreView {
  /// What an exported list says of the feeds, all of them.
  package func outlines() throws -> [FeedID: StoredOutline] {
    var outlines: [FeedID: StoredOutline] = [:]
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT id, ownTitle IS NOT NULL, outline FROM feed"))
    while let row = try rows.next() {
      outlines[FeedID(row[0])] = StoredOutline(
        hasOwnTitle: row[1], attributes: OutlineText.decode(row[2]))
    }
    return outlines
  }

  /// What other readers have noted about folders that feeds lie in, or have lain in.
  package func folderOutlines() throws -> [(folder: String, attributes: [OutlineAttribute])] {
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT folder, outline FROM folderOutline ORDER BY folder"))
    return rows.map { ($0[0], OutlineText.decode($0[1])) }
  }
}

/// The attributes of an outline in one column; none are null.
private enum OutlineText {
  static func encode(_ attributes: [OutlineAttribute]) -> String? {
    guard !attributes.isEmpty, let data = try? JSONEncoder().encode(attributes) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func decode(_ text: String?) -> [OutlineAttribute] {
    guard let text else { return [] }
    return (try? JSONDecoder().decode([OutlineAttribute].self, from: Data(text.utf8))) ?? []
  }
}
