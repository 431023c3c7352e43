internal import GRDB
package import News

/// Tells whether the text of an article is the one that was there before.
package struct TextStamp: Hashable, Sendable, Codable {
  package var feed: FeedID
  /// Of what the feed says.
  package var digest: Int64
  /// When the article of its page was fetched, in seconds since 1970; nil where there is none.
  package var fetched: Int64?
}

extension ArticlesView {
  /// The stamps of articles, and what their texts take of the database in bytes; none for those that are gone.
  package func textStamps(
    of articles: [ArticleID]
  ) throws -> [ArticleID: (stamp: TextStamp, bytes: Int64)] {
    var stamps: [ArticleID: (TextStamp, Int64)] = [:]
    let rows = try db.cursor(
      """
      SELECT article.id, article.feedID, article.digest, fullText.fetchedAt,
        coalesce(length(articleBody.content), 0) + coalesce(length(articleBody.summary), 0)
          + coalesce(length(fullText.content), 0)
      FROM json_each(?) AS wanted CROSS JOIN article ON article.id = wanted.value
        CROSS JOIN articleBody ON articleBody.articleID = article.id
        LEFT JOIN fullText ON fullText.articleID = article.id AND fullText.content IS NOT NULL
      """, [jsonList(articles.map(\.rawValue))])
    while let row = try rows.next() {
      stamps[ArticleID(row[0])] = (
        TextStamp(feed: row[1], digest: row[2], fetched: row[3]), row[4]
      )
    }
    return stamps
  }
}
