package import Foundation
internal import GRDB
package import News

// Pages that the user has saved: articles of a feed of their own, whose texts are full texts. A
// page that could not be fetched yet is a row without a text.

extension SavedPagesEdit {
  /// Saves a page and adds it to Later, as an action for `undo`. A page that is there stays, and
  /// waits for its text again where it has none.
  ///
  /// - Parameters:
  ///   - title: used until the text is there.
  ///   - isTyped: whether the user has typed the address.
  ///   - due: when it comes to Later; nil for at once.
  /// - Returns: the article, whether it has its text, and whether it is new.
  package func save(
    _ url: String, title: String, isTyped: Bool, until due: Date? = nil, now: Date
  ) throws -> (article: ArticleID, hasText: Bool, isNew: Bool) {
    let feed = try feed(now: now)
    let key = PreparedPage.key(ofEntry: url)
    let isNew = try view.articles.number(of: key, in: feed) == nil
    if isNew {
      // It may have been deleted before.
      try db.run("DELETE FROM tombstone WHERE feedID = ? AND entryKey = ?", [feed, key])
      try edit.articles.merge(
        PreparedPage(Page(entries: [Entry(id: url, url: url, title: title)])), into: feed,
        at: .pushed, now: now)
    }
    guard let id = try view.articles.number(of: key, in: feed) else {
      throw SourceError(
        .store, stage: .store, subject: title, message: "the page was not kept",
        next: "telex doctor looks at the store")
    }
    try noteWaiting(id, at: url, isTyped: isTyped, now: now)
    if isNew {
      try edit.journal.note(.savePage, article: ArticleID(id), now: now)
      // No action of its own: undo removes them with the page.
      for tag in [Later.tag] + [due.map(Later.dueTag)].compactMap(\.self) {
        _ = try edit.tags.set(named: tag, true, on: [ArticleID(id)], now: now)
      }
    } else {
      _ = try edit.actions.setLater([ArticleID(id)], true, until: due, now: now)
    }
    return (ArticleID(id), try view.fullTexts.text(of: ArticleID(id)) != nil, isNew)
  }

  /// Sets the title of a saved page without a text to that of the page.
  package func rename(_ article: ArticleID, _ title: String, now: Date) throws {
    guard let known = try view.articles.article(article) else { return }
    var entry = known.entry
    entry.title = title
    try edit.articles.merge(
      PreparedPage(Page(entries: [entry])), into: known.feedID, at: .pushed, now: now)
  }

  package func forget(_ article: ArticleID) throws {
    guard try view.fullTexts.text(of: article) == nil else { return }
    try edit.indexing.remove(article.rawValue, in: db)
    try db.run(
      "DELETE FROM article WHERE id = ?1 AND feedID IN (SELECT id FROM feed WHERE url = ?2)",
      [article, Feed.savedURL])
    try db.run(
      "DELETE FROM userAction WHERE articleID = ? AND kind = ?",
      [article, UserActionKind.savePage.rawValue])
  }

  /// Lets a saved page, or an article in Later, wait for its text.
  package func noteWaiting(_ id: Int64, at url: String, isTyped: Bool, now: Date) throws {
    let details = StoredJSON.encode(FullTextDetails(asked: url, isTyped: isTyped))
    try db.run(
      """
      INSERT INTO fullText (articleID, page, details, isShown, fetchedAt, failures, nextAttempt)
      VALUES (?1, ?2, ?3, 1, ?4, 0, ?4)
      ON CONFLICT (articleID) DO UPDATE SET details = ?3, failures = 0, nextAttempt = ?4
        WHERE content IS NULL
      """, [id, url, details, seconds(now)])
  }

  /// Keeps the text and the metadata of a saved page.
  package func keep(
    _ text: FullText, excerpt: String?, of article: ArticleID, page: String, now: Date
  ) throws {
    guard try edit.fullTexts.keep(text, of: article, page: page, now: now),
      let known = try view.articles.article(article)
    else { return }
    var entry = known.entry
    entry.title = text.title ?? entry.title
    entry.authors = text.byline.map { [Author($0)] } ?? []
    entry.published = text.published
    entry.summary = excerpt
    entry.image = text.picture
    entry.language = text.language
    try edit.articles.merge(
      PreparedPage(Page(entries: [entry])), into: known.feedID, at: .pushed, now: now)
  }

  /// Restores the texts of exported pages, or that they wait for one. A text that is here stays.
  func restoreTexts(of pages: [ImportedArticle], into feed: FeedID, now: Date) throws {
    for page in pages {
      guard let url = page.entry.url else { continue }
      let key = PreparedPage.key(ofEntry: page.entry.id)
      let id = try view.articles.number(of: key, in: feed)
      guard let id, try view.fullTexts.text(of: ArticleID(id)) == nil else { continue }
      guard let html = page.entry.contentHTML else {
        try noteWaiting(id, at: url, isTyped: false, now: now)
        continue
      }
      try edit.fullTexts.keep(
        FullText(
          url: url, html: html, title: page.entry.title, byline: page.entry.authors.first?.name,
          picture: page.entry.image, language: page.entry.language, published: page.entry.published,
          fetched: min(page.arrived ?? now, now)), of: ArticleID(id), page: url, now: now)
    }
  }

  /// The feed of saved pages, which no retention trims.
  package func feed(now: Date) throws -> FeedID {
    let (feed, isNew) = try edit.feeds.subscribe(
      url: Feed.savedURL, of: .local, foundTitle: "Saved", isUserEntered: true, now: now)
    guard isNew else { return feed }
    var settings = FeedSettings()
    settings.keepFor = FeedSettings.unbounded
    settings.keepAtMost = Int(FeedSettings.unbounded)
    try edit.feeds.setSettings(settings, of: feed)
    return feed
  }
}

extension SavedPagesView {
  /// The full text of a page that an article of a feed leads to; nil where none has it.
  package func text(ofPage url: String) throws -> FullText? {
    guard let key = PreparedPage.key(ofLink: url) else { return nil }
    let id: Int64? = try db.value(
      """
      SELECT article.id FROM article JOIN fullText ON fullText.articleID = article.id
      WHERE article.linkKey = ? AND fullText.page = ? AND fullText.content IS NOT NULL
      """, [key, url])
    return try id.flatMap { try view.fullTexts.text(of: ArticleID($0)) }
  }

  /// Saved pages, and articles in Later, that wait for their text, the newest first.
  package func waiting(limit: Int, now: Date) throws -> [WantedFullText] {
    try db.rows(
      """
      SELECT article.id, article.feedID, article.url, fullText.details
      FROM article JOIN fullText ON fullText.articleID = article.id
      WHERE article.id IN (
          SELECT article.id FROM feed JOIN article ON article.feedID = feed.id WHERE feed.url = ?1
          UNION \(TagsView.allLater))
        AND fullText.content IS NULL AND article.url IS NOT NULL
        AND (fullText.nextAttempt <= ?2 OR fullText.nextAttempt > ?4)
      ORDER BY article.id DESC LIMIT ?3
      """, [Feed.savedURL, seconds(now), limit, seconds(FullTextsEdit.latestAttempt(after: now))]
    ).map { row in
      WantedFullText(
        article: row["id"], feed: row["feedID"], url: StoredText.link(row["url"] as String),
        isTyped: FullTextDetails.decode(row["details"])?.isTyped ?? false)
    }
  }
}
