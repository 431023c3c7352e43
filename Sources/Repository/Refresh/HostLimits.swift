internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Stores the pause that a host wants, from its answers to the requests for one page.
final class HostLimits: Sendable {
  private struct Limit {
    var address: String
    var until: Date?
  }

  private let limit = Mutex<Limit?>(nil)

  var areTold: Bool { limit.withLock { $0 != nil } }

  func note(_ event: SourceEvent) {
    guard case .limited(let address, let until) = event else { return }
    limit.withLock { $0 = Limit(address: address, until: until) }
  }

  /// The result of `fetch`. A pause is stored before, so that no other feed of the host is asked.
  ///
  /// - Parameter known: the rests before.
  func keeping<Value: Sendable>(
    in store: Store, knowing known: HostRests, now: @Sendable () -> Date,
    _ fetch: @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await fetch()
      await keep(in: store, isRefusal: false, knowing: known, now: now())
      return value
    } catch {
      await keep(in: store, isRefusal: true, knowing: known, now: now())
      throw error
    }
  }

  private func keep(
    in store: Store, isRefusal: Bool, knowing known: HostRests, now: Date
  ) async {
    guard let limit = limit.withLock(\.self) else { return }
    // Where the store cannot be written, storing the page reports it.
    try? await store.finish { edit in
      try edit.fetches.rest(
        hostOf: limit.address, until: limit.until, isRefusal: isRefusal, knowing: known, now: now)
    }
  }
}
