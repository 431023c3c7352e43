/// Rule for the newest version of HTTP that a request is sent with. Older ones are agreed on with the server.
package struct HTTPVersionRule: Sendable, Hashable {
  package enum Version: Sendable, Hashable {
    /// HTTP/3 (QUIC), with a race against the others: a network without UDP costs a moment only.
    case three
    /// HTTP/2 over TLS, HTTP/1.1 otherwise.
    case two
    case one
  }

  /// How far the library has HTTP/3.
  package enum Support: Sendable, Hashable {
    case none
    /// It is an experiment in this release: the others are not tried beside it.
    case experimental
    case full
  }

  /// The first release of libcurl in which HTTP/3 is no experiment.
  static let firstRelease: UInt32 = 0x08_08_00

  package let support: Support

  /// - Parameter version: of libcurl, as in 0x080800.
  init(hasFeature: Bool, version: UInt32) {
    support = !hasFeature ? .none : version >= Self.firstRelease ? .full : .experimental
  }

  /// - Parameters:
  ///   - isDirect: without a proxy, which QUIC does not pass.
  ///   - isPinned: not every TLS library checks a pinned key for QUIC.
  func newest(isSecure: Bool, isDirect: Bool, isPinned: Bool, isUpgrade: Bool = false) -> Version {
    if isUpgrade { return .one }
    return support == .full && isSecure && isDirect && !isPinned ? .three : .two
  }
}
