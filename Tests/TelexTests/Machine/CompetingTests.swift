import ChildProcess
import FeedServer
import Foundation
import TestSupport
import Testing

/// Several runs of `telex` on one store: killed, stopped, and in each other's way.
@Suite struct CompetingTests {
  @Test func `A refresh that is killed leaves its feeds to the next one at once`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try await hangingRefresh(of: server, in: sandbox)
      first.kill()
      server.clearFaults()
      server.insertFresh(1)
      // A claim that nobody renews would hold for two minutes.
      let next = try await sandbox.telex("refresh", "--json", deadline: .seconds(60)).json()
      #expect(next["new"] as? Int == 1 && next["byAnother"] as? Int == 0)
      let left = try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder)
      #expect(left.filter { $0.contains("claim-") } == [])
    }
  }

  @Test(arguments: [false, true])
  func `A refresh says for whom it waits, and waits for no longer than it may`(
    isStopped: Bool
  ) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try await hangingRefresh(of: server, in: sandbox)
      if isStopped { first.signal(SIGSTOP) }
      // Shorter than the first waits for the server, and than a claim holds that nobody renews.
      let waited = try await sandbox.telex("refresh", "--timeout", "2", deadline: .seconds(20))
      #expect(waited.status == 1)
      let other = "telex refresh (process \(first.identifier))"
      #expect(waited.errors.contains("waiting for \(other)"), "\(waited.testDescription)")
      #expect(waited.errors.contains("\(other) is still fetching it"))
      let told = try await sandbox.telex(
        "refresh", "--timeout", "0.1", "--json", deadline: .seconds(20))
      #expect(told.errors == "")
      let failed = try #require(try told.json()["failed"] as? [[String: Any]])
      let error = try #require(failed.first?["error"] as? [String: Any])
      #expect((error["message"] as? String)?.contains(other) == true)
      #expect(server.refreshes == 2, "the other's and that of adding it")
    }
  }

  @Test func `Waiting for another that opens the store ends in time, and names it`() async throws {
    let sandbox = try Sandbox()
    let folder = sandbox.folder + "/store"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let outcome = try await sandbox.telex("refresh", "--store", folder, "--timeout", "1")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("waiting for "), "\(outcome.errors)")
    #expect(outcome.errors.contains("is opening the store"), "\(outcome.errors)")
    #if os(Linux)
      #expect(outcome.errors.contains("(process \(getpid()))"), "\(outcome.errors)")
    #endif
  }

  /// A refresh whose server has taken the question and says nothing.
  private func hangingRefresh(
    of server: FeedServer, in sandbox: Sandbox
  ) async throws -> ChildProcess {
    server.inject(.hang, on: "/api", times: nil)
    let before = server.refreshes
    // It neither gives up nor asks again while the test looks on.
    let settings = try sandbox.file(
      "patient.toml", "[network]\nsilence_timeout = 600\ntotal_timeout = 600\n")
    let refresh = try ChildProcess(
      BuiltProduct.path(of: "telex"), ["refresh", "--config", settings],
      environment: ProcessInfo.processInfo.environment.merging(
        sandbox.home.compactMapValues { $0 }
      ) { $1 },
      in: sandbox.folder)
    let isAsked = await eventually { server.refreshes > before }
    try #require(isAsked, "\(refresh.output) \(refresh.errors)")
    return refresh
  }
}
