internal import Foundation
internal import GRDB
internal import News
internal import Text

/// Joining of articles to stories: all but the first stand behind it (`articleStatus.storyOf`).
///
/// Wording (`StoryComparison`) or a common page decide. In doubt two articles stay apart: a
/// repeated story costs a line, while a hidden article may be missed.
struct StoryJoining {
  let edit: StoreEdit
  let now: Date
  private var db: Database { edit.db }

  /// The largest difference between the dates of two articles of a story, in seconds.
  private static let week: UInt64 = 7 * 86_400
  /// Articles that are older than this when they come join no story, in seconds.
  private static let newsworthy: Int64 = 21 * 86_400
  /// Articles with one key that are looked at, the newest ones.
  private static let articlesPerKey = 12
  /// Articles that are compared with a new one, at most.
  private static let candidates = 3
  /// Articles of a story, at most.
  private static let tellings = 64

  /// An article that has come.
  struct Newcomer {
    var id: Int64
    var feed: FeedID
    /// Of what its feed says, as it is stored.
    var digest: Int64
    var linkKey: Int64?
    var text: StoryText
  }

  static func isNews(_ position: TimelinePosition, now: Date) -> Bool {
    position.date >= (seconds(now) ?? 0) - newsworthy
  }

  /// Joins new articles one after the other, as they may be of one story.
  func join(_ newcomers: [Newcomer]) throws {
    guard let kept = edit.storyTexts else { return }
    for newcomer in newcomers { kept.keep(newcomer.text, of: newcomer.id, newcomer.digest) }
    var taking: [FeedID: Bool] = [:]
    for newcomer in newcomers {
      if taking[newcomer.feed] == nil {
        taking[newcomer.feed] = try edit.view.feeds.settings(of: newcomer.feed).joinsStories
      }
      guard taking[newcomer.feed] == true, let place = try place(of: newcomer.id) else { continue }
      try note(newcomer)
      guard !place.isDuplicate else { continue }
      if let story = try story(of: newcomer, at: place) { try add(newcomer.id, to: story) }
    }
    if let last = newcomers.last {
      try forget(before: (seconds(now) ?? 0) - Self.newsworthy, near: last.id)
    }
  }

  private struct Place {
    var date: Int64
    var isDuplicate: Bool
  }

  /// Nil where a rule has removed it.
  private func place(of id: Int64) throws -> Place? {
    try db.row(
      "SELECT sortDate, duplicateOf IS NOT NULL FROM articleStatus WHERE articleID = ?", [id]
    ).map { Place(date: $0[0], isDuplicate: $0[1]) }
  }

