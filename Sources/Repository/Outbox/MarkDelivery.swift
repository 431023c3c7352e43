internal import News
internal import Store

/// Delivery of marks from the outbox to the servers of their accounts.
struct MarkDelivery {
  let context: RepositoryContext
  private var store: Store { context.store }

  /// Sends marks, those of an account in the order in which they were made. A mark that cannot be sent
  /// stays in the outbox with the reason, and so do those after it in its account.
  func deliver(_ items: [OutboxItem]) async throws {
    let accounts = Dictionary(grouping: items) { $0.account }
    for (id, items) in accounts.sorted(by: { ($0.key ?? .local) < ($1.key ?? .local) }) {
      guard let id, let account = try await store.view({ try $0.account(id) }),
        let sink = context.sources.source(of: account).marks
      else { continue }
      try await deliver(items, to: sink)
    }
  }

  private func deliver(_ items: [OutboxItem], to sink: any MarkSink) async throws {
    var rest = items[...]
    while let first = rest.first {
      try Task.checkCancellation()
      let (chunk, marks) = try await store.view { [rest] in try $0.chunk(of: rest, sink.limit) }
      rest = rest.dropFirst(chunk.count)
      do {
        // One change can be more marks than a call takes.
        for start in stride(from: 0, to: marks.count, by: max(1, sink.limit)) {
          try await sink.send(Array(marks[start..<min(start + max(1, sink.limit), marks.count)]))
        }
        try await store.finish { try $0.removeFromOutbox(chunk) }
      } catch let error as SourceError where error.kind != .cancelled {
        try await store.edit { try $0.recordDeliveryFailure(first, error) }
        return
      }
    }
  }
}

extension StoreView {
  /// The first changes that fit into one call, at least one, with their marks.
  fileprivate func chunk(
    of items: ArraySlice<OutboxItem>, _ limit: Int
  ) throws -> (items: [OutboxItem], marks: [EntryMark]) {
    var chunk: [OutboxItem] = []
    var marks: [EntryMark] = []
    for item in items {
      let more = try self.marks(of: item)
      if !chunk.isEmpty, marks.count + more.count > limit { break }
      chunk.append(item)
      marks += more
    }
    return (chunk, marks)
  }
}
