internal import GRDB
package import News

/// Some articles of an account whose server is told of one label of theirs, and how.
package struct LabelCall: Hashable, Sendable {
  package let label: String
  package let isSet: Bool
  /// One for each change.
  package let ids: [String]
  package let items: [OutboxItem]

  /// The same in two calls, each for a half of the articles.
  package var halves: [LabelCall] {
    let middle = items.count / 2
    return [0..<middle, middle..<items.count].map {
      LabelCall(label: label, isSet: isSet, ids: Array(ids[$0]), items: Array(items[$0]))
    }
  }
}

extension LabelsView {
  /// The names of the tags of an account that are on any article, or of which its server is to be told.
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

  /// The ids that an account's server has given to the articles with a tag.
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

  /// The changes of tags that wait for the server of an account, in the order in which they were made.
  package func waitingTags(
    of account: AccountID, after number: Int64 = 0, limit: Int = .max
  ) throws -> [OutboxItem] {
    try view.outbox.items(
      where: "account = ? AND id > ? AND kind = '\(OutboxKind.tag.rawValue)'",
      [account.rawValue, number], limit: limit)
  }
}

extension LabelsEdit {
  /// Takes the changes of tags that one call is to carry: the next in order that say the same of one label. They
  /// count as tried from now on. Those of articles that the server knows no more are dropped.
  ///
  /// - Parameters:
  ///   - number: of the last change that was taken before.
  ///   - refusedToo: whether those that the server has refused are taken as well.
  /// - Returns: nil where none is left.
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

  /// Releases changes of tags that the server has accepted, and what was said before of the same ones: they are
  /// never sent again.
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

  /// Tags the articles behind some ids as the server has labelled them, or no longer has. A tag in the outbox is not
  /// overwritten.
  ///
  /// - Parameter keys: about a thousand at most, so that the user's own changes find their way in between.
  /// - Returns: how many articles have changed.
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
      let article = try Int64.fetchOne(
        find, arguments: [walk.account, key.rawValue, label])
      if let article { articles.append(ArticleID(article)) }
    }
    guard !articles.isEmpty else { return 0 }
    return try edit.tags.put(try edit.tags.save(label, of: walk.account), isSet, on: articles)
  }
}
