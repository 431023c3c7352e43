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

extension StoreView {
  /// The names of the tags of an account that are on any article, or of which its server is to be told.
  package func labelsInUse(of account: AccountID) throws -> Set<String> {
    try String.fetchSet(
      db,
      sql: """
        SELECT name FROM tag WHERE account = ?1
          AND EXISTS (SELECT 1 FROM articleTag WHERE articleTag.tag = tag.id)
        UNION SELECT text FROM outbox
          WHERE account = ?1 AND kind = '\(OutboxKind.tag.rawValue)' AND text IS NOT NULL
        """, arguments: [account.rawValue])
  }

  /// The ids that an account's server has given to the articles with a tag.
  package func known(label: String, of account: AccountID) throws -> Set<ItemKey> {
    let keys = try Int64.fetchSet(
      db.cachedStatement(
        sql: """
          SELECT item.key FROM tag JOIN articleTag ON articleTag.tag = tag.id
            JOIN item ON item.articleID = articleTag.articleID AND item.account = tag.account
          WHERE tag.account = ? AND tag.name = ?
          """), arguments: [account.rawValue, label])
    return Set(keys.map(ItemKey.init(stored:)))
  }

  /// The changes of tags that wait for the server of an account, in the order in which they were made.
  package func waitingTags(
    of account: AccountID, after number: Int64 = 0, limit: Int = .max
  ) throws -> [OutboxItem] {
    try outbox(
      where: """
        account = ? AND id > ? AND kind = '\(OutboxKind.tag.rawValue)'
          AND state <> \(OutboxState.ignored.rawValue)
        """, [account.rawValue, number], limit: limit)
  }
}

extension StoreEdit {
  /// Takes the changes of tags that one call is to carry: the next in order that say the same of one label. They
  /// count as tried from now on. Those of articles that the server knows no more are dropped.
  ///
  /// - Parameters:
  ///   - number: of the last change that was taken before.
  ///   - refusedToo: whether those that the server has refused are taken as well.
  /// - Returns: nil where none is left.
  package func beginSendingLabels(
    of account: AccountID, after number: Int64, limit: Int, refusedToo: Bool
  ) throws -> LabelCall? {
    let entryID = try db.cachedStatement(
      sql: """
        SELECT entryID FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = ? AND feed.account = ? AND entryID <> '' AND \(MovedEntry.isNone("entryID"))
        """)
    let begin = try db.cachedStatement(
      sql: "UPDATE outbox SET state = \(OutboxState.tried.rawValue) WHERE id = ?")
    var found: (label: String, isSet: Bool)?
    var (ids, items): ([String], [OutboxItem]) = ([], [])
    var last = number
    search: while items.count < limit {
      let waiting = try view.waitingTags(of: account, after: last, limit: limit)
      guard let end = waiting.last else { break }
      last = end.id
      for item in waiting where refusedToo || !item.isRefused {
        guard case .tag(let article, let label, let isSet) = item.change else { continue }
        if let found, found.label != label || found.isSet != isSet { break search }
        let id = try String.fetchOne(entryID, arguments: [article.rawValue, account.rawValue])
        guard let id else {
          try removeFromOutbox([item])
          continue
        }
        found = (label, isSet)
        ids.append(id)
        items.append(item)
        try begin.execute(arguments: [item.id])
        if items.count == limit { break search }
      }
    }
    return found.map { LabelCall(label: $0.label, isSet: $0.isSet, ids: ids, items: items) }
  }

  /// The server has answered that it has these: they stay until it is found to have them. What was said before
  /// of the same is never sent again.
  package func finishSendingLabels(_ items: [OutboxItem], of account: AccountID) throws {
    let supersede = try db.cachedStatement(
      sql: """
        DELETE FROM outbox WHERE id < ?1 AND EXISTS (
          SELECT 1 FROM outbox AS sent WHERE sent.id = ?1 AND sent.kind = outbox.kind
            AND sent.account = outbox.account AND sent.articleID = outbox.articleID
            AND sent.text = outbox.text)
        """)
    let finish = try db.cachedStatement(
      sql: """
        UPDATE outbox SET state = \(OutboxState.sent.rawValue), error = NULL,
          walk = (SELECT walk FROM account WHERE id = ?2)
        WHERE id = ?1
        """)
    for item in items {
      try supersede.execute(arguments: [item.id])
      try finish.execute(arguments: [item.id, account.rawValue])
    }
  }

