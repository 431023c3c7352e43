internal import Foundation
internal import GRDB
package import News
internal import Text

/// A folder of an exported list, with its attributes.
package struct StoredFolder: Hashable, Sendable {
  package var path: String
  package var attributes: [OutlineAttribute]
  package var isKept: Bool
}

/// Attributes of a feed in an exported list.
package struct StoredOutline: Hashable, Sendable {
  package var hasOwnTitle: Bool
  package var attributes: [OutlineAttribute]
}

extension OutlinesEdit {
  /// Replaces the attributes that other feed readers have noted about a feed.
  package func keep(_ attributes: [OutlineAttribute], of feed: FeedID) throws {
    guard let text = OutlineText.encode(attributes) else { return }
    try db.run("UPDATE feed SET outline = ? WHERE id = ?", [text, feed])
  }

  /// Keeps the attributes of a folder of the local account.
  ///
  /// - Parameter isKept: whether the folder stays without feeds; never revoked here.
  package func keep(
    _ attributes: [OutlineAttribute], ofFolder folder: String, isKept: Bool = false
  ) throws {
    let text = OutlineText.encode(attributes)
    guard !folder.isEmpty, isKept || text != nil else { return }
    try db.run(
      """
      INSERT INTO folderOutline (folder, outline, isKept) VALUES (?1, coalesce(?2, '[]'), ?3)
      ON CONFLICT (account, folder) DO UPDATE
        SET outline = coalesce(?2, outline), isKept = max(isKept, ?3)
      """, [folder, text, isKept])
  }

  /// Rows about folders, by their paths.
  ///
  /// - Parameter path: of a folder, for it and those inside it; nil for all.
  func rows(in path: String? = nil) throws -> [OutlineRow] {
    try db.rows(
      """
      SELECT folder, outline, isKept FROM folderOutline WHERE account = ?1
        AND (?2 IS NULL OR folder = ?2 OR substr(folder, 1, length(?2) + 1) = ?2 || '/')
      ORDER BY folder
      """, [AccountID.local, path]
    ).map { OutlineRow(folder: $0[0], outline: $0[1], isKept: $0[2]) }
  }

  func replace(_ former: [OutlineRow], by rows: [OutlineRow]) throws {
    for row in former {
      try db.run(
        "DELETE FROM folderOutline WHERE account = ? AND folder = ?", [AccountID.local, row.folder])
    }
    for row in rows {
      try db.run(
        """
        INSERT OR REPLACE INTO folderOutline (account, folder, outline, isKept)
        VALUES (?, ?, ?, ?)
        """, [AccountID.local, row.folder, row.outline, row.isKept])
    }
  }
}

struct OutlineRow: Codable, Hashable, Sendable {
  var folder: String
  /// Attributes from other feed readers, as JSON.
  var outline = "[]"
  var isKept = false
}

extension [OutlineRow] {
  /// The changes of these rows where their folder moves.
  ///
  /// - Parameters:
  ///   - isRemoval: whether the folder itself is removed, and the folders inside it stay.
  ///   - all: the rows of all folders: existing attributes win.
  func moving(
    _ folder: FolderID, to path: String, isRemoval: Bool, among all: [OutlineRow]
  ) -> (former: [OutlineRow], rows: [OutlineRow]) {
    var (former, rows): ([OutlineRow], [String: OutlineRow]) = (self, [:])
    for row in self where !(isRemoval && row.folder == folder.path) {
      let place = FolderID(row.folder).path(moving: folder, to: path)
      guard !place.isEmpty else { continue }
      var moved = row
      moved.folder = place
      let there = all.first { $0.folder == place && !contains($0) }
      if let there { former.append(there) }
      if let other = rows[place] ?? there {
        moved.isKept = moved.isKept || other.isKept
        if other.outline != "[]" { moved.outline = other.outline }
      }
      rows[place] = moved
    }
    return (former, rows.values.sorted { $0.folder < $1.folder })
  }
}

extension OutlinesView {
  /// The folders of the local account that stay without feeds, by their paths.
  package func keptFolders() throws -> [FolderID] {
    try db.values("SELECT folder FROM folderOutline WHERE account = 1 AND isKept ORDER BY folder")
      .map { FolderID(StoredText.name($0)) }
  }

  package func ofFeeds() throws -> [FeedID: StoredOutline] {
    try db.cursor("SELECT id, ownTitle IS NOT NULL, outline FROM feed").reduce(into: [:]) {
      $0[$1[0]] = StoredOutline(hasOwnTitle: $1[1], attributes: OutlineText.decode($1[2]))
    }
  }

  /// Folders of the local account that came with a list: with attributes, or without feeds.
  package func ofFolders() throws -> [StoredFolder] {
    let rows = try db.rows(
      "SELECT folder, outline, isKept FROM folderOutline WHERE account = 1 ORDER BY folder")
    return rows.map {
      StoredFolder(
        path: StoredText.name($0[0] as String), attributes: OutlineText.decode($0[1]), isKept: $0[2]
      )
    }
  }
}

/// The attributes of an outline in one column; none are null.
private enum OutlineText {
  static func encode(_ attributes: [OutlineAttribute]) -> String? {
    attributes.isEmpty ? nil : StoredJSON.encode(attributes)
  }

  static func decode(_ text: String?) -> [OutlineAttribute] {
    let attributes: [OutlineAttribute] = StoredJSON.decode(text) ?? []
    return attributes.map { attribute in
      var attribute = attribute
      attribute.value = PlainText.sanitizedBlock(attribute.value)
      return attribute
    }
  }
}
