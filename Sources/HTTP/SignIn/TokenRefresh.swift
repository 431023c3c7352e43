package import Foundation

/// Tokens of a sign-in: one for the API, the other for the next pair.
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

  /// The Idempotency-Key of this pair's renewal, a hash of the refresh token: after a process was killed between
  /// renewing and storing, the server can give the next one the same answer.
  package var renewalKey: String {
    SHA256.digest(of: Array(refreshToken.utf8)).prefix(16)
      .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension TokenPair: Redacted {
  package var description: String { "TokenPair(until \(expires))" }
}

/// Decisions about a pair of tokens: who gets which, and when it is loaded and renewed, once at a time. Pure:
/// `BearerSession` performs them.
///
/// A token that ends within a minute is renewed before it is used; one that was refused is renewed unless that has
/// happened already. Callers that come meanwhile wait for the same flight.
package struct TokenRefresh: Sendable {
  package typealias Caller = Int
  /// Number of a load or renewal, by which late results are recognised.
  package typealias Flight = Int

  /// Instruction to a caller.
  package enum Answer: Hashable, Sendable {
    case use(TokenPair)
    /// Fetch the pair from where it is kept, and wait for it like everybody else.
    case load(Flight)
    /// Renew this pair, and wait for it like everybody else.
    case renew(TokenPair, Flight)
    case wait
    /// Nobody is signed in.
    case signIn
  }

  /// The end of a flight.
  package enum Outcome: Hashable, Sendable {
    case renewed(TokenPair)
    /// The stored pair; nil where there is none.
    case loaded(TokenPair?)
    /// The server does not take the refresh token any more: only a sign-in helps.
    case refused
    /// Not found out; the next caller tries again.
    case failed
  }

  /// How a waiting caller continues after a renewal.
  package enum Release: Hashable, Sendable {
    case use(TokenPair)
    /// The state has changed: ask again.
    case askAgain
    case signIn
    /// It failed, for a reason that its initiator knows.
    case fail
  }

  /// A token that ends sooner is renewed before it is used.
  package static let margin: TimeInterval = 60
  /// How long it is believed that nobody is signed in: another process may sign in.
  package static let memory: TimeInterval = 5

  private enum State: Sendable {
    case signedOut(since: Date?)
    case loading
    case ready(TokenPair)
    /// - Parameter isRefused: whether the server has refused the old access token.
    case renewing(TokenPair, isRefused: Bool)
  }

  private var state: State
  private var waiting: Set<Caller> = []
  package private(set) var flight: Flight = 0

  /// - Parameter pair: nil to load it when somebody asks.
  package init(_ pair: TokenPair?) {
    state = pair.map(State.ready) ?? .signedOut(since: nil)
  }

  package var isRenewing: Bool { if case .renewing = state { true } else { false } }

  /// A caller is about to send a request.
  package mutating func wants(_ caller: Caller, at now: Date) -> Answer {
    switch state {
    case .signedOut(let since): return look(since, caller, at: now)
    case .ready(let pair) where pair.expires.timeIntervalSince(now) > Self.margin:
      return .use(pair)
    case .ready(let pair): return begin(pair, caller, isRefused: false)
    case .loading, .renewing:
      waiting.insert(caller)
      return .wait
    }
  }

  /// A caller's request was answered with 401 although it bore this access token.
  package mutating func refused(_ accessToken: String, _ caller: Caller, at now: Date) -> Answer {
    switch state {
    case .signedOut(let since): return look(since, caller, at: now)
    // It was sent before the pair was renewed.
    case .ready(let pair) where pair.accessToken != accessToken: return .use(pair)
    case .ready(let pair): return begin(pair, caller, isRefused: true)
    case .renewing(let pair, let isRefused):
      state = .renewing(pair, isRefused: isRefused || pair.accessToken == accessToken)
      waiting.insert(caller)
      return .wait
    case .loading:
      waiting.insert(caller)
      return .wait
    }
  }

  /// A waiting caller has lost interest. The flight goes on: the pair may have been spent.
  package mutating func leave(_ caller: Caller) { waiting.remove(caller) }

  /// Ends a flight.
  ///
  /// - Returns: the callers that waited, and what each does now; none where somebody has signed in or out since.
  package mutating func end(
    _ outcome: Outcome, of flight: Flight, at now: Date
  ) -> (Set<Caller>, Release) {
    guard flight == self.flight else { return ([], .fail) }
    defer { waiting = [] }
    switch (outcome, state) {
    case (.loaded(let pair?), .loading):
      state = .ready(pair)
      return (waiting, .askAgain)
    case (.loaded(nil), .loading):
      state = .signedOut(since: now)
      return (waiting, .signIn)
    case (_, .loading):
      state = .signedOut(since: now)
      return (waiting, .fail)
    case (.renewed(let pair), .renewing):
      state = .ready(pair)
      return (waiting, .use(pair))
    case (.refused, .renewing):
      state = .signedOut(since: now)
      return (waiting, .signIn)
    case (_, .renewing(let old, let isRefused)):
      state = .ready(old)
      // Some seconds are better than none.
      return (waiting, old.expires > now && !isRefused ? .use(old) : .fail)
    case (_, .ready), (_, .signedOut): return ([], .fail)
    }
  }

  /// Somebody has signed in or out.
  ///
  /// - Returns: those who waited for a flight that does not matter any more.
  package mutating func replace(_ pair: TokenPair?, at now: Date) -> Set<Caller> {
    defer { waiting = [] }
    flight += 1
    state = pair.map(State.ready) ?? .signedOut(since: now)
    return waiting
  }

  private mutating func look(_ since: Date?, _ caller: Caller, at now: Date) -> Answer {
    if let since, abs(now.timeIntervalSince(since)) < Self.memory { return .signIn }
    flight += 1
    state = .loading
    waiting = [caller]
    return .load(flight)
  }

  private mutating func begin(_ pair: TokenPair, _ caller: Caller, isRefused: Bool) -> Answer {
    flight += 1
    state = .renewing(pair, isRefused: isRefused)
    waiting = [caller]
    return .renew(pair, flight)
  }
}
