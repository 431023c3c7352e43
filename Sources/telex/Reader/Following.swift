internal import News
internal import Reader
internal import TelexKit

/// Follows a sequence of the store's values for as long as the task lives. Where the store cannot be read, that is told
/// once, and the sequence is begun again after a pause: a passing failure must not leave a part of the screen as it was
/// for the rest of the session.
///
/// - Parameters:
///   - pause: between two attempts.
///   - begin: begins the sequence; called again after each failure.
///   - fail: tells of a failure, unless no value has come since the last one.
nonisolated(nonsending) func follow<Values: AsyncSequence>(
  pause: Duration = .seconds(3), _ begin: () throws -> Values,
  fail: (SourceError) -> Void, _ take: (Values.Element) throws -> Void
) async {
  var isTold = false
  while true {
    do {
      for try await value in try begin() {
        isTold = false
        try take(value)
      }
      return
    } catch is CancellationError {
      return
    } catch {
      guard !Task.isCancelled else { return }
      if !isTold { fail(SourceError(describing: error)) }
      isTold = true
    }
    guard (try? await Task.sleep(for: pause)) != nil else { return }
  }
}

extension Inbox {
  /// Follows a sequence of the store's values, and tells of failures of the store.
  nonisolated(nonsending) func follow<Values: AsyncSequence>(
    _ begin: () throws -> Values, _ take: (Values.Element) throws -> Void
  ) async {
    await telex.follow(begin, fail: { send(.failed($0)) }, take)
  }
}
