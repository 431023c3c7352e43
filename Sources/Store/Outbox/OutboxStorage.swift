package import Foundation
internal import GRDB
package import News
internal import Text

/// How far a change in the outbox has come. The values are stored.
enum OutboxItemState: Int {
  /// Nobody has tried to send it.
  case waiting = 0
  /// It was sent, or is being sent, and no answer has said that the server has it.
  case tried = 1
  /// The server has it. Such a row stays only until the sync that was under way has ended: lists that the
  /// sync has asked for may be older.
  case sent = 2
}

/// A change that waits for the server it belongs to.
package struct OutboxItem: Hashable, Sendable {
  /// What is sent.
  package enum Change: Hashable, Sendable {
    case mark(ArticleID, Mark)
    /// All that one "mark all read" marked, and whether it was marked or taken back.
    case readBatch(Int64, Bool)
    case comment(ArticleID, String)
    case edit(ArticleID, CommentEdit)
    /// The tag of that name on an article, set or taken off.
    case tag(ArticleID, String, Bool)
    /// To be handed on to a service for reading later.
    case later(ArticleID)
    /// Of the subscriptions of its account; the feed is nil where there is none here.
    case subscription(FeedID?, SubscriptionChange)

    /// Whether it is sent as marks.
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

  /// What a change is about: the later one of the same counts.
  fileprivate enum Subject: Hashable {
    case mark(ArticleID, Mark.Kind), comment(ArticleID), later(ArticleID)
    case tag(ArticleID, String)
    case batch
    case feed(FeedID?)
  }

  package let id: Int64
  /// The account whose server it is for; nil where its article was removed.
  package let account: AccountID?
  /// The idempotency key: the same for every attempt, so that the server recognises a repetition.
  package let key: String
  package let change: Change
  /// The id of the comment that is answered by one; nil for a comment on the article itself, and for any
  /// other change.
  package var parent: String?
  package var created: Date
  /// The number of failed attempts.
  package var attempts: Int
  /// Why the last attempt failed.
  package var error: SourceError?

  /// Whether the server has refused it: trying again by itself would not help.
  package var isRefused: Bool { error?.isRefusal ?? false }
}

extension OutboxView {
  /// The changes in the order in which they were made.
  package func items(limit: Int = 1_000) throws -> [OutboxItem] {
    try items(where: "1", [], limit: limit)
  }

  /// All comments that wait, and changes of comments, in the order in which they were written.
  package func waitingComments() throws -> [OutboxItem] {
    try items(where: "kind IN (\(OutboxKind.ofTexts))", [], limit: .max)
  }

  /// Those of them that the server of an account is to get.
  package func waitingComments(of account: AccountID) throws -> [OutboxItem] {
    try items(
      where: "kind IN (\(OutboxKind.ofTexts)) AND \(Self.recipient) = ?", [account.rawValue],
      limit: .max)
  }

  /// The comments on an article that wait, and changes of comments, in the order in which they were written.
  package func waitingComments(on article: ArticleID) throws -> [OutboxItem] {
    try items(
      where: "kind IN (\(OutboxKind.ofTexts)) AND articleID = ?", [article.rawValue], limit: .max)
  }

  /// Whether any mark waits for the server of an account.
  package func hasWaitingMarks(of account: AccountID) throws -> Bool {
    try !items(
      where: "kind IN (\(OutboxKind.ofMarks)) AND account = ?", [account.rawValue], limit: 1
    ).isEmpty
  }

  /// Whether anything is in the outbox, or is being written into a log. Cheap, however much is.
  package func hasItems() throws -> Bool {
    try db.value(
      """
      SELECT EXISTS (SELECT 1 FROM outbox)
        OR EXISTS (SELECT 1 FROM ownLog WHERE pending IS NOT NULL)
      """) ?? false
  }

  /// The account whose server is to get a change: what was written about an article goes where the article is now.
  private static let recipient = """
    CASE WHEN kind IN (\(OutboxKind.ofTexts)) THEN coalesce(
      (SELECT feed.account FROM article JOIN feed ON feed.id = article.feedID
        WHERE article.id = outbox.articleID), account) ELSE account END
    """

  /// The accounts for whose servers something waits, with the number of the newest change of each; 0 where
  /// changes are only left to be written into a log.
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

  /// The changes that wait for the server of an account, up to a change by its number, without those that wait for the
  /// user.
  package func unsentChanges(of account: AccountID, upTo number: Int64) throws -> [OutboxItem] {
    try items(
      where: "\(Self.recipient) = ? AND id <= ?", [account.rawValue, number], limit: .max
    ).filter { !$0.change.isUndecided }
  }

  /// What waits for the server of an account, beyond a number.
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
        id: row["id"], account: row["account"], key: row["key"],
        change: change, parent: row["parent"],
        created: Date(seconds: row["createdAt"]),
        attempts: row["attempts"],
        error: StoredError.decode(row["error"]))
    }
  }

  /// The number of the newest change that was ever put into the outbox: a higher one later tells that
  /// something was, even if it has been sent since.
  package func lastNumber() throws -> Int64 {
    try db.value("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'") ?? 0
  }
}

