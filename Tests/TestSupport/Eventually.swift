/// Waits until a condition holds, looking every other millisecond.
///
/// - Parameter limit: shorter than anything else that could end the wait, where what ends it is tested.
/// - Returns: false where the condition did not hold in time.
package func eventually(
  within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return false
}

/// How long a server may take to see that a connection is closed: less than the silence limit of a
/// request, which would close it too.
package let closingTime = Duration.seconds(15)
