internal import Foundation

/// Who may see what: the people with their passwords, the tokens that are out, and which paths ask
/// for one.
struct SessionBook: Sendable {
  private struct Grant {
    let user: String
    let expires: Date
  }

  private struct Credentials: Decodable {
    let user: String
    let password: String
  }

  private struct Renewal: Decodable {
    let refreshToken: String
  }

  /// By name; nobody means that nothing is protected by tokens.
  var passwords: [String: String] = [:]
  /// Seconds that an access token lasts.
  var lifetime: Int64 = 900
  /// Path prefixes that ask for a sign-in of another kind.
  var protections: [(prefix: String, protection: FeedServer.Protection)] = []

  private var access: [String: Grant] = [:]
  /// Refresh tokens, each good for one renewal, and whose they are.
  private var refresh: [String: String] = [:]
  private var issued = 0
  /// What a refresh token was renewed to, by the token and its Idempotency-Key, for as long as that
  /// pair has not been renewed itself.
  private var renewals: [String: (refreshToken: String, reply: WireReply)] = [:]

  /// Ends all access tokens; refresh tokens stay good.
  mutating func expireAccessTokens() { access = [:] }

  /// Ends everything that was handed out.
  mutating func revokeAll() {
    access = [:]
    refresh = [:]
  }

  /// How many refresh tokens are good.
  var openSessions: Int { refresh.count }

  // MARK: - Guarding

  /// - Parameter asksForToken: whether the path belongs to the API and is not its description.
  /// - Throws: `APIError` 401 where the request is not signed as its path wants.
  func check(_ request: WireRequest, asksForToken: Bool, now: Date) throws {
    if asksForToken, !passwords.isEmpty {
      let bearer = request.header("Authorization").flatMap { value in
        value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : nil
      }
      guard let grant = bearer.flatMap({ access[$0] }), grant.expires > now else {
        throw APIError(
          status: 401, code: "unauthorized", message: "Sign in first.",
          challenge: "Bearer realm=\"Feed API\"")
      }
    }
    for (prefix, protection) in protections where request.path.hasPrefix(prefix) {
      guard protection.isSatisfied(by: request) else {
        throw APIError(
          status: 401, code: "unauthorized", message: "Sign in first.",
          challenge: protection.challenge)
      }
    }
  }

  /// Who asks, by the token of the request; nil for nobody.
  func user(of request: WireRequest) -> String? {
    guard let value = request.header("Authorization"), value.hasPrefix("Bearer ") else {
      return nil
    }
    return access[String(value.dropFirst(7))]?.user
  }

  /// Ends the access tokens of one user; refresh tokens stay good.
  mutating func expireAccessTokens(of user: String) { access = access.filter { $1.user != user } }

  // MARK: - The routes of a session

  /// `POST session`, `POST session/refresh` and `DELETE session`; nil for any other.
  mutating func answer(
    _ request: WireRequest, to route: ArraySlice<String>, now: Date
  ) throws -> WireReply? {
    switch (Array(route), request.method) {
    case (["session"], "POST"):
      let given = try Self.decode(Credentials.self, request)
      guard passwords[given.user] == given.password, !given.password.isEmpty else {
        throw APIError(
          status: 401, code: "wrong_credentials", message: "The name or the password is wrong.")
      }
      return hand(to: given.user, now: now).reply
    case (["session", "refresh"], "POST"):
      let given = try Self.decode(Renewal.self, request)
      let attempt = request.header("Idempotency-Key").map { "\($0) \(given.refreshToken)" }
      // Sent once more, because its answer was lost.
      if let known = attempt.flatMap({ renewals[$0] }), refresh[known.refreshToken] != nil {
        return known.reply
      }
      guard let user = refresh.removeValue(forKey: given.refreshToken) else {
        throw APIError(
          status: 401, code: "session_ended", message: "This session has ended: sign in again.")
      }
      let (refreshToken, reply) = hand(to: user, now: now)
      renewals = renewals.filter { refresh[$0.value.refreshToken] != nil }
      if let attempt { renewals[attempt] = (refreshToken, reply) }
      return reply
    case (["session"], "DELETE"):
      try check(request, asksForToken: true, now: now)
      let token = String(request.header("Authorization")?.dropFirst(7) ?? "")
      if let user = access.removeValue(forKey: token)?.user {
        refresh = refresh.filter { $0.value != user }
        access = access.filter { $0.value.user != user }
      }
      return WireReply(status: 204)
    case (["session"], _), (["session", "refresh"], _):
      throw APIError.methodNotAllowed(route.count == 1 ? "POST, DELETE" : "POST")
    default: return nil
    }
  }

  private mutating func hand(
    to user: String, now: Date
  ) -> (refreshToken: String, reply: WireReply) {
    issued += 1
    let seal = UUID().uuidString.lowercased()
    let (accessToken, refreshToken) = ("access-\(issued)-\(seal)", "refresh-\(issued)-\(seal)")
    access = access.filter { $0.value.expires > now }
    access[accessToken] = Grant(user: user, expires: now.addingTimeInterval(Double(lifetime)))
    refresh[refreshToken] = user
    let body = JSONText.object([
      ("accessToken", .string(accessToken)), ("refreshToken", .string(refreshToken)),
      ("expiresIn", .number(lifetime)),
    ])
    let reply = WireReply(
      headers: [("Content-Type", FeedDesk.jsonType), ("Cache-Control", "no-store")],
      body: body.bytes)
    return (refreshToken, reply)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ request: WireRequest
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(request.body))
    } catch {
      throw APIError(
        status: 400, code: "malformed_body", message: "The body is not what this address takes.")
    }
  }
}

extension FeedServer {
  /// A way to ask for a sign-in that web feeds use.
  package enum Protection: Hashable, Sendable {
    case basic(user: String, password: String)
    case apiKey(header: String, key: String)

    fileprivate var challenge: String? {
      if case .basic = self { "Basic realm=\"Feeds\"" } else { nil }
    }

    fileprivate func isSatisfied(by request: WireRequest) -> Bool {
      switch self {
      case .basic(let user, let password):
        let pair = Data("\(user):\(password)".utf8).base64EncodedString()
        return request.header("Authorization") == "Basic \(pair)"
      case .apiKey(let header, let key): return request.header(header) == key
      }
    }
  }
}
