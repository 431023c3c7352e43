package import Foundation
internal import GRDB
package import News
internal import Text

extension StoreView {
  /// The sign-ins whose passwords no feed needs any more, and that are still kept.
  package func discardedSignIns() throws -> [FeedSignIn] {
    try String.fetchAll(
      db.cachedStatement(sql: "SELECT signIn FROM discardedSignIn")
    ).compactMap { StoredSignIn.decode($0) }
  }

  /// A feed whose address holds a name or a password, as versions before the seventh schema stored it.
  package struct AddressWithUser: Hashable, Sendable {
    package let feed: FeedID
    package let url: String
    /// Where its password is already kept, or on its way there.
    package let signIn: FeedSignIn?
  }

  /// Whether `addressesWithUser` or an account could have one.
  var mayHoldUsers: Bool {
    get throws {
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM feed WHERE instr(url, '@'))
            OR EXISTS (SELECT 1 FROM account WHERE instr(base, '@'))
          """) == true
    }
  }

  /// The feeds with a name or password in their address, as before schema 7.
  package func addressesWithUser() throws -> [AddressWithUser] {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT id, url, signIn FROM feed WHERE instr(url, '@') ORDER BY id"))
    var found: [AddressWithUser] = []
    while let row = try rows.next() {
      let url: String = row[1]
      guard WebAddress.user(in: url) != nil else { continue }
      found.append(
        AddressWithUser(feed: FeedID(row[0]), url: url, signIn: StoredSignIn.decode(row[2])))
    }
    return found
  }
}

extension StoreEdit {
  /// Says whose password opens a feed. The one that it had is discarded.
  package func setSignIn(_ signIn: FeedSignIn?, of feed: FeedID) throws {
    try db.execute(
      sql: "UPDATE feed SET signIn = ? WHERE id = ?",
      arguments: [signIn.flatMap(StoredSignIn.encode), feed.rawValue])
  }

  /// The password has been taken away.
  package func removeDiscarded(_ signIn: FeedSignIn) throws {
    try db.execute(
      sql: "DELETE FROM discardedSignIn WHERE signIn = ?",
      arguments: [StoredSignIn.encode(signIn)])
  }

  /// Takes name and password out of the address of a feed, and out of everything that repeats them: what
  /// is known of the feed, its cursors, what other feed readers have noted, errors, links of articles.
  /// Where a feed has that address already, the two become one.
  ///
  /// The password has to lie with the secrets by then. Does nothing where the address is another one
  /// meanwhile.
  package func removeUser(of feed: FeedID, at url: String, now: Date) throws {
    let stored = try String.fetchOne(
      db, sql: "SELECT url FROM feed WHERE id = ?", arguments: [feed.rawValue])
    guard let user = WebAddress.user(in: url), stored == url else { return }
    let bare = WebAddress.withoutUser(url)
    let other = try Int64.fetchOne(
      db,
      sql: """
        SELECT id FROM feed
        WHERE url = ?1 AND id <> ?2 AND account = (SELECT account FROM feed WHERE id = ?2)
        """, arguments: [bare, feed.rawValue]
    ).map { FeedID($0) }
    if let other {
      try FeedUnion(edit: self, now: now).unite(feed, into: other)
    } else {
      try db.execute(
        sql: "UPDATE feed SET url = ? WHERE id = ?", arguments: [bare, feed.rawValue])
    }
    try removeRepetitions(of: user)
    try removeUser(user, fromBodiesOf: other ?? feed)
    try noteErasure()
  }

  /// Where an address may be repeated, articles aside.
  private static let repeating: [(table: String, columns: [String])] = [
    (
      "feed",
      [
        "title", "ownTitle", "link", "description", "outline", "image", "icon", "authors", "rights",
        "movedTo",
      ]
    ),
    ("feedState", ["error", "cursor", "redirectedTo"]), ("gap", ["cursor"]),
    ("folderOutline", ["outline"]), ("account", ["base"]), ("signIn", ["detail"]),
    ("outbox", ["error"]),
    ("articleBody", ["details"]), ("formerText", ["title"]),
    ("fullText", ["page", "details", "error"]), ("comment", ["url"]), ("conversation", ["error"]),
  ]

  private func removeRepetitions(of user: AddressUser) throws {
    for (text, replacement) in user.replacements {
      for (table, columns) in Self.repeating {
        for column in columns {
          try db.execute(
            sql: """
              UPDATE OR IGNORE \(table) SET \(column) = replace(\(column), ?1, ?2)
              WHERE instr(\(column), ?1)
              """, arguments: [text, replacement])
        }
      }
      for column in ["url", "title", "excerpt"] {
        try removeRepetitions(of: text, replacement, fromArticles: column)
      }
    }
  }

  /// With the index, and with what a link is known by.
  private func removeRepetitions(
    of text: String, _ replacement: String, fromArticles column: String
  ) throws {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT id FROM article WHERE instr(\(column), ?)", arguments: [text])
    for id in ids {
      try reindexing(id) {
        try db.execute(
          sql: "UPDATE article SET \(column) = replace(\(column), ?, ?) WHERE id = ?",
          arguments: [text, replacement, id])
        guard column == "url" else { return }
        let url = try String.fetchOne(
          db, sql: "SELECT url FROM article WHERE id = ?", arguments: [id])
        try db.execute(
          sql: "UPDATE article SET linkKey = ? WHERE id = ?",
          arguments: [url.flatMap(PreparedPage.key(ofLink:)), id])
      }
    }
  }

  /// The links in texts of a feed whose server resolved them against its address.
  private func removeUser(_ user: AddressUser, fromBodiesOf feed: FeedID) throws {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT id FROM article WHERE feedID = ?", arguments: [feed.rawValue])
    let encoder = BodyEncoder()
    for id in ids { try removeUser(user, fromFullTextOf: id, encoder) }
    for (table, id) in ids.flatMap({ [("articleBody", $0), ("formerText", $0)] }) {
      let row = try Row.fetchOne(
        db.cachedStatement(sql: "SELECT content, summary FROM \(table) WHERE articleID = ?"),
        arguments: [id])
      guard let row else { continue }
      for (index, column) in ["content", "summary"].enumerated() {
        guard let text = (row[index] as Data?).flatMap(BodyCodec.decode) else { continue }
        let clean = user.removed(from: text)
        guard clean != text else { continue }
        try reindexing(id) {
          try db.execute(
            sql: "UPDATE \(table) SET \(column) = ? WHERE articleID = ?",
            arguments: [encoder.encode(clean), id])
        }
      }
    }
  }

  private func removeUser(
    _ user: AddressUser, fromFullTextOf id: Int64, _ encoder: BodyEncoder
  ) throws {
    let content = try Data.fetchOne(
      db.cachedStatement(sql: "SELECT content FROM fullText WHERE articleID = ?"), arguments: [id])
    guard let text = content.flatMap(BodyCodec.decode) else { return }
    let clean = user.removed(from: text)
    guard clean != text else { return }
    try reindexing(id) {
      try db.execute(
        sql: "UPDATE fullText SET content = ? WHERE articleID = ?",
        arguments: [encoder.encode(clean), id])
    }
  }

  private func reindexing(_ id: Int64, _ body: () throws -> Void) throws {
    try indexing.remove(id, in: db)
    try body()
    try indexing.add(id, in: db)
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
