package import Foundation
internal import GRDB
package import News

/// Place of a page in its feed, which decides what of the feed's state a merge changes.
package enum PagePlace: Hashable, Sendable {
  /// The first page of the feed: a refresh.
  case newest
  /// The page after the oldest cached article.
  case older
  /// A page from inside the gap with this id.
  case gap(Int64)
  /// Entries pushed over a live connection. They do not change cursor, validators and gaps, and
  /// neither do the following ones.
  case pushed
  /// Articles of an import.
  case imported(areRead: Bool)
  /// Articles of another reader, with the keys of the read ones. Known articles stay as they are.
  case taken(read: Set<Int64>)
  /// Articles of an export, with the keys of the read ones. Two ids are two articles.
  case restored(read: Set<Int64>)
  /// Articles that the server of an account lists by id, with the keys of the read ones.
  case synced(read: Set<Int64>)
}

extension PagePlace {
  fileprivate var isSynced: Bool { if case .synced = self { true } else { false } }
  fileprivate var isTaken: Bool { if case .taken = self { true } else { false } }
  fileprivate var isRestored: Bool { if case .restored = self { true } else { false } }

  /// Whether the page comes from the feed or its server, and not from a file.
  fileprivate var isOfFeed: Bool {
    switch self {
    case .newest, .older, .gap, .pushed, .synced: true
    case .imported, .taken, .restored: false
    }
  }

  /// Whether new articles may have just been written.
  fileprivate var bringsNews: Bool {
    switch self {
    case .newest, .pushed, .synced: true
    case .older, .gap, .imported, .taken, .restored: false
    }
  }

  /// Whether a new article comes as one that is read already.
  fileprivate func isRead(_ key: Int64) -> Bool {
    switch self {
    case .imported(let areRead): areRead
    case .synced(let read), .taken(let read), .restored(let read): read.contains(key)
    case .newest, .older, .pushed, .gap: false
    }
  }
}

/// Counts of the entries of a merged page.
package struct MergeResult: Hashable, Sendable {
  package var inserted = 0
  /// Articles that were known and have changed.
  package var updated = 0
  /// Entries that were stored already, changed or not.
  package var known = 0
  /// Known articles with other ids, by the keys of the entries, of another reader.
  var matched: [Int64: Int64] = [:]
  package init() {}
}

extension ArticlesEdit {
  /// Merges a page into a feed, with its cursor and validators: new entries are added, changed ones
  /// replaced, and the user's marks stay. An entry with an older `updated` than the stored one is
  /// ignored.
  @discardableResult
  package func merge(
    _ page: PreparedPage, into feed: FeedID, at place: PagePlace, now: Date
  ) throws -> MergeResult {
    if let service = page.service, place == .newest {
      try edit.accounts.assign(feed, to: service, now: now)
    }
    let newest = try view.articles.edge(of: feed, isNewest: true)
    if let problem = page.problem, place == .newest {
      // A cut document that reaches no stored article may or may not have a gap behind it.
      let isKnown = try newest == nil || page.articles.contains { try isStored($0, in: feed) }
      guard isKnown else {
        try recordCut(page, feed, problem, now: now)
        return MergeResult()
      }
    }
    let undated = try dateOfUndated(feed, place, now: now)
    var result = MergeResult()
    var inserted: [TimelinePosition] = []
    var tellings: [StoryJoining.Newcomer] = []
    // In reverse, so that the first entry gets the highest id and sorts first. Of an entry that is
    // in the page twice, the first counts; the second does not make it known.
    var keys: Set<Int64> = []
    let listed = page.articles.filter { keys.insert($0.key).inserted }
    let articles = try edit.tombstones.withoutDeleted(
      listed, of: feed, isNewest: place == .newest && !page.isCut, now: now)
    // Deleted articles count as known: the page reaches earlier ones.
    result.known += listed.count - articles.count
    var identity = ArticleIdentity(
      db, feed, page: articles,
      lastBefore: newest == nil ? nil : try Int64.fetchOne(db, sql: "SELECT max(id) FROM article"),
      lastToAdopt: try view.feeds.lastToAdopt(in: feed))
    identity.update = try view.feeds.settings(of: feed).update
    let marks = try ArrivingMarks(edit, of: feed)
    // The last entry of a cut document may be incomplete: a stored one wins.
    let isLastWorthLess = try page.isCut && articles.last.map { try isStored($0, in: feed) } == true
    if isLastWorthLess { result.known += 1 }
    for article in articles.dropLast(isLastWorthLess ? 1 : 0).reversed() {
      switch try write(article, &identity, at: place, marks, undated: undated, now: now) {
      case .inserted(let position):
        result.inserted += 1
        inserted.append(position)
        if let telling = telling(article, position, in: feed, at: place, now: now) {
          tellings.append(telling)
        }
      case .updated:
        result.updated += 1
        result.known += 1
      case .unchanged: result.known += 1
      case .matched(let id):
        result.known += 1
        result.matched[article.key] = id
      }
    }
    switch place {
    case .newest, .pushed:
      edit.rules.noteNew(inserted, now: now)
      edit.newcomers.tellings += tellings
    // Articles of the first sync, or of an earlier time, are no news.
    case .synced:
      if let newest { edit.rules.noteNew(inserted.filter { $0 > newest }, now: now) }
      edit.newcomers.now = now
      edit.newcomers.tellings += tellings
    case .older, .gap, .imported, .taken, .restored: break
    }
    switch place {
    case .newest:
      if let problem = page.problem {
        try recordCut(page, feed, problem, now: now)
        break
      }
      try recordNewestPage(page, feed, now: now)
      if result.known == 0, let newest, let oldest = inserted.min(), oldest > newest {
        try db.run(
          """
          INSERT INTO gap (feedID, newerDate, newerID, olderDate, olderID, cursor)
          VALUES (?, ?, ?, ?, ?, ?)
          """, [feed, oldest.date, oldest.id, newest.date, newest.id, page.nextCursor?.rawValue])
      }
    case .older:
      try db.run(
        "UPDATE feedState SET cursor = ?, paging = ? WHERE feedID = ?",
        [page.nextCursor?.rawValue, (page.nextCursor == nil ? Paging.end : .more).rawValue, feed])
    case .gap(let id): try narrow(gap: id, page, inserted, known: result.known)
    case .pushed, .imported, .taken, .restored, .synced: break
    }
    return result
  }

