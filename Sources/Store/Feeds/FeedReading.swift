package import Foundation
internal import GRDB
package import News

extension FeedsView {
  /// In the order in which they were added.
  package func all() throws -> [Feed] {
    var folders: [Int64: [String]] = [:]
    let rows = try db.cursor("SELECT feedID, folder FROM feedFolder ORDER BY feedID, folder")
    while let row = try rows.next() { folders[row[0], default: []].append(StoredText.name(row[1])) }
    let (accounts, rests) = (try view.accounts.all(), try view.fetches.hostRests())
    let feeds = try db.cursor(FeedRecord.query + " ORDER BY feed.id")
    var result: [Feed] = []
    result.reserveCapacity(
      try db.value("SELECT count(*) FROM feedCount") ?? 0)
    while let row = try feeds.next() {
      let record = FeedRecord(row)
      // There are few: a dictionary of them would cost more than it saves.
      let account = accounts.first { $0.id == record.account } ?? .local
      result.append(record.feed(of: account, in: folders[record.id] ?? [], rests))
    }
    return result
  }

  package func feed(_ id: FeedID) throws -> Feed? { try feed(where: "feed.id = ?", [id.rawValue]) }

  /// The feed with an address in the local account, or in one whose server keeps no subscriptions.
  package func feed(url: String) throws -> Feed? {
    try number(at: url).flatMap { try feed(FeedID($0)) }
  }

  /// The feed of the local account first.
  package func all(url: String) throws -> [Feed] {
    let ids: [Int64] = try db.values("SELECT id FROM feed WHERE url = ? ORDER BY account", [url])
    return try ids.compactMap { try feed(FeedID($0)) }
  }

  /// Present addresses of feeds by their former ones and by the pages where they were found,
  /// without addresses of other feeds.
  package func presentURLs() throws -> [String: String] {
    var present: [String: String] = [:]
    let rows = try db.cursor(
      """
      SELECT other.value, feed.url FROM feed JOIN account ON account.id = feed.account
        JOIN json_each(feed.settings, '$.otherURLs') AS other
      WHERE json_valid(feed.settings) AND \(AccountCondition.addsByAddress)
        AND NOT EXISTS (SELECT 1 FROM feed AS own WHERE own.url = other.value)
      ORDER BY feed.account DESC, feed.id DESC
      """)
    while let row = try rows.next() {
      guard let other = String.fromDatabaseValue(row[0]) else { continue }
      present[StoredText.address(other)] = row[1]
    }
    return present
  }

  func number(at url: String) throws -> Int64? {
    try db.value(
      """
      SELECT feed.id FROM feed JOIN account ON account.id = feed.account
      WHERE feed.url = ? AND \(AccountCondition.addsByAddress) ORDER BY account LIMIT 1
      """, [url])
  }

  /// Whether a feed still has the address, the recipe and the state of its account with which it
  /// was read.
  package func isAsBefore(_ feed: Feed) throws -> Bool {
    let row = try db.row(
      """
      SELECT feed.url, feed.account, account.isSignedOut, feed.recipe
      FROM feed JOIN account ON account.id = feed.account WHERE feed.id = ?
      """, [feed.id])
    guard let row else { return false }
    return StoredText.address(row["url"] as String) == feed.url
      && AccountID(row["account"]) == feed.account.id
      && row["isSignedOut"] == feed.account.isSignedOut && row["recipe"] == feed.recipe?.rawValue
  }

  private func feed(where condition: String, _ arguments: StatementArguments) throws -> Feed? {
    guard let row = try db.row("\(FeedRecord.query) WHERE \(condition)", arguments) else {
      return nil
    }
    let record = FeedRecord(row)
    let folders: [String] = try db.values(
      "SELECT folder FROM feedFolder WHERE feedID = ? ORDER BY folder", [record.id])
    return record.feed(
      of: try view.accounts.account(record.account) ?? .local,
      in: folders.map { StoredText.name($0) }, try view.fetches.hostRests())
  }

  package func contains(_ feed: FeedID) throws -> Bool {
    try db.exists("SELECT 1 FROM feed WHERE id = ?", [feed])
  }

  func settings(of feed: FeedID) throws -> FeedSettings {
    StoredSettings.decode(try db.value("SELECT settings FROM feed WHERE id = ?", [feed]))
  }

  /// Validators and digest of the newest page of a feed, for the next request.
  ///
  /// - Parameter now: the time of the request. The first one in each eight days has no validators:
  ///   a server may answer 304 for ever.
  package func knownPage(of feed: FeedID, now: Date) throws -> KnownPage {
    let row = try db.row(
      """
      SELECT etag, lastModified, redirectedTo, bodyDigest,
        (?2 - addedAt) / ?3 IS NOT (lastSuccess - addedAt) / ?3 AS isOver
      FROM feedState JOIN feed ON feed.id = feedID WHERE feedID = ?1
      """, [feed, seconds(now), Self.secondsBetweenWholePages])
    guard let row else { return KnownPage() }
    let isOver: Bool = row["isOver"]
    return KnownPage(
      validators: isOver
        ? Validators()
        : Validators(
          etag: row["etag"], lastModified: row["lastModified"], address: row["redirectedTo"]),
      bodyDigest: row["bodyDigest"])
  }

  /// Eight days.
  private static let secondsBetweenWholePages = 8 * 86_400

  /// The cursor of the next older page of a feed; nil at the end, or where no page was fetched yet.
  package func olderCursor(of feed: FeedID) throws -> News.Cursor? {
    let cursor: String? = try db.value("SELECT cursor FROM feedState WHERE feedID = ?", [feed])
    return cursor.map(News.Cursor.init)
  }

  package func hasEntry(_ id: String, of feed: FeedID) throws -> Bool {
    try view.articles.number(of: PreparedPage.key(ofEntry: id), in: feed) != nil
  }

  package struct Listened: Hashable, Sendable {
    package let id: FeedID
    package let url: String
  }

  package func toListenTo() throws -> Set<Listened> {
    let rows = try db.rows(
      """
      SELECT feed.id, feed.url FROM feed JOIN feedState ON feedState.feedID = feed.id
        JOIN account ON account.id = feed.account
      WHERE \(AccountCondition.isLive) AND feedState.isGone = 0
      """)
    return Set(rows.map { Listened(id: $0[0], url: StoredText.address($0[1] as String)) })
  }

  /// The id of the last live event that was handled; nil before the first.
  package func liveEventID(of feed: FeedID) throws -> String? {
    return try db.value("SELECT liveEventID FROM feedState WHERE feedID = ?", [feed])
  }

  /// A gap with the cursor of its first missing page; without a cursor it cannot be loaded.
  package func gap(_ id: Int64) throws -> (gap: Gap, cursor: News.Cursor?)? {
    guard let row = try db.row("SELECT * FROM gap WHERE id = ?", [id]) else { return nil }
    return (gap(row: row), (row["cursor"] as String?).map(News.Cursor.init))
  }

  func gap(row: Row) -> Gap {
    Gap(
      id: row["id"], feedID: row["feedID"],
      newer: TimelinePosition(date: row["newerDate"], id: row["newerID"]),
      older: TimelinePosition(date: row["olderDate"], id: row["olderID"]),
      canLoad: (row["cursor"] as String?) != nil)
  }
}
