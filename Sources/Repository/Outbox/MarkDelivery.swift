internal import News
internal import Store

/// Delivery of marks from the outbox to the servers of their accounts.
struct MarkDelivery {
  let context: RepositoryContext
  /// Whether what a server has refused is sent once more.
  let isAsked: Bool

  init(context: RepositoryContext, isAsked: Bool) {
    self.context = context
    self.isAsked = isAsked
  }

  /// Sends the marks of each account in the order in which they were made. What cannot be sent stays, with
  /// its reason, and what follows it in its account.
  func deliver() async throws {
    for account in try await context.store.view({ try $0.accounts() })
    where account.capabilities.contains(.takesMarks) && !account.needsSignIn {
      let source = context.sources.source(of: account)
      guard let sink = source.marks else { continue }
      var delivery = AccountMarkDelivery(
        store: context.store, account: account, sink: sink, subscriptions: source.subscriptions,
        isAsked: isAsked)
      try await delivery.run()
    }
  }
}

/// One delivery of the marks of one account.
private struct AccountMarkDelivery {
  /// Refused calls, after which the rest waits for the next delivery.
  private static let mostRefusals = 24
  /// Single marks that are refused while nothing is taken: then the server takes no marks at all.
  private static let mostRefusedAlone = 4
  /// Calls whose answers may be lost to the time that a call has; what follows is smaller.
  private static let mostTimeouts = 2

  let store: Store
  let account: Account
  let sink: any MarkSink
  let subscriptions: (any SubscriptionSource)?
  let isAsked: Bool
  private var refusals = 0
  private var timeouts = 0
  /// Whether the server has taken anything.
  private var hasSent = false
  private var isAccountChecked = false
  private var settlement = Settlement()

  /// What is to be stored of calls that have ended.
  private struct Settlement: Sendable {
    var finished: [OutboxItem] = []
    var refused: [(mark: OutboxMark, item: OutboxItem, error: SourceError)] = []
  }

  /// Why a delivery ends before its end.
  private enum Stop {
    /// The next mark cannot be sent now.
    case failure(SourceError)
    /// Nothing of the account can be.
    case account(SourceError)
    /// The server takes no marks at all.
    case nothingTaken(SourceError)
    case tooManyRefusals
  }

  init(
    store: Store, account: Account, sink: any MarkSink, subscriptions: (any SubscriptionSource)?,
    isAsked: Bool
  ) {
    self.store = store
    self.account = account
    self.sink = sink
    self.subscriptions = subscriptions
    self.isAsked = isAsked
  }

  mutating func run() async throws {
    var last: Int64 = 0
    while true {
      try Task.checkCancellation()
      let (account, after, limit, isAsked) = (account.id, last, sink.limit, isAsked)
      let call = try await store.edit {
        try $0.beginSending(of: account, after: after, limit: limit, refusedToo: isAsked)
      }
      guard let call, let end = call.items.last?.id else { break }
      last = end
      guard try await send(call) else { return }
    }
    try await settle()
  }

  /// - Returns: whether the delivery goes on.
  private mutating func send(_ call: OutboxCall) async throws -> Bool {
    var parcel = MarkParcel(count: call.marks.count)
    var errors: [Int: SourceError] = [:]
    var stop: Stop?
    while stop == nil, let range = parcel.next(atMost: sink.limit) {
      do {
        try await sink.send(call.marks[range].map(\.mark))
        hasSent = true
      } catch let error as SourceError where error.kind != .cancelled {
        stop = try await consider(error, of: range, &parcel)
        if parcel.refused.last == range.lowerBound { errors[range.lowerBound] = error }
      }
    }
    let left = Set(parcel.left.joined().map { call.marks[$0].item })
    if case .account = stop { errors = [:] }
    let refused = Dictionary(grouping: parcel.refused) { call.marks[$0].item }
    for item in call.items where !left.contains(item.id) {
      let marks = refused[item.id] ?? []
      guard marks.allSatisfy({ errors[$0] != nil }) else { continue }
      for mark in marks {
        guard let error = errors[mark] else { continue }
        settlement.refused.append((call.marks[mark], item, error))
      }
      // A change of a single article stays with its reason.
      if marks.isEmpty || item.change.isBatch { settlement.finished.append(item) }
    }
    switch stop {
    case nil:
      if hasSent { try await settle() }
      return true
    case .failure(let error):
      try await settle()
      guard let first = call.items.first(where: { left.contains($0.id) }) else { return false }
      try await store.edit { try $0.recordDeliveryFailure(first, error) }
    case .account(let error):
      // Marks that were refused before it was known are not to blame.
      if !hasSent { settlement = Settlement() }
      try await settle()
      let account = account.id
      try await store.edit { try $0.recordError(error, of: account) }
    case .nothingTaken(var error):
      settlement = Settlement()
      guard let first = call.items.first else { return false }
      // No mark is refused for good: all are sent again.
      error.status = nil
      try await store.edit { [error] in try $0.recordDeliveryFailure(first, error) }
    case .tooManyRefusals: try await settle()
    }
    return false
  }

  private mutating func consider(
    _ error: SourceError, of range: Range<Int>, _ parcel: inout MarkParcel
  ) async throws -> Stop? {
    if error.kind == .timeout, timeouts < Self.mostTimeouts, sink.limit < range.count {
      timeouts += 1
      parcel.again(range)
      return nil
    }
    guard error.isRefusal else {
      parcel.again(range)
      return .failure(error)
    }
    refusals += 1
    if parcel.refuse(range) {
      if let error = try await accountError() { return .account(error) }
      let alone = settlement.refused.count + parcel.refused.count
      if !hasSent, alone >= Self.mostRefusedAlone { return .nothingTaken(error) }
    }
    return refusals < Self.mostRefusals ? nil : .tooManyRefusals
  }

  /// Why the account's list is refused as well, which is asked for once: a mark that is refused is then not
  /// to blame.
  private mutating func accountError() async throws -> SourceError? {
    guard !isAccountChecked, let subscriptions else { return nil }
    isAccountChecked = true
    do {
      _ = try await subscriptions.subscriptions()
      return nil
    } catch let error as SourceError where error.kind != .cancelled {
      return error
    }
  }

  private mutating func settle() async throws {
    let (settlement, account) = (settlement, account)
    self.settlement = Settlement()
    guard !settlement.finished.isEmpty || !settlement.refused.isEmpty else { return }
    try await store.finish { edit in
      try edit.finishSending(settlement.finished, of: account)
      for (mark, item, error) in settlement.refused {
        try edit.recordRefusal(of: mark, in: item, error)
      }
    }
  }
}

extension OutboxItem.Change {
  fileprivate var isBatch: Bool { if case .readBatch = self { true } else { false } }
}
