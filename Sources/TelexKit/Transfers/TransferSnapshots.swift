internal import FileWatch
package import News

/// The downloads of a store, now and after each change, by whatever process.
package struct TransferSnapshots: AsyncSequence, Sendable {
  package typealias Element = TransferSnapshot

  private let transfers: Transfers

  init(_ transfers: Transfers) { self.transfers = transfers }

  package func makeAsyncIterator() -> Iterator { Iterator(transfers: transfers) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let transfers: Transfers
    private var changes: AsyncStream<Void>.Iterator
    private var stamps: [FileStamp]?
    private var last: TransferSnapshot?

    fileprivate init(transfers: Transfers) {
      self.transfers = transfers
      changes = FileWatch.changes(of: transfers.book.files).makeAsyncIterator()
    }

    /// Waits for a change. Ends with its task.
    ///
    /// - Throws: `CancellationError`, `SourceError`.
    package mutating func next() async throws -> TransferSnapshot? {
      while true {
        try Task.checkCancellation()
        let now = transfers.book.stamps
        // The end of the process that downloads changes no file.
        let isRunning = last?.transfers.contains { $0.state == .running } ?? false
        if now != stamps || isRunning {
          stamps = now
          let snapshot = TransferSnapshot(try transfers.list())
          if snapshot != last {
            last = snapshot
            return snapshot
          }
        }
        if isRunning {
          try await Task.sleep(for: .milliseconds(250))
        } else {
          _ = await changes.next()
        }
      }
    }
  }
}
