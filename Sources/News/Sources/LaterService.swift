/// Server that hands articles on to a service for reading later, which its user has set up there.
///
/// Throws as `PageSource` does.
package protocol LaterService: Sendable {
  /// Hands an article on. Sent twice, it may be there twice: that is up to the service.
  func saveForLater(_ id: String) async throws
}
