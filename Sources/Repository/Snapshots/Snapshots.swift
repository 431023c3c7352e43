internal import Foundation
internal import News
package import Store
internal import Synchronization

/// Sequence of a value of the store: now, and again after each change.
///
/// The store is read when the next element is asked for: a slow observer skips values but never the
/// latest. The sequence ends with its task.
package struct Snapshots<Value: Equatable & Sendable>: AsyncSequence {
  package typealias Element = Value
  package typealias Failure = any Error

  let store: Store
  /// The shortest time between two reads, so that a burst of commits is one new value.
  var pause = Duration.milliseconds(60)
  let read: @Sendable (StoreMoment) async throws -> Value

  /// The time between two reads. It is four times as long as a read that took long, up to a second: what is shown of
  /// many articles does not take the processor from the refresh that brings them.
  func rest(after cost: Duration) -> Duration {
    Swift.max(pause, Swift.min(cost * 4, .seconds(1)))
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(snapshots: self, changes: store.changes().makeAsyncIterator())
  }

  /// Skips a value equal to the last, except after several changes at once: one may have undone
  /// another, and an observer that shows it ahead needs to know.
  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let snapshots: Snapshots
    fileprivate var changes: AsyncStream<Void>.Iterator
    private var last: Value?
    private var lastRead: (end: ContinuousClock.Instant, cost: Duration)?
    private var lastChange: UInt64 = 0

    fileprivate init(snapshots: Snapshots, changes: AsyncStream<Void>.Iterator) {
      self.snapshots = snapshots
      self.changes = changes
    }

    package mutating func next() async throws -> Value? {
      if lastRead == nil { return try await readNow() }
      while await changes.next() != nil {
        if let lastRead {
          try await Task.sleep(until: lastRead.end + snapshots.rest(after: lastRead.cost))
        }
        let (old, oldChange) = (last, lastChange)
        let value = try await readNow()
        if value != old || lastChange > oldChange + 1 { return value }
      }
      return nil
    }

    private mutating func readNow() async throws -> Value {
      let moment = StoreMoment(change: snapshots.store.changeNumber, isFirst: lastRead == nil)
      let start = ContinuousClock.now
      let value = try await snapshots.read(moment)
      last = value
      lastChange = moment.change
      let end = ContinuousClock.now
      lastRead = (end, end - start)
      return value
    }
  }
}

extension Snapshots {
  package init(
    of store: Store, pause: Duration = .milliseconds(60),
    _ read: @escaping @Sendable (StoreView) throws -> Value
  ) {
    self.init(store: store, pause: pause) { _ in try await store.view(read) }
  }
}
