internal import Foundation
internal import GRDB
internal import News
internal import Text

/// Recognition of stored articles in a page: some entries come with a new id, and some ids with a
/// new article.
///
/// In doubt two articles are kept: a duplicate can be marked as read, while a replaced article is
/// lost. `Docs/Formats.md` has the rules, under "Identity".
struct ArticleIdentity {
  let db: Database
  let feed: FeedID
  /// Handling of changed articles.
  var update = FeedSettings.Update.nothing
  private let articles: [PreparedPage.Article]
  /// The number of the newest stored article before this page; nil where the feed had none.
  private let lastBefore: Int64?
  /// `FeedsView.lastToAdopt`.
  private let lastToAdopt: Int64?
  // Lazy: most entries are found by their ids and need none of these.
  private lazy var page = PageTraits(articles)
  private var oldHosts: [String]?
  private var areIDsTrusted: Bool?

  /// Candidates that are compared at most: where there are more, none is the same article.
  private static let candidates = 8

  init(
    _ db: Database, _ feed: FeedID, page articles: [PreparedPage.Article], lastBefore: Int64?,
    lastToAdopt: Int64?
  ) {
    self.db = db
    self.feed = feed
    self.articles = articles
    self.lastBefore = lastBefore
    self.lastToAdopt = lastToAdopt
  }

  enum Match {
    /// The entry is stored under its id.
    case stored(StoredArticle)
    /// The entry is stored under another id.
    case moved(StoredArticle)
    /// The entry is new, and another article was stored under its id.
    case replaces(StoredArticle)
    case new
  }

  /// Matches an entry that differs from the one stored under its id, and returns it with the id to
  /// store it under.
  ///
  /// - Parameters:
  ///   - hasKey: whether a stored article has its id.
  ///   - byKeyOnly: whether ids alone decide, as for servers that keep articles and marks by id.
  ///     Only articles from before a move to such a server are recognised otherwise.
  mutating func match(
    _ article: PreparedPage.Article, hasKey: Bool, byKeyOnly: Bool = false
  ) throws -> (PreparedPage.Article, Match) {
    let own = hasKey ? try stored(article.key) : nil
    if byKeyOnly {
      if let own { return (article, .stored(own)) }
      return (article, try adopted(article).map { .moved($0) } ?? .new)
    }
    if let own, try !isAnother(article, than: own) { return (article, .stored(own)) }
    let unknown = own.map { Match.replaces($0) } ?? .new
    guard lastBefore != nil else { return (article, unknown) }
    if own == nil, let row = try adopted(article) { return (article, .moved(row)) }
    if let given = EntryIdentity.shared(in: article.entry.id) {
      // The article that was stored while it was the only one with this id.
      if let row = try stored(PreparedPage.key(ofEntry: given)),
        try distinctID(of: row) == article.entry.id
      {
        return (article, .moved(row))
      }
    } else {
      let distinct = article.distinct
      if distinct.key != article.key, let row = try stored(distinct.key) {
        return (distinct, .stored(row))
      }
    }
    return (article, try known(article).map { .moved($0) } ?? unknown)
  }

  /// The article from before the feed's move that an entry is: the only one with its link and the
  /// same date or title, else a known one under another id.
  private mutating func adopted(_ article: PreparedPage.Article) throws -> StoredArticle? {
    guard let lastToAdopt else { return nil }
    guard let row = try alone(article) ?? known(article), row.id <= lastToAdopt,
      MovedEntry.isOne(row.traits.id)
    else { return nil }
    return row
  }

  /// The only stored article with the link of an entry, unless date or title differ: servers change
  /// ids and clean texts.
  private mutating func alone(_ article: PreparedPage.Article) throws -> StoredArticle? {
    guard let link = article.linkKey, !page.isShared(link: link), let linked = try linked(link),
      linked.count == 1, let row = linked.first, !page.holds(row)
    else { return nil }
    let isTitled = article.traits.isTitled(like: row.traits)
    guard let then = row.traits.moment, let now = article.traits.moment else {
      return isTitled ? row : nil
    }
    // Of a date without a time, several articles have the same.
    return then == now && (isTitled || page.isPrecise(now)) ? row : nil
  }

  /// Whether other entries of the page have the same link.
  mutating func isLinkShared(_ article: PreparedPage.Article) -> Bool {
    article.linkKey.map { page.isShared(link: $0) } ?? false
  }

  /// The new id of a stored article whose id goes to another: made from its contents.
  func distinctID(of row: StoredArticle) throws -> String {
    let body = try row.body(db)
    return EntryIdentity.distinct(
      Entry(
        id: row.traits.id, url: row.traits.url, title: row.traits.title,
        published: date(row.traits.published), contentHTML: body.content, summary: body.summary,
        enclosures: try row.files(db)))
  }