  /// The article as a candidate for stories; nil where it is old, or from no feed.
  private func telling(
    _ article: PreparedPage.Article, _ position: TimelinePosition, in feed: FeedID,
    at place: PagePlace, now: Date
  ) -> StoryJoining.Newcomer? {
    // Episodes have one page and one description.
    guard place.bringsNews, StoryJoining.isNews(position, now: now),
      article.entry.enclosures.allSatisfy(\.isImage)
    else { return nil }
    return StoryJoining.Newcomer(
      id: position.id, feed: feed, digest: article.digest, linkKey: article.linkKey,
      text: StoryText(title: article.entry.title ?? "", lead: article.text))
  }

  private enum Written {
    case inserted(TimelinePosition)
    case updated
    case unchanged
    /// It is this article, which has another id.
    case matched(Int64)
  }

  private func write(
    _ article: PreparedPage.Article, _ identity: inout ArticleIdentity, at place: PagePlace,
    _ marks: ArrivingMarks?, undated: Int64, now: Date
  ) throws -> Written {
    let feed = identity.feed
    // Most entries are unchanged and cost this one query.
    let digest: Int64? = try db.value(
      "SELECT digest FROM article WHERE feedID = ? AND entryKey = ?", [feed, article.key])
    if digest == article.digest || (digest != nil && place.isTaken) { return .unchanged }
    let isSynced = place.isSynced
    var (article, match) = try identity.match(
      article, hasKey: digest != nil, byKeyOnly: isSynced || place.isRestored)
    switch match {
    case .stored(let row) where place.isTaken: return .matched(row.id)
    case .moved(let row) where place.isTaken: return .matched(row.id)
    case .stored(let row):
      // The stored article is newer than the export.
      if try row.digest == article.digest || place.isRestored
        || isOlder(article, than: row, now: now)
      {
        return .unchanged
      }
      try replace(row.id, with: article, &identity, at: place, now: now)
      if identity.update == .unread, !isSynced {
        try edit.marks.set(.read(false), of: [ArticleID(row.id)], now: now)
      }
      return .updated
    case .moved(let row):
      // Another article has the new id: this one keeps its old one.
      if try !rename(row.id, article.entry.id) { article.entry.id = row.traits.id }
      if MovedEntry.isOne(row.traits.id), !isSynced {
        try edit.feeds.keepMarks(of: row.id, isUnreadThere: nil, isStarredThere: nil, now: now)
      }
      if row.digest != article.digest, try !isOlder(article, than: row, now: now) {
        try replace(row.id, with: article, &identity, at: place, now: now)
      }
      try marks?.apply(to: row.id, article.entry.id)
      return .updated
    case .replaces(let row):
      // The newer article gets the shared id, so that the next refresh finds it. Where the older
      // one cannot be renamed, the newer one gets the distinct id.
      if try !rename(row.id, identity.distinctID(of: row)) { article = article.distinct }
    case .new: break
    }
    let isKnownRead = try marks?.isRead(article.entry.id)
    let position = try insert(
      article, &identity, isRead: isKnownRead ?? place.isRead(article.key),
      // A mark of another machine is the user's last word.
      takesMarkOfOriginal: isKnownRead == nil && !place.isRestored, undated: undated, now: now)
    try marks?.apply(to: position.id, article.entry.id)
    return .inserted(position)
  }

