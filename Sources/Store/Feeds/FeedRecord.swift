internal import GRDB
internal import News

internal import struct Foundation.Date

/// One row of `feed` with its counts and the state of its fetches. Every query that returns a
/// `Feed` begins with `FeedRecord.query`.
struct FeedRecord {
  private enum Field: Int {
    case id, account, url, title, link, description, language, format, image, icon, authors, rights
    case movedTo, isUserEntered, signIn, proxy, recipe, settings
    case total, unread, starred
    case lastAttempt, lastSuccess, nextAttempt, error, isGone, paging, minutesToLive
    case remark, lastStatus, lastAttempts, redirectedTo, failingSince, failures
    case medianGap, newestAt, skippedTimes
  }

  /// To be followed by a condition or an order.
  static let query = """
    SELECT feed.id, feed.account, feed.url, coalesce(feed.ownTitle, feed.title), feed.link,
      feed.description, feed.language, feed.format, feed.image, feed.icon, feed.authors, feed.rights,
      feed.movedTo, feed.isTyped, feed.signIn, feed.proxy, feed.recipe, feed.settings,
      feedCount.total, feedCount.unread, feedCount.starred,
      feedState.lastAttempt, feedState.lastSuccess, feedState.nextAttempt, feedState.error,
      feedState.isGone, feedState.paging, feedState.minutesToLive,
      feedState.remark, feedState.lastStatus, feedState.lastAttempts, feedState.redirectedTo,
      feedState.failingSince, feedState.failures,
      feedState.medianGap, feedState.newestAt, feedState.skippedTimes
    FROM feed JOIN feedCount ON feedCount.feedID = feed.id
      JOIN feedState ON feedState.feedID = feed.id
    """

  private let row: Row

  /// - Parameter row: of `query`; read before the next row is fetched.
  init(_ row: Row) { self.row = row }

  var id: Int64 { self[.id] }
  var account: AccountID { AccountID(self[.account]) }

  func feed(of account: Account, in folders: [String], _ rests: HostRests) -> Feed {
    // Feeds that an account syncs are requested from its server.
    let rest =
      account.capabilities.contains(.items)
      ? nil : rests.end(of: self[.url], redirectedTo: self[.redirectedTo])
    return Feed(
      id: FeedID(id), account: account, url: StoredText.address(self[.url] as String),
      title: StoredText.title(self[.title] as String?), link: StoredText.link(self[.link]),
      description: StoredText.line(self[.description] as String?),
      language: StoredText.line(self[.language] as String?),
      format: (self[.format] as String?).flatMap(FeedFormat.init(rawValue:)),
      details: FeedDetails(
        image: StoredText.link(self[.image]), icon: StoredText.link(self[.icon]),
        authors: AuthorList.decode(self[.authors]),
        rights: StoredText.line(self[.rights] as String?), movedTo: StoredText.link(self[.movedTo])),
      folders: folders, isUserEntered: self[.isUserEntered],
      signIn: StoredJSON.decode(self[.signIn]),
      proxy: (self[.proxy] as String?).map(FeedProxy.init(text:)),
      recipe: (self[.recipe] as String?).map(FeedRecipe.init),
      settings: StoredSettings.decode(self[.settings]),
      counts: ArticleCounts(total: self[.total], unread: self[.unread], starred: self[.starred]),
      state: state(rest))
  }

  private func state(_ rest: Date?) -> FeedState {
    FeedState(
      lastAttempt: date(self[.lastAttempt]), lastSuccess: date(self[.lastSuccess]),
      nextAttempt: [date(self[.nextAttempt]), rest].compactMap(\.self).max(), restsUntil: rest,
      error: StoredError.decode(self[.error]),
      isGone: self[.isGone], paging: Paging(rawValue: self[.paging]) ?? .notStarted,
      minutesToLive: self[.minutesToLive],
      skips: (self[.skippedTimes] as Int?).map(SkippedTimes.init(rawValue:)),
      pace: date(self[.newestAt]).map { PublishingPace(gap: self[.medianGap], newest: $0) },
      remark: StoredText.line(self[.remark] as String?),
      exchange: (self[.lastAttempts] as Int?).map {
        ExchangeSummary(
          status: self[.lastStatus], attempts: $0,
          redirectedTo: StoredText.link(self[.redirectedTo]))
      }, failing: date(self[.failingSince]).map { FailureRun(since: $0, count: self[.failures]) })
  }

  @inline(__always)
  private subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    field: Field
  ) -> Value { row[field.rawValue] }
}
