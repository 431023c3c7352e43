internal import GRDB
internal import News

internal import struct Foundation.Date

/// A subscription as it is stored: one row of `feed` with its counts and the state of its fetches.
///
/// The one place that knows which column is which: every query that returns a `Feed` begins with
/// `FeedRecord.query`.
struct FeedRecord {
  /// The columns in the order of the selection.
  private enum Field: Int, CaseIterable {
    case id, account, url, title, link, description, language, format, image, icon, authors, rights,
      movedTo
    case isUserEntered, signIn, proxy, recipe, settings
    case total, unread, starred
    case lastAttempt, lastSuccess, nextAttempt, error, isGone, paging, minutesToLive
    case remark, lastStatus, lastAttempts, redirectedTo, failingSince, failures

    /// The column, written out: the name of a case would be looked up by reflection at every start.
    var sql: String {
      switch self {
      case .id: "feed.id"
      case .account: "feed.account"
      case .url: "feed.url"
      case .title: "coalesce(feed.ownTitle, feed.title)"
      case .link: "feed.link"
      case .description: "feed.description"
      case .language: "feed.language"
      case .format: "feed.format"
      case .image: "feed.image"
      case .icon: "feed.icon"
      case .authors: "feed.authors"
      case .rights: "feed.rights"
      case .movedTo: "feed.movedTo"
      case .isUserEntered: "feed.isTyped"
      case .signIn: "feed.signIn"
      case .proxy: "feed.proxy"
      case .recipe: "feed.recipe"
      case .settings: "feed.settings"
      case .total: "feedCount.total"
      case .unread: "feedCount.unread"
      case .starred: "feedCount.starred"
      case .lastAttempt: "feedState.lastAttempt"
      case .lastSuccess: "feedState.lastSuccess"
      case .nextAttempt: "feedState.nextAttempt"
      case .error: "feedState.error"
      case .isGone: "feedState.isGone"
      case .paging: "feedState.paging"
      case .minutesToLive: "feedState.minutesToLive"
      case .remark: "feedState.remark"
      case .lastStatus: "feedState.lastStatus"
      case .lastAttempts: "feedState.lastAttempts"
      case .redirectedTo: "feedState.redirectedTo"
      case .failingSince: "feedState.failingSince"
      case .failures: "feedState.failures"
      }
    }
  }

  /// `SELECT … FROM …` of all subscriptions, to be followed by a condition or an order.
  static let query = """
    SELECT \(Field.allCases.map(\.sql).joined(separator: ", "))
    FROM feed JOIN feedCount ON feedCount.feedID = feed.id
      JOIN feedState ON feedState.feedID = feed.id
    """

  private let row: Row

  /// - Parameter row: of `query`; read before the next row is fetched.
  init(_ row: Row) { self.row = row }

  var id: Int64 { self[.id] }
  var account: AccountID { AccountID(self[.account]) }

  func feed(of account: Account, in folders: [String], _ rests: HostRests) -> Feed {
    // Those of an account as a whole are asked for at its own server.
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
        rights: StoredText.line(self[.rights] as String?),
        movedTo: StoredText.link(self[.movedTo])),
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
      minutesToLive: self[.minutesToLive], remark: StoredText.line(self[.remark] as String?),
      exchange: (self[.lastAttempts] as Int?).map {
        ExchangeSummary(
          status: self[.lastStatus], attempts: $0,
          redirectedTo: StoredText.link(self[.redirectedTo]))
      },
      failing: date(self[.failingSince]).map { FailureRun(since: $0, count: self[.failures]) })
  }

  @inline(__always)
  private subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    field: Field
  ) -> Value { row[field.rawValue] }
}