  /// Whether an entry is an earlier version of a stored article, as an old page or a cache has it.
  ///
  /// A stored date in the future, at arrival or now, is ignored: it was wrong, such as local time
  /// marked as UTC.
  private func isOlder(
    _ article: PreparedPage.Article, than row: StoredArticle, now: Date
  ) throws -> Bool {
    guard let stored = row.traits.updated, let incoming = seconds(article.entry.updated),
      incoming < stored, let now = seconds(now), stored <= now
    else { return false }
    return try !row.isDatedAhead(db)
  }

  /// Changes the entry id of an article. Returns false where another article of the feed has it.
  @discardableResult
  private func rename(_ id: Int64, _ entryID: String) throws -> Bool {
    try db.run(
      "UPDATE OR IGNORE article SET entryKey = ?, entryID = ? WHERE id = ?",
      [PreparedPage.key(ofEntry: entryID), entryID, id])
    return db.changesCount > 0
  }

  private func insert(
    _ article: PreparedPage.Article, _ identity: inout ArticleIdentity, isRead: Bool,
    takesMarkOfOriginal: Bool, undated: Int64, now: Date
  ) throws -> TimelinePosition {
    let (entry, feed) = (article.entry, identity.feed)
    let original = try Duplicates(edit: edit, now: now).original(of: article, in: feed) {
      identity.isLinkShared(article)
    }
    let firstSeen = seconds(now) ?? 0
    try db.run(
      """
      INSERT INTO article (feedID, entryKey, entryID, url, title, excerpt, authors, published,
        updated, firstSeen, digest, linkKey) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        feed, article.key, entry.id, entry.url, entry.title, article.excerpt,
        AuthorList.encode(entry.authors), seconds(entry.published), seconds(entry.updated),
        firstSeen, article.digest, article.linkKey,
      ])
    let id = db.lastInsertedRowID
    try db.run(
      """
      INSERT INTO articleBody (articleID, content, summary, details) VALUES (?, ?, ?, ?)
      """, [id, article.content, article.summary, EntryDetails.encode(entry, storedAt: now)])
    // A date in the future would keep the article on top of every list until then.
    let date =
      (seconds(entry.published) ?? seconds(entry.updated)).map { min($0, firstSeen) } ?? undated
    try db.run(
      """
      INSERT INTO articleStatus (articleID, feedID, sortDate, isRead, duplicateOf)
      VALUES (?, ?, ?, ?, ?)
      """, [id, feed, date, isRead, original])
    // The mark of the original is sent for this article.
    if !isRead, takesMarkOfOriginal, let original, try self.isRead(original) {
      try edit.marks.set(.read(true), of: ArticleID(id), now: now)
    }
    try edit.indexing.add(id, article.indexed, in: db)
    return TimelinePosition(date: date, id: id)
  }

  func isRead(_ article: Int64) throws -> Bool {
    try db.value("SELECT isRead FROM articleStatus WHERE articleID = ?", [article]) ?? false
  }

  private func replace(
    _ id: Int64, with article: PreparedPage.Article, _ identity: inout ArticleIdentity,
    at place: PagePlace, now: Date
  ) throws {
    let entry = article.entry
    if identity.update == .changed, place.isOfFeed {
      try edit.formerTexts.noteReplaced(id, now: now)
    }
    try edit.indexing.remove(id, in: db)
    try db.run(
      """
      UPDATE article SET entryID = ?, url = ?, title = ?, excerpt = ?, authors = ?,
        published = ?, updated = ?, digest = ?, linkKey = ? WHERE id = ?
      """,
      [
        entry.id, entry.url, entry.title, article.excerpt, AuthorList.encode(entry.authors),
        seconds(entry.published), seconds(entry.updated), article.digest, article.linkKey, id,
      ])
    try db.run(
      """
      UPDATE articleBody SET content = ?, summary = ?, details = ? WHERE articleID = ?
      """, [article.content, article.summary, EntryDetails.encode(entry, storedAt: now), id])
    if try edit.fullTexts.keepsText(of: id) {
      try edit.indexing.add(id, in: db)
    } else {
      try edit.indexing.add(id, article.indexed, in: db)
    }
    edit.rules.noteChanged(id, now: now)
    try Duplicates(edit: edit, now: now).review(id, now: article, in: identity.feed) {
      identity.isLinkShared(article)
    }
  }

  private func isStored(_ article: PreparedPage.Article, in feed: FeedID) throws -> Bool {
    try view.articles.number(of: article.key, in: feed) != nil
  }

  /// Records a cut page as a failure without validators, so that the next refresh requests all of
  /// it.
  private func recordCut(
    _ page: PreparedPage, _ feed: FeedID, _ problem: SourceError, now: Date
  ) throws {
    if let description = page.description { try record(description, of: feed) }
    try db.run(
      """
      UPDATE feedState SET etag = NULL, lastModified = NULL, bodyDigest = NULL WHERE feedID = ?
      """, [feed])
    try edit.fetches.recordFailure(feed, problem, now: now)
  }

  private func recordNewestPage(_ page: PreparedPage, _ feed: FeedID, now: Date) throws {
    if let description = page.description { try record(description, of: feed) }
    if let recipe = page.recipe {
      try db.run("UPDATE feed SET recipe = ?2 WHERE id = ?1", [feed, recipe.rawValue])
    }
    // Only the first refresh sets the cursor of older pages: later ones are further forward. A
    // search for the feed has recorded no exchange: the address of the validators comes with them.
    try db.run(
      """
      UPDATE feedState SET lastAttempt = ?2, lastSuccess = ?2, nextAttempt = NULL, error = NULL,
        failingSince = NULL, failures = 0,
        isGone = 0, claimant = NULL, claimedUntil = NULL, etag = ?3, lastModified = ?4,
        bodyDigest = ?5, minutesToLive = ?6, remark = ?9, skippedTimes = ?11,
        redirectedTo = coalesce(?10, redirectedTo),
        cursor = CASE paging WHEN 0 THEN ?7 ELSE cursor END,
        paging = CASE paging WHEN 0 THEN ?8 ELSE paging END
      WHERE feedID = ?1
      """,
      [
        feed, seconds(now), page.validators.etag, page.validators.lastModified, page.bodyDigest,
        page.description?.minutesToLive, page.nextCursor?.rawValue,
        (page.nextCursor == nil ? Paging.end : .more).rawValue, page.remark,
        page.validators.address, page.description?.skips?.rawValue,
      ])
    try edit.fetches.recordPace(feed, now: now)
  }

  /// Updates what a feed says of itself; writes nothing where that is unchanged.
  private func record(_ description: FeedDescription, of feed: FeedID) throws {
    try db.run(
      """
      UPDATE feed SET title = coalesce(?2, title), link = coalesce(?3, link),
        description = coalesce(?4, description), language = coalesce(?5, language),
        format = ?6, image = ?7, icon = ?8, authors = ?9, rights = ?10, movedTo = ?11
      WHERE id = ?1 AND (
        title, link, description, language, format, image, icon, authors, rights, movedTo
      ) IS NOT (
        coalesce(?2, title), coalesce(?3, link), coalesce(?4, description),
        coalesce(?5, language), ?6, ?7, ?8, ?9, ?10, ?11)
      """,
      [
        feed, description.title, description.link, description.description, description.language,
        description.format.rawValue, description.image, description.icon,
        AuthorList.encode(description.authors), description.rights, description.movedTo,
      ])
  }

  /// Narrows a gap to below the page, or closes it where the page reaches a known article or the
  /// source has no more.
  private func narrow(
    gap id: Int64, _ page: PreparedPage, _ inserted: [TimelinePosition], known: Int
  ) throws {
    guard known == 0, let cursor = page.nextCursor, let oldest = inserted.min() else {
      try db.run("DELETE FROM gap WHERE id = ?", [id])
      return
    }
    try db.run(
      "UPDATE gap SET newerDate = ?, newerID = ?, cursor = ? WHERE id = ?",
      [oldest.date, oldest.id, cursor.rawValue, id])
  }

  /// The sort date of undated entries: now for a newest page, else just below the previous article.
  private func dateOfUndated(_ feed: FeedID, _ place: PagePlace, now: Date) throws -> Int64 {
    switch place {
    case .newest, .pushed, .synced: return seconds(now) ?? 0
    case .older, .imported, .taken, .restored:
      return try view.articles.edge(of: feed, isNewest: false).map { $0.date - 1 } ?? seconds(now)
        ?? 0
    case .gap(let id):
      return try view.feeds.gap(id).map { $0.gap.newer.date - 1 } ?? seconds(now) ?? 0
    }
  }
}