  /// Tags the articles behind some ids as the server has labelled them, or no longer has. What is in the outbox of
  /// the same tag is not overwritten, sent or not.
  ///
  /// - Parameter keys: about a thousand at most, so that the user's own changes find their way in between.
  /// - Returns: how many articles have changed.
  package func apply(
    _ isSet: Bool, label: String, to keys: some Sequence<ItemKey>, in walk: SyncWalk
  ) throws -> Int {
    try check(walk)
    let find = try db.cachedStatement(
      sql: """
        SELECT articleID FROM item WHERE account = ?1 AND key = ?2 AND articleID IS NOT NULL
          AND NOT EXISTS (
            SELECT 1 FROM outbox WHERE outbox.articleID = item.articleID AND account = ?1
              AND kind = '\(OutboxKind.tag.rawValue)' AND text = ?3
              AND state <> \(OutboxState.ignored.rawValue))
        """)
    var articles: [ArticleID] = []
    for key in keys {
      let article = try Int64.fetchOne(
        find, arguments: [walk.account.rawValue, key.rawValue, label])
      if let article { articles.append(ArticleID(article)) }
    }
    guard !articles.isEmpty else { return 0 }
    return try putTag(try saveTag(label, of: walk.account), isSet, on: articles)
  }

  /// Compares the changes of a tag that were sent with the label as a walk has found it. One that was sent before
  /// the walk began leaves the outbox where the server is found to have it.
  package func confirm(
    label: String, _ set: WalkedSet, in walk: SyncWalk
  ) throws -> WalkResult {
    try check(walk)
    var result = WalkResult()
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, value, repeats, walk, state, articleID, EXISTS (
            SELECT 1 FROM outbox AS later WHERE later.articleID = outbox.articleID
              AND later.kind = outbox.kind AND later.account = outbox.account
              AND later.text = outbox.text AND later.id > outbox.id) AS isSuperseded
        FROM outbox
        WHERE account = ? AND kind = '\(OutboxKind.tag.rawValue)' AND text = ?
          AND state >= \(OutboxState.sent.rawValue) AND walk < ? ORDER BY id
        """, arguments: [walk.account.rawValue, label, walk.number])
    for row in rows {
      let (id, isSet, isSent) = (
        row[0] as Int64, row[1] as Bool, row[4] as Int == OutboxState.sent.rawValue
      )
      let key = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT key FROM item WHERE articleID = ? AND account = ?"),
        arguments: [row[5] as Int64?, walk.account.rawValue])
      let isIn = key.map { set.keys.contains(ItemKey(stored: $0)) }
      let isUnknown = isIn == false && !set.isWhole
      if row[6] || isIn == nil || (isIn == isSet && !isUnknown) {
        if isSent, isIn == isSet { result.confirmed += 1 }
        try db.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [id])
      } else if isSent, isUnknown {
        // No walk can say otherwise: the server is taken at its word.
        guard walk.number - (row[3] as Int64) >= Confirmation.patience else { continue }
        try db.execute(sql: "DELETE FROM outbox WHERE id = ?", arguments: [id])
      } else if isSent {
        try repeatLabel(id, sends: (row[2] as Int) + 1, of: walk.account, &result)
      }
    }
    return result
  }

  private func repeatLabel(
    _ id: Int64, sends: Int, of account: AccountID, _ result: inout WalkResult
  ) throws {
    guard sends >= Confirmation.attempts else {
      result.repeated += 1
      return try db.execute(
        sql: """
          UPDATE outbox SET state = \(OutboxState.tried.rawValue), repeats = ? WHERE id = ?
          """, arguments: [sends, id])
    }
    result.ignored += 1
    let base = try String.fetchOne(
      db, sql: "SELECT base FROM account WHERE id = ?", arguments: [account.rawValue])
    let error = SourceError(
      .notKept, stage: .fetch, subject: base ?? "",
      message: "the server says that it takes this tag, and does not keep what it was sent")
    try db.execute(
      sql: """
        UPDATE outbox SET state = \(OutboxState.ignored.rawValue), attempts = attempts + 1, error = ?
        WHERE id = ?
        """, arguments: [StoredError.encode(error), id])
  }
}
