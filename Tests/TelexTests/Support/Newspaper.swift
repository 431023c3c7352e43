import FeedServer
import Foundation
import News

/// What the tests read: `Story 001`, the newest, and on, a minute apart. Each has a body with its
/// number, and the seventh one word that no other has.
func newspaper(
  _ count: Int, title: String = "The Loopback Times", url: (Int) -> String? = { "/read/\($0)" }
) -> Archive {
  let newest = Date(timeIntervalSince1970: 1_773_039_900)
  return Archive(
    title: title,
    articles: (0..<count).map { index in
      let number = String(format: "%03d", index + 1)
      let rare = index == 6 ? " A quokka was there." : ""
      return Archive.Article(
        entry: Entry(
          id: "story-\(number)", url: url(index + 1), title: "Story \(number)",
          authors: [Author("Ada")], contentHTML: "<p>The body of number \(number).\(rare)</p>",
          categories: [Category("loop")]),
        section: "", published: newest.addingTimeInterval(-60 * Double(index)))
    })
}

/// Runs the body while a newspaper is served.
func withNewspaper(
  _ archive: Archive = newspaper(60),
  _ body: nonisolated(nonsending) (FeedServer, Sandbox) async throws -> Void
) async throws {
  let server = try FeedServer(archive: archive)
  let sandbox = try Sandbox()
  try await server.whileServing { _ in try await body(server, sandbox) }
}

extension FeedServer {
  /// The cursors that pages of articles were asked for with, in order.
  var askedCursors: [String] {
    requests.filter { $0.path == "/api/articles" }.compactMap { $0.query("cursor") }
  }

  /// How often the newest page was asked for.
  var refreshes: Int {
    requests.count { $0.path == "/api/articles" && $0.query("cursor") == nil }
  }
}
