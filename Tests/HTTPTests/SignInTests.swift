import Foundation
import Synchronization
import Testing

@testable import HTTP

struct TokenRefreshTests {
  private let now = Date(timeIntervalSince1970: 1_772_366_400)

  private func pair(_ number: Int, lasting seconds: Double = 3_600) -> TokenPair {
    TokenPair(
      accessToken: "a\(number)", refreshToken: "r\(number)",
      expires: now.addingTimeInterval(seconds))
  }

  @Test func `Nobody signed in is asked to sign in`() {
    var refresh = TokenRefresh(nil)
    #expect(refresh.wants(1, at: now) == .signIn)
    #expect(refresh.refused("a1", 1) == .signIn)
  }

  @Test(arguments: [(61.0, false), (60, true), (1, true), (-5, true)])
  func `A token that ends within a minute is renewed first`(seconds: Double, isRenewed: Bool) {
    let old = pair(1, lasting: seconds)
    var refresh = TokenRefresh(old)
    #expect(refresh.wants(1, at: now) == (isRenewed ? .renew(old) : .use(old)))
  }

  @Test func `Fifty that are refused together renew once`() {
    var refresh = TokenRefresh(pair(1))
    for caller in 1...50 { #expect(refresh.wants(caller, at: now) == .use(pair(1))) }
    #expect(refresh.refused("a1", 1) == .renew(pair(1)))
    for caller in 2...50 { #expect(refresh.refused("a1", caller) == .wait) }
    // And so does one that only now begins.
    #expect(refresh.wants(51, at: now) == .wait)
    let (callers, release) = refresh.end(.renewed(pair(2)), at: now)
    #expect(callers == Set(1...51))
    #expect(release == .use(pair(2)))
    #expect(refresh.wants(52, at: now) == .use(pair(2)))
  }

  @Test func `A late 401 for an old token renews nothing`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1)
    _ = refresh.end(.renewed(pair(2)), at: now)
    #expect(refresh.refused("a1", 2) == .use(pair(2)))
    #expect(refresh.refused("a2", 3) == .renew(pair(2)))
  }

  @Test func `A renewal that fails lets the next one try`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1)
    let (callers, release) = refresh.end(.failed, at: now)
    #expect(callers == [1] && release == .fail)
    #expect(refresh.refused("a1", 2) == .renew(pair(1)))
  }

  @Test func `A renewal that fails early leaves the seconds there are`() {
    let old = pair(1, lasting: 40)
    var refresh = TokenRefresh(old)
    _ = refresh.wants(1, at: now)
    #expect(refresh.end(.failed, at: now).1 == .use(old))
    _ = refresh.wants(1, at: now)
    #expect(refresh.end(.failed, at: now.addingTimeInterval(41)).1 == .fail)
    // Not when the server has refused it in the meantime.
    _ = refresh.wants(1, at: now)
    _ = refresh.refused("a1", 2)
    #expect(refresh.end(.failed, at: now).1 == .fail)
  }

  @Test func `A refresh token that is refused asks for a sign-in, once and for all`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1)
    _ = refresh.refused("a1", 2)
    let (callers, release) = refresh.end(.refused, at: now)
    #expect(callers == [1, 2] && release == .signIn)
    #expect(refresh.wants(3, at: now) == .signIn)
    #expect(refresh.replace(pair(9)) == [])
    #expect(refresh.wants(3, at: now) == .use(pair(9)))
  }

  @Test func `One that leaves is not answered, and the renewal goes on`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1)
    _ = refresh.refused("a1", 2)
    refresh.leave(1)
    #expect(refresh.isRenewing)
    #expect(refresh.end(.renewed(pair(2)), at: now).0 == [2])
  }

  @Test func `Signing out during a renewal lets everybody go`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1)
    #expect(refresh.replace(nil) == [1])
    // What the renewal brings now is not anybody's.
    #expect(refresh.end(.renewed(pair(2)), at: now) == ([], .fail))
    #expect(refresh.wants(2, at: now) == .signIn)
  }

  @Test func `A pair that is printed gives nothing away`() {
    let text = "\(pair(1)) \(String(reflecting: pair(1))) \([pair(1)])"
    var dumped = ""
    dump(pair(1), to: &dumped)
    for secret in ["a1", "r1"] {
      #expect(!text.contains(secret) && !dumped.contains(secret))
    }
  }
}

/// A server with tokens, and those who use them.
@Suite(.timeLimit(.minutes(5)))
struct BearerSessionTests {
  /// What a server knows of tokens.
  private final class Office: Sendable {
    struct State {
      var access = "a1"
      var refresh = "r1"
      var number = 1
      /// Opens to no token, and still renews.
      var refusesAll = false
      /// Statuses that the next renewals get instead.
      var troubles: [Int] = []
    }
    let state = Mutex(State())

