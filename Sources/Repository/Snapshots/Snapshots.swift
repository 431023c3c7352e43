internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// A value now, and again whenever it has changed: an async sequence that reads the store when it
/// is asked for its next element, so that a slow observer misses steps but never the latest.
///
/// The first element comes from the store as it is and waits for nobody else. Ends when its task is
/// cancelled; an observer that goes away leaves nothing behind.
package struct Snapshots<Value: Equatable & Sendable>: AsyncSequence {
  package typealias Element = Value
  package typealias Failure = any Error

  let store: Store
  let read: @Sendable (StoreMoment) async throws -> Value

  package func makeAsyncIterator() -> Iterator {
    Iterator(store: store, changes: store.changes().makeAsyncIterator(), read: read)
  }

  package struct Iterator: AsyncIteratorProtocol {
    /// A burst of commits is one new value, not one each.
    private static var pause: Duration { .milliseconds(60) }

    let store: Store
    var changes: AsyncStream<Void>.Iterator
    let read: @Sendable (StoreMoment) async throws -> Value
    var last: Value?

    private var lastRead: ContinuousClock.Instant?

    init(
      store: Store, changes: AsyncStream<Void>.Iterator,
      read: @escaping @Sendable (StoreMoment) async throws -> Value
    ) {
      self.store = store
      self.changes = changes
      self.read = read
    }

    package mutating func next() async throws -> Value? {
      if lastRead == nil {
        let value = try await readNow()
        return value
      }
      while await changes.next() != nil {
        if let lastRead { try await Task.sleep(until: lastRead + Self.pause) }
        let old = last
        let value = try await readNow()
        if value != old { return value }
      }
      return nil
    }

    private mutating func readNow() async throws -> Value {
      let value = try await read(
        StoreMoment(change: store.changeNumber, isFirst: lastRead == nil))
      last = value
      lastRead = .now
      return value
    }
  }
}
