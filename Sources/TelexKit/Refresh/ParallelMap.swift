extension Sequence where Self: Sendable, Element: Sendable {
  /// What `transform` makes of each element, in their order; at most `limit` are under way at once.
  ///
  /// The next element is taken when one is done, so that a sequence may be long. A throw cancels
  /// those under way, waits for them, and is thrown; so does the cancellation of the task, after
  /// which no element is begun. Which error comes out where several are thrown is a matter of time.
  func parallelMap<Value: Sendable>(
    atMost limit: Int, _ transform: @escaping @Sendable (Element) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      var values: [Value?] = []
      var elements = makeIterator()
      func begin() throws -> Bool {
        try Task.checkCancellation()
        guard let element = elements.next() else { return false }
        let index = values.count
        values.append(nil)
        group.addTask { (index, try await transform(element)) }
        return true
      }
      for _ in 0..<Swift.max(1, limit) { guard try begin() else { break } }
      while let (index, value) = try await group.next() {
        values[index] = value
        _ = try begin()
      }
      return values.compactMap { $0 }
    }
  }
}