  private func note(_ newcomer: Newcomer) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO storyKey (key, articleID) VALUES (?, ?)")
    for key in newcomer.text.keys { try insert.execute(arguments: [Int64(key), newcomer.id]) }
  }

  /// Joins a known article by the target of its link, as the first of its story, as it may be open.
  func join(_ article: ArticleID, at page: String) throws {
    let id = article.rawValue
    guard edit.storyTexts != nil, let key = PreparedPage.key(ofLink: page),
      let row = try db.row(
        """
        SELECT articleStatus.feedID, sortDate, linkKey FROM articleStatus
          JOIN article ON article.id = articleID
        WHERE articleID = ? AND duplicateOf IS NULL AND storyOf IS NULL
        """, [id])
    else { return }
    let (feed, place) = (FeedID(row[0]), Place(date: row[1], isDuplicate: false))
    let link: Int64? = row[2]
    guard link != key, Self.isNews(TimelinePosition(date: place.date, id: id), now: now),
      try edit.view.feeds.settings(of: feed).joinsStories, try !hasFiles(id), try !isHidden(id)
    else { return }
    try db.run("INSERT OR IGNORE INTO storyKey (key, articleID) VALUES (?, ?)", [key, id])
    for candidate in try linked(to: key, of: id, in: feed) {
      let first = candidate.storyOf ?? candidate.id
      guard areClose(candidate.date, place.date, within: Self.week),
        try canTake(first, from: feed, at: place), try !isFirst(id)
      else { continue }
      return try put(id, before: first)
    }
  }

  // MARK: Finding

  /// The first article of the story that a newcomer tells; nil for none.
  private func story(of newcomer: Newcomer, at place: Place) throws -> Int64? {
    for candidate in try linked(newcomer) + alike(newcomer) {
      guard candidate.feed != newcomer.feed,
        areClose(candidate.date, place.date, within: Self.week),
        try candidate.isLinked
          || text(of: candidate).map({
            StoryComparison($0, newcomer.text, seconds: (candidate.date - place.date).magnitude)
              .isOneStory
          }) == true
      else { continue }
      let first = candidate.storyOf ?? candidate.id
      if try canTake(first, from: newcomer.feed, at: place) { return first }
    }
    return nil
  }

  private struct Candidate {
    var id: Int64
    var feed: FeedID
    var date: Int64
    var storyOf: Int64?
    var linkKey: Int64?
    var digest: Int64
    var isLinked = false
  }

  private static let columns = "articleID, articleStatus.feedID, sortDate, storyOf, linkKey, digest"

  private func candidates(_ sql: String, _ arguments: StatementArguments) throws -> [Candidate] {
    try db.rows(sql, arguments).map {
      Candidate(id: $0[0], feed: $0[1], date: $0[2], storyOf: $0[3], linkKey: $0[4], digest: $0[5])
    }
  }

  /// Articles that link to the same page and came before.
  private func linked(_ newcomer: Newcomer) throws -> [Candidate] {
    guard let link = newcomer.linkKey else { return [] }
    // Later articles of this transaction look for stories after it.
    return try linked(to: link, of: newcomer.id, in: newcomer.feed).filter { $0.id < newcomer.id }
  }

  /// Articles with a link, or a link that has led to it, whose marks go to the same account; none
  /// where a feed has several.
  private func linked(to link: Int64, of id: Int64, in feed: FeedID) throws -> [Candidate] {
    var found = try candidates(
      """
      SELECT \(Self.columns) FROM (
          SELECT id AS linkedID FROM article INDEXED BY articleLink WHERE linkKey = ?1
          UNION SELECT articleID FROM storyKey WHERE key = ?1)
        CROSS JOIN article ON article.id = linkedID
        JOIN articleStatus ON articleID = article.id
        JOIN feed ON feed.id = article.feedID JOIN account ON account.id = feed.account
      WHERE article.id <> ?2 AND duplicateOf IS NULL AND \(AccountCondition.markOwner) = (
        SELECT \(AccountCondition.markOwner) FROM feed JOIN account ON account.id = feed.account
        WHERE feed.id = ?3)
      ORDER BY article.feedID LIMIT \(Self.articlesPerKey + 1)
      """, [link, id, feed.rawValue])
    let feeds = Set(found.map(\.feed))
    guard !found.isEmpty, found.count == feeds.count, found.count <= Self.articlesPerKey,
      !feeds.contains(feed), try !found.contains(where: { try hasFiles($0.id) })
    else { return [] }
    for index in found.indices { found[index].isLinked = true }
    return found
  }

  /// Articles that share keys with a newcomer, those with most of them first.
  private func alike(_ newcomer: Newcomer) throws -> [Candidate] {
    let holders = try db.cachedStatement(
      sql: """
        SELECT articleID FROM storyKey WHERE key = ? AND articleID < ?
        ORDER BY articleID DESC LIMIT \(Self.articlesPerKey)
        """)
    var shared: [Int64: Int] = [:]
    for key in newcomer.text.keys {
      let found = try Int64.fetchAll(holders, arguments: [Int64(key), newcomer.id])
      // A common key counts half as much as a rare one.
      let weight = found.count < Self.articlesPerKey ? 2 : 1
      for id in found { shared[id, default: 0] += weight }
    }
    shared = shared.filter { $0.value > 1 }
    // Articles with the same link were looked at before.
    let best = shared.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.prefix(Self.candidates)
    return try best.flatMap { id, _ in
      try candidates(
        """
        SELECT \(Self.columns) FROM articleStatus JOIN article ON article.id = articleID
        WHERE articleID = ? AND duplicateOf IS NULL
        """, [id])
    }.filter { newcomer.linkKey == nil || $0.linkKey != newcomer.linkKey }
  }

  /// Whether an article has sounds or films: several of those have one page.
  private func hasFiles(_ id: Int64) throws -> Bool {
    let details: String? = try db.value("SELECT details FROM articleBody WHERE articleID = ?", [id])
    var entry = Entry(id: "")
    EntryDetails.decode(details).add(to: &entry)
    return entry.enclosures.contains { !$0.isImage }
  }

  /// Nil where the article is gone.
  private func text(of candidate: Candidate) throws -> StoryText? {
    if let text = edit.storyTexts?.text(of: candidate.id, candidate.digest) { return text }
    let text = try readText(of: candidate.id)
    if let text { edit.storyTexts?.keep(text, of: candidate.id, candidate.digest) }
    return text
  }

  private func readText(of id: Int64) throws -> StoryText? {
    try db.row(
      """
      SELECT title, content, summary FROM article JOIN articleBody ON articleID = id WHERE id = ?
      """, [id]
    ).map { row in
      StoryText(
        title: row[0] ?? "", content: BodyCodec.decode(row[1]), summary: BodyCodec.decode(row[2]))
    }
  }

  /// Whether a story takes an article of a feed: one of each feed.
  private func canTake(_ first: Int64, from feed: FeedID, at place: Place) throws -> Bool {
    let members = try candidates(
      """
      SELECT \(Self.columns) FROM articleStatus JOIN article ON article.id = articleID
      WHERE articleID = ?1
      UNION ALL
      SELECT \(Self.columns) FROM articleStatus INDEXED BY statusStory
        CROSS JOIN article ON article.id = articleID
      WHERE storyOf IS NOT NULL AND storyOf = ?1
      """, [first])
    guard let beginning = members.first, beginning.id == first, beginning.storyOf == nil else {
      return false
    }
    return members.count < Self.tellings
      && members.allSatisfy { $0.feed != feed && areClose($0.date, place.date, within: Self.week) }
  }

  // MARK: Writing

  /// Puts an article behind the first one of its story, or in its place where that was read or is
  /// hidden.
  private func add(_ id: Int64, to first: Int64) throws {
    let isAnew = try edit.articles.isRead(first) && !edit.articles.isRead(id)
    if try (isAnew || isHidden(first)) && !isHidden(id) {
      try put(id, before: first)
    } else {
      try db.run(Self.setStory, [first, id])
    }
  }

  private static let setStory = "UPDATE articleStatus SET storyOf = ?1 WHERE articleID = ?2"

  private func put(_ id: Int64, before first: Int64) throws {
    try db.run(
      """
      UPDATE articleStatus INDEXED BY statusStory SET storyOf = ?1
      WHERE storyOf IS NOT NULL AND storyOf = ?2
      """, [id, first])
    try db.run(Self.setStory, [id, first])
  }

  private func isFirst(_ id: Int64) throws -> Bool {
    try db.exists(
      """
      SELECT 1 FROM articleStatus INDEXED BY statusStory
      WHERE storyOf IS NOT NULL AND storyOf = ? LIMIT 1
      """, [id])
  }

  /// Whether All and Unread leave out the feed of an article.
  private func isHidden(_ id: Int64) throws -> Bool {
    try db.value(
      """
      SELECT feedID IN (\(StoredSettings.hiddenFeeds)) FROM articleStatus WHERE articleID = ?
      """, [id]) ?? false
  }

  /// Drops keys of old articles, with pages that pass a multiple of 1,024.
  private func forget(before oldest: Int64, near last: Int64) throws {
    guard last % 1_024 < 32 else { return }
    // Numbers rise with the time at which articles come.
    var (low, high) = (Int64(0), last)
    let firstSeen = try db.cachedStatement(
      sql: "SELECT firstSeen FROM article WHERE id >= ? ORDER BY id LIMIT 1")
    while low < high {
      let middle = low + (high - low) / 2
      let seen = try Int64.fetchOne(firstSeen, arguments: [middle]) ?? .max
      if seen < oldest { low = middle + 1 } else { high = middle }
    }
    try db.run("DELETE FROM storyKey WHERE articleID < ?", [low])
  }
}

