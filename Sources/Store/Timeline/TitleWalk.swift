internal import Foundation
internal import GRDB
internal import News

/// Reads a long list by title along the index of keys, as far as its rows need. SQLite sorts equal
/// keys by their whole texts.
struct TitleWalk {
  /// Articles without a key that are sorted beside those that have one.
  private static let mostUntitled = 1_000

  private let view: StoreView
  private let selection: ArticleSelection
  /// Articles of all lists that have no key yet.
  private let untitled: [Int64]
  private let reach: Int

  /// Returns nil where the list is to be sorted instead: it is short, or the index is incomplete.
  ///
  /// - Parameter reach: of articles that are looked at; with too few hits, sorting is quicker.
  init?(view: StoreView, selection: ArticleSelection, reach: Int = 10_000) throws {
    guard try selection.mayBeLong(in: view), let state = try view.timeline.titleOrderState(),
      state.isWhole, state.folding == SortText.folding
    else { return nil }
    untitled = try view.timeline.untitled(since: state.lastID, limit: Self.mostUntitled)
    guard untitled.count < Self.mostUntitled else { return nil }
    (self.view, self.selection, self.reach) = (view, selection, reach)
  }

  /// - Returns: nil where too many articles would have to be looked at.
  func rows(_ direction: SliceReader.Direction, limit: Int) throws -> [ArticleRow]? {
    let start = direction.position.map { SortText.key(ofText: $0.text) }
    let end = try reach(from: start, direction)
    var rows = try keyed(direction, from: start, to: end, limit: limit)
    if rows.count < limit, end != nil { return nil }
    guard !untitled.isEmpty else { return rows }
    rows += try others(direction, limit: limit)
    rows.sort { direction.isOlder ? $0.position > $1.position : $0.position < $1.position }
    return Array(rows.prefix(limit))
  }

  /// The last key that is looked at; nil where the end of all is nearer.
  private func reach(from start: Data?, _ direction: SliceReader.Direction) throws -> Data? {
    let (after, order) = direction.isOlder ? (">=", "ASC") : ("<=", "DESC")
    return try view.db.value(
      """
      SELECT key FROM titleKey INDEXED BY titleByKey
      WHERE key \(start == nil ? ">= x''" : "\(after) ?")
      ORDER BY key \(order) LIMIT 1 OFFSET \(reach)
      """, start.map { [$0] } ?? [])
  }

  private func keyed(
    _ direction: SliceReader.Direction, from start: Data?, to end: Data?, limit: Int
  ) throws -> [ArticleRow] {
    let (from, to, after) = direction.isOlder ? (">=", "<=", ">") : ("<=", ">=", "<")
    var conditions = [start == nil ? "key >= x''" : "key \(from) ?"]
    var arguments: StatementArguments = start.map { [$0] } ?? []
    if let end {
      conditions.append("key \(to) ?")
      arguments += [end]
    }
    conditions += [selection.scope, selection.filter]
    arguments += selection.scopeArguments
    arguments += selection.filterArguments
    if let start, let position = direction.position {
      let (beside, besideArguments) = Self.beside(direction, position)
      conditions.append("(key \(after) ? OR \(beside))")
      arguments += [start] + besideArguments
    }
    let order = ListOrder.title.columns(of: "", isReversed: !direction.isOlder)
    return try view.timeline.rows(
      from: """
        SELECT \(TimelineView.columnsOfRow), \(SortText.ofKeyedArticle) AS sortText
        FROM titleKey INDEXED BY titleByKey
          CROSS JOIN articleStatus ON articleStatus.articleID = titledID
        WHERE \(conditions.joined(separator: " AND "))
        ORDER BY key \(direction.isOlder ? "ASC" : "DESC"), \(order) LIMIT \(limit)
        """, arguments: arguments, in: .title, isReversed: !direction.isOlder)
  }

  private func others(_ direction: SliceReader.Direction, limit: Int) throws -> [ArticleRow] {
    let (beside, besideArguments) =
      direction.position.map { Self.beside(direction, $0) } ?? ("1", [])
    return try view.timeline.rows(
      from: """
        SELECT \(TimelineView.columnsOfRow), \(SortText.ofStatus(.title).sql) AS sortText
        FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?)) AND \(selection.scope)
          AND \(selection.filter) AND \(beside)
        ORDER BY \(ListOrder.title.columns(of: "", isReversed: !direction.isOlder)) LIMIT \(limit)
        """,
      arguments: [jsonList(untitled)] + selection.scopeArguments + selection.filterArguments
        + besideArguments, in: .title, isReversed: !direction.isOlder)
  }

  /// SQL for articles in a direction by their whole texts.
  private static func beside(
    _ direction: SliceReader.Direction, _ position: TimelinePosition
  ) -> (String, StatementArguments) {
    let (after, same) = direction.isOlder ? (">", "<") : ("<", ">")
    return (
      "(sortText \(after) ? OR (sortText = ? AND (sortDate, articleID) \(same) (?, ?)))",
      [position.text, position.text, position.date, position.id]
    )
  }
}
