/// Set of ids found by a walk.
package struct GoogleReaderIDSet: Hashable, Sendable {
  /// Reason why a missing id may be in the set all the same.
  package enum Doubt: Hashable, Sendable, CaseIterable {
    /// The server led back to a former page.
    case repeatedContinuation
    /// A page had nothing new, and another was to follow.
    case nothingNew
    /// The set is larger than the limit.
    case tooMany
    /// A page that is not the last was shorter than the others.
    case shortPage
    /// Items moved during each walk.
    case shiftingPositions
    /// The server is known to lose items between pages.
    case lossyPages
    case noList
    case badEntry
    /// The last page has the length that the server's pages may have at most.
    case maybeCapped
  }

  /// Each once, in order of arrival.
  package var ids: [GoogleReaderItemID]
  package var doubts: Set<Doubt>

  /// Whether a missing id is not in the set.
  package var isWhole: Bool { doubts.isEmpty }
}

/// State machine of the walk through the pages of a set of ids, which ends whatever the server
/// answers.
///
/// Where a continuation counts items, each page begins with the last item of the page before;
/// otherwise items have moved, and the walk begins anew. Where it names an item, items of earlier
/// pages, except the first, show the same. A skipped item shows only in another walk.
package struct GoogleReaderIDWalk: Sendable {
  package enum Step: Hashable, Sendable {
    /// Request the page at this continuation; nil for the first.
    case ask(after: String?)
    case end(GoogleReaderIDSet)
  }

  /// A larger set is an error of the server.
  package static let mostIDs = 1_000_000
  private static let mostPages = 4_000
  private static let mostBeginnings = 4

  private let product: GoogleReaderProduct
  private let pageSize: Int
  private let limit: Int
  private(set) var beginnings = 1
  private var pages = 0
  private var ids: [GoogleReaderItemID] = []
  /// All ids of the pages, also those that `removeIDs` returned.
  private var known: Set<GoogleReaderItemID> = []
  private var doubts: Set<GoogleReaderIDSet.Doubt> = []
  private var continuations: Set<String> = []
  /// Of all pages but the last.
  private var lengths: Set<Int> = []
  private var fullPages = 0
  private var countsItems = false
  /// The first id of the next page.
  private var overlap: GoogleReaderItemID?

  /// - Parameter pageSize: requested ids a page.
  package init(
    of product: GoogleReaderProduct, pageSize: Int, limit: Int = GoogleReaderIDWalk.mostIDs
  ) {
    self.product = product
    self.pageSize = pageSize
    self.limit = limit
    countsItems = product.continuation == .offset
  }

  /// The first step. To be called once.
  package func begin() -> Step { .ask(after: nil) }

  /// The step after the answer to the last `ask`.
  package mutating func received(_ page: GoogleReaderIDPage) -> Step {
    pages += 1
    var new = page.ids[...]
    if let overlap {
      guard new.first == overlap else { return beginAnew() }
      new = new.dropFirst()
    }
    let (before, start) = (known.count, ids.count)
    var repeated: [GoogleReaderItemID] = []
    for id in new {
      if known.insert(id).inserted { ids.append(id) } else { repeated.append(id) }
    }
    if page.badEntries > 0 { doubts.insert(.badEntry) }
    if !page.hasList { doubts.insert(.noList) }
    let length = page.ids.count + page.badEntries
    let hasNews = known.count > before
    if hasNews, pages > 1, product.continuation == .id, hasMoved(repeated, ids[start...]) {
      return beginAnew()
    }
    guard let continuation = page.continuation else { return end(lastPage: length) }
    return advance(after: continuation, of: page, length, hasNews: hasNews)
  }

  /// The ids since the last call, to be stored page by page: the set at the end has only the rest.
  package mutating func removeIDs() -> [GoogleReaderItemID] {
    defer { ids = [] }
    return ids
  }

  /// Whether ids of a page were on earlier ones. An entry may be repeated in a page, and the page
  /// may begin with the last item of the one before.
  private func hasMoved(
    _ repeated: [GoogleReaderItemID], _ fresh: ArraySlice<GoogleReaderItemID>
  ) -> Bool {
    guard !repeated.isEmpty else { return false }
    let fresh = Set(fresh)
    return Set(repeated).count { !fresh.contains($0) } > 1
  }

  private mutating func advance(
    after continuation: String, of page: GoogleReaderIDPage, _ length: Int, hasNews: Bool
  ) -> Step {
    // A page may be full by chance and followed by an empty one.
    guard hasNews else { return end(because: .nothingNew) }
    guard continuations.insert(continuation).inserted else {
      return end(because: .repeatedContinuation)
    }
    guard known.count < limit, pages < Self.mostPages else { return end(because: .tooMany) }
    if product.continuation == .unordered { doubts.insert(.lossyPages) }
    lengths.insert(length)
    fullPages += 1
    if product == .other, pages == 1 {
      countsItems = continuation == String(length) && continuation != page.ids.last?.text
    }
    guard countsItems, let position = Int(continuation), position > 1, let last = page.ids.last
    else {
      overlap = nil
      return .ask(after: continuation)
    }
    overlap = last
    return .ask(after: String(position - 1))
  }

  private mutating func beginAnew() -> Step {
    guard beginnings < Self.mostBeginnings else { return end(because: .shiftingPositions) }
    var walk = GoogleReaderIDWalk(of: product, pageSize: pageSize, limit: limit)
    walk.beginnings = beginnings + 1
    walk.pages = pages
    walk.countsItems = countsItems
    self = walk
    return .ask(after: nil)
  }

  private mutating func end(because doubt: GoogleReaderIDSet.Doubt) -> Step {
    doubts.insert(doubt)
    return .end(set)
  }

  private mutating func end(lastPage length: Int) -> Step {
    // The server's own limit may be lower; then all pages but the last have its size.
    let isUniform = lengths.count == 1 && fullPages > 1 && lengths.allSatisfy { length <= $0 }
    if lengths.contains(where: { $0 < pageSize }), !isUniform { doubts.insert(.shortPage) }
    if product == .other, length >= pageSize || (length > 0 && length.isMultiple(of: 500)) {
      doubts.insert(.maybeCapped)
    }
    return .end(set)
  }

  private var set: GoogleReaderIDSet { GoogleReaderIDSet(ids: ids, doubts: doubts) }
}
