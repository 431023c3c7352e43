internal import FeedServer
internal import Foundation
internal import Testing

let demo =
  URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/demo"

/// Monday, 9 March 2026, 07:05:00 UTC.
let now = Date(timeIntervalSince1970: 1_773_039_900)

/// Runs the body against a server of the demo.
func withServer(
  articles: Int = 300, _ body: (FeedServer, TestClient) async throws -> Void
) async throws {
  let archive = try Archive(directory: demo, now: now, count: articles)
  let server = try FeedServer(
    archive: archive, mediaDirectory: demo + "/media", clock: { now })
  try await server.whileServing { _ in
    try await body(server, TestClient(port: server.port))
  }
}

extension TestClient {
  /// Walks all pages of an address that answers with `items` and `nextCursor`.
  func walk(
    _ path: String, limit: Int, between: (_ page: Int) throws -> Void = { _ in }
  ) throws -> [[String: Any]] {
    var items: [[String: Any]] = []
    var cursor: String?
    for page in 1...1000 {
      let next = cursor.map { "&cursor=\($0)" } ?? ""
      let answer = try request("GET", "\(path)?limit=\(limit)\(next)").json()
      items += try #require(answer["items"] as? [[String: Any]])
      guard let found = answer["nextCursor"] as? String else { return items }
      #expect(found != cursor)
      cursor = found
      try between(page)
    }
    return items
  }
}
