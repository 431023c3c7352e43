import FeedServer
import Foundation
import Synchronization
import TestSupport
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
    #expect(refresh.wants(1, at: now) == .load(1))
    #expect(refresh.wants(2, at: now) == .wait)
    #expect(refresh.end(.loaded(nil), of: 1, at: now) == ([1, 2], .signIn))
    #expect(refresh.wants(3, at: now) == .signIn)
    #expect(refresh.refused("a1", 3, at: now) == .signIn)
    // Somebody may have signed in elsewhere: it is looked at again.
    let later = now.addingTimeInterval(TokenRefresh.memory)
    #expect(refresh.wants(4, at: later) == .load(2))
    #expect(refresh.end(.loaded(pair(1)), of: 2, at: later) == ([4], .askAgain))
    #expect(refresh.wants(4, at: later) == .use(pair(1)))
  }

  @Test(arguments: [(61.0, false), (60, true), (1, true), (-5, true)])
  func `A token that ends within a minute is renewed first`(seconds: Double, isRenewed: Bool) {
    let old = pair(1, lasting: seconds)
    var refresh = TokenRefresh(old)
    #expect(refresh.wants(1, at: now) == (isRenewed ? .renew(old, 1) : .use(old)))
  }

  @Test func `Fifty that are refused together renew once`() {
    var refresh = TokenRefresh(pair(1))
    for caller in 1...50 { #expect(refresh.wants(caller, at: now) == .use(pair(1))) }
    #expect(refresh.refused("a1", 1, at: now) == .renew(pair(1), refresh.flight))
    for caller in 2...50 { #expect(refresh.refused("a1", caller, at: now) == .wait) }
    // And so does one that only now begins.
    #expect(refresh.wants(51, at: now) == .wait)
    let (callers, release) = refresh.end(.renewed(pair(2)), of: refresh.flight, at: now)
    #expect(callers == Set(1...51))
    #expect(release == .use(pair(2)))
    #expect(refresh.wants(52, at: now) == .use(pair(2)))
  }

  @Test func `A late 401 for an old token renews nothing`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1, at: now)
    _ = refresh.end(.renewed(pair(2)), of: refresh.flight, at: now)
    #expect(refresh.refused("a1", 2, at: now) == .use(pair(2)))
    #expect(refresh.refused("a2", 3, at: now) == .renew(pair(2), refresh.flight))
  }

  @Test func `A renewal that fails lets the next one try`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1, at: now)
    let (callers, release) = refresh.end(.failed, of: refresh.flight, at: now)
    #expect(callers == [1] && release == .fail)
    #expect(refresh.refused("a1", 2, at: now) == .renew(pair(1), refresh.flight))
  }

  @Test func `A renewal that fails early leaves the seconds there are`() {
    let old = pair(1, lasting: 40)
    var refresh = TokenRefresh(old)
    _ = refresh.wants(1, at: now)
    #expect(refresh.end(.failed, of: refresh.flight, at: now).1 == .use(old))
    _ = refresh.wants(1, at: now)
    #expect(refresh.end(.failed, of: refresh.flight, at: now.addingTimeInterval(41)).1 == .fail)
    // Not when the server has refused it in the meantime.
    _ = refresh.wants(1, at: now)
    _ = refresh.refused("a1", 2, at: now)
    #expect(refresh.end(.failed, of: refresh.flight, at: now).1 == .fail)
  }

  @Test func `A refresh token that is refused asks for a sign-in, once and for all`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1, at: now)
    _ = refresh.refused("a1", 2, at: now)
    let (callers, release) = refresh.end(.refused, of: refresh.flight, at: now)
    #expect(callers == [1, 2] && release == .signIn)
    #expect(refresh.wants(3, at: now) == .signIn)
    #expect(refresh.replace(pair(9), at: now) == [])
    #expect(refresh.wants(3, at: now) == .use(pair(9)))
  }

  @Test func `One that leaves is not answered, and the renewal goes on`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1, at: now)
    _ = refresh.refused("a1", 2, at: now)
    refresh.leave(1)
    #expect(refresh.isRenewing)
    #expect(refresh.end(.renewed(pair(2)), of: refresh.flight, at: now).0 == [2])
  }

  @Test func `Signing out during a renewal lets everybody go`() {
    var refresh = TokenRefresh(pair(1))
    _ = refresh.refused("a1", 1, at: now)
    let flight = refresh.flight
    #expect(refresh.replace(nil, at: now) == [1])
    // What the renewal brings now is not anybody's, not even if another one is under way.
    #expect(refresh.end(.renewed(pair(2)), of: flight, at: now) == ([], .fail))
    #expect(refresh.wants(2, at: now) == .signIn)
    _ = refresh.replace(pair(3), at: now)
    _ = refresh.refused("a3", 4, at: now)
    #expect(refresh.end(.refused, of: flight, at: now) == ([], .fail))
    #expect(refresh.isRenewing)
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
@Suite(.timeLimit(.minutes(10)))
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

    func answer(_ request: WireRequest) -> [LoopbackServer.Step] {
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
          !state.refusesAll && request.header("authorization") == "Bearer \(state.access)"
        return [.response(isRight ? 200 : 401, isRight ? "yours" : "")]
      }
    }
  }

  private struct Signed: Authorizer {
    let origin: String
    let session: BearerSession
    func authorization(for url: HTTPURL) async throws -> Authorization? {
      url.origin == origin ? .bearer(session) : nil
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

  private func paths(_ server: LoopbackServer) -> [String] { server.requests.map(\.target) }

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
        var request = request
        for middleware in request.middlewares { try await middleware.prepare(&request) }
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

  @Test func `A redirect that changes only the port carries no credential`() async throws {
    let other = try LoopbackServer { _ in [.response(401, "")] }
    let server = try LoopbackServer { request in
      [.redirect(302, to: "http://127.0.0.1:\(other.port)/there")]
    }
    struct Keys: Authorizer {
      let origin: String
      let found: Authorization
      func authorization(for url: HTTPURL) async throws -> Authorization? {
        url.origin == origin ? found : nil
      }
    }
    let renewals = Mutexed(0)
    let pair = pair(1)
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: { pair }, save: { _ in },
        renew: { _ in
          renewals.value += 1
          return pair
        }), host: "h", now: { [now] in now })
    for authorization in [
      Authorization.credential(.basic(user: "u", password: "p")),
      .credential(.apiKey(header: "X-Own-Key", key: "k")), .bearer(session),
    ] {
      let client = ResilientClient(
        makeClient(),
        authorizer: Keys(origin: "http://127.0.0.1:\(server.port)", found: authorization))
      let error = await #expect(throws: HTTPError.self) {
        try await client.response(for: HTTPRequest(.get, server.url()))
      }
      #expect(error?.status == 401)
    }
    let sent = server.requests
    #expect(sent.map { $0.header("authorization") } == ["Basic dTpw", nil, "Bearer a1"])
    #expect(sent[1].header("x-own-key") == "k")
    for request in other.requests {
      #expect(request.header("authorization") == nil && request.header("x-own-key") == nil)
    }
    #expect(other.requests.count == 3)
    // It was not the token that was refused there.
    #expect(renewals.value == 0)
  }

  @Test(arguments: [307, 308])
  func `What is posted does not follow a redirect to another server`(status: Int) async throws {
    let other = try LoopbackServer { _ in [.response(200, "a9 r9")] }
    let server = try LoopbackServer { _ in
      [.redirect(status, to: "http://127.0.0.1:\(other.port)/steal")]
    }
    let request = HTTPRequest(
      .post, server.url("/session"), headers: ["Content-Type": "application/json"],
      body: Array(#"{"password":"hunter2"}"#.utf8))
    let kind = await kind { try await makeClient().response(for: request) }
    #expect(kind == .insecureRedirect)
    #expect(other.requests.isEmpty)
  }

  @Test func `A sign-in elsewhere is found without a restart`() async throws {
    let kept = Mutexed<TokenPair?>(nil)
    let time = Mutexed(now)
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: { kept.value }, save: { kept.value = $0 },
        renew: { _ in throw HTTPError(.other, "nobody renews") }),
      host: "h", now: { time.value })
    await #expect(throws: HTTPError.self) { try await session.accessToken() }
    kept.value = pair(5)
    time.value += TokenRefresh.memory
    #expect(try await session.accessToken() == "a5")
  }

  @Test func `Fifty that begin together look for the pair once`() async throws {
    let loads = Mutexed(0)
    let isHeld = Gate()
    let pair = pair(1)
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: {
          loads.value += 1
          while !isHeld.isOpen { try await Task.sleep(for: .milliseconds(1)) }
          return pair
        }, save: { _ in }, renew: { $0 }), host: "h", now: { [now] in now })
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await session.accessToken() } }
      #expect(await eventually { loads.value > 0 })
      isHeld.open()
      for try await token in group { #expect(token == "a1") }
    }
    #expect(loads.value == 1)
  }

  @Test func `A renewal that hangs keeps nobody beyond his deadline`() async throws {
    let isHeld = Gate()
    let pair = pair(1, lasting: -1)
    let session = BearerSession(
      backing: BearerSession.Backing(
        load: { pair }, save: { _ in },
        renew: { _ in
          while !isHeld.isOpen { try await Task.sleep(for: .milliseconds(1)) }
          return pair
        }), host: "h", now: { [now] in now })
    let error = await #expect(throws: HTTPError.self) {
      try await session.accessToken(before: .now + .milliseconds(20))
    }
    #expect(error?.kind == .timeout(.total))
    isHeld.open()
  }

  @Test func `No credential goes over plain http to another machine`() async throws {
    struct Everywhere: Authorizer {
      func authorization(for url: HTTPURL) async throws -> Authorization? {
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
