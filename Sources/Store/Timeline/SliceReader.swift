internal import GRDB
internal import News

struct SliceReader {
  enum Direction {
    /// Those that come after a position in the list; with nil from its beginning on.
    case older(than: TimelinePosition?)
    /// Those that come before it, the nearest first; with nil from its end on.
    case newer(than: TimelinePosition?)

    var position: TimelinePosition? {
      switch self {
      case .older(let position), .newer(let position): position
      }
    }

    var isOlder: Bool { if case .older = self { true } else { false } }

    /// In a list with its other end first.
    var mirrored: Direction {
      switch self {
      case .older(let position): .newer(than: position?.mirrored)
      case .newer(let position): .older(than: position?.mirrored)
      }
    }
  }

  let view: StoreView
  let selection: ArticleSelection
  /// One that the list can have.
  let order: ListOrder
  /// Rows that belong to the list though they do not pass its filter.
  let kept: [ArticleRow]

  init(view: StoreView, selection: ArticleSelection, order: ListOrder, kept: [ArticleRow] = []) {
    self.view = view
    self.selection = selection
    self.order = selection.order(order)
    self.kept = kept
  }

  /// At most `limit` rows, the nearest first.
  func rows(_ direction: Direction, limit: Int) throws -> (rows: [ArticleRow], hasMore: Bool) {
    let kept = kept.filter { row in
      guard let position = direction.position else { return true }
      return direction.isOlder ? row.position < position : row.position > position
    }
    guard limit > 0 else { return ([], try !kept.isEmpty || !found(direction, limit: 1).isEmpty) }
    var rows = try found(direction, limit: limit + 1)
    if !kept.isEmpty {
      rows += kept
      rows.sort { direction.isOlder ? $0.position > $1.position : $0.position < $1.position }
    }
    return (Array(rows.prefix(limit)), rows.count > limit)
  }

  private func found(_ direction: Direction, limit: Int) throws -> [ArticleRow] {
    switch order {
    case .newest, .oldest:
      let byDates = order == .oldest ? direction.mirrored : direction
      if let rows = try singly(byDates, limit: limit, isReversed: !direction.isOlder) {
        return rows
      }
      if let hits = selection.hits {
        return try among(hits, byDates, limit: limit, isReversed: !direction.isOlder)
      }
      let (sql, arguments) = byDate(byDates, limit: limit)
      return try view.timeline.rows(
        from: sql, arguments: arguments, in: order, isReversed: !direction.isOlder)
    case .feed where selection.canWalkFeeds: return try feedByFeed(direction, limit: limit)
    case .score: return try byScore(direction, limit: limit)
    case .title:
      let walk = try TitleWalk(view: view, selection: selection)
      if let rows = try walk?.rows(direction, limit: limit) { return rows }
      fallthrough
    case .feed, .opened, .relevance:
      let (sql, arguments) = byText(direction, limit: limit)
      return try view.timeline.rows(
        from: sql, arguments: arguments, in: order, isReversed: !direction.isOlder)
    }
  }

  // MARK: By date

  private static let columns = TimelineView.columnsOfRow

  /// So many rows are looked up for words at most; collecting all that match is quicker than more.
  private static let mostLookedUp = 1_000.0

