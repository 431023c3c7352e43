package import struct Foundation.Date

/// A set of ids as a walk has found it.
package struct GoogleReaderIDSet: Hashable, Sendable {
  /// Why an id that is absent from a set may be in it at the server all the same.
  package enum Doubt: Hashable, Sendable, CaseIterable {
    /// The server led back to where the walk had been.
    case repeatedContinuation
    /// A page brought nothing new, and there was to be another.
    case nothingNew
    /// There were more than the walk takes.
    case tooMany
    /// A page that is not the last was shorter than the others.
    case shortPage
    /// The positions of items changed on the way, each time the walk was begun anew.
    case shiftingPositions
    /// The server is known to lose items between pages.
    case lossyPages
    /// An answer had no list.
    case noList
    /// An entry was no id.
    case badEntry
    /// The last page is as long as the server's pages may be, and the server is not known to say so.
    case maybeCapped
  }

  /// In the order they came, each once.
  package var ids: [GoogleReaderItemID]
  package var doubts: Set<Doubt>
  /// Ids that came more than once.
  package var repeats: Int
  package var pages: Int
  /// The server's clock when the walk began.
  package var serverDate: Date?

  package init(
    ids: [GoogleReaderItemID], doubts: Set<Doubt> = [], repeats: Int = 0, pages: Int = 1,
    serverDate: Date? = nil
  ) {
    self.ids = ids
    self.doubts = doubts
    self.repeats = repeats
    self.pages = pages
    self.serverDate = serverDate
  }

  /// Whether absence from the set may be taken for what it says.
  package var isWhole: Bool { doubts.isEmpty }
}

/// The walk through the pages of a set of ids: a state machine that says which page to ask for next, and at
/// the end whether it has seen the whole set. It comes to an end whatever the server says.
///
/// Where a continuation counts items, each page begins with the last item of the page before it: if it does
/// not, items have moved, and the walk begins anew. Where it names an item, a page with items that earlier ones
/// had, its first aside, tells the same. That an item was skipped such pages do not show: only another walk
/// does.
package struct GoogleReaderIDWalk: Sendable {
  package enum Step: Hashable, Sendable {
    /// Ask for the page behind this continuation; nil for the first.
    case ask(after: String?)
    case end(GoogleReaderIDSet)
  }

  /// Ids that a walk takes: beyond, something is wrong with the server.
  package static let mostIDs = 1_000_000
  private static let mostPages = 4_000
  private static let mostBeginnings = 4

  private let product: GoogleReaderProduct
  private let pageSize: Int
  private let limit: Int
  /// How often the walk has begun.
  private(set) var beginnings = 1
  private var pages = 0
  private var ids: [GoogleReaderItemID] = []
  /// All that the pages had, those included that were taken (`removeIDs`).
  private var known: Set<GoogleReaderItemID> = []
  private var repeats = 0
  private var doubts: Set<GoogleReaderIDSet.Doubt> = []
  private var continuations: Set<String> = []
  /// Lengths of the pages that are not the last.
  private var lengths: Set<Int> = []
  private var fullPages = 0
  private var countsItems = false
  /// The id that the next page has to begin with.
  private var overlap: GoogleReaderItemID?
  private var serverDate: Date?

  /// - Parameter pageSize: how many ids are asked for at once.
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

  /// The step behind the answer to the last `ask`.
  package mutating func received(_ page: GoogleReaderIDPage) -> Step {
    pages += 1
    if pages == 1 { serverDate = page.serverDate }
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
    repeats += repeated.count
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

  /// The ids that have come since the last call, for who stores them page by page: the set that ends the walk
  /// has only what is left.
  package mutating func removeIDs() -> [GoogleReaderItemID] {
    defer { ids = [] }
    return ids
  }

  /// Whether ids of a page were on earlier ones. An entry may be there twice, and the page may begin with the
  /// last item of the one before.
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
    // A page may be full by chance, with nothing behind it but an empty one.
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
    walk.serverDate = serverDate
    walk.countsItems = countsItems
    self = walk
    return .ask(after: nil)
  }

  private mutating func end(because doubt: GoogleReaderIDSet.Doubt) -> Step {
    doubts.insert(doubt)
    return .end(set)
  }

  private mutating func end(lastPage length: Int) -> Step {
    // The server's own bound may be below what is asked for; then all pages but the last are of its size.
    let isUniform = lengths.count == 1 && fullPages > 1 && lengths.allSatisfy { length <= $0 }
    if lengths.contains(where: { $0 < pageSize }), !isUniform { doubts.insert(.shortPage) }
    if product == .other, length >= pageSize || (length > 0 && length.isMultiple(of: 500)) {
      doubts.insert(.maybeCapped)
    }
    return .end(set)
  }

  private var set: GoogleReaderIDSet {
    GoogleReaderIDSet(
      ids: ids, doubts: doubts, repeats: repeats, pages: pages, serverDate: serverDate)
  }
}
