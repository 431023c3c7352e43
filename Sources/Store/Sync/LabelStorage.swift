internal import GRDB
package import News

/// Articles whose server is told of one label, set or removed.
package struct LabelCall: Hashable, Sendable {
  package let label: String
  package let isSet: Bool
  /// One for each change.
  package let ids: [String]
  package let items: [OutboxItem]

  /// Two calls, each for a half of the articles.
  package var halves: [LabelCall] {
    let middle = items.count / 2
    return [0..<middle, middle..<items.count].map {
      LabelCall(label: label, isSet: isSet, ids: Array(ids[$0]), items: Array(items[$0]))
    }
  }
}

extension LabelsView {
  /// Names of an account's tags that are on articles, or in the outbox.
  package func inUse(of account: AccountID) throws -> Set<String> {
    try String.fetchSet(
      db,
      sql: """
        SELECT name FROM tag WHERE account = ?1
          AND EXISTS (SELECT 1 FROM articleTag WHERE articleTag.tag = tag.id)
        UNION SELECT text FROM outbox
          WHERE account = ?1 AND kind = '\(OutboxKind.tag.rawValue)' AND text IS NOT NULL
        """, arguments: [account])
  }

  package func known(label: String, of account: AccountID) throws -> Set<ItemKey> {
    let keys = try Int64.fetchSet(
      db.cachedStatement(
        sql: """
          SELECT item.key FROM tag JOIN articleTag ON articleTag.tag = tag.id
            JOIN item ON item.articleID = articleTag.articleID AND item.account = tag.account
          WHERE tag.account = ? AND tag.name = ?
          """), arguments: [account, label])
    return Set(keys.map(ItemKey.init(stored:)))
  }

  package func waitingTags(
    of account: AccountID, after number: Int64 = 0, limit: Int = .max
  ) throws -> [OutboxItem] {
    try view.outbox.items(
      where: "account = ? AND id > ? AND kind = '\(OutboxKind.tag.rawValue)'",
      [account.rawValue, number], limit: limit)
  }
}

extension LabelsEdit {
  /// Takes changes of tags for one call: the next with the same label and state. They count as
  /// tried. Those of unknown articles are dropped. Returns nil where none is left.
  ///
  /// - Parameters:
  ///   - number: of the last change that was taken before.
  ///   - refusedToo: whether refused ones are included.
  package func beginSending(
    of account: AccountID, after number: Int64, limit: Int, refusedToo: Bool
  ) throws -> LabelCall? {
    let entryID = try db.cachedStatement(
      sql: """
        SELECT entryID FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ? AND feed.account = ? AND entryID <> '' AND \(MovedEntry.isNone("entryID"))
        """)
    var found: (label: String, isSet: Bool)?
    var (ids, items): ([String], [OutboxItem]) = ([], [])
    var last = number
    search: while items.count < limit {
      let waiting = try view.labels.waitingTags(of: account, after: last, limit: limit)
      guard let end = waiting.last else { break }
      last = end.id
      for item in waiting where refusedToo || !item.isRefused {
        guard case .tag(let article, let label, let isSet) = item.change else { continue }
        if let found, found.label != label || found.isSet != isSet { break search }
        let id = try String.fetchOne(entryID, arguments: [article, account])
        guard let id else {
          try edit.outbox.remove([item])
          continue
        }
        found = (label, isSet)
        ids.append(id)
        items.append(item)
        try edit.outbox.beginSending(item)
        if items.count == limit { break search }
      }
    }
    return found.map { LabelCall(label: $0.label, isSet: $0.isSet, ids: ids, items: items) }
  }

  /// Releases accepted changes of tags, and earlier ones of the same tags.
  package func finishSending(_ items: [OutboxItem], of account: AccountID) throws {
    let supersede = try db.cachedStatement(
      sql: """
        DELETE FROM outbox WHERE id < ?1 AND EXISTS (
          SELECT 1 FROM outbox AS sent WHERE sent.id = ?1 AND sent.kind = outbox.kind
            AND sent.account = outbox.account AND sent.articleID = outbox.articleID
            AND sent.text = outbox.text)
        """)
    for item in items { try supersede.execute(arguments: [item.id]) }
    try edit.outbox.release(items, of: account)
  }

  /// Applies a label of the server to articles, except tags in the outbox. Returns how many
  /// articles have changed.
  ///
  /// - Parameter keys: about a thousand at most, so that the user's changes get in between.
  package func apply(
    _ isSet: Bool, label: String, to keys: some Sequence<ItemKey>, in walk: SyncWalk
  ) throws -> Int {
    try edit.sync.check(walk)
    let find = try db.cachedStatement(
      sql: """
        SELECT articleID FROM item WHERE account = ?1 AND key = ?2 AND articleID IS NOT NULL
          AND NOT EXISTS (
            SELECT 1 FROM outbox WHERE outbox.articleID = item.articleID AND account = ?1
              AND kind = '\(OutboxKind.tag.rawValue)' AND text = ?3)
        """)
    var articles: [ArticleID] = []
    for key in keys {
      let article = try Int64.fetchOne(find, arguments: [walk.account, key.rawValue, label])
      if let article { articles.append(ArticleID(article)) }
    }
    guard !articles.isEmpty else { return 0 }
    return try edit.tags.put(try edit.tags.save(label, of: walk.account), isSet, on: articles)
  }
}