  /// Whether an entry is another article than the stored one with the same id.
  ///
  /// Some feeds give all articles one id or link. A correction changes the title or the date, but
  /// hardly both; where the id is more than an address, a third property has to differ.
  private mutating func isAnother(
    _ article: PreparedPage.Article, than row: StoredArticle
  ) throws -> Bool {
    let (old, new) = (row.traits, article.traits)
    if old.isUnreadable { return false }
    // In a page of several entries with own ids an id is reliable: title, date and picture of a
    // developing story may all change.
    guard !new.hasMadeID, page.hasOneEntry else { return false }
    let isRedated = old.published != nil && new.published != nil && old.published != new.published
    if !isRedated, new.isTitled(like: old) { return false }
    if try trustsIDs() { return false }
    func saysSame() throws -> Bool { try article.body.says(theSameAs: row.body(db)) }
    let areUntitled = old.title == nil && new.title == nil
    let isRetitled = areUntitled ? try !saysSame() : !new.isTitled(like: old)
    // A correction may replace title and picture of a text; a new comic has a new date, too.
    let kinds = isRedated || old.moment == nil && new.moment == nil ? FileKinds.all : .notPictures
    let hasOtherFiles = try article.entry.enclosures.areOther(than: row.files(db), counting: kinds)
    if new.hasLinkForID {
      if isRetitled && isRedated || hasOtherFiles { return true }
      return try isRedated && article.body.showsOtherPictures(than: row.body(db))
    }
    guard isRetitled else { return false }
    var hasOtherLink = false
    if let one = old.url.flatMap(LinkIdentity.parts), let two = new.url.flatMap(LinkIdentity.parts)
    {
      hasOtherLink = one.page != two.page
    }
    guard isRedated else {
      return try old.published == nil && new.published == nil && hasOtherLink
        && (old.updated == nil || old.updated != new.updated) && !saysSame()
    }
    if hasOtherLink || hasOtherFiles { return true }
    // Without links and files only the texts can be compared.
    return try old.linkKey == nil && new.linkKey == nil
      && (article.entry.enclosures.isEmpty || row.files(db).isEmpty) && !saysSame()
  }

  /// The stored article that an entry is under another id; nil for none.
  private mutating func known(_ article: PreparedPage.Article) throws -> StoredArticle? {
    if let link = article.linkKey {
      let linked = try linked(link)
      let isShared = linked.map { $0.count > 1 } ?? true || page.isShared(link: link)
      var same: [StoredArticle] = []
      for row in try linked ?? dated(article.traits.moment, link: link) ?? []
      where !page.holds(row) {
        if try isSame(article, row, linkIsShared: isShared) { same.append(row) }
      }
      // Several candidates are none: two articles must not become one.
      if let first = same.first { return same.count == 1 ? first : nil }
      if !isShared, let row = try beforeMove(article) { return row }
    }
    return try ofSameMoment(article)
  }

  private mutating func isSame(
    _ article: PreparedPage.Article, _ row: StoredArticle, linkIsShared: Bool
  ) throws -> Bool {
    let (old, new) = (row.traits, article.traits)
    if try isAnother(article, than: row) { return false }
    if try article.entry.enclosures.areOther(than: row.files(db), counting: .all) { return false }
    let hasGivenID = new.hasGivenID(of: old)
    if hasGivenID, !old.hasMadeID, !new.hasMadeID { return true }
    if !linkIsShared, new.isVersion(of: old) { return true }
    let isTitled = new.isTitled(like: old)
    guard let then = old.moment, let now = new.moment else {
      let areUndated = old.moment == nil && new.moment == nil
      guard isTitled, areUndated || !linkIsShared else { return false }
      return try article.body.says(theSameAs: row.body(db)) && (areUndated || article.hasBody)
    }
    // Bulletins share link and title, and have a guid each: different guids are one article only
    // with the same text.
    let haveOwnIDs = !hasGivenID && old.hasOwnID && new.hasOwnID
    if then == now {
      if page.isPrecise(now) { return isTitled || hasGivenID || !linkIsShared }
      guard isTitled else { return false }
      if !linkIsShared { return try !haveOwnIDs || saysSame(article, row) }
      return try !haveOwnIDs && page.isOnlyOne(article) && saysSame(article, row)
    }
    // A picture of the day keeps link and title: a much later entry is the same only with the same
    // text.
    guard isTitled, !linkIsShared else { return false }
    if areClose(then, now, within: 3599) { return try !haveOwnIDs || saysSame(article, row) }
    let tellsNoDate = old.published == nil && new.published == nil
    return try then < now && (tellsNoDate || article.hasBody)
      && article.body.says(theSameAs: row.body(db))
  }

  private func saysSame(_ article: PreparedPage.Article, _ row: StoredArticle) throws -> Bool {
    let (new, old) = (article.body, try row.body(db))
    return new.says(theSameAs: old) || new.reads(like: old)
  }

  /// The stored article of an entry whose site has moved to another host: same path, title and
  /// date.
  private mutating func beforeMove(_ article: PreparedPage.Article) throws -> StoredArticle? {
    guard let parts = article.entry.url.flatMap(LinkIdentity.parts) else { return nil }
    var same: [StoredArticle] = []
    for host in try formerHosts() where host != parts.host {
      let there = LinkIdentity.Parts(host: host, page: parts.page)
      let linked = try linked(PreparedPage.key(of: there))
      // Of a page that several articles lie on, the path says nothing.
      guard let linked, linked.count == 1, let row = linked.first, !page.holds(row) else {
        continue
      }
      let (old, new) = (row.traits, article.traits)
      guard new.isTitled(like: old) else { continue }
      if try article.entry.enclosures.areOther(than: row.files(db), counting: .all) { continue }
      if let moment = new.moment, moment == old.moment {
        same.append(row)
      } else if old.published == nil, new.published == nil,
        try article.body.reads(like: row.body(db))
      {
        same.append(row)
      }
    }
    return same.count == 1 ? same.first : nil
  }

