internal import News

/// Articles that were deleted out of the list, and show again where that is taken back.
extension ListState {
  /// A row that was deleted; without a place where it was out of sight.
  struct DeletedRow: Hashable, Sendable {
    var id: ArticleID
    var position: TimelinePosition?
  }

  /// Notes rows that are deleted together.
  mutating func noteDeleted(_ ids: [ArticleID]) {
    deleted.append(ids.map { DeletedRow(id: $0, position: row(of: $0)?.position) })
  }

  /// Selects what was deleted out of this list and has come back, the first of several.
  ///
  /// - Parameter entry: the deletion that was taken back.
  mutating func selectRestored(_ entry: JournalEntry) -> [Effect] {
    let rows = deleted.last { rows in
      entry.article.map { rows.map(\.id) == [$0] } ?? (rows.count >= entry.count)
    }
    guard let first = rows?.first else { return [] }
    return [seek(first.id, at: first.position)]
  }
}
