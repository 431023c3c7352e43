internal import Foundation
internal import News
internal import Store

/// Synchronises the articles of an account with a server that lists them by id.
///
/// The order protects marks: sets of ids are walked to their ends before anything is concluded from
/// them, all ids before the unread ones, so that a new article does not look read. Contents come
/// last, in batches, each stored in one transaction with the notes on its ids; only the first batch
/// of a new account comes earlier, so that there is something to read. A sync that was killed
/// continues from what is stored.
///
/// Writes are sliced to let the user's changes in between. A slice is written only while the
/// account is the walk's own (`SyncWalk`).
struct ItemSync {
  /// Seconds by which the set of all articles overlaps the last one: a server dates an article
  /// before others can see it, and its clock may be wrong.
  static let overlap = 86_400.0
  /// Seconds between two lists of all ids: a server's clock may be wrong or unknown, so that asking
  /// for new ids alone misses some.
  static let fullWalkTime = 86_400.0
  /// Ids that one transaction writes.
  static let slice = 1_000
  /// More ids than a sane server has.
  static let mostIDs = 5_000_000
  /// Pages in a row without news that end a walk as circular.
  static let patience = 3

  let context: RepositoryContext
  let account: Account
  let source: any ItemSource
  /// Nil where the server keeps no labels.
  let labels: LabelSync?
  let walk: SyncWalk
  let claim: SyncClaim
  private var store: ClaimedStore { ClaimedStore(store: context.store, claim: claim) }

  init(
    context: RepositoryContext, account: Account, source: any ItemSource,
    labels: (any LabelSource)? = nil, walk: SyncWalk, claim: SyncClaim
  ) {
    self.context = context
    self.account = account
    self.source = source
    self.walk = walk
    self.claim = claim
    self.labels = labels.map {
      LabelSync(
        account: account, source: $0, walk: walk,
        store: ClaimedStore(store: context.store, claim: claim))
    }
  }

  func run(_ report: inout SyncReport) async throws {
    try await walkAll(from: context.now(), &report)
    try await walkMarks(&report)
    try await noteUnreadCount()
    let found = try await labels?.look(&report, pages: pages) { _ = try await note($0) }
    try await fetchMissing(&report)
    if let found { try await labels?.apply(found, &report) }
    if let warning = source.warning { report.warnings.append(warning) }
  }

  // MARK: - Ids

  private func walkAll(from started: Date, _ report: inout SyncReport) async throws {
    let isFull = isFullWalkDue(at: started)
    // What is new is found in the sets of unread and starred ones, until all are listed again.
    guard isFull || source.listsArrivals else { return }
    let since = isFull ? nil : walk.walkedUpTo?.addingTimeInterval(-Self.overlap)
    let isNew = walk.fullWalkAt == nil && walk.walkedUpTo == nil
    var count = 0
    let isWhole = try await pages(source.walk(.all(since: since))) { page in
      _ = try await note(page.ids, offset: count)
      if isNew, count == 0 { try await fetchFirst(&report) }
      count += page.ids.count
    }
    guard isWhole else {
      report.warnings.append(
        "the server did not list all articles; the rest is asked for next time")
      return
    }
    try await store.edit { [walk] in
      try $0.sync.setWalkedUpTo(started, isFull: since == nil, in: walk)
    }
  }

  /// A clock that was set back makes a full walk due.
  private func isFullWalkDue(at now: Date) -> Bool {
    guard let last = walk.fullWalkAt, let upTo = walk.walkedUpTo, last <= now, upTo <= now else {
      return true
    }
    return now.timeIntervalSince(last) >= Self.fullWalkTime
  }

  /// - Returns: how many are new.
  private func note(_ ids: [String], offset: Int = 0) async throws -> Int {
    var new = 0
    for start in stride(from: 0, to: ids.count, by: Self.slice) {
      let slice = Array(ids[start..<min(start + Self.slice, ids.count)])
      new += try await store.edit { [walk] in
        try $0.items.note(slice, in: walk, offset: offset + start)
      }
    }
    return new
  }

  private func walkMarks(_ report: inout SyncReport) async throws {
    var unread = try await look(at: .unread)
    var starred = try await look(at: .starred)
    // Ids that one walk has noted are unknown to the other's set.
    let hasNew = unread.hasNew || starred.hasNew
    try await lookAgain(at: .unread, &unread, hasNew: hasNew)
    try await lookAgain(at: .starred, &starred, hasNew: hasNew)
    report.marked += try await apply(unread, .unread, hasNew: hasNew || starred.hasNew)
    report.marked += try await apply(starred, .starred, hasNew: hasNew || unread.hasNew)
    if !unread.isWhole {
      report.warnings.append("the server did not list all unread articles; none was taken for read")
    }
  }

  /// Keeps the server's own count of unread articles, which the user sees where it differs. A
  /// failure does not end the sync.
  private func noteUnreadCount() async throws {
    let count = try? await source.unreadCount()
    try Task.checkCancellation()
    try await store.edit { [walk] in try $0.sync.setUnreadThere(count, in: walk) }
  }

  private struct Found {
    var keys: Set<ItemKey> = []
    /// Whether the set is complete: only then is a missing id known not to belong to it.
    var isWhole = true
    var pages = 0
    var known = KnownSet()
    /// Whether it has ids that were unknown before.
    var hasNew = false
  }