    func answer(_ request: LoopbackServer.Request) -> [LoopbackServer.Step] {
      state.withLock { state in
        if request.target == "/refresh" {
          if !state.troubles.isEmpty { return [.response(state.troubles.removeFirst(), "")] }
          guard String(decoding: request.body, as: UTF8.self) == state.refresh else {
            return [.response(401, "")]
          }
          state.number += 1
          state.access = "a\(state.number)"
          state.refresh = "r\(state.number)"
          return [.response(200, "\(state.access) \(state.refresh)")]
        }
        let isRight =
          !state.refusesAll && request.headers["authorization"] == "Bearer \(state.access)"
        return [.response(isRight ? 200 : 401, isRight ? "yours" : "")]
      }
    }
  }

  private struct Signed: Authorizer {
    let origin: String
    let session: BearerSession
    func authorization(for origin: String) async throws -> Authorization? {
      origin == self.origin ? .bearer(session) : nil
    }
  }

  private let office = Office()
  private let stored = Mutexed<TokenPair?>(nil)
  private let now = Date(timeIntervalSince1970: 1_772_366_400)

  private func pair(_ number: Int, lasting seconds: Double = 3_600) -> TokenPair {
    TokenPair(
      accessToken: "a\(number)", refreshToken: "r\(number)",
      expires: now.addingTimeInterval(seconds))
  }