  /// Hosts of stored articles that the page no longer links to; none where there are many hosts, as
  /// in link blogs.
  private mutating func formerHosts() throws -> [String] {
    if let oldHosts { return oldHosts }
    var hosts: Set<String> = []
    for order in ["DESC", "ASC"] {
      let urls = try String?.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT url FROM articleStatus INDEXED BY statusByFeed
              JOIN article ON article.id = articleStatus.articleID
            WHERE articleStatus.feedID = ?
            ORDER BY sortDate \(order), articleID \(order) LIMIT 8
            """), arguments: [feed])
      hosts.formUnion(urls.compactMap { $0.flatMap(LinkIdentity.parts)?.host })
    }
    let found = hosts.count > 4 ? [] : hosts.filter { !page.names(host: $0) }.sorted()
    oldHosts = found
    return found
  }

  /// The stored article of the same second as an entry, where neither has an own id. A date without
  /// a time, or a full hour, is not enough.
  private mutating func ofSameMoment(_ article: PreparedPage.Article) throws -> StoredArticle? {
    let new = article.traits
    guard let moment = new.moment, new.hasNoID || new.hasMadeID || new.linkKey == nil,
      page.isPrecise(moment)
    else { return nil }
    var same: [StoredArticle] = []
    for row in try dated(moment) ?? [] where !page.holds(row) {
      let old = row.traits
      if let one = old.linkKey, one == new.linkKey { continue }
      let haveNoIDs = old.hasNoID && new.hasNoID
      let areLinked = old.linkKey != nil && new.linkKey != nil
      let sharesID = !areLinked && (old.hasMadeID || new.hasMadeID) && new.hasGivenID(of: old)
      guard haveNoIDs || sharesID else { continue }
      if try article.entry.enclosures.areOther(than: row.files(db), counting: .all) { continue }
      let isTitled = new.isTitled(like: old)
      // Two links are two articles, unless these agree in all the rest.
      if areLinked, !isTitled { continue }
      if !areLinked && (isTitled || sharesID) {
        same.append(row)
      } else if try article.hasBody && article.body.says(theSameAs: row.body(db)) {
        same.append(row)
      }
    }
    return same.count == 1 ? same.first : nil
  }

  /// Whether the ids of the feed are known to be permanent.
  private mutating func trustsIDs() throws -> Bool {
    if let areIDsTrusted { return areIDsTrusted }
    let isTrusted: Bool =
      try db.value(
        """
        SELECT \(AccountCondition.hasStableIDs) FROM feed
          JOIN account ON account.id = feed.account WHERE feed.id = ?
        """, [feed]) ?? false
    areIDsTrusted = isTrusted
    return isTrusted
  }

  private func stored(_ key: Int64) throws -> StoredArticle? {
    try db.row(
      "SELECT \(StoredArticle.columns) FROM article WHERE feedID = ? AND entryKey = ?", [feed, key]
    ).map(StoredArticle.init)
  }

  /// Articles of the feed with a link from before this page; nil where there are too many.
  private func linked(_ link: Int64) throws -> [StoredArticle]? {
    try rows(
      """
      SELECT \(StoredArticle.columns) FROM article
      WHERE linkKey = ? AND feedID = ? AND id <= ?
      """, [link, feed.rawValue, lastBefore])
  }

  /// Articles of the feed with a date, and a link if given, from before this page; nil where there
  /// are too many, or without a date.
  private func dated(_ moment: Int64?, link: Int64? = nil) throws -> [StoredArticle]? {
    guard let moment else { return nil }
    return try rows(
      """
      SELECT \(StoredArticle.columns) FROM articleStatus INDEXED BY statusByFeed
        JOIN article ON article.id = articleStatus.articleID
      WHERE articleStatus.feedID = ?1 AND sortDate = ?2 AND articleID <= ?3
        AND coalesce(published, updated) = ?2 AND (?4 IS NULL OR linkKey = ?4)
      """, [feed.rawValue, moment, lastBefore, link])
  }

  /// Nil where there are more than `candidates`.
  private func rows(_ sql: String, _ arguments: StatementArguments) throws -> [StoredArticle]? {
    let found = try db.rows(sql + " LIMIT \(Self.candidates + 1)", arguments)
    return found.count > Self.candidates ? nil : found.map(StoredArticle.init)
  }
}

/// Whether two times differ by at most some seconds, without overflow.
func areClose(_ one: Int64, _ other: Int64, within seconds: UInt64) -> Bool {
  let (difference, isBeyond) = one.subtractingReportingOverflow(other)
  return !isBeyond && difference.magnitude <= seconds
}
