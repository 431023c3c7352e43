extension Sequence where Self: Sendable, Element: Sendable {
  /// The values of `transform` for each element, in the order of the elements; at most `limit`
  /// calls run at once.
  ///
  /// An element is taken when a call has ended, so that a sequence may be long. When a call throws,
  /// or the task is cancelled, no further call starts, those that run are cancelled and awaited,
  /// and the error is thrown; which one, where several throw, is not defined.
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
