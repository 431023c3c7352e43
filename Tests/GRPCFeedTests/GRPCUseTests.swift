#if GRPC
  internal import Foundation
  internal import GRPCCore
  internal import News
  internal import SwiftProtobuf
  internal import Synchronization
  internal import TelexKit
  internal import Testing

  @testable internal import GRPCFeed

  /// A feed of a gRPC server in the hands of a front end: subscribed to, refreshed, read from the store.
  @Suite(.timeLimit(.minutes(10)))
  struct GRPCUseTests {
    @Test func `It is subscribed to, refreshed, and kept while the server is away`() async throws {
      let server = GRPCFeedServer()
      server.state.withLock { state in
        state.feed.title = "News"
        state.articles = [.with { ($0.id, $0.title) = ("1", "First") }]
      }
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "telex-grpc-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      GRPCWire.install()
      let composition = try Composition(folder: folder, settings: Settings()) { _ in }
      @Sendable func titles() throws -> [String] {
        var titles: [String] = []
        try Articles(composition).forEachRow(of: .all) { titles.append($0.title) }
        return titles
      }
      try await server.whileServing { url in
        let addition = try FeedAddition(composition, at: url)
        guard case .feed(let found) = try await addition.find() else {
          Issue.record("no feed was found")
          return
        }
        let added = try await addition.add(found)
        #expect(added.feed.displayTitle == "News" && added.feed.format == .grpc)
        #expect(try titles() == ["First"])
        server.state.withLock { state in
          state.articles.insert(.with { ($0.id, $0.title) = ("2", "Second") }, at: 0)
        }
        let report = try await FeedRefresh(composition).run()
        #expect(report.inserted == 1 && report.failed.isEmpty)
      }
      let report = try await FeedRefresh(composition).run()
      #expect(report.failed.map(\.error.kind) == [.refused])
      #expect(try titles().sorted() == ["First", "Second"])
    }
  }
#endif
