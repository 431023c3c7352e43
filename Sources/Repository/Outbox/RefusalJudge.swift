internal import News
internal import Store

/// Judge of changes that a server refuses one by one in one delivery: each is refused for good,
/// unless the whole account is, or the server takes no change of the kind; those are sent again.
struct RefusalJudge {
  let store: Store
  let account: Account
  /// The list that proves access to the account; nil where there is none.
  let subscriptions: (any SubscriptionSource)?
  var hasTaken = false
  /// The change that was sent out of turn as a sample, and taken.
  private(set) var taken: Int64?
  private var isAccountChecked = false
  private var isSampled = false
  /// Refused changes that are not judged yet.
  private var held: [(item: OutboxItem, error: SourceError)] = []

  init(store: Store, account: Account, subscriptions: (any SubscriptionSource)?) {
    self.store = store
    self.account = account
    self.subscriptions = subscriptions
  }

  /// Whether the account's list can be read, which is asked for once. If not, the reason is noted
  /// on the account, and no change is to blame.
  mutating func isLetIn() async throws -> Bool {
    guard !isAccountChecked, let subscriptions else { return true }
    isAccountChecked = true
    do {
      _ = try await subscriptions.subscriptions()
      return true
    } catch let error as SourceError where error.kind != .cancelled {
      held = []
      let account = account.id
      try await store.edit { try $0.outbox.recordError(error, of: account) }
      return false
    }
  }

  /// Handles the refusal of a single change.
  ///
  /// - Parameter others: sends single changes until one is taken, and returns its number; nil where
  ///   none is.
  /// - Returns: whether the delivery goes on.
  mutating func refuse(
    _ item: OutboxItem, _ error: SourceError, trying others: (_ round: Int) async throws -> Int64?
  ) async throws -> Bool {
    guard try await isLetIn() else { return false }
    held.append((item, error))
    if !hasTaken, !isSampled, held.count >= RefusalSample.mostRefusedAlone {
      isSampled = true
      taken = try await others(held[0].item.attempts)
      guard taken != nil else {
        let first = held[0].item
        held = []
        var reason = error
        // None is refused for good: all are sent again.
        reason.status = nil
        try await store.edit { [reason] in try $0.outbox.recordFailure(first, reason) }
        return false
      }
      hasTaken = true
    }
    if hasTaken { try await settle() }
    return true
  }

  /// Records the held refusals.
  mutating func settle() async throws {
    let refused = held
    held = []
    guard !refused.isEmpty else { return }
    try await store.edit { edit in
      for (item, error) in refused { try edit.outbox.recordFailure(item, error) }
    }
  }
}

/// Sample of single changes to try after a server has refused several alone and taken none: one
/// that it takes shows that the refused ones are to blame, not the account. Pure.
enum RefusalSample {
  /// Single refusals, while nothing is taken, after which a sample is tried.
  static let mostRefusedAlone = 4
  private static let size = 4

  /// The newest change, and some spread over the others.
  ///
  /// - Parameters:
  ///   - count: the number of waiting changes, oldest first.
  ///   - round: the number of deliveries without success: each tries other changes.
  static func places(of count: Int, round: Int) -> [Int] {
    guard count > 0 else { return [] }
    var places = [count - 1]
    for number in 1..<size {
      // Multiples of the golden ratio come to every part of the unit interval.
      let turn = Double(round * (size - 1) + number) * 0.618_033_988_749_895
      let place = min(count - 1, Int(turn.truncatingRemainder(dividingBy: 1) * Double(count)))
      if !places.contains(place) { places.append(place) }
    }
    return places
  }
}
