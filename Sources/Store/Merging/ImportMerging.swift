internal import GRDB
package import News

package import struct Foundation.Date

/// Articles of one feed from another program, made ready to be written (`PreparedPage`).
package struct PreparedImport: Sendable {
  let page: PreparedPage
  /// What the user has said of them, by the keys of the entries.
  let marks: [(key: Int64, article: ImportedArticle)]
  let deleted: [Int64]

  /// Costs processor time and no database. The newest article comes first.
  package init(_ articles: [ImportedArticle]) {
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
      var rest = article
      rest.entry = Entry(id: article.entry.id)
      marks.append((key, rest))
    }
    page = PreparedPage(Page(entries: entries))
    self.marks = marks
    self.deleted = deleted
  }
}

extension StoreEdit {
  /// Adds articles of another program to a feed, with their marks. Of an article that is here already the marks of
  /// both count: one that is read there is read, one that is starred there is starred. What was deleted there does
  /// not come again; where it is here, it stays.
  ///
  /// Doing it twice changes nothing the second time.
  package func take(
    _ articles: PreparedImport, into feed: FeedID, now: Date
  ) throws -> ArticleImportCounts {
    var counts = ArticleImportCounts()
    for key in articles.deleted where try bury(key, of: feed, now: now) { counts.deleted += 1 }
    let read = Set(articles.marks.lazy.filter(\.article.isRead).map(\.key))
    let merged = try merge(articles.page, into: feed, at: .taken(read: read), now: now)
    counts.inserted = merged.inserted
    counts.known = merged.known
    let stored = try db.cachedStatement(
      sql: "SELECT id FROM article WHERE feedID = ? AND entryKey = ?")
    for (key, article) in articles.marks
    where article.isRead || article.isStarred || !article.tags.isEmpty {
      let found =
        try merged.matched[key] ?? Int64.fetchOne(stored, arguments: [feed.rawValue, key])
      guard let id = found.map(ArticleID.init) else { continue }
      if article.isRead, try !isRead(id.rawValue), try mark(id, .read, true, now: now) {
        counts.read += 1
      }
      if article.isStarred, try mark(id, .starred, true, now: now) { counts.starred += 1 }
      for tag in article.tags {
        counts.tagged += try setTag(named: tag, true, on: [id], now: now)
      }
    }
    return counts
  }
}
