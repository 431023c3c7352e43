internal import Foundation
internal import News
internal import Store

struct LogDelivery: DeliveryPart {
  private static let limit = 1_000

  let context: RepositoryContext
  private var store: Store { context.store }

  /// Writes the outbox of an account. Changes that cannot be written stay, with the reason.
  func deliver(to account: Account) async throws {
    guard account.capabilities.contains(.logs), !account.isSignedOut,
      let logs = context.sources.source(of: account).logs,
      try await store.view({ try $0.logs.hasWrite(of: account.id) })
    else { return }
    do {
      // Nothing is taken from the outbox as long as there is no folder.
      _ = try await logs.files()
      try await deliver(to: logs, of: account.id)
    } catch let error as SourceError where error.kind != .cancelled {
      try await store.edit { try $0.logs.recordFailure(error, of: account.id) }
    }
  }

  private func deliver(to logs: any LogSource, of account: AccountID) async throws {
    while let write = try await store.edit({
      try $0.logs.beginWrite(of: account, limit: Self.limit, newMachine: Self.newMachine())
    }) {
      try Task.checkCancellation()
      if write.log.wantsRewriting {
        try await rewrite(logs, of: account)
        continue
      }
      switch try await logs.append(write.records, to: write.log) {
      case .written(let log):
        try await store.finish { try $0.logs.finishWrite(write, log, of: account) }
      case .displaced:
        try await store.edit {
          try $0.logs.renewMachine(Self.newMachine(), insteadOf: write.log, of: account)
        }
      }
    }
  }

  /// Writes a new file with the valid records of this machine, and removes the former ones.
  private func rewrite(_ logs: any LogSource, of account: AccountID) async throws {
    guard let rewriting = try await store.view({ try $0.logs.rewriting(of: account) }) else {
      return
    }
    let written = try await logs.rewrite(rewriting.log, with: rewriting.records)
    let (counts, positions) = try await store.finish { edit in
      (
        try edit.logs.finishRewriting(rewriting, written, of: account),
        try edit.view.logs.positions(of: account)
      )
    }
    if counts { try await logs.removeFormer(than: written, read: positions) }
  }

  /// Random: the name of the host would tell others more than they need, and two may have the same.
  private static func newMachine() -> String {
    let digits = String(UInt64.random(in: 0...(.max)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
