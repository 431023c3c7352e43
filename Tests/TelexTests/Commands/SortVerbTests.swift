internal import FeedServer
internal import Foundation
internal import Testing

/// `sort:` in queries of verbs.
@Suite struct SortVerbTests {
  @Test(arguments: ["oldest", "feed", "title"])
  func `A sorted list goes on after any of its lines`(_ order: String) async throws {
    try await withNewspaper(newspaper(9)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.add(server.baseURL + "/atom.xml")
      #expect(try await sandbox.telex("refresh").status == 0)
      let all = try await sandbox.articles("sort:\(order)")
      #expect(all.count == 18)
      let dates = all.compactMap { $0["date"] as? String }
      switch order {
      case "oldest": #expect(dates == dates.sorted())
      case "feed":
        #expect(all.prefix(9).allSatisfy { $0["feedID"] as? Int == all[0]["feedID"] as? Int })
      default:
        let titles = all.compactMap { $0["title"] as? String }
        #expect(titles == titles.sorted())
      }
      var ids: [Int] = []
      var cursor: [String] = []
      for _ in 0..<5 {
        let part = try await sandbox.telex(
          ["articles", "--json", "sort:\(order)", "--limit", "4"] + cursor
        ).jsonLines()
        ids += part.compactMap { $0["id"] as? Int }
        guard let next = part.last?["cursor"] as? String else { break }
        cursor = ["--cursor", next]
      }
      #expect(ids == all.compactMap { $0["id"] as? Int })
      // What is true of all articles is no query for a change.
      #expect(try await sandbox.telex("read", "sort:\(order)").status == 2)
    }
  }
}