  private func withSession(
    _ body: (LoopbackServer, ResilientClient, BearerSession) async throws -> Void
  ) async throws {
    let (office, now) = (office, now)
    let server = try LoopbackServer { office.answer($0) }
    let client = makeClient()
    let origin = "http://127.0.0.1:\(server.port)"
    let stored = stored
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: { stored.value },
        save: { stored.value = $0 },
        renew: { pair in
          let response = try await client.response(
            for: HTTPRequest(
              .post, origin + "/refresh", headers: ["Content-Type": "text/plain"],
              body: Array(pair.refreshToken.utf8))
          ).validated()
          let words = String(decoding: response.body, as: UTF8.self).split(separator: " ")
          return TokenPair(
            accessToken: String(words[0]), refreshToken: String(words[1]),
            expires: now.addingTimeInterval(3_600))
        }), host: "127.0.0.1", now: { now })
    let time = FakeTime()
    let resilient = ResilientClient(
      client, gate: OriginGate(clock: time.clock), retries: RetryingSend(clock: time.clock),
      authorizer: Signed(origin: origin, session: session))
    try await body(server, resilient, session)
  }

  private func paths(_ server: LoopbackServer) -> [String] { server.log.requests.map(\.target) }

  @Test func `Fifty refused calls make one renewal, and all are answered`() async throws {
    stored.value = pair(1)
    office.state.withLock { $0.access = "changed" }
    try await withSession { server, client, _ in
      let base = server.url("/")
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for number in 0..<50 {
          group.addTask {
            try await client.response(for: HTTPRequest(.get, base + "\(number)")).body
          }
        }
        for try await body in group { #expect(body == Array("yours".utf8)) }
      }
      #expect(paths(server).count { $0 == "/refresh" } == 1)
    }
    #expect(stored.value?.accessToken == "a2")
  }

  @Test func `A token about to end is renewed before it is used`() async throws {
    stored.value = pair(1, lasting: 30)
    try await withSession { server, client, _ in
      _ = try await client.response(for: HTTPRequest(.get, server.url("/x")))
      #expect(paths(server) == ["/refresh", "/x"])
    }
  }

  @Test func `A 401 from the renewal asks for a sign-in, without a loop`() async throws {
    stored.value = pair(1)
    office.state.withLock { state in
      state.access = "another"
      state.refresh = "another"
    }
    try await withSession { server, client, session in
      let error = await #expect(throws: HTTPError.self) {
        try await client.response(for: HTTPRequest(.get, server.url("/x")))
      }
      #expect(error?.status == 401)
      #expect(paths(server) == ["/x", "/refresh"])
      // Signed out now: nothing is sent before a sign-in.
      _ = try? await client.response(for: HTTPRequest(.get, server.url("/y")))
      #expect(paths(server) == ["/x", "/refresh"])
      #expect(stored.value == nil)
      office.state.withLock { $0.access = "a9" }
      session.replace(pair(9))
      _ = try await client.response(for: HTTPRequest(.get, server.url("/z")))
    }
  }

  @Test func `A second 401 is the answer`() async throws {
    stored.value = pair(1)
    office.state.withLock { $0.refusesAll = true }
    try await withSession { server, client, _ in
      let error = await #expect(throws: HTTPError.self) {
        try await client.response(for: HTTPRequest(.get, server.url("/x")))
      }
      #expect(error?.status == 401)
      #expect(paths(server) == ["/x", "/refresh", "/x"])
    }
  }

  @Test func `A renewal that the server cannot do is tried again by the next`() async throws {
    stored.value = pair(1, lasting: -10)
    office.state.withLock { $0.troubles = [500] }
    try await withSession { server, client, _ in
      let error = await #expect(throws: HTTPError.self) {
        try await client.response(
          for: HTTPRequest(.post, server.url("/x"), headers: ["Content-Type": "a/b"], body: []))
      }
      #expect(error?.status == 500)
      _ = try await client.response(for: HTTPRequest(.get, server.url("/x")))
      #expect(paths(server) == ["/refresh", "/refresh", "/x"])
    }
    #expect(stored.value?.accessToken == "a2")
  }

  @Test func `What another process has renewed is used`() async throws {
    stored.value = pair(1)
    try await withSession { server, client, session in
      _ = try await client.response(for: HTTPRequest(.get, server.url("/x")))
      // The other process: it spends r1 and stores what it gets.
      office.state.withLock { state in
        state.access = "a7"
        state.refresh = "r7"
      }
      session.replace(pair(1))
      let other = BearerSession.Backing(
        load: { self.pair(7) }, save: { _ in },
        renew: { _ in throw HTTPError(.other, "nobody renews") })
      let second = BearerSession(backing: other, host: "h", now: { self.now })
      second.replace(pair(1))
      let response = try await second.answer(to: HTTPRequest(.get, server.url("/y"))) {
        try await client.client.response(for: $0)
      }
      #expect(response.head.status == 200)
    }
  }

  @Test func `A pair that cannot be stored is not used, and not lost`() async throws {
    let isFull = Mutexed(true)
    let renewals = Mutexed(0)
    let (now, old, new) = (now, pair(1, lasting: -1), pair(2))
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: { old },
        save: { _ in if isFull.value { throw HTTPError(.other, "full") } },
        renew: { _ in
          renewals.value += 1
          return new
        }), host: "h", now: { now })
    let sent = Mutexed<[String]>([])
    func send() async throws {
      _ = try await session.answer(to: HTTPRequest(.get, "https://h/")) { request in
        sent.value.append(request.headers["Authorization"] ?? "")
        return HTTPResponse(
          head: HTTPResponseHead(status: 200, headers: [:], url: "https://h/"), body: [])
      }
    }
    await #expect(throws: HTTPError.self) { try await send() }
    #expect(sent.value == [])
    isFull.value = false
    try await send()
    #expect(sent.value == ["Bearer a2"])
    #expect(renewals.value == 1)
  }

  @Test(arguments: ["/to-port", "/to-scheme"])
  func `A redirect to another port or scheme carries no credential`(path: String) async throws {
    let other = try LoopbackServer { _ in [.response(200, "")] }
    let server = try LoopbackServer { request in
      [.redirect(302, to: "http://127.0.0.1:\(other.port)/there")]
    }
    struct Keys: Authorizer {
      let origin: String
      let credential: Credential
      func authorization(for origin: String) async throws -> Authorization? {
        origin == self.origin ? .credential(credential) : nil
      }
    }
    for credential in [
      Credential.basic(user: "u", password: "p"), .apiKey(header: "X-Own-Key", key: "k"),
    ] {
      let client = ResilientClient(
        makeClient(),
        authorizer: Keys(origin: "http://127.0.0.1:\(server.port)", credential: credential))
      _ = try await client.response(for: HTTPRequest(.get, server.url(path)))
    }
    #expect(server.log.requests[0].headers["authorization"] == "Basic dTpw")
    #expect(server.log.requests[1].headers["x-own-key"] == "k")
    for request in other.log.requests {
      #expect(request.headers["authorization"] == nil && request.headers["x-own-key"] == nil)
    }
    #expect(other.log.requests.count == 2)
  }

  @Test func `No credential goes over plain http to another machine`() async throws {
    struct Everywhere: Authorizer {
      func authorization(for origin: String) async throws -> Authorization? {
        .credential(.basic(user: "u", password: "p"))
      }
    }
    let client = ResilientClient(makeClient(), authorizer: Everywhere())
    let error = await #expect(throws: HTTPError.self) {
      try await client.response(for: HTTPRequest(.get, "http://news.example/feed"))
    }
    #expect(error?.kind == .badRequest)
  }
}

/// A value that tasks share.
final class Mutexed<Value: Sendable>: Sendable {
  private let state: Mutex<Value>
  init(_ value: Value) { state = Mutex(value) }
  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
