internal import GRDB
package import News

package import struct Foundation.Date

/// Articles of one feed from another program, made ready to be written (`PreparedPage`).
package struct PreparedImport: Sendable {
  let page: PreparedPage
  /// Marks by the keys of the entries.
  let marks: [(key: Int64, article: ImportedArticle)]
  let deleted: [Int64]
  /// Saved pages with their texts.
  let pages: [ImportedArticle]

  /// Costs processor time and no database.
  ///
  /// - Parameters:
  ///   - articles: the newest first.
  ///   - areSaved: whether they are saved pages, whose bodies are full texts.
  package init(_ articles: [ImportedArticle], areSaved: Bool = false) {
    var entries: [Entry] = []
    var marks: [(key: Int64, article: ImportedArticle)] = []
    var deleted: [Int64] = []
    for article in articles {
      let key = PreparedPage.key(ofEntry: article.entry.id)
      if article.isDeleted {
        deleted.append(key)
        continue
      }
      entries.append(article.entry)
      if areSaved { entries[entries.count - 1].contentHTML = nil }
      var rest = article
      rest.entry = Entry(id: article.entry.id)
      marks.append((key, rest))
    }
    page = PreparedPage(Page(entries: entries))
    self.marks = marks
    self.deleted = deleted
    pages = areSaved ? articles.filter { !$0.isDeleted } : []
  }
}

extension ArticlesEdit {
  /// Adds articles of another program with their marks. Marks of known articles are united. Deleted
  /// articles are kept away, unless they are here. A repetition changes nothing.
  package func add(
    _ articles: PreparedImport, into feed: FeedID, now: Date
  ) throws -> ArticleImportCounts {
    var counts = ArticleImportCounts()
    for key in articles.deleted where try edit.tombstones.bury(key, of: feed, now: now) {
      counts.deleted += 1
    }
    let read = Set(articles.marks.lazy.filter(\.article.isRead).map(\.key))
    let merged = try merge(articles.page, into: feed, at: .taken(read: read), now: now)
    counts.inserted = merged.inserted
    counts.known = merged.known
    for (key, article) in articles.marks where article.hasMarks {
      let found = try merged.matched[key] ?? view.articles.number(of: key, in: feed)
      guard let id = found.map(ArticleID.init) else { continue }
      try add(article, to: id, &counts, now: now)
    }
    return counts
  }

  /// Adds articles of a file with their marks and dates. Marks of known articles are united; a line
  /// that no store has exported replaces an article with other contents.
  ///
  /// - Parameters:
  ///   - areExported: whether they come from a store, with their ids and places in lists.
  ///   - areRead: whether new articles are marked read.
  package func restore(
    _ articles: PreparedImport, into feed: FeedID, areExported: Bool, areRead: Bool, now: Date
  ) throws -> MergeResult {
    // Deleted or trimmed articles come back. Those that a rule hides stay away.
    let forget = try db.cachedStatement(
      sql: "DELETE FROM tombstone WHERE feedID = ? AND entryKey = ? AND rule IS NULL")
    for (key, _) in articles.marks { try forget.execute(arguments: [feed, key]) }
    let known = try articles.marks.map(\.key).filter {
      try view.articles.number(of: $0, in: feed) != nil
    }
    let read = articles.marks.lazy.filter { areRead || $0.article.isRead }.map(\.key)
    let merged = try merge(
      articles.page, into: feed,
      at: areExported ? .restored(read: Set(read)) : .imported(areRead: areRead), now: now)
    let isKnown = Set(known)
    var counts = ArticleImportCounts()
    for (key, article) in articles.marks {
      let isNew = !isKnown.contains(key)
      guard isNew && areExported || article.hasMarks,
        let id = try view.articles.number(of: key, in: feed)
      else { continue }
      if isNew, areExported {
        try setDates(of: article, at: id, now: now)
        try setScore(article.score, of: id)
      }
      try add(article, to: ArticleID(id), &counts, now: now)
    }
    try edit.savedPages.restoreTexts(of: articles.pages, into: feed, now: now)
    return merged
  }

  /// Nothing lies in the future.
  private func setDates(of article: ImportedArticle, at id: Int64, now: Date) throws {
    if let arrived = seconds(article.arrived.map({ min($0, now) })) {
      try db.run("UPDATE article SET firstSeen = ? WHERE id = ?", [arrived, id])
    }
    if let place = seconds(article.place.map({ min($0, now) })) {
      try db.run("UPDATE articleStatus SET sortDate = ? WHERE articleID = ?", [place, id])
    }
  }

  private func setScore(_ score: Int, of id: Int64) throws {
    guard score != 0, ArticleScore.bounds.contains(score) else { return }
    try db.run("UPDATE articleStatus SET score = ? WHERE articleID = ?", [score, id])
  }

  private func add(
    _ article: ImportedArticle, to id: ArticleID, _ counts: inout ArticleImportCounts, now: Date
  ) throws {
    if article.isRead, try !isRead(id.rawValue), try edit.marks.set(.read(true), of: id, now: now) {
      counts.read += 1
    }
    if article.isStarred, try edit.marks.set(.starred(true), of: id, now: now) {
      counts.starred += 1
    }
    for tag in article.tags {
      counts.tagged += try edit.tags.set(named: tag, true, on: [id], now: now)
    }
  }
}

extension ImportedArticle {
  fileprivate var hasMarks: Bool { isRead || isStarred || !tags.isEmpty }
}
