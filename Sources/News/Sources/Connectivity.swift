/// Network state of this device, as far as the system reports it.
///
/// For messages and automatic attempts only: requests of the user are always sent.
package enum Connectivity: Hashable, Sendable {
  case unknown
  case offline
  /// `isMetered`: whether the system reports that transfers cost money.
  case online(isMetered: Bool)

  package var isOffline: Bool { self == .offline }

  package var isMetered: Bool { self == .online(isMetered: true) }

  /// Whether the network is back after `earlier`, so that failed requests should be repeated.
  package func isRecovery(from earlier: Connectivity) -> Bool {
    guard case .online = self else { return false }
    return earlier.isOffline
  }
}
