internal import News
internal import Store

/// Synchronises the tags of an account's articles with the labels on its server. A label is a set
/// of ids: it is walked to its end before anything is concluded from missing ids.
struct LabelSync {
  let account: Account
  let source: any LabelSource
  let walk: SyncWalk
  let store: ClaimedStore

  struct Found: Sendable {
    let label: String
    let set: WalkedSet
  }

  /// Asks for the labels whose turn it is. A sync does not fail for them.
  ///
  /// - Parameters:
  ///   - pages: asks for a walk page by page, and returns whether it was whole.
  ///   - note: takes in ids, which the sets before did not have.
  func look(
    _ report: inout SyncReport,
    pages: (any ItemWalk, (ItemIDPage) async throws -> Void) async throws -> Bool,
    note: ([String]) async throws -> Void
  ) async throws -> [Found] {
    var found: [Found] = []
    do {
      let listed = try await source.labels()
      let used = try await store.view { [account] in try $0.labels.inUse(of: account.id) }
      for label in turn(of: listed.names.union(used)) {
        var ids: [String] = []
        var isWhole = !listed.unclear.contains(label)
        if listed.names.contains(label) {
          isWhole = try await pages(source.walk(label)) { page in
            if page.beginsAnew { ids = [] }
            ids += page.ids
          }
        }
        try await note(ids)
        let set = WalkedSet(keys: Set(ids.map { ItemKey($0) }), isWhole: isWhole)
        found.append(Found(label: label, set: set))
      }
    } catch let error as SourceError where error.kind != .cancelled {
      report.warnings.append("the labels of articles are not up to date: \(error.message)")
    }
    return found
  }

  /// A part of the labels in each sync, so that many cost no more than a few.
  private func turn(of labels: Set<String>) -> ArraySlice<String> {
    let labels = labels.sorted()
    let count = source.labelsPerSync
    guard labels.count > count else { return labels[...] }
    let turns = (labels.count + count - 1) / count
    let first = Int(walk.number % Int64(turns)) * count
    return labels[first..<min(first + count, labels.count)]
  }

  /// Tags the stored articles as they are labelled on the server.
  func apply(_ found: [Found], _ report: inout SyncReport) async throws {
    for label in found {
      let name = label.label
      let known = try await store.view { [account] in
        try $0.labels.known(label: name, of: account.id)
      }
      try await apply(true, name, label.set.keys.subtracting(known), &report)
      if label.set.isWhole {
        try await apply(false, name, known.subtracting(label.set.keys), &report)
      }
    }
  }

  private func apply(
    _ isSet: Bool, _ label: String, _ keys: Set<ItemKey>, _ report: inout SyncReport
  ) async throws {
    let keys = Array(keys)
    for start in stride(from: 0, to: keys.count, by: ItemSync.slice) {
      let slice = keys[start..<min(start + ItemSync.slice, keys.count)]
      report.marked += try await store.edit { [walk] in
        try $0.labels.apply(isSet, label: label, to: slice, in: walk)
      }
    }
  }
}