extension StoryText {
  /// - Parameters:
  ///   - content: HTML.
  ///   - summary: plain text.
  init(title: String, content: String?, summary: String?) {
    let text = content.map { PlainText.stripped(html: $0, limit: Self.leadBytes) } ?? ""
    self.init(title: title, lead: text.isEmpty ? summary ?? "" : text)
  }
}

extension StoriesEdit {
  /// Joins the articles that the transaction has brought to stories.
  func join() throws {
    let tellings = edit.newcomers.tellings
    edit.newcomers.tellings = []
    guard !tellings.isEmpty else { return }
    try StoryJoining(edit: edit, now: edit.newcomers.now).join(tellings)
  }

  /// Takes the articles of a feed out of the stories they are in.
  func leave(_ feed: FeedID) throws {
    let firsts: [Int64] = try db.values(
      """
      SELECT DISTINCT behind.storyOf FROM articleStatus AS behind INDEXED BY statusStory
        JOIN articleStatus AS first ON first.articleID = behind.storyOf
      WHERE behind.storyOf IS NOT NULL AND first.feedID = ?
      """, [feed])
    try db.run(
      "UPDATE articleStatus SET storyOf = NULL WHERE storyOf IS NOT NULL AND feedID = ?", [feed])
    for first in firsts {
      let next: Int64? = try db.value(
        "SELECT min(articleID) FROM articleStatus WHERE storyOf IS NOT NULL AND storyOf = ?",
        [first])
      guard let next else { continue }
      try db.run(
        """
        UPDATE articleStatus SET storyOf = NULLIF(?1, articleID)
        WHERE storyOf IS NOT NULL AND storyOf = ?2
        """, [next, first])
    }
    try db.run(
      """
      DELETE FROM storyKey WHERE articleID IN (
        SELECT articleID FROM articleStatus INDEXED BY statusByFeed WHERE feedID = ?)
      """, [feed])
  }
}
