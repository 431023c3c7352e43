internal import News
internal import Store

/// Delivery of marks from the outbox to the servers of their accounts.
struct MarkDelivery {
  let context: RepositoryContext
  /// Whether what a server has refused is sent once more.
  let isAsked: Bool
  private var store: Store { context.store }

  init(context: RepositoryContext, isAsked: Bool) {
    self.context = context
    self.isAsked = isAsked
  }

  /// Sends the marks of each account in the order in which they were made. What cannot be sent stays, with
  /// its reason, and what follows it in its account.
  func deliver() async throws {
    for account in try await store.view({ try $0.accounts() })
    where account.capabilities.contains(.takesMarks) && !account.needsSignIn {
      guard let sink = context.sources.source(of: account).marks else { continue }
      try await deliver(of: account, to: sink)
    }
  }

  private func deliver(of account: Account, to sink: any MarkSink) async throws {
    var size = CallSize(limit: sink.limit)
    var sent: Int64 = 0
    while true {
      try Task.checkCancellation()
      let (after, limit) = (sent, size.count)
      let call = try await store.edit {
        try $0.beginSending(of: account.id, after: after, limit: limit, refusedToo: isAsked)
      }
      guard let call, let first = call.items.first, let last = call.items.last else { return }
      sent = last.id
      do {
        // A batch may be more than one call takes.
        for start in stride(from: 0, to: call.marks.count, by: limit) {
          let marks = Array(call.marks[start..<min(start + limit, call.marks.count)])
          let time = try await ContinuousClock().measure { try await sink.send(marks) }
          size.adapt(to: time, marks: marks.count)
        }
        try await store.finish { try $0.finishSending(call.items, of: account) }
      } catch let error as SourceError where error.kind != .cancelled {
        try await store.edit { try $0.recordDeliveryFailure(first, error) }
        return
      }
    }
  }
}

/// How many marks go into one call: few for a server that takes long over them, whose answer would be lost
/// with the time that a call has, and many for a fast one.
struct CallSize {
  static let least = 25
  private static let first = 200

  private let limit: Int
  private(set) var count: Int

  init(limit: Int) {
    self.limit = max(1, limit)
    count = min(Self.first, self.limit)
  }

  mutating func adapt(to time: Duration, marks: Int) {
    if time > .seconds(5) {
      count = max(min(Self.least, limit), min(count, marks) / 2)
    } else if time < .seconds(1), marks >= count {
      count = min(count * 2, limit)
    }
  }
}
