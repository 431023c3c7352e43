internal import News
internal import Store

/// Delivery of changes of tags from the outbox to a server that keeps labels of articles.
struct LabelDelivery: DeliveryPart {
  let context: RepositoryContext
  let isAsked: Bool

  /// Sends the changes of an account in order. A failure holds back the later ones; a refused
  /// change stays alone.
  func deliver(to account: Account) async throws {
    guard account.capabilities.contains(.labels), !account.needsSignIn else { return }
    let source = context.sources.source(of: account)
    guard let labels = source.labels else { return }
    var delivery = AccountLabelDelivery(
      account: account.id, labels: labels, isAsked: isAsked,
      judge: RefusalJudge(
        store: context.store, account: account, subscriptions: source.subscriptions))
    try await delivery.run()
  }
}

private struct AccountLabelDelivery {
  let account: AccountID
  let labels: any LabelSource
  let isAsked: Bool
  var judge: RefusalJudge
  private var store: Store { judge.store }

  mutating func run() async throws {
    var last: Int64 = 0
    while true {
      try Task.checkCancellation()
      guard let call = try await begin(after: last, limit: max(1, labels.limit)),
        let end = call.items.last?.id
      else { break }
      last = end
      guard try await send(call) else { return }
    }
    try await judge.settle()
  }

  private func begin(after number: Int64, limit: Int) async throws -> LabelCall? {
    let (account, isAsked) = (account, isAsked)
    return try await store.edit {
      try $0.labels.beginSending(of: account, after: number, limit: limit, refusedToo: isAsked)
    }
  }

  /// - Returns: whether the delivery goes on.
  private mutating func send(_ call: LabelCall) async throws -> Bool {
    do {
      try await set(call)
      judge.hasTaken = true
      return true
    } catch let error as SourceError where error.kind != .cancelled {
      guard error.isRefusal else {
        try await judge.settle()
        try await store.edit { try $0.outbox.recordFailure(call.items[0], error) }
        return false
      }
      guard try await judge.isLetIn() else { return false }
      guard call.items.count > 1 else {
        return try await judge.refuse(call.items[0], error, trying: takenOfAny)
      }
    }
    // One of them may be to blame.
    for half in call.halves {
      guard try await send(half) else { return false }
    }
    return true
  }

  private func set(_ call: LabelCall) async throws {
    try await labels.set(call.label, call.isSet, on: call.ids)
    let account = account
    try await store.finish { try $0.labels.finishSending(call.items, of: account) }
  }

  private func takenOfAny(round: Int) async throws -> Int64? {
    let (account, isAsked) = (account, isAsked)
    let numbers = try await store.view {
      try $0.labels.waitingTags(of: account).filter { isAsked || !$0.isRefused }.map(\.id)
    }
    for place in RefusalSample.places(of: numbers.count, round: round) {
      try Task.checkCancellation()
      guard let call = try await begin(after: numbers[place] - 1, limit: 1) else { continue }
      do {
        try await set(call)
        return call.items.first?.id
      } catch let error as SourceError where error.kind != .cancelled {
        guard error.isRefusal else { return nil }
      }
    }
    return nil
  }
}
