/// Articles by id, at a server that only returns pages of ranges of ids.
struct SyncItemRange<Wire> {
  /// Page of the articles whose ids lie between two others, the lowest first.
  struct Page {
    var values: [Wire]
    /// Unreadable entries.
    var bad = 0
    /// Whether the range has no more.
    var isEnd: Bool
  }

  /// At most so many articles are fetched one by one.
  private static var few: Int { 3 }

  let id: (Wire) -> Int64
  /// `before` is nil for a range without an upper bound.
  let page: (_ after: Int64, _ before: Int64?) async throws -> Page
  /// Nil where the server no longer has it.
  let one: (Int64) async throws -> Wire?

  /// Fetches pages of the ranges of the wanted articles, and single ones where they are few or far
  /// apart. Missing ones are gone.
  ///
  /// - Returns: the articles, and the number of unreadable entries.
  func articles(_ wanted: Set<Int64>) async throws -> (found: [Wire], bad: Int) {
    var left = wanted
    var found: [Wire] = []
    var bad = 0
    var isSparse = false
    while let first = left.min(), let last = left.max(), left.count > Self.few, !isSparse {
      let answer = try await page(first == .min ? first : first - 1, last == .max ? nil : last + 1)
      bad += answer.bad
      let hits = answer.values.filter { left.contains(id($0)) }
      found += hits
      guard answer.isEnd || !hits.isEmpty else { break }
      let reached = answer.isEnd ? last : answer.values.map(id).max() ?? last
      left = left.filter { $0 > reached }
      isSparse = hits.count * 10 < answer.values.count
    }
    for id in left.sorted() {
      if let article = try await one(id) { found.append(article) }
    }
    return (found, bad)
  }
}
