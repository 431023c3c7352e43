package import Foundation
internal import GRDB
package import News
internal import Text

/// How far a change in the outbox has come. The values are stored.
enum OutboxItemState: Int {
  /// Nobody has tried to send it.
  case waiting = 0
  /// It may have arrived.
  case tried = 1
  /// The server has it. Kept until the running sync has ended, whose lists may be older.
  case sent = 2
}

/// A change that waits for the server it belongs to.
package struct OutboxItem: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    case mark(ArticleID, Mark)
    /// A batch of "mark all read", set or undone.
    case readBatch(Int64, Bool)
    case comment(ArticleID, String)
    case edit(ArticleID, CommentEdit)
    case tag(ArticleID, String, Bool)
    case later(ArticleID)
    /// The feed is nil where there is none here.
    case subscription(FeedID?, SubscriptionChange)

    package var isMark: Bool {
      switch self {
      case .mark, .readBatch: true
      case .comment, .edit, .tag, .later, .subscription: false
      }
    }

    fileprivate var subject: Subject {
      switch self {
      case .mark(let article, let mark): .mark(article, mark.kind)
      case .readBatch: .batch
      case .comment(let article, _), .edit(let article, _): .comment(article)
      case .tag(let article, let name, _): .tag(article, name)
      case .later(let article): .later(article)
      case .subscription(let feed, _): .feed(feed)
      }
    }
  }

  /// Subject of a change: later changes of the same one win.
  fileprivate enum Subject: Hashable {
    case mark(ArticleID, Mark.Kind), comment(ArticleID), later(ArticleID)
    case tag(ArticleID, String)
    case batch
    case feed(FeedID?)
  }

  package let id: Int64
  /// Nil where its article was removed.
  package let account: AccountID?
  /// The idempotency key of all attempts.
  package let key: String
  package let change: Change
  /// The id of the answered comment; nil for one on the article, and for other changes.
  package var parent: String?
  package var created: Date
  package var attempts: Int
  package var error: SourceError?

  /// Trying again by itself would not help.
  package var isRefused: Bool { error?.isRefusal ?? false }
}

extension OutboxView {
  /// The changes in the order in which they were made.
  package func items(limit: Int = 1_000) throws -> [OutboxItem] {
    try items(where: "1", [], limit: limit)
  }

  /// Queued comments and changes of comments, oldest first.
  package func waitingComments() throws -> [OutboxItem] {
    try items(where: "kind IN (\(OutboxKind.ofTexts))", [], limit: .max)
  }

  /// Queued comments and changes of comments for the server of an account.
  package func waitingComments(of account: AccountID) throws -> [OutboxItem] {
    try items(
      where: "kind IN (\(OutboxKind.ofTexts)) AND \(Self.recipient) = ?", [account.rawValue],
      limit: .max)
  }

  package func waitingComments(on article: ArticleID) throws -> [OutboxItem] {
    try items(
      where: "kind IN (\(OutboxKind.ofTexts)) AND articleID = ?", [article.rawValue], limit: .max)
  }

  package func hasWaitingMarks(of account: AccountID) throws -> Bool {
    try !items(
      where: "kind IN (\(OutboxKind.ofMarks)) AND account = ?", [account.rawValue], limit: 1
    ).isEmpty
  }