  private func look(at set: MarkSet, _ known: KnownSet? = nil) async throws -> Found {
    var found = Found()
    found.known =
      if let known { known } else {
        try await store.view { [account] in try $0.items.known(set, of: account.id) }
      }
    found.isWhole = try await pages(source.walk(set == .unread ? .unread : .starred)) { page in
      if page.beginsAnew { found.keys = [] }
      found.pages += 1
      // Those that the walk of all has not brought: what came meanwhile, and what is older.
      var others: [String] = []
      for id in page.ids {
        let key = ItemKey(id)
        found.keys.insert(key)
        if !found.known.keys.contains(key) { others.append(id) }
      }
      if try await note(others) > 0 { found.hasNew = true }
    }
    return found
  }

  /// Walks a set again where ids are missing: pages may shift between requests, so that one is
  /// skipped.
  private func lookAgain(at set: MarkSet, _ found: inout Found, hasNew: Bool) async throws {
    let isAnyMissing =
      hasNew || found.known.hasUndecided || !found.known.keys.isSubset(of: found.keys)
    guard found.isWhole, found.pages > 1, isAnyMissing else { return }
    let again = try await look(at: set, found.known)
    found.keys.formUnion(again.keys)
    found.hasNew = found.hasNew || again.hasNew
  }

  /// - Parameter hasNew: whether there are ids whose membership was not known before.
  /// - Returns: the number of changed marks.
  private func apply(_ found: Found, _ set: MarkSet, hasNew: Bool) async throws -> Int {
    var changed = 0
    func apply(_ isIn: Bool, _ keys: Set<ItemKey>) async throws {
      let keys = Array(keys)
      for start in stride(from: 0, to: keys.count, by: Self.slice) {
        let slice = keys[start..<min(start + Self.slice, keys.count)]
        changed += try await store.edit { [walk] in
          try $0.items.apply(isIn, set, to: slice, in: walk)
        }
      }
    }
    try await apply(true, found.keys.subtracting(found.known.keys))
    // What a set that is not whole leaves out may belong to it.
    guard found.isWhole else { return changed }
    try await apply(false, found.known.keys.subtracting(found.keys))
    guard hasNew || found.known.hasUndecided else { return changed }
    var last: ItemKey?
    repeat {
      let slice = try await store.edit { [walk, last] in
        try $0.items.excludeUndecided(from: set, after: last, limit: Self.slice, in: walk)
      }
      changed += slice.changed
      last = slice.last
    } while last != nil
    return changed
  }

  /// Walks a set page by page.
  ///
  /// - Parameter body: gets each page, without ids of earlier pages.
  /// - Returns: false where the server held some of the set back, or its pages form a circle.
  private func pages(
    _ walk: any ItemWalk, _ body: (ItemIDPage) async throws -> Void
  ) async throws -> Bool {
    var walk = walk
    var isWhole = true
    var seen: Set<ItemKey> = []
    var fruitless = 0
    while var page = try await walk.next() {
      try Task.checkCancellation()
      if page.isPartial { isWhole = false }
      if page.beginsAnew { (seen, fruitless) = ([], 0) }
      page.ids.removeAll { !seen.insert(ItemKey($0)).inserted }
      fruitless = page.ids.isEmpty && !page.beginsAnew ? fruitless + 1 : 0
      try await body(page)
      if fruitless >= Self.patience || seen.count >= Self.mostIDs { return false }
    }
    return isWhole
  }

  // MARK: - Contents

  private struct Batch: Sendable {
    var asked: [MissingItem]
    var answer: ItemBatch
  }

  private func fetchMissing(_ report: inout SyncReport) async throws {
    var feeds: [String: FeedID] = [:]
    var batch = try await nextBatch(after: nil)
    while let current = batch {
      try Task.checkCancellation()
      // The next one is on its way while this one is written.
      async let following = nextBatch(after: current.asked.last)
      try await write(current, &feeds, &report)
      batch = try await following
    }
    report.missing = try await store.view { [account] in try $0.items.missingCount(of: account.id) }
  }

  /// Fetches one batch of a new account, whose ids may take a minute to walk. Articles without
  /// marks wait for the sets: they would be shown as unread.
  private func fetchFirst(_ report: inout SyncReport) async throws {
    let batch: Batch?
    do { batch = try await nextBatch(after: nil) } catch let error as SourceError
      where error.kind != .cancelled
    {
      // The ids can still be walked; the contents are asked for again after that.
      return
    }
    guard let batch, batch.answer.items.allSatisfy({ $0.isRead != nil && $0.isStarred != nil })
    else { return }
    var feeds: [String: FeedID] = [:]
    try await write(batch, &feeds, &report)
  }

  private func nextBatch(after last: MissingItem?) async throws -> Batch? {
    let limit = max(1, source.limit)
    let asked = try await store.view { [account] in
      try $0.items.missing(of: account.id, after: last, limit: limit)
    }
    guard !asked.isEmpty else { return nil }
    return Batch(asked: asked, answer: try await source.items(asked.map(\.id)))
  }

  private func write(
    _ batch: Batch, _ feeds: inout [String: FeedID], _ report: inout SyncReport
  ) async throws {
    if report.warnings.count < 10 { report.warnings += batch.answer.warnings.prefix(3) }
    let wanted = Set(batch.asked.map(\.id))
    let items = batch.answer.items.filter { wanted.contains($0.entry.id) }
    if items.contains(where: { feeds[$0.feed] == nil }) {
      feeds = try await store.view { [account] in try $0.items.subscribedFeeds(of: account.id) }
    }
    let pages = Dictionary(grouping: items) { feeds[$0.feed] }
      .compactMap { feed, items in feed.map { PreparedItems(items, of: $0) } }
    let now = context.now()
    let result = try await store.edit { [walk] in
      try $0.items.merge(pages, asked: batch.asked, in: walk, now: now)
    }
    report.inserted += result.inserted
    report.updated += result.updated
  }
}
