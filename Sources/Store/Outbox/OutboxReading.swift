internal import Foundation
internal import GRDB
package import News
internal import Text

extension OutboxView {
  /// The outbox for the user.
  ///
  /// - Parameter limit: of changes that are read, oldest first. All are counted.
  package func snapshot(limit: Int = 1_000) throws -> OutboxSnapshot {
    OutboxSnapshot(changes: try changes(of: items(limit: limit)), counts: try waitingCounts())
  }

  package func waitingCount(of account: AccountID) throws -> Int {
    try db.value(
      """
      SELECT count(*) FROM outbox
      WHERE account = ? AND state <> \(OutboxItemState.sent.rawValue)
      """, [account]) ?? 0
  }

  /// Changes of comments that wait for the user's decision, oldest first.
  package func conflicts() throws -> [WaitingChange] {
    let items = try items(where: "kind = '\(OutboxKind.editComment.rawValue)'", [], limit: 1_000)
    return try changes(of: items).filter { $0.conflict != nil }
  }

  private func changes(of items: [OutboxItem]) throws -> [WaitingChange] {
    try items.map { item in
      let batch = try articlesOfBatch(item)
      let row = try db.row(
        """
        SELECT coalesce(article.title, article.excerpt, article.url, article.entryID),
          coalesce(feed.ownTitle, feed.title, feed.url), nullif(account.base, ''), feed.url,
          nullif(account.user, '')
        FROM outbox LEFT JOIN article ON article.id = coalesce(outbox.articleID, ?2)
          LEFT JOIN feed ON feed.id = coalesce(article.feedID, outbox.feedID)
          LEFT JOIN account ON account.id = outbox.account
        WHERE outbox.id = ?1
        """, [item.id, batch.only?.rawValue])
      let kind: WaitingChange.Kind
      var article: ArticleID?
      switch item.change {
      case .mark(let id, let mark): (kind, article) = (.mark(mark), id)
      case .readBatch(_, let isRead):
        (kind, article) =
          if let only = batch.only { (.mark(.read(isRead)), only) } else {
            (.batch(isRead: isRead, count: batch.count), nil)
          }
      case .comment(let id, let text): (kind, article) = (.comment(StoredText.line(text)), id)
      case .edit(let id, var edit):
        edit.text = StoredText.line(edit.text)
        (kind, article) = (.edit(edit), id)
      case .tag(let id, let name, let isSet):
        (kind, article) = (.tag(StoredText.line(name), isSet), id)
      case .later(let id): (kind, article) = (.later, id)
      case .subscription(_, let change): kind = .subscription(Self.readable(change))
      }
      return WaitingChange(
        id: item.id, kind: kind, origin: row.flatMap { Self.origin(base: $0[2], feed: $0[3]) },
        user: StoredText.line(row?[4] as String?), article: article,
        title: StoredText.title(row?[0] as String?),
        feedTitle: StoredText.title(row?[1] as String?), created: item.created,
        attempts: item.attempts, error: item.error)
    }
  }

  /// With sanitised text.
  private static func readable(_ change: SubscriptionChange) -> SubscriptionChange {
    var change = change
    change.url = StoredText.link(change.url)
    switch change.kind {
    case .add, .remove: break
    case .rename(let title): change.kind = .rename(StoredText.line(title))
    case .file(let folders): change.kind = .file(folders.map(StoredText.line))
    }
    return change
  }

  private func waitingCounts() throws -> [OutboxSnapshot.Count] {
    let rows = try db.rows(
      """
      SELECT nullif(account.base, ''), feed.url, count(*) FROM outbox
        LEFT JOIN article ON article.id = outbox.articleID
        LEFT JOIN feed ON feed.id = article.feedID
        LEFT JOIN account ON account.id = outbox.account
      WHERE outbox.state <> \(OutboxItemState.sent.rawValue)
      GROUP BY account.id, feed.id
      """)
    var counts: [String?: Int] = [:]
    for row in rows { counts[Self.origin(base: row[0], feed: row[1]), default: 0] += row[2] }
    return counts.map { OutboxSnapshot.Count(origin: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.origin ?? "~") < ($0.count, $1.origin ?? "~") }
  }

  /// The server of a change: of its account, else of its feed. A folder is named as a whole.
  private static func origin(base: String?, feed: String?) -> String? {
    if let base, base.hasPrefix("file:") { return StoredText.line(base) }
    return (base ?? feed).map { StoredText.link($0) }.flatMap(WebAddress.origin)
  }
}

extension OutboxEdit {
  /// Drops unsent changes from the outbox. Their effect here stays. Returns how many were still
  /// there.
  package func drop(_ ids: [Int64]) throws -> Int {
    let added = try db.cachedStatement(
      sql: "SELECT feedID FROM outbox WHERE id = ? AND kind = '\(OutboxKind.addFeed.rawValue)'")
    var dropped = 0
    for id in ids {
      // A feed that will not be added at its server has no source.
      if let feed = try Int64.fetchOne(added, arguments: [id]),
        try view.feeds.feed(FeedID(feed))?.counts.total == 0
      {
        try edit.feeds.unsubscribe(FeedID(feed))
        dropped += 1
        continue
      }
      try remove(id)
      dropped += db.changesCount
    }
    return dropped
  }
}
