/// Articles by their ids, at a server that gives no articles by id but pages of a range of them.
struct SyncItemRange<Wire> {
  /// A page of the articles whose ids lie between two others, the lowest first.
  struct Page {
    var values: [Wire]
    /// How many of it could not be read.
    var bad = 0
    /// Whether the range has no more.
    var isEnd: Bool
  }

  /// Articles that are asked for one by one rather than in a page.
  private static var few: Int { 3 }

  let id: (Wire) -> Int64
  /// Takes the ids that the range lies between; no upper one where nothing lies above.
  let page: (_ after: Int64, _ before: Int64?) async throws -> Page
  /// Nil where the server has it no more.
  let one: (Int64) async throws -> Wire?

  /// In pages of the range that they lie in, and one by one where they are few or lie far apart. What is not
  /// found is gone.
  ///
  /// - Returns: the articles, and how many entries could not be read.
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
