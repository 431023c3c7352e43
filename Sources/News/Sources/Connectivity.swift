/// Whether this machine has a network, as far as it can tell.
///
/// An observation, not a permission: it drives what the screen says and when something is tried
/// again; a request that the user asks for is sent whatever stands here.
package enum Connectivity: Hashable, Sendable {
  /// Nobody could be asked. No reason to treat it as either of the others.
  case unknown
  case offline
  /// `isMetered`: whether what is transferred costs, as far as anybody says so.
  case online(isMetered: Bool)

  package var isOffline: Bool { self == .offline }

  /// Whether what nobody asked for is better left alone.
  package var isMetered: Bool { self == .online(isMetered: true) }

  /// Whether it is worth trying again what has failed, now that this has come after `earlier`.
  package func isRecovery(from earlier: Connectivity) -> Bool {
    guard case .online = self else { return false }
    return earlier.isOffline
  }
}
