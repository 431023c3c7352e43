package import Foundation

/// What an API gives for a sign-in: the token that opens it, and the one that gets the next pair.
package struct TokenPair: Codable, Hashable, Sendable {
  package var accessToken: String
  package var refreshToken: String
  /// When the access token ends.
  package var expires: Date

  package init(accessToken: String, refreshToken: String, expires: Date) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expires = expires
  }
}

extension TokenPair: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the tokens: what is printed by mistake gives nothing away.
  package var description: String { "TokenPair(until \(expires))" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["expires": expires]) }
}

/// Who gets which token, and when the pair is renewed: once at a time, whoever asks. Pure: what it
/// says is done by `BearerSession`.
///
/// A token that ends within a minute is renewed before it is used; one that was refused is renewed
/// unless that has happened already. Callers that come meanwhile wait for the one renewal.
package struct TokenRefresh: Sendable {
  package typealias Caller = Int

  /// What a caller is to do.
  package enum Answer: Hashable, Sendable {
    case use(TokenPair)
    /// Begin a renewal with this pair, and wait for it like everybody else.
    case renew(TokenPair)
    case wait
    /// Nobody is signed in.
    case signIn
  }

  /// What became of a renewal.
  package enum Outcome: Hashable, Sendable {
    case renewed(TokenPair)
    /// The server does not take the refresh token any more: only a sign-in helps.
    case refused
    /// It could not be found out; the next who asks tries again.
    case failed
  }

  package enum Release: Hashable, Sendable {
    case use(TokenPair)
    case signIn
    /// The renewal failed, for a reason that its initiator knows.
    case fail
  }

  /// A token that ends sooner is renewed before it is used.
  package static let margin: TimeInterval = 60

  private enum State: Sendable {
    case signedOut
    case ready(TokenPair)
    /// - Parameter isRefused: whether the server has refused the old access token, rather than that
    ///   it ends soon.
    case renewing(TokenPair, isRefused: Bool)
  }

  private var state: State
  private var waiting: Set<Caller> = []

  package init(_ pair: TokenPair?) {
    state = pair.map(State.ready) ?? .signedOut
  }

  package var isRenewing: Bool { if case .renewing = state { true } else { false } }

  /// The pair as it is now, about to be renewed or not.
  package var pair: TokenPair? {
    switch state {
    case .signedOut: nil
    case .ready(let pair), .renewing(let pair, _): pair
    }
  }

  /// A caller is about to send a request.
  package mutating func wants(_ caller: Caller, at now: Date) -> Answer {
    switch state {
    case .signedOut: return .signIn
    case .ready(let pair) where pair.expires.timeIntervalSince(now) > Self.margin:
      return .use(pair)
    case .ready(let pair): return begin(pair, caller, isRefused: false)
    case .renewing:
      waiting.insert(caller)
      return .wait
    }
  }

  /// A caller's request was answered with 401 although it bore this access token.
  package mutating func refused(_ accessToken: String, _ caller: Caller) -> Answer {
    switch state {
    case .signedOut: return .signIn
    // It was sent before the pair was renewed.
    case .ready(let pair) where pair.accessToken != accessToken: return .use(pair)
    case .ready(let pair): return begin(pair, caller, isRefused: true)
    case .renewing(let pair, let isRefused):
      state = .renewing(pair, isRefused: isRefused || pair.accessToken == accessToken)
      waiting.insert(caller)
      return .wait
    }
  }

  /// A waiting caller has lost interest. The renewal goes on: the pair may have been spent.
  package mutating func leave(_ caller: Caller) { waiting.remove(caller) }

  /// The renewal is over.
  ///
  /// - Returns: those who waited, and what each does now.
  package mutating func end(_ outcome: Outcome, at now: Date) -> (Set<Caller>, Release) {
    guard case .renewing(let old, let isRefused) = state else { return ([], .fail) }
    defer { waiting = [] }
    switch outcome {
    case .renewed(let pair):
      state = .ready(pair)
      return (waiting, .use(pair))
    case .refused:
      state = .signedOut
      return (waiting, .signIn)
    case .failed:
      state = .ready(old)
      // Some seconds are better than none.
      return (waiting, old.expires > now && !isRefused ? .use(old) : .fail)
    }
  }

  /// Somebody has signed in or out.
  ///
  /// - Returns: those who waited for a renewal that does not matter any more.
  package mutating func replace(_ pair: TokenPair?) -> Set<Caller> {
    defer { waiting = [] }
    state = pair.map(State.ready) ?? .signedOut
    return waiting
  }

  private mutating func begin(
    _ pair: TokenPair, _ caller: Caller, isRefused: Bool
  ) -> Answer {
    state = .renewing(pair, isRefused: isRefused)
    waiting = [caller]
    return .renew(pair)
  }
}
