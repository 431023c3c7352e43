package import News

/// The downloads of a store, now and after each change, by whatever process. Files are looked at a few times a
/// second, and read where they have changed.
package struct TransferSnapshots: AsyncSequence, Sendable {
  package typealias Element = TransferSnapshot

  private let transfers: Transfers

  init(_ transfers: Transfers) { self.transfers = transfers }

  package func makeAsyncIterator() -> Iterator { Iterator(transfers: transfers) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let transfers: Transfers
    private var stamp: TransferBook.Stamp?
    private var last: TransferSnapshot?

    fileprivate init(transfers: Transfers) { self.transfers = transfers }

    /// Waits for a change. Ends with its task.
    ///
    /// - Throws: `CancellationError`, or `SourceError` where the downloads cannot be read.
    package mutating func next() async throws -> TransferSnapshot? {
      while true {
        try Task.checkCancellation()
        let now = transfers.book.stamp
        // The end of the process that downloads changes no file.
        let isRunning = last?.transfers.contains { $0.state == .running } ?? false
        if now != stamp || isRunning {
          stamp = now
          let snapshot = TransferSnapshot(try transfers.list())
          if snapshot != last {
            last = snapshot
            return snapshot
          }
        }
        try await Task.sleep(for: .milliseconds(isRunning ? 250 : 500))
      }
    }
  }
}
