internal import GRDB
internal import News

extension StoriesView {
  /// Adds the other articles of stories to their rows, and below those that are unfolded.
  ///
  /// In lists of unread articles, those of a story whose first one was read stay rows of their own,
  /// unless it is unfolded.
  func withStories(
    _ query: TimelineQuery, _ selection: ArticleSelection, _ slice: TimelineSlice
  ) throws -> TimelineSlice {
    guard query.joinsStories, view.tellsStories else { return slice }
    let articles = slice.rows.compactMap(\.article)
    let tellings =
      try query.isWhole ? tellings(of: articles) : tellings(of: articles, in: selection)
    guard !tellings.isEmpty else { return slice }
    var firsts: [ArticleID: ArticleID] = [:]
    for (first, others) in tellings { for other in others { firsts[other.id] = first } }
    let apart = Set(
      articles.filter { row in
        guard let first = firsts[row.id] else { return false }
        return !row.status.isRead && !query.unfolded.contains(first)
      }.map(\.id))
    var slice = slice
    slice.rows = try slice.rows.flatMap { row -> [TimelineRow] in
      guard case .article(var article) = row else { return [row] }
      if firsts[article.id] != nil, !apart.contains(article.id) { return [] }
      guard let others = tellings[article.id] else { return [row] }
      article.tellings = others.map(\.id).filter { !apart.contains($0) }
      guard query.unfolded.contains(article.id) else {
        // Unread articles behind it make the row unread.
        let hasUnread = others.contains { !$0.isRead && !apart.contains($0.id) }
        article.status.isRead = article.status.isRead && !hasUnread
        return [.article(article)]
      }
      return [.article(article)]
        + (try rows(of: article.tellings)).map { row in
          var row = row
          (row.isUnfolded, row.position) = (true, article.position)
          return .article(row)
        }
    }
    return slice
  }

  private struct Telling {
    var id: ArticleID
    var isRead: Bool
  }

  /// The articles behind the first ones of stories, in the order in which they came.
  private func tellings(of rows: [ArticleRow]) throws -> [ArticleID: [Telling]] {
    // With no row SQLite has no use for the index that is asked for.
    guard !rows.isEmpty else { return [:] }
    let found = try db.cursor(
      """
      SELECT storyOf, articleID, isRead FROM articleStatus INDEXED BY statusStory
      WHERE storyOf IS NOT NULL AND storyOf IN (SELECT value FROM json_each(?))
      ORDER BY articleID
      """, [jsonList(rows.map(\.id.rawValue))])
    var tellings: [ArticleID: [Telling]] = [:]
    while let row = try found.next() {
      tellings[ArticleID(row[0]), default: []]
        .append(Telling(id: ArticleID(row[1]), isRead: row[2]))
    }
    return tellings
  }

  /// The article that stands for a story in a list: the first of the story, else of the list.
  ///
  /// - Parameter story: nil for the first article of a story, or one of none.
  func firstTeller(
    of story: Int64?, in selection: ArticleSelection
  ) throws -> (id: Int64, isRead: Bool)? {
    guard let story else { return nil }
    let teller = try tellers(of: [story], in: selection)[story]?.first
    return teller.map { ($0.id.rawValue, $0.isRead) }
  }

  /// The articles behind those that stand for stories in a list that may have some of a story's articles only.
  private func tellings(
    of rows: [ArticleRow], in selection: ArticleSelection
  ) throws -> [ArticleID: [Telling]] {
    let shown = Set(rows.map(\.id))
    let tellers = try tellers(of: rows.map { ($0.storyOf ?? $0.id).rawValue }, in: selection)
    return tellers.values.reduce(into: [:]) { tellings, told in
      guard told.count > 1, shown.contains(told[0].id) else { return }
      tellings[told[0].id] = Array(told.dropFirst())
    }
  }

  /// Articles of a list by the first article of their story, the representative first.
  private func tellers(
    of stories: [Int64], in selection: ArticleSelection
  ) throws -> [Int64: [Telling]] {
    guard !stories.isEmpty else { return [:] }
    let hits = selection.hits?.all
    var (members, arguments) = ("1", StatementArguments())
    if hits == nil {
      (members, arguments) = (selection.scopeOfOne, selection.scopeArguments)
      if selection.hidesDuplicates {
        members += " AND NOT \(ArticleSelection.isDuplicate(within: selection.scopeOfOne))"
        arguments += selection.scopeArguments
      }
    }
    let found = try db.cursor(
      """
      SELECT coalesce(storyOf, articleID), articleID, isRead, duplicateOf FROM articleStatus
      WHERE articleID IN (
          SELECT value FROM json_each(?1)
          UNION ALL SELECT member.articleID FROM articleStatus AS member INDEXED BY statusStory
            WHERE member.storyOf IS NOT NULL
              AND member.storyOf IN (SELECT value FROM json_each(?1)))
        AND \(members)
      ORDER BY storyOf IS NOT NULL, articleID
      """, [jsonList(stories)] + arguments)
    var tellers: [Int64: [Telling]] = [:]
    while let row = try found.next() {
      let id: Int64 = row[1]
      if let hits {
        guard hits.contains(id),
          try !selection.hidesDuplicates || !view.timeline.isDuplicate(id, of: row[3], within: hits)
        else { continue }
      }
      tellers[row[0], default: []].append(Telling(id: ArticleID(id), isRead: row[2]))
    }
    return tellers
  }

  private func rows(of articles: [ArticleID]) throws -> [ArticleRow] {
    try view.timeline.rows(
      from: """
        SELECT \(TimelineView.columnsOfRow) FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?))
        """, arguments: [jsonList(articles.map(\.rawValue))], in: .oldest)
  }
}

extension TimelineRow {
  fileprivate var article: ArticleRow? { if case .article(let row) = self { row } else { nil } }
}
