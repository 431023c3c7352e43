package import Foundation
internal import GRDB
package import News
internal import Text

extension FetchesEdit {
  /// Notes a fetch of an unchanged page.
  package func recordUnchanged(
    _ feed: FeedID, _ validators: Validators, _ exchange: ExchangeSummary? = nil, now: Date
  ) throws {
    try recordExchange(feed, exchange)
    try db.run(
      """
      UPDATE feedState SET lastAttempt = ?2, lastSuccess = ?2, nextAttempt = NULL, error = NULL,
        isGone = 0, claimant = NULL, claimedUntil = NULL, failingSince = NULL, failures = 0,
        etag = coalesce(?3, etag), lastModified = coalesce(?4, lastModified)
      WHERE feedID = ?1
      """, [feed, seconds(now), validators.etag, validators.lastModified])
    try recordPace(feed, now: now)
  }

  /// Notes how often a feed publishes: it reads its newest articles along an index, however many it has.
  func recordPace(_ feed: FeedID, now: Date) throws {
    let times: [Int64] = try db.values(
      """
      SELECT published FROM (
        SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?1
        ORDER BY sortDate DESC, articleID DESC LIMIT \(PublishingPace.articles)
      ) AS newest JOIN article ON article.id = newest.articleID
      WHERE typeof(published) = 'integer'
      """, [feed])
    let pace = PublishingPace(times, now: seconds(now) ?? 0)
    try db.run(
      """
      UPDATE feedState SET medianGap = ?2, newestAt = ?3
      WHERE feedID = ?1 AND (medianGap, newestAt) IS NOT (?2, ?3)
      """, [feed, pace?.gap, seconds(pace?.newest)])
  }

  /// Notes a failed fetch. Articles stay, and a feed that is gone stays so until it answers.
  package func recordFailure(
    _ feed: FeedID, _ error: SourceError, _ exchange: ExchangeSummary? = nil, now: Date
  ) throws {
    // A fetch that was skipped after failures is no failure: the earlier error stays.
    let counts = error.kind != .paused
    if counts { try recordExchange(feed, exchange) }
    try db.run(
      """
      UPDATE feedState SET lastAttempt = ?2, nextAttempt = ?4,
        error = CASE WHEN ?6 OR error IS NULL THEN ?3 ELSE error END,
        isGone = max(isGone, ?5), claimant = NULL, claimedUntil = NULL,
        failingSince = coalesce(failingSince, ?2), failures = failures + ?6
      WHERE feedID = ?1
      """,
      [
        feed, seconds(now), StoredError.encode(error), seconds(error.nextAttempt),
        error.status == 410, counts,
      ])
  }

  /// Keeps the id of the last live event that was handled.
  package func setLiveEventID(of feed: FeedID, _ id: String) throws {
    try db.run("UPDATE feedState SET liveEventID = ? WHERE feedID = ?", [id, feed])
  }

  /// Keeps the details of the last attempt. Validators of another redirect target are dropped.
  package func recordExchange(_ feed: FeedID, _ exchange: ExchangeSummary?) throws {
    guard let exchange else { return }
    try db.run(
      """
      UPDATE feedState SET lastStatus = ?1, lastAttempts = ?2, redirectedTo = ?3,
        etag = CASE WHEN redirectedTo IS ?3 THEN etag END,
        lastModified = CASE WHEN redirectedTo IS ?3 THEN lastModified END
      WHERE feedID = ?4
      """, [exchange.status, exchange.attempts, exchange.redirectedTo, feed])
  }

  /// Notes that an older page could not be loaded. The cursor stays for another try.
  package func recordPagingFailure(_ feed: FeedID) throws {
    try db.run("UPDATE feedState SET paging = ? WHERE feedID = ?", [Paging.failed.rawValue, feed])
  }
}
