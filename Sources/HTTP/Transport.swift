/// Carries one request to a server and its response back: one hop, no redirect is followed, no
/// status is judged.
package protocol Transport: Sendable {
  /// Returns when the head has arrived.
  ///
  /// - Throws: `HTTPError`, or `CancellationError` when the task is cancelled; the connection is
  ///   closed then.
  func stream(_ request: HTTPRequest) async throws -> HTTPStream
}
