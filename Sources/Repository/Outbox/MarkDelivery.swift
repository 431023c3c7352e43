internal import News
internal import Store

/// Delivery of marks from the outbox to the server of their account.
struct MarkDelivery: DeliveryPart {
  let context: RepositoryContext
  let isAsked: Bool

  /// Sends the marks of an account in order. A failure holds back the later ones.
  func deliver(to account: Account) async throws {
    guard account.capabilities.contains(.takesMarks), !account.needsSignIn else { return }
    let source = context.sources.source(of: account)
    guard let sink = source.marks,
      try await context.store.view({ try $0.outbox.hasWaitingMarks(of: account.id) })
    else { return }
    var delivery = AccountMarkDelivery(
      store: context.store, account: account, sink: sink, subscriptions: source.subscriptions,
      isAsked: isAsked)
    try await delivery.run()
  }
}

private struct AccountMarkDelivery {
  /// Refused calls in one delivery at most, at a server that has taken nothing and at one that
  /// takes some. The first is enough to find a single mark in any call.
  private static let mostRefusals = (ofAll: 24, ofSome: 96)
  /// Timeouts in one delivery that are answered with smaller calls.
  private static let mostTimeouts = 2

  let store: Store
  let account: Account
  let sink: any MarkSink
  let subscriptions: (any SubscriptionSource)?
  let isAsked: Bool
  var refusals = 0
  var timeouts = 0
  var hasSent = false
  /// Whether a sample of other marks was tried.
  var isSampled = false
  var isAccountChecked = false
  var settlement = Settlement()

  /// Outcomes of ended calls that are to be stored.
  struct Settlement: Sendable {
    var finished: [OutboxItem] = []
    var refused: [(mark: OutboxMark, item: OutboxItem, error: SourceError)] = []
  }

  /// Reason to end a delivery early.
  private enum Stop {
    /// The next mark cannot be sent now.
    case failure(SourceError)
    case account(SourceError)
    /// The server takes no marks at all.
    case nothingTaken(SourceError)
    case tooManyRefusals(SourceError)
  }

  mutating func run() async throws {
    var last: Int64 = 0
    // What this delivery finds refused is not sent once more by it.
    let refusedEnd = isAsked ? try await store.view { try $0.outbox.lastNumber() } : 0
    while true {
      try Task.checkCancellation()
      let (account, after, limit) = (account.id, last, sink.limit)
      let call = try await store.edit {
        try $0.outbox.beginSending(of: account, after: after, limit: limit, refusedUpTo: refusedEnd)
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
        try await sink.send(call.marks[range].map(\.sent))
        hasSent = true
      } catch let error as SourceError where error.kind != .cancelled {
        stop = try await consider(error, of: range, &parcel, round: call.items[0].attempts)
        if parcel.refused.last == range.lowerBound { errors[range.lowerBound] = error }
      }
    }
    let left = Set(parcel.left.joined().map { call.marks[$0].item })
    if case .account = stop { errors = [:] }
    let refused = Dictionary(grouping: parcel.refused) { call.marks[$0].item }
    for item in call.items {
      let marks = refused[item.id] ?? []
      let reasons = marks.compactMap { mark in errors[mark].map { (call.marks[mark], $0) } }
      // An article of a batch has a row of its own from now on, whatever becomes of the others: the next delivery
      // has fewer to look through.
      settlement.refused += reasons.map { ($0, item, $1) }
      // A change of a single article stays with its reason.
      if !left.contains(item.id), reasons.count == marks.count,
        marks.isEmpty || item.change.isBatch
      {
        settlement.finished.append(item)
      }
    }
    switch stop {
    case nil:
      if hasSent { try await settle() }
      return true
    case .failure(let error):
      try await settle()
      guard let first = call.items.first(where: { left.contains($0.id) }) else { return false }
      try await store.edit { try $0.outbox.recordFailure(first, error) }
    case .account(let error):
      // Marks that were refused before it was known are not to blame.
      if !hasSent { settlement = Settlement() }
      try await settle()
      let account = account.id
      try await store.edit { try $0.outbox.recordError(error, of: account) }
    case .nothingTaken(var error):
      settlement = Settlement()
      guard let first = call.items.first else { return false }
      // No mark is refused for good: all are sent again.
      error.status = nil
      try await store.edit { [error] in try $0.outbox.recordFailure(first, error) }
    case .tooManyRefusals(let error):
      try await settle()
      guard let batch = call.items.first(where: { left.contains($0.id) && $0.change.isBatch })
      else { return false }
      let waiting = SourceError(
        error.kind, stage: error.stage, subject: error.subject,
        message: "the server refuses many of these marks one by one",
        next: "the next refresh goes on with the rest")
      try await store.edit { try $0.outbox.recordFailure(batch, waiting) }
    }
    return false
  }

  private mutating func consider(
    _ error: SourceError, of range: Range<Int>, _ parcel: inout MarkParcel, round: Int
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
      if !hasSent, !isSampled, alone >= RefusalSample.mostRefusedAlone {
        isSampled = true
        if try await !takesAny(round: round) { return .nothingTaken(error) }
      }
    }
    let most = hasSent ? Self.mostRefusals.ofSome : Self.mostRefusals.ofAll
    return refusals < most ? nil : .tooManyRefusals(error)
  }

  /// Sends single marks from all over the outbox until one is taken. They are sent again in their
  /// turn, which changes nothing.
  private mutating func takesAny(round: Int) async throws -> Bool {
    let (account, isAsked) = (account.id, isAsked)
    let marks = try await store.edit {
      try $0.outbox.beginSendingSample(of: account, refusedToo: isAsked) {
        RefusalSample.places(of: $0, round: round)
      }
    }
    for mark in marks {
      try Task.checkCancellation()
      do {
        try await sink.send([mark.sent])
        hasSent = true
        return true
      } catch let error as SourceError where error.kind != .cancelled {
        guard error.isRefusal else { return false }
      }
    }
    return false
  }

  /// The error of the account's list, which is asked for once: refused marks are then not to blame.
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
      // Articles of a batch that are refused do not go with it.
      for (mark, item, error) in settlement.refused {
        try edit.outbox.recordRefusal(of: mark, in: item, error)
      }
      try edit.outbox.finishSending(settlement.finished, of: account.id)
    }
  }
}

extension OutboxItem.Change {
  fileprivate var isBatch: Bool { if case .readBatch = self { true } else { false } }
}
