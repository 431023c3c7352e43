internal import Foundation
internal import News
internal import Store

/// Brings the articles of an account in line with a server that lists them by id.
///
/// The order is what keeps marks: the sets of ids are walked to their ends before anything is concluded
/// from them, all ids before the unread ones, so that an article that comes in between does not look read;
/// contents come last, batch by batch, each stored in one transaction with what is noted of its ids. Killed
/// anywhere, the next sync goes on from what is stored.
struct ItemSync {
  /// The set of all articles is asked for from this much before the moment up to which it was seen: a
  /// server gives an article its time before others can see it, and its clock may be wrong.
  static let overlap = 86_400.0
  /// More ids than a set can have that a server means seriously.
  static let mostIDs = 5_000_000
  /// Pages in a row that bring nothing new, after which a walk goes round in circles.
  static let patience = 3

  let context: RepositoryContext
  let account: Account
  let source: any ItemSource
  let claim: SyncClaim
  private var store: ClaimedStore { ClaimedStore(store: context.store, claim: claim) }

  func run(_ report: inout SyncReport) async throws {
    let started = context.now()
    let walk = try await store.edit { [account] in try $0.beginWalk(of: account.id) }
    try await walkAll(walk, from: started, &report)
    try await walkMarks(walk, &report)
    try await fetchMissing(&report)
  }

  // MARK: - Ids

  private func walkAll(_ walk: SyncWalk, from started: Date, _ report: inout SyncReport)
    async throws
  {
    // A clock that was set back must not hide what has come.
    let since = walk.walkedUpTo.flatMap {
      $0 <= started ? $0.addingTimeInterval(-Self.overlap) : nil
    }
    var isWhole = true
    var count = 0
    try await self.walk(.all(since: since), isWhole: &isWhole) { ids in
      let offset = count
      count += ids.count
      _ = try await store.edit { [account] in
        try $0.note(ids, of: account.id, in: walk, offset: offset)
      }
    }
    guard isWhole else {
      report.warnings.append(
        "the server did not list all articles; the rest is asked for next time")
      return
    }
    try await store.edit { [account] in try $0.setWalkedUpTo(started, of: account.id) }
  }

  private func walkMarks(_ walk: SyncWalk, _ report: inout SyncReport) async throws {
    var unread = try await walkSet(.unread, walk)
    var starred = try await walkSet(.starred, walk)
    // The pages of a set may shift while they are asked for. Who is missing in one look only is there.
    if unread.pages > 1 { unread.keys.formUnion(try await walkSet(.unread, walk).keys) }
    if starred.pages > 1 { starred.keys.formUnion(try await walkSet(.starred, walk).keys) }
    let sets = (WalkedSet(unread), WalkedSet(starred))
    let result = try await store.edit { [account] in
      try $0.applyWalk(unread: sets.0, starred: sets.1, of: account.id, in: walk)
    }
    report.marked += result.changed
    report.ignored += result.ignored
    if !unread.isWhole {
      report.warnings.append("the server did not list all unread articles; none was taken for read")
    }
    if result.ignored > 0 {
      report.warnings.append("the server does not keep \(result.ignored) marks that it was sent")
    }
  }

  fileprivate struct Found {
    var keys: Set<ItemKey> = []
    var isWhole = true
    var pages = 0
  }

  fileprivate func walkSet(_ set: ItemSet, _ walk: SyncWalk) async throws -> Found {
    var found = Found()
    try await self.walk(set, isWhole: &found.isWhole) { ids in
      found.pages += 1
      for id in ids { found.keys.insert(ItemKey(id)) }
      // Those that the walk of all has not brought: what came meanwhile, and what is older.
      _ = try await store.edit { [account] in try $0.note(ids, of: account.id, in: walk) }
    }
    return found
  }

  /// Asks for a set page by page.
  ///
  /// - Parameter isWhole: false afterwards where the server held some of it back, or led round in a circle.
  private func walk(
    _ set: ItemSet, isWhole: inout Bool, page: ([String]) async throws -> Void
  ) async throws {
    var cursor: Cursor?
    var asked: Set<Cursor> = []
    var seen: Set<ItemKey> = []
    var fruitless = 0
    while true {
      try Task.checkCancellation()
      let answer = try await source.ids(in: set, after: cursor)
      if answer.isPartial { isWhole = false }
      let fresh = answer.ids.filter { seen.insert(ItemKey($0)).inserted }
      fruitless = fresh.isEmpty ? fruitless + 1 : 0
      try await page(fresh)
      guard let next = answer.next else { return }
      guard asked.insert(next).inserted, fruitless < Self.patience, seen.count < Self.mostIDs else {
        isWhole = false
        return
      }
      cursor = next
    }
  }

  // MARK: - Contents

  private func fetchMissing(_ report: inout SyncReport) async throws {
    var feeds = try await store.view { [account] in try $0.subscribedFeeds(of: account.id) }
    var asked: Set<String> = []
    while true {
      try Task.checkCancellation()
      let limit = max(1, source.limit)
      let ids = try await store.view { [account, asked] view in
        // Those that were asked for in vain are still there.
        try view.missingItems(of: account.id, limit: limit + asked.count)
          .filter { !asked.contains($0) }.prefix(limit)
      }
      guard !ids.isEmpty else { break }
      let batch = try await source.items(Array(ids))
      report.warnings += batch.warnings.prefix(3)
      let wanted = Set(ids)
      let items = batch.items.filter { wanted.contains($0.entry.id) }
      if items.contains(where: { feeds[$0.feed] == nil }) {
        feeds = try await store.view { [account] in try $0.subscribedFeeds(of: account.id) }
      }
      let pages = Dictionary(grouping: items) { feeds[$0.feed] }
        .compactMap { feed, items in feed.map { PreparedItems(items, of: $0) } }
      let now = context.now()
      let result = try await store.edit { [account] in
        try $0.merge(pages, asked: Array(wanted), of: account.id, now: now)
      }
      report.inserted += result.inserted
      report.updated += result.updated
      // One in a feed that is not known here is no nearer by being asked for again at once.
      asked.formUnion(
        wanted.subtracting(items.lazy.filter { feeds[$0.feed] != nil }.map(\.entry.id)))
    }
    report.missing = try await store.view { [account] in try $0.missingItemCount(of: account.id) }
  }
}

extension WalkedSet {
  fileprivate init(_ found: ItemSync.Found) {
    self.init(keys: found.keys, isWhole: found.isWhole)
  }
}
