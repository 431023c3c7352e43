internal import Foundation
internal import News
internal import Store

/// Synchronises an account with the logs of the user's machines.
///
/// Records are merged in slices, and the position in a file is stored with its last slice: records
/// that are read again after a kill change nothing. Records of unknown articles wait in the store.
struct LogSync {
  private static let slice = 1_000

  let context: RepositoryContext
  let account: Account
  let logs: any LogSource
  let claim: SyncClaim
  private var store: ClaimedStore { ClaimedStore(store: context.store, claim: claim) }

  /// - Returns: feeds that other machines have subscribed to.
  /// - Throws: `SourceError`, once all that could be read is applied.
  func run(_ report: inout SyncReport) async throws -> [FeedID] {
    let files = try await logs.files()
    var known: [String: LogPosition] = [:]
    for position in try await store.view({ [account] in try $0.logs.positions(of: account.id) }) {
      known[position.path] = position
    }
    var problem: SourceError?
    for file in files where known[file.path]?.fingerprint != file.fingerprint {
      try Task.checkCancellation()
      do {
        let page = try await logs.read(file, after: known[file.path])
        if page.isNewer { problem = newer(file) } else { try await merge(page, &report) }
      } catch let error as SourceError where error.kind == .file {
        // It may be taking another's place just now.
        problem = problem ?? error
      }
    }
    let gone = Set(known.keys).subtracting(files.map(\.path)).sorted()
    let now = context.now()
    let changes = try await store.edit { [account] edit in
      try edit.logs.removePositions(gone, of: account.id)
      return try edit.logs.applySubscriptions(fromLogsOf: account.id, now: now)
    }
    if let problem { throw problem }
    return changes.added
  }

  private func merge(_ page: LogPage, _ report: inout SyncReport) async throws {
    for start in stride(from: 0, to: page.records.count, by: Self.slice) {
      let slice = Array(page.records[start..<min(start + Self.slice, page.records.count)])
      report.marked += try await store.edit { [account] edit in
        try edit.logs.merge(slice, of: account.id).marked
      }
    }
    var position = page.position
    if page.damaged > 0 {
      report.warnings.append(
        "\(page.damaged) lines of the log \(position.path) are damaged and were left out")
      // All of it is read again when it changes: what is damaged may have been carried badly.
      position.size = 0
    }
    try await store.edit { [account, position] in
      try $0.logs.setPosition(position, of: account.id)
    }
  }

  private func newer(_ file: LogFile) -> SourceError {
    SourceError(
      .decoding, stage: .parse, subject: account.base,
      message: "the log \(file.path) was written by a newer Telex",
      next: "install that version here; what it says is read then")
  }
}
