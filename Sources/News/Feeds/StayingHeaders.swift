internal import Text

/// Headers of a feed that are not sent to the target of its redirect to another server.
package enum StayingHeaders: Hashable, Sendable {
  /// One with a secret, which has to be entered again for another server.
  case secret(header: String)
  /// Those without a secret, which are sent there once the user moves the feed.
  case open

  /// That they stay, as a part of a sentence.
  package var staying: String {
    switch self {
    case .secret(let header): "the secret header \(header) stays at its server"
    case .open: "the headers set for it stay at their server"
    }
  }

  package var next: String {
    switch self {
    case .secret(let header):
      "move it with x in Health (H), then give the secret of its new server: telex set FEED --header \(header)"
    case .open: "move it with x in Health (H); they go there then"
    }
  }
}

extension Feed {
  /// The headers that are not sent to an address; nil for none.
  package func stayingHeaders(askedAt address: String) -> StayingHeaders? {
    if let signIn, let header = signIn.header, !WebAddress.isAt(address, origin: signIn.origin) {
      return .secret(header: header)
    }
    return settings.headers.isEmpty || WebAddress.isAtServer(of: url, address) ? nil : .open
  }
}
