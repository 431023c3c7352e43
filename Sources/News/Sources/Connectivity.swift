/// State of this machine's network, as far as the system reports it.
///
/// An observation, not a permission: it decides about messages and automatic attempts, while requests of
/// the user are always sent.
package enum Connectivity: Hashable, Sendable {
  /// The system does not report it.
  case unknown
  case offline
  /// `isMetered`: whether the system reports that transfers cost money.
  case online(isMetered: Bool)

  package var isOffline: Bool { self == .offline }

  /// Whether automatic requests should be avoided.
  package var isMetered: Bool { self == .online(isMetered: true) }

  /// Whether the network is back after `earlier`, so that failed requests should be repeated.
  package func isRecovery(from earlier: Connectivity) -> Bool {
    guard case .online = self else { return false }
    return earlier.isOffline
  }
}