  /// Reads a list of a very frequent word from the rows near the position; nil where that does not
  /// suffice.
  private func singly(
    _ direction: Direction, limit: Int, isReversed: Bool
  ) throws -> [ArticleRow]? {
    guard let (scope, share) = selection.singly, selection.mergedFeeds.isEmpty else { return nil }
    let reach = Double(limit) / share * 1.5 + 50
    guard reach <= Self.mostLookedUp else { return nil }
    let order = direction.isOlder ? "DESC" : "ASC"
    let (beside, besideArguments) = Self.beside(direction)
    let end = try view.db.row(
      """
      SELECT sortDate, articleID FROM \(selection.from)
      WHERE \(selection.filter) AND \(beside)
      ORDER BY sortDate \(order), articleID \(order) LIMIT 1 OFFSET \(Int(reach))
      """, selection.filterArguments + besideArguments
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
    var (sql, arguments) = byDate(direction, scope: scope, limit: limit)
    if let end {
      (sql, arguments) = byDate(
        direction, where: "(sortDate, articleID) \(direction.isOlder ? ">=" : "<=") (?, ?)",
        [end.date, end.id], scope: scope, limit: limit)
    }
    let rows = try view.timeline.rows(
      from: sql, arguments: arguments, in: self.order, isReversed: isReversed)
    return rows.count < limit && end != nil ? nil : rows
  }

  /// Walks along the dates until there are enough of the hits.
  private func among(
    _ hits: (all: PrefixHits, filter: String), _ direction: Direction, limit: Int, isReversed: Bool
  ) throws -> [ArticleRow] {
    let order = direction.isOlder ? "DESC" : "ASC"
    let (beside, arguments) = Self.beside(direction)
    let nearby = try view.db.cursor(
      """
      SELECT articleID, duplicateOf, storyOf FROM \(selection.from) WHERE \(hits.filter) AND \(beside)
      ORDER BY sortDate \(order), articleID \(order)
      """, arguments)
    var ids: [Int64] = []
    while ids.count < limit, let row = try nearby.next() {
      let id: Int64 = row[0]
      guard hits.all.contains(id),
        try !selection.hidesDuplicates
          || !view.timeline.isDuplicate(id, of: row[1], within: hits.all)
      else { continue }
      if selection.joinsStories,
        let teller = try view.stories.firstTeller(of: row[2], in: selection)
      {
        // A list of unread articles has those whose first one was read.
        guard teller.id == id || (selection.isUnread && teller.isRead) else { continue }
      }
      ids.append(id)
    }
    return try view.timeline.rows(
      from: """
        SELECT \(Self.columns) FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?))
        """, arguments: [jsonList(ids)], in: self.order, isReversed: isReversed)
  }

  /// - Parameters:
  ///   - condition: additional SQL.
  ///   - conditionArguments: for a list that is one range of an index.
  ///   - scope: replaces that of the selection, with the same arguments.
  private func byDate(
    _ direction: Direction, where condition: String = "1",
    _ conditionArguments: StatementArguments = [], scope: String? = nil, limit: Int
  ) -> (String, StatementArguments) {
    let order = direction.isOlder ? "DESC" : "ASC"
    let (beside, besideArguments) = Self.beside(direction)
    func select(_ scope: String) -> String {
      """
      SELECT \(Self.columns) FROM \(selection.from)
      WHERE \(scope) AND \(selection.filter) AND \(condition) AND \(beside)
      ORDER BY sortDate \(order), articleID \(order) LIMIT \(limit)
      """
    }
    guard !selection.mergedFeeds.isEmpty else {
      return (
        select(scope ?? selection.scope),
        selection.scopeArguments + selection.filterArguments + conditionArguments + besideArguments
      )
    }
    var parts: [String] = []
    var arguments: StatementArguments = []
    for feed in selection.mergedFeeds {
      parts.append("SELECT * FROM (\(select(selection.scopeOfMerged)))")
      arguments += [feed]
      arguments += selection.argumentsOfMerged
      arguments += selection.filterArguments
      arguments += besideArguments
    }
    let sql =
      parts.joined(separator: " UNION ALL ")
      + " ORDER BY sortDate \(order), articleID \(order) LIMIT \(limit)"
    return (sql, arguments)
  }

  /// SQL for articles in a direction by their dates.
  private static func beside(_ direction: Direction) -> (String, StatementArguments) {
    guard let position = direction.position else { return ("1", []) }
    return (
      "(sortDate, articleID) \(direction.isOlder ? "<" : ">") (?, ?)", [position.date, position.id]
    )
  }

  // MARK: By score

  private enum ScorePart: CaseIterable {
    case raised, unscored, lowered

    func holds(_ score: Int) -> Bool {
      switch self {
      case .raised: score > 0
      case .unscored: score == 0
      case .lowered: score < 0
      }
    }
  }

  /// Reads scored articles along their index, and the others along that of the list: few have a
  /// score.
  private func byScore(_ direction: Direction, limit: Int) throws -> [ArticleRow] {
    let start = direction.position.map { SortText.score(of: $0.text) }
    let parts = ScorePart.allCases
    let first = start.flatMap { score in parts.firstIndex { $0.holds(score) } }
    var rows: [ArticleRow] = []
    for index in direction.isOlder ? Array(parts.indices) : parts.indices.reversed() {
      var begin = direction
      if let first, index != first {
        guard direction.isOlder == (index > first) else { continue }
        begin = direction.isOlder ? .older(than: nil) : .newer(than: nil)
      }
      let (sql, arguments) =
        parts[index] == .unscored
        ? byDate(begin, where: "score = 0", limit: limit - rows.count)
        : scored(parts[index], begin, limit: limit - rows.count)
      rows += try view.timeline.rows(
        from: sql, arguments: arguments, in: .score, isReversed: !direction.isOlder)
      if rows.count >= limit { break }
    }
    return rows
  }

  private func scored(
    _ part: ScorePart, _ direction: Direction, limit: Int
  ) -> (String, StatementArguments) {
    let order = direction.isOlder ? "DESC" : "ASC"
    var beside = "1"
    var arguments = selection.scopeArguments + selection.filterArguments
    if let position = direction.position {
      beside = "(score, sortDate, articleID) \(direction.isOlder ? "<" : ">") (?, ?, ?)"
      arguments += [SortText.score(of: position.text), position.date, position.id]
    }
    let sql = """
      SELECT \(Self.columns) FROM \(selection.fromScored)
      WHERE score <> 0 AND score \(part == .raised ? ">" : "<") 0
        AND \(selection.scope) AND \(selection.filter) AND \(beside)
      ORDER BY score \(order), sortDate \(order), articleID \(order) LIMIT \(limit)
      """
    return (sql, arguments)
  }

  // MARK: By another text

  /// Reads one feed after the other along its index, until there are enough rows.
  private func feedByFeed(_ direction: Direction, limit: Int) throws -> [ArticleRow] {
    var rows: [ArticleRow] = []
    let feeds = try view.timeline.feedsInOrder(among: selection.mergedFeeds)
    let order = direction.isOlder ? "DESC" : "ASC"
    for feed in direction.isOlder ? feeds : feeds.reversed() {
      var (beside, besideArguments) = ("1", StatementArguments())
      if let position = direction.position {
        if direction.isOlder ? feed.text < position.text : feed.text > position.text { continue }
        if feed.text == position.text { (beside, besideArguments) = Self.beside(direction) }
      }
      rows += try view.timeline.rows(
        from: """
          SELECT \(Self.columns) FROM \(selection.fromFeed)
          WHERE feedID = ? AND \(selection.scope) AND \(selection.filter) AND \(beside)
          ORDER BY sortDate \(order), articleID \(order) LIMIT \(limit - rows.count)
          """,
        arguments: [feed.id] + selection.scopeArguments + selection.filterArguments
          + besideArguments, in: .feed, isReversed: !direction.isOlder)
      if rows.count >= limit { break }
    }
    return rows
  }

  /// Looks at every article of the list, and sorts those that it needs.
  private func byText(_ direction: Direction, limit: Int) -> (String, StatementArguments) {
    var beside = "1"
    let (from, text, fromArguments) = SortText.joined(order, selection)
    var arguments = fromArguments + selection.scopeArguments + selection.filterArguments
    if let position = direction.position {
      let (after, same) = direction.isOlder ? (">", "<") : ("<", ">")
      beside = """
        (sortText \(after) ? OR (sortText = ? AND (sortDate, articleID) \(same) (?, ?)))
        """
      arguments += [position.text, position.text, position.date, position.id]
    }
    let sql = """
      SELECT \(Self.columns), sortText FROM (
        SELECT \(Self.columns), \(text) AS sortText FROM \(from)
        WHERE \(selection.scope) AND \(selection.filter))
      WHERE \(beside)
      ORDER BY \(order.columns(of: "", isReversed: !direction.isOlder)) LIMIT \(limit)
      """
    return (sql, arguments)
  }
}

extension TimelineView {
  /// Feeds in the order of their names, with the text that they are sorted by.
  ///
  /// - Parameter wanted: only these; all where it is empty.
  fileprivate func feedsInOrder(among wanted: [Int64]) throws -> [(id: Int64, text: String)] {
    let wanted = Set(wanted)
    return try db.rows("SELECT id, \(SortText.ofFeed) AS sortText FROM feed ORDER BY sortText").map
    { (id: $0[0] as Int64, text: $0[1] as String) }
    .filter { wanted.isEmpty || wanted.contains($0.id) }
  }
}
