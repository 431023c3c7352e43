import ChildProcess
import FeedServer
import Foundation
import TestSupport
import Testing

/// Two programs that share one sign-in.
@Suite(.timeLimit(.minutes(5)))
struct SharedSignInTests {
  private static let password = "pa55word"

  private func withSignIn(_ body: (FeedServer, Sandbox) async throws -> Void) async throws {
    try await withNewspaper(newspaper(60)) { server, sandbox in
      server.addUser("ada", password: Self.password)
      let outcome = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: Self.password + "\n")
      try #require(outcome.status == 0, "\(outcome.testDescription)")
      try await sandbox.add(server.apiURL)
      server.expireAccessTokens()
      server.forgetRequests()
      try await body(server, sandbox)
    }
  }

  private func start(_ sandbox: Sandbox, _ arguments: String...) throws -> ChildProcess {
    let environment = ["HOME": sandbox.folder, "LANG": "C.UTF-8"]
    return try ChildProcess(
      BuiltProduct.path(of: "telex"), arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
        .filter { !$0.key.hasPrefix("XDG_") }, in: sandbox.folder)
  }

  private func renewals(_ server: FeedServer) -> [WireRequest] {
    server.requests.filter { $0.path.hasSuffix("/session/refresh") }
  }

  /// Longer than a process used to wait, for its look at the tokens and again for their renewal, before it
  /// went on without the lock.
  @Test func `A stopped process keeps its lock, and the token is spent once`() async throws {
    try await withSignIn { server, sandbox in
      server.inject(.delay(milliseconds: 500), on: "/api/session/refresh", times: nil)
      let first = try start(sandbox, "refresh")
      #expect(await eventually { renewals(server).count == 1 })
      first.signal(SIGSTOP)
      // It needs the same tokens, but none of the feeds that the first has claimed.
      let second = try await sandbox.telex("comments", "1", "--timeout", "44")
      #expect(second.status == 1, "\(second.testDescription)")
      #expect(renewals(server).count == 1)
      first.signal(SIGCONT)
      #expect(await first.end() == .exited(0), "\(first.errors)")
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(renewals(server).count == 1)
      #expect(server.openSessions == 1)
    }
  }

  @Test func `A process that was killed while it renewed leaves the session to the next`()
    async throws
  {
    try await withSignIn { server, sandbox in
      server.inject(.delay(milliseconds: 60_000), on: "/api/session/refresh")
      let first = try start(sandbox, "refresh")
      // The server has spent the token by then; its answer has not come.
      #expect(await eventually { renewals(server).count == 1 })
      first.kill()
      let second = try await sandbox.telex("comments", "1")
      #expect(second.status == 0, "\(second.testDescription)")
      let keys = renewals(server).map { $0.header("Idempotency-Key") }
      #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
      #expect(server.openSessions == 1)
    }
  }

  @Test func `A command whose time is over waits for the tokens that it has asked for`()
    async throws
  {
    try await withSignIn { server, sandbox in
      server.inject(.delay(milliseconds: 3_000), on: "/api/session/refresh")
      let first = try await sandbox.telex("refresh", "--timeout", "1")
      #expect(first.status == 1)
      #expect(first.errors.contains("being renewed"), "\(first.testDescription)")
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(renewals(server).count == 1)
    }
  }
}
