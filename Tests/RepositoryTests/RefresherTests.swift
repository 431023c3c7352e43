internal import FeedServer
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// Calls that share one run of refreshes.
@Suite(.timeLimit(.minutes(10))) struct RefresherTests {
  @Test func `A call that waits for the run of another one can be cancelled by itself`()
    async throws
  {
    let gate = Gate()
    try await withAnswers({ request in
      gate.wait()
      return .reply(.rss(["\(request.path)"]))
    }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add(base + "/a")
      let repository = reader.repository
      let first = Task { try await repository.refresh(.all) }
      #expect(await eventually { server.requests.count == 1 })
      let second = Task { try await repository.refresh(.feeds(feeds.map(\.id))) }
      #expect(await eventually { await repository.refresher.waitingCalls == 1 })
      second.cancel()
      let cut = try await second.value
      #expect(cut.isCut && cut.outcomes.isEmpty)
      // The server has not answered yet, and the other call goes on.
      #expect(await repository.refresher.isRunning)
      gate.open()
      let report = try await first.value
      #expect(!report.isCut && report.inserted == 1)
    }
  }
}
