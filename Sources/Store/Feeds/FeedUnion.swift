package import Foundation
internal import GRDB
package import News

extension FeedsEdit {
  /// Makes one subscription of two: `other` gets everything of `feed`, and stands for its address in lists.
  package func unite(_ feed: FeedID, into other: FeedID, now: Date) throws {
    guard let url = try view.feeds.feed(feed)?.url else { return }
    try FeedUnion(edit: edit, now: now).unite(feed, into: other)
    try noteOtherURL(url, of: other)
  }
}

/// Makes one feed of two that have turned out to be the same.
struct FeedUnion {
  let edit: StoreEdit
  let now: Date
  private var db: Database { edit.db }

  /// Gives everything of a feed to another, and ends it. An article that both have is read, and
  /// starred, where either was; folders come together. Of what is known of the server the other's
  /// counts, and its sign-in, unless it has none.
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
    try takeSignIn(of: feed, for: other)
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

  /// Without discarding the password with the row that goes.
  private func takeSignIn(of feed: FeedID, for other: FeedID) throws {
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
    // What both have: the marks of either. What waits to be sent is about the article that stays.
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
    // What only this one has goes over. An article stands behind one of another feed, never behind
    // one of its own.
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

  /// Gives rows of articles that both have to the one that stays, where it has none of its own.
  private func move(_ table: StoreTable, _ arguments: StatementArguments) throws {
    guard case .moves(let exception) = table.union, let owner = table.articleColumn else { return }
    // A number that a row is given by itself is given anew.
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

  /// An article that both have keeps the full text of either, where its page is the same.
  private func uniteFullTexts(of feed: FeedID, with other: FeedID) throws {
    let pairs = try db.rows(
      """
      SELECT mine.id, theirs.id FROM article AS mine
        JOIN article AS theirs ON theirs.feedID = :other AND theirs.entryKey = mine.entryKey
        JOIN fullText ON fullText.articleID = mine.id
      WHERE mine.feedID = :feed AND mine.url = theirs.url AND fullText.content IS NOT NULL
        AND theirs.id NOT IN (SELECT articleID FROM fullText WHERE content IS NOT NULL)
      """, ["feed": feed, "other": other])
    for pair in pairs {
      try edit.fullTexts.copy(of: pair[0], to: pair[1])
    }
  }
}
