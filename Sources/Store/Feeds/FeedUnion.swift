package import Foundation
internal import GRDB
package import News

extension FeedsEdit {
  /// Unites two subscriptions: `other` gets everything of `feed`, and stands for its address in
  /// lists.
  package func unite(_ feed: FeedID, into other: FeedID, now: Date) throws {
    guard let url = try view.feeds.feed(feed)?.url else { return }
    try FeedUnion(edit: edit, now: now).unite(feed, into: other)
    try noteOtherURL(url, of: other)
  }
}

/// Unites two feeds.
struct FeedUnion {
  let edit: StoreEdit
  let now: Date
  private var db: Database { edit.db }

  /// Moves everything of a feed to another one, and removes it. Articles of both are read and
  /// starred where either was; folders are joined; server state and sign-in are the other's.
  func unite(_ feed: FeedID, into other: FeedID) throws {
    let arguments: StatementArguments = ["feed": feed.rawValue, "other": other.rawValue]
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO feedFolder (feedID, folder, account)
          SELECT :other, folder, (
              SELECT \(AccountCondition.folderOwner) FROM feed
                JOIN account ON account.id = feed.account WHERE feed.id = :other)
            FROM feedFolder WHERE feedID = :feed;
        UPDATE feed SET
          ownTitle = coalesce(ownTitle, (SELECT ownTitle FROM feed WHERE id = :feed)),
          outline = coalesce(outline, (SELECT outline FROM feed WHERE id = :feed)),
          settings = coalesce(settings, (SELECT settings FROM feed WHERE id = :feed)),
          isTyped = max(isTyped, (SELECT isTyped FROM feed WHERE id = :feed))
        WHERE id = :other
        """, arguments: arguments)
    try moveSignIn(of: feed, for: other)
    if let account = try edit.view.feeds.feed(other)?.account.id {
      try edit.tags.move(of: feed, into: account)
    }
    try uniteArticles(of: feed, with: other)
    try db.run(
      """
      UPDATE feedCount SET (total, unread, starred) = (
        SELECT count(*), coalesce(sum(isRead = 0), 0), coalesce(sum(isStarred), 0)
        FROM articleStatus WHERE feedID = :feed)
      WHERE feedID = :feed
      """, ["feed": other])
    try edit.feeds.unsubscribe(feed)
  }

  /// Keeps the password, which the removal of the row would discard.
  private func moveSignIn(of feed: FeedID, for other: FeedID) throws {
    guard let signIn = try edit.view.feeds.feed(feed)?.signIn,
      try edit.view.feeds.feed(other)?.signIn == nil
    else { return }
    try edit.signIns.set(nil, of: feed)
    try edit.signIns.removeDiscarded(signIn)
    try edit.signIns.set(signIn, of: other)
  }

  private func uniteArticles(of feed: FeedID, with other: FeedID) throws {
    let arguments: StatementArguments = ["feed": feed.rawValue, "other": other.rawValue]
    let marked = try db.rows(
      """
      SELECT theirs.id, status.isRead, status.isStarred FROM article AS mine
        JOIN article AS theirs ON theirs.feedID = :other AND theirs.entryKey = mine.entryKey
        JOIN articleStatus AS status ON status.articleID = mine.id
      WHERE mine.feedID = :feed AND (status.isRead OR status.isStarred)
      """, arguments)
    // Outbox rows of an article that both have are about the one that stays.
    try db.execute(
      sql: """
        \(Self.pairs)
        UPDATE articleStatus SET
          readBlock = coalesce(articleStatus.readBlock, status.readBlock),
          readOffset = coalesce(articleStatus.readOffset, status.readOffset),
          score = iif(articleStatus.score = 0, status.score, articleStatus.score),
          isChanged = max(articleStatus.isChanged, status.isChanged)
        FROM pair JOIN articleStatus AS status ON status.articleID = pair.old
        WHERE articleStatus.articleID = pair.new;
        \(Self.pairs)
        UPDATE outbox SET articleID = pair.new FROM pair WHERE outbox.articleID = pair.old
        """, arguments: arguments)
    for table in StoreTable.all { try move(table, arguments) }
    try uniteFullTexts(of: feed, with: other)
    try db.run(
      """
      UPDATE outbox SET account = (SELECT account FROM feed WHERE id = :other)
        WHERE articleID IN (SELECT id FROM article WHERE feedID IN (:feed, :other))
      """, arguments)
    for row in marked {
      if row[1] { try edit.marks.set(.read(true), of: row[0], now: now) }
      if row[2] { try edit.marks.set(.starred(true), of: row[0], now: now) }
    }
    try db.run("UPDATE OR IGNORE tombstone SET feedID = :other WHERE feedID = :feed", arguments)
    // Articles that only this feed has. A duplicate or story never stays within one feed.
    try db.run("UPDATE OR IGNORE article SET feedID = :other WHERE feedID = :feed", arguments)
    try db.execute(
      sql: """
        UPDATE articleStatus SET feedID = :other
          WHERE articleID IN (SELECT id FROM article WHERE feedID = :other);
        UPDATE articleStatus SET duplicateOf = NULL
          WHERE feedID = :other
            AND duplicateOf IN (SELECT id FROM article WHERE feedID = :other);
        UPDATE articleStatus SET storyOf = NULL
          WHERE storyOf IS NOT NULL AND feedID = :other
            AND storyOf IN (SELECT id FROM article WHERE feedID = :other);
        DELETE FROM tombstone
          WHERE feedID = :other
            AND entryKey IN (SELECT entryKey FROM article WHERE feedID = :other)
        """, arguments: ["other": other])
  }

  /// The articles that both feeds have, by the number of either.
  private static let pairs = """
    WITH pair(old, new) AS (
      SELECT mine.id, theirs.id FROM article AS mine
        JOIN article AS theirs ON theirs.feedID = :other AND theirs.entryKey = mine.entryKey
      WHERE mine.feedID = :feed)
    """

  /// Moves rows of common articles to the one that stays, where it has none.
  private func move(_ table: StoreTable, _ arguments: StatementArguments) throws {
    guard case .moves(let exception) = table.union, let owner = table.articleColumn else { return }
    // Numbers of rows are given anew.
    let columns = try db.columnNames(of: table.name).filter { $0 != "id" }
    let values = columns.map { $0 == owner ? "pair.new" : "\(table.name).\($0)" }
    var sql = """
      \(Self.pairs)
      INSERT OR IGNORE INTO \(table.name) (\(columns.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", ")) FROM pair
          JOIN \(table.name) ON \(table.name).\(owner) = pair.old
      """
    if let exception { sql += " WHERE pair.new NOT IN (SELECT articleID FROM \(exception))" }
    try db.execute(sql: sql, arguments: arguments)
  }

  /// Keeps the full text of a common article, where its page is the same.
  private func uniteFullTexts(of feed: FeedID, with other: FeedID) throws {
    let pairs = try db.rows(
      """
      SELECT mine.id, theirs.id FROM article AS mine
        JOIN article AS theirs ON theirs.feedID = :other AND theirs.entryKey = mine.entryKey
        JOIN fullText ON fullText.articleID = mine.id
      WHERE mine.feedID = :feed AND mine.url = theirs.url AND fullText.content IS NOT NULL
        AND theirs.id NOT IN (SELECT articleID FROM fullText WHERE content IS NOT NULL)
      """, ["feed": feed, "other": other])
    for pair in pairs { try edit.fullTexts.copy(of: pair[0], to: pair[1]) }
  }
}
