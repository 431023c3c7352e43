package import News

/// One page of the ids of a set, at a server whose pages are asked for by a position.
package struct SyncIDPage: Hashable, Sendable {
  package var ids: [String]
  /// Nil at the end of the set.
  package var next: Cursor?
  /// Whether the server holds back some of the set, so that what is not listed may belong to it all the
  /// same.
  package var isPartial = false
}

/// A walk through pages that are asked for by a position. It ends as partial where a position comes twice.
struct SyncIDWalk: ItemWalk {
  private let page: @Sendable (Cursor?) async throws -> SyncIDPage
  private var position: Cursor?
  private var asked: Set<Cursor> = []
  private var isOver = false

  /// - Parameter page: the page at a position; the first one for nil.
  init(_ page: @escaping @Sendable (Cursor?) async throws -> SyncIDPage) { self.page = page }

  mutating func next() async throws -> ItemIDPage? {
    guard !isOver else { return nil }
    let answer = try await page(position)
    var isPartial = answer.isPartial
    position = answer.next
    if let position {
      isOver = !asked.insert(position).inserted
      isPartial = isPartial || isOver
    } else {
      isOver = true
    }
    return ItemIDPage(ids: answer.ids, isPartial: isPartial)
  }
}