  /// Whether anything is in the outbox, or is being written to a log. Cheap for any size.
  package func hasItems() throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (SELECT 1 FROM outbox)
        OR EXISTS (SELECT 1 FROM ownLog WHERE pending IS NOT NULL)
      """) ?? false
  }

  /// SQL: the account whose server gets a change. Comments go where their article is now.
  private static let recipient = """
    CASE WHEN kind IN (\(OutboxKind.ofTexts)) THEN coalesce(
      (SELECT feed.account FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = outbox.articleID), account) ELSE account END
    """

  /// Accounts with waiting changes, and the number of the newest; 0 where only a log is to be
  /// written.
  package func waitingNumbers() throws -> [AccountID: Int64] {
    let rows = try db.rows(
      """
      SELECT recipient, max(number) FROM (
        SELECT \(Self.recipient) AS recipient, id AS number FROM outbox
          WHERE state <> \(OutboxItemState.sent.rawValue)
        UNION ALL SELECT account, 0 FROM ownLog WHERE pending IS NOT NULL)
      WHERE recipient IS NOT NULL GROUP BY recipient
      """)
    return Dictionary(uniqueKeysWithValues: rows.map { (AccountID($0[0]), $0[1]) })
  }

  /// Waiting changes of an account up to a number, without those that wait for the user.
  package func unsentChanges(of account: AccountID, upTo number: Int64) throws -> [OutboxItem] {
    try items(where: "\(Self.recipient) = ? AND id <= ?", [account.rawValue, number], limit: .max)
      .filter { !$0.change.isUndecided }
  }

  func items(of account: AccountID, after number: Int64, limit: Int) throws -> [OutboxItem] {
    try items(where: "account = ? AND id > ?", [account.rawValue, number], limit: limit)
  }

  func items(
    where condition: String, _ arguments: StatementArguments, limit: Int
  ) throws -> [OutboxItem] {
    try db.rows(
      """
      SELECT * FROM outbox
      WHERE state <> \(OutboxItemState.sent.rawValue) AND \(condition) ORDER BY id LIMIT ?
      """, arguments + [limit]
    ).compactMap { row in
      let value: Bool = row["value"]
      let change: OutboxItem.Change
      switch (row["kind"] as String, row["articleID"] as Int64?, row["batch"] as Int64?) {
      case ("read", let article?, _): change = .mark(ArticleID(article), .read(value))
      case ("starred", let article?, _): change = .mark(ArticleID(article), .starred(value))
      case ("readBatch", _, let batch?): change = .readBatch(batch, value)
      case ("comment", let article?, _): change = .comment(ArticleID(article), row["text"] ?? "")
      case ("editComment", let article?, _):
        guard let edit = StoredEdit.decode(row["text"]) else { return nil }
        change = .edit(ArticleID(article), edit)
      case ("later", let article?, _): change = .later(ArticleID(article))
      case ("tag", let article?, _): change = .tag(ArticleID(article), row["text"] ?? "", value)
      case (_, nil, nil):
        guard let subscription: SubscriptionChange = StoredJSON.decode(row["text"]) else {
          return nil
        }
        change = .subscription(row["feedID"], subscription)
      default: return nil
      }
      return OutboxItem(
        id: row["id"], account: row["account"], key: row["key"], change: change,
        parent: row["parent"], created: Date(seconds: row["createdAt"]), attempts: row["attempts"],
        error: StoredError.decode(row["error"]))
    }
  }

  /// The number of the newest change that ever was in the outbox.
  package func lastNumber() throws -> Int64 {
    try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'") ?? 0
  }
}

extension OutboxEdit {
  /// Takes marks for one call, oldest first. They count as tried, so that nothing replaces them on
  /// the way. No two are about the same mark of an article.
  ///
  /// - Parameters:
  ///   - number: of the last change that was taken before.
  ///   - limit: of marks. A batch may exceed it, and is alone then.
  ///   - refusedEnd: refused ones are included up to this number; 0 for none.
  /// - Returns: nil where none is left.
  package func beginSending(
    of account: AccountID, after number: Int64, limit: Int, refusedUpTo refusedEnd: Int64 = 0
  ) throws -> OutboxCall? {
    var items: [OutboxItem] = []
    var marks: [OutboxMark] = []
    var subjects: Set<OutboxItem.Subject> = []
    var waiting: [OutboxItem] = []
    var last = number
    while waiting.isEmpty {
      let found = try view.outbox.items(of: account, after: last, limit: limit)
      guard let end = found.last else { return nil }
      last = end.id
      waiting = found.filter { $0.change.isMark && ($0.id <= refusedEnd || !$0.isRefused) }
    }
    for item in waiting {
      let more = try view.outbox.outboxMarks(of: item)
      let isBatch = item.change.subject == .batch
      guard items.isEmpty || (!isBatch && marks.count + more.count <= limit),
        subjects.insert(item.change.subject).inserted
      else { break }
      items.append(item)
      marks += more
      if isBatch { break }
    }
    guard !items.isEmpty else { return nil }
    for item in items { try beginSending(item) }
    return OutboxCall(items: items, marks: marks)
  }

  /// Counts a change as tried, so that nothing takes its place from now on.
  func beginSending(_ item: OutboxItem) throws {
    try db.run(
      "UPDATE outbox SET state = \(OutboxItemState.tried.rawValue) WHERE id = ?", [item.id])
  }

  /// Releases accepted marks, and notes them as the server's state, so that the next walk finds
  /// later changes of other devices.
  package func finishSending(_ items: [OutboxItem], of account: AccountID) throws {
    for item in items {
      try removeSuperseded(by: item)
      try noteAccepted(item, by: account)
    }
    try release(items, of: account)
  }

  /// Removes accepted changes; during a sync of the account they are held until its end.
  func release(_ items: [OutboxItem], of account: AccountID) throws {
    guard try isBeingSynced(account) else { return try remove(items) }
    for item in items {
      try db.run(
        "UPDATE outbox SET state = \(OutboxItemState.sent.rawValue), error = NULL WHERE id = ?",
        [item.id])
    }
    try forgetUnsent(of: account)
  }

  /// Clears the error of an account without waiting changes. That of a failed sync stays.
  private func forgetUnsent(of account: AccountID) throws {
    try db.run(
      """
      UPDATE account SET error = NULL, nextAttempt = NULL
      WHERE id = ?1 AND error IS NOT NULL AND lastSuccess = lastAttempt AND needsSignIn = 0
        AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE account = ?1 AND state <> \(OutboxItemState.sent.rawValue))
      """, [account])
  }

  func removeSent(of account: AccountID) throws {
    try db.run(
      "DELETE FROM outbox WHERE account = ? AND state >= \(OutboxItemState.sent.rawValue)",
      [account])
  }

  private func isBeingSynced(_ account: AccountID) throws -> Bool {
    try db.value("SELECT claimant IS NOT NULL FROM account WHERE id = ?", [account]) ?? false
  }

  /// Removes delivered or unwanted changes.
  package func remove(_ items: [OutboxItem]) throws {
    for item in items { try remove(item.id) }
    for account in Set(items.compactMap(\.account)) { try forgetUnsent(of: account) }
  }

  func remove(_ number: Int64) throws { try db.run("DELETE FROM outbox WHERE id = ?", [number]) }

  func removeEmptyBatches(of account: AccountID) throws {
    // Once for all batches: there may be many.
    try db.run(
      """
      DELETE FROM outbox WHERE kind = 'readBatch' AND account = ?1 AND batch NOT IN (
        SELECT DISTINCT abs(articleStatus.batch) FROM articleStatus
          JOIN feed ON feed.id = articleStatus.feedID
        WHERE articleStatus.batch IS NOT NULL AND feed.account = ?1)
      """, [account])
  }

  /// Notes a failed attempt. An error before any request is none, and keeps the earlier reason. A
  /// refused sign-in is noted for the account.
  package func recordFailure(_ item: OutboxItem, _ error: SourceError) throws {
    try db.run(
      """
      UPDATE outbox SET attempts = attempts + ?2,
        error = CASE WHEN ?2 OR error IS NULL THEN ?3 ELSE error END
      WHERE id = ?1
      """, [item.id, !error.isUnasked, StoredError.encode(error)])
    // The server of comments may want a sign-in for them alone.
    if error.status == 401, item.change.text == nil, let account = item.account {
      try recordError(error, of: account)
    }
  }

  /// Queues a mark where its account takes marks, in the transaction of the mark. Replaces an
  /// earlier change of the same mark.
  func queue(_ mark: Mark, of article: ArticleID, now: Date) throws {
    guard let account = try account(of: article, where: AccountCondition.takesMarks) else { return }
    try queue(
      mark.kind.rawValue, mark.isSet, article: article.rawValue, batch: nil, of: account, now: now)
  }

  /// The account of an article's feed; nil where its server does not know the article.
  ///
  /// - Parameter condition: SQL on the account.
  func account(of article: ArticleID, where condition: String) throws -> Int64? {
    try db.value(
      """
      SELECT account.id FROM article JOIN feed ON feed.id = article.feedID
        JOIN account ON account.id = feed.account
      WHERE article.id = ? AND \(condition) AND \(MovedEntry.isNone("article.entryID"))
      """, [article])
  }

  /// Queues a tag where its account takes tags. Replaces an earlier change of the same tag.
  func queueTag(_ name: String, _ isSet: Bool, on article: ArticleID, now: Date) throws {
    guard let account = try account(of: article, where: AccountCondition.takesTags) else { return }
    let kind = OutboxKind.tag.rawValue
    try db.run(
      """
      DELETE FROM outbox WHERE kind = ? AND articleID = ? AND account = ? AND text = ?
      """, [kind, article, account, name])
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, account, createdAt, text)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, [UUID().uuidString.lowercased(), kind, isSet, article, account, seconds(now), name])
  }

  /// Whether the server is known to have the wanted mark, with no change on the way. A tried batch
  /// may have had the article.
  private func isKnown(
    _ kind: String, _ value: Bool, article: Int64, of account: Int64
  ) throws -> Bool {
    let column = kind == "read" ? "isUnread" : "isStarred"
    return try db.exists(
      """
      SELECT 1 FROM item WHERE articleID = ?1 AND account = ?2 AND \(column) = ?3
        AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE articleID = ?1 AND kind = ?4 AND account = ?2)
        AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE kind = 'readBatch' AND account = ?2 AND ?4 = 'read'
            AND state <> \(OutboxItemState.waiting.rawValue))
      """, [article, account, kind == "read" ? !value : value, kind])
  }

  /// Whether the server is known to have all articles of a batch as unread, with no change on the
  /// way.
  private func isKnownUnread(_ batch: Int64, of account: Int64) throws -> Bool {
    try db.value(
      """
      SELECT NOT EXISTS (
          SELECT 1 FROM articleStatus JOIN feed ON feed.id = articleStatus.feedID
            LEFT JOIN item ON item.articleID = articleStatus.articleID AND item.account = ?2
          WHERE articleStatus.batch IN (?1, -?1) AND feed.account = ?2
            AND (item.isUnread IS NOT 1 OR EXISTS (
              SELECT 1 FROM outbox WHERE outbox.articleID = articleStatus.articleID
                AND outbox.kind = 'read' AND outbox.account = ?2)))
        AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE kind = 'readBatch' AND account = ?2
            AND state <> \(OutboxItemState.waiting.rawValue))
      """, [batch, account]) ?? false
  }

  /// Queues a batch of marks, or its undoing, for each account that takes marks. Its articles have
  /// the batch's number, and duplicates in other feeds the negative.
  func queue(_ batch: Int64, _ value: Bool, now: Date) throws {
    let takers: [Int64] = try db.values(
      "SELECT id FROM account WHERE \(AccountCondition.takesMarks) ORDER BY id")
    guard !takers.isEmpty else { return }
    let accounts = try Int64.fetchSet(
      db,
      sql: """
        SELECT account FROM feed WHERE id IN (
          SELECT feedID FROM articleStatus WHERE batch IN (?1, -?1))
        """, arguments: [batch])
    for account in takers where accounts.contains(account) {
      try queue("readBatch", value, article: nil, batch: batch, of: account, now: now)
    }
  }

  private func queue(
    _ kind: String, _ value: Bool, article: Int64?, batch: Int64?, of account: Int64, now: Date
  ) throws {
    var earlier: [Int] = try db.values(
      """
      DELETE FROM outbox WHERE kind = ? AND articleID IS ? AND batch IS ? AND account = ?
      RETURNING state
      """, [kind, article, batch, account])
    // Set and undone before the server knew of either. During a sync a row keeps out older lists.
    if earlier.max() == OutboxItemState.waiting.rawValue, try !isBeingSynced(AccountID(account)) {
      if let article, try isKnown(kind, value, article: article, of: account) { return }
      if let batch, !value, try isKnownUnread(batch, of: account) { return }
    }
    if let batch {
      earlier += try db.values(
        """
        DELETE FROM outbox WHERE kind = 'read' AND account = ?1 AND articleID IN (
          SELECT articleID FROM articleStatus WHERE batch IN (?2, -?2))
        RETURNING state
        """, [account, batch])
    }
    // An earlier change that was tried may have arrived.
    let state: OutboxItemState =
      earlier.allSatisfy { $0 == OutboxItemState.waiting.rawValue } ? .waiting : .tried
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, batch, account, createdAt, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [UUID().uuidString, kind, value, article, batch, account, seconds(now), state.rawValue])
  }
}