extension OutboxEdit {
  /// Takes the marks that one call is to carry, in the order in which they were made: they count as tried
  /// from now on, so that nothing takes their place while they are on the way. No two of them are about the
  /// same mark of one article.
  ///
  /// - Parameters:
  ///   - number: of the last change that was taken before.
  ///   - limit: how many marks the call takes. A batch may come to more, and is alone then.
  ///   - refusedEnd: those that the server has refused are taken as well up to this number; 0 for none.
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
  package func beginSending(_ item: OutboxItem) throws {
    try db.run(
      "UPDATE outbox SET state = \(OutboxItemState.tried.rawValue) WHERE id = ?", [item.id])
  }

  /// Releases marks that the server has accepted: they are never sent again. From now on it is known to have
  /// them, so that the next walk finds what another device changes after it.
  package func finishSending(_ items: [OutboxItem], of account: AccountID) throws {
    for item in items {
      try removeSuperseded(by: item)
      try noteAccepted(item, by: account)
    }
    try release(items, of: account)
  }

  /// Takes changes that the server has accepted out of the outbox; while a sync of the account is under way, they
  /// are held until its end.
  func release(_ items: [OutboxItem], of account: AccountID) throws {
    guard try isBeingSynced(account) else { return try remove(items) }
    for item in items {
      try db.run(
        "UPDATE outbox SET state = \(OutboxItemState.sent.rawValue), error = NULL WHERE id = ?",
        [item.id])
    }
    try forgetUnsent(of: account)
  }

  /// Forgets why changes of an account were not sent, once none of them waits. Why a sync has failed stays.
  private func forgetUnsent(of account: AccountID) throws {
    try db.run(
      """
      UPDATE account SET error = NULL, nextAttempt = NULL
      WHERE id = ?1 AND error IS NOT NULL AND lastSuccess = lastAttempt AND needsSignIn = 0
        AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE account = ?1 AND state <> \(OutboxItemState.sent.rawValue))
      """, [account])
  }

  /// Removes the changes that were held because they were sent during a sync.
  func removeSent(of account: AccountID) throws {
    try db.run(
      "DELETE FROM outbox WHERE account = ? AND state >= \(OutboxItemState.sent.rawValue)",
      [account])
  }

  private func isBeingSynced(_ account: AccountID) throws -> Bool {
    try db.value("SELECT claimant IS NOT NULL FROM account WHERE id = ?", [account]) ?? false
  }

  /// Removes what has been delivered, or what the user does not want to be.
  package func remove(_ items: [OutboxItem]) throws {
    for item in items { try remove(item.id) }
    for account in Set(items.compactMap(\.account)) { try forgetUnsent(of: account) }
  }

  func remove(_ number: Int64) throws {
    try db.run("DELETE FROM outbox WHERE id = ?", [number])
  }

  /// Removes the batches of marks that no article of an account belongs to any more.
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

  /// It could not be sent; it stays. Where no request was made that was no attempt, and the reason of the last one
  /// stays as well. A refused sign-in is the account's.
  package func recordFailure(_ item: OutboxItem, _ error: SourceError) throws {
    try db.run(
      """
      UPDATE outbox SET attempts = attempts + ?2,
        error = CASE WHEN ?2 OR error IS NULL THEN ?3 ELSE error END
      WHERE id = ?1
      """, [item.id, !error.isUnasked, StoredError.encode(error)])
    // Comments are about one feed, whose server may want a sign-in for them alone.
    if error.status == 401, item.change.text == nil, let account = item.account {
      try recordError(error, of: account)
    }
  }

  /// Puts a mark into the outbox where the account of the article's feed takes marks, in the
  /// transaction that makes it. It takes the place of an earlier change of the same mark.
  func queue(_ mark: Mark, of article: ArticleID, now: Date) throws {
    guard let account = try account(of: article, where: AccountCondition.takesMarks) else { return }
    try queue(
      mark.kind.rawValue, mark.isSet, article: article.rawValue, batch: nil, of: account, now: now)
  }

  /// The account of an article's feed, unless its server does not know the article.
  ///
  /// - Parameter condition: SQL that has to hold for the account.
  func account(of article: ArticleID, where condition: String) throws -> Int64? {
    try db.value(
      """
      SELECT account.id FROM article JOIN feed ON feed.id = article.feedID
        JOIN account ON account.id = feed.account
      WHERE article.id = ? AND \(condition) AND \(MovedEntry.isNone("article.entryID"))
      """, [article])
  }

  /// Puts a tag of an article into the outbox where the account of the article's feed takes tags. It takes the place
  /// of an earlier change of the same tag.
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

  /// Whether the server of an account is known to have a mark as it is wanted, with nothing on the way
  /// that would change that. A batch that was tried may have had the article, which has left it since.
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

  /// Whether the server of an account is known to have all articles of a batch as unread, with nothing on the
  /// way that would change that.
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

  /// Puts a batch of marks into the outbox, or its undoing, once for each account of its feeds that
  /// takes marks. Its articles have the batch's number, and those that are read with them in other
  /// feeds the negative.
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
    // Said and taken back before the server heard of either. During a sync a row keeps out what its lists say.
    if earlier.max() == OutboxItemState.waiting.rawValue,
      try !isBeingSynced(AccountID(account))
    {
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
    // An earlier change that was tried may have arrived, and has to be overwritten.
    let state: OutboxItemState =
      earlier.allSatisfy { $0 == OutboxItemState.waiting.rawValue } ? .waiting : .tried
    try db.run(
      """
      INSERT INTO outbox (key, kind, value, articleID, batch, account, createdAt, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [UUID().uuidString, kind, value, article, batch, account, seconds(now), state.rawValue])
  }
}
