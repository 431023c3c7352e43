package import News
package import Store

extension FeedRepository {
  /// Adds imported articles to a feed in one transaction. Its cursors, validators and marks do not
  /// change.
  ///
  /// - Parameter areRead: whether new articles are marked read.
  /// - Throws: `SourceError` where the feed was removed.
  package func importArticles(
    _ entries: [Entry], into feed: Feed, areRead: Bool = false
  ) async throws -> MergeResult {
    guard !entries.isEmpty else { return MergeResult() }
    let prepared = PreparedPage(Page(entries: entries))
    let time = context.now()
    return try await store.edit { edit in
      guard try edit.view.feeds.contains(feed.id) else {
        throw SourceError.removedMeanwhile(feed.displayTitle)
      }
      return try edit.articles.merge(
        prepared, into: feed.id, at: .imported(areRead: areRead), now: time)
    }
  }
}

/// Articles of a file for one feed, in the order of its lines.
package struct ImportedLines: Sendable {
  package var feed: FeedID
  package var articles: [ImportedArticle]
  /// Whether Telex has exported them: the oldest comes first then, else the newest.
  package var areExported: Bool

  package init(feed: FeedID, articles: [ImportedArticle], areExported: Bool) {
    self.feed = feed
    self.articles = articles
    self.areExported = areExported
  }
}

extension FeedRepository {
  /// Adds articles of a file to their feeds in one transaction, with their marks and tags.
  ///
  /// - Parameter areRead: whether new articles are marked read.
  /// - Throws: `SourceError` where one of the feeds was removed.
  package func restoreArticles(
    _ parts: [ImportedLines], areRead: Bool
  ) async throws -> MergeResult {
    let ids = parts.map(\.feed)
    let saved = try await store.view { view in
      try Set(ids.filter { try view.feeds.feed($0)?.isSaved == true })
    }
    let prepared = parts.map { part in
      (
        part,
        PreparedImport(
          part.areExported ? part.articles.reversed() : part.articles,
          areSaved: saved.contains(part.feed))
      )
    }
    let time = context.now()
    return try await store.edit { edit in
      var result = MergeResult()
      for (part, articles) in prepared {
        guard try edit.view.feeds.contains(part.feed) else {
          throw SourceError.removedMeanwhile("\(part.feed.rawValue)")
        }
        let merged = try edit.articles.restore(
          articles, into: part.feed, areExported: part.areExported, areRead: areRead, now: time)
        result.inserted += merged.inserted
        result.updated += merged.updated
        result.known += merged.known
      }
      return result
    }
  }
}
