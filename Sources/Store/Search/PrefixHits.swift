internal import GRDB
internal import Synchronization

/// Articles with a word of a typed beginning, where they are very many.
///
/// SQLite collects all of them before the first: they are collected once for each state of the
/// store.
struct PrefixHits: Sendable {
  /// A bit for each id.
  private let bits: [UInt64]
  let count: Int

  fileprivate init(_ ids: some Cursor<Int64>) throws {
    var bits: [UInt64] = []
    var count = 0
    while let id = try ids.next() {
      guard id >= 0 else { continue }
      let place = Int(id / 64)
      while bits.count <= place { bits.append(0) }
      bits[place] |= 1 << UInt64(id % 64)
      count += 1
    }
    (self.bits, self.count) = (bits, count)
  }

  func contains(_ id: Int64) -> Bool {
    let place = Int(id / 64)
    return id >= 0 && place < bits.count && bits[place] & 1 << UInt64(id % 64) != 0
  }

  /// The ids from one on, the lowest first, `limit` at most.
  func ids(from first: Int64, limit: Int) -> [Int64] {
    var ids: [Int64] = []
    for place in Int(first / 64)..<max(Int(first / 64), bits.count) {
      var left = bits[place]
      while left != 0, ids.count < limit {
        let id = Int64(place * 64 + left.trailingZeroBitCount)
        if id >= first { ids.append(id) }
        left &= left - 1
      }
      if ids.count >= limit { break }
    }
    return ids
  }
}

extension SearchView {
  /// The hits of the last searches, for each connection. Few: what counts is that scrolling asks nothing anew.
  private static let known = Mutex<[(stamp: ViewStamp, expression: String, hits: PrefixHits)]>([])
  private static let mostKnown = 4

  /// Returns nil where they are few, and in a transaction that may write, whose changes no stamp
  /// shows.
  func manyHits(of expression: SearchExpression) throws -> PrefixHits? {
    guard expression.isBeginning, db.configuration.readonly, let stamp = view.stamp else {
      return nil
    }
    let known = Self.known.withLock { known in
      known.removeAll { $0.stamp.isOver }
      return known.first { $0.expression == expression.text && view.isUnchanged(since: $0.stamp) }?
        .hits
    }
    if let known { return known.count < ArticleSelection.fewRows ? nil : known }
    let hits = try PrefixHits(
      Int64.fetchCursor(
        db.cachedStatement(sql: "SELECT rowid FROM search WHERE search MATCH ?"),
        arguments: [expression.text]))
    Self.known.withLock { known in
      known.removeAll { $0.stamp.isOfSameConnection(as: stamp) }
      known.append((stamp, expression.text, hits))
      if known.count > Self.mostKnown { known.removeFirst() }
    }
    return hits.count < ArticleSelection.fewRows ? nil : hits
  }
}
