import ChildProcess
import FeedServer
import Foundation
import TestSupport
import Testing

/// Two programs that share one sign-in.
@Suite(.timeLimit(.minutes(10)))
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

  @Test func `A wait for another that signs in ends in time, and names it instead of the server`()
    async throws
  {
    try await withSignIn { server, sandbox in
      let secrets = sandbox.folder + "/.local/share/telex/secrets"
      let name = try FileManager.default.contentsOfDirectory(atPath: secrets)
        .first { $0.hasPrefix("account-") }
      let lock = open("\(secrets)/\(try #require(name))", O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      try #require(flock(lock, LOCK_EX) == 0)
      // Shorter than it would be waited for without a deadline.
      let waited = try await sandbox.telex("refresh", "--timeout", "2", deadline: .seconds(30))
      #expect(waited.status == 1)
      #expect(waited.errors.contains("telex: config: waiting for "), "\(waited.errors)")
      #expect(waited.errors.contains(" is busy with the sign-in at \(server.baseURL); try again"))
      #expect(!waited.errors.contains("took longer"), "\(waited.errors)")
      let told = try await sandbox.telex("comments", "1", "--timeout", "1", "--json").json()
      let error = try #require(told["error"] as? [String: Any])
      #expect(error["stage"] as? String == "config")
      #expect((error["message"] as? String)?.contains("is busy with the sign-in") == true)
      #if os(Linux)
        #expect(waited.errors.components(separatedBy: "(process \(getpid()))").count == 3)
        #expect((error["message"] as? String)?.contains("(process \(getpid()))") == true)
      #endif
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `A wait for another that changes the credentials ends in time`() async throws {
    try await withSignIn { _, sandbox in
      let secrets = sandbox.folder + "/.local/share/telex/secrets"
      let lock = open(secrets + "/credentials.lock", O_RDWR | O_CLOEXEC)
      defer { close(lock) }
      try #require(flock(lock, LOCK_EX) == 0)
      for verb in ["doctor", "refresh"] {
        // Shorter than it would be waited for without a deadline.
        let waited = try await sandbox.telex(verb, "--timeout", "1", deadline: .seconds(8))
        #expect(waited.status == 1)
        let told = (waited.output + waited.errors).split(whereSeparator: \.isWhitespace)
          .joined(separator: " ")
        #expect(told.contains("keeps the credentials to itself"), "\(waited.testDescription)")
      }
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
