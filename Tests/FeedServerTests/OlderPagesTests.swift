internal import FeedServer
internal import Foundation
internal import News
internal import Testing

/// Feeds with archives, feeds with numbered pages, and exports.
@Suite struct OlderPagesTests {
  private func links(_ text: String) -> [String: String] {
    var links: [String: String] = [:]
    for match in text.matches(of: /<link rel="([a-z-]+)" href="([^"]*)"/) {
      links[String(match.1)] = String(match.2)
    }
    return links
  }

  @Test func `The archives are linked in both directions and marked as what they are`() async throws
  {
    try await withServer { server, client in
      let folder = server.baseURL + "/archive"
      let feed = try client.request("GET", "/archive/atom.xml").text
      #expect(links(feed)["prev-archive"] == "\(folder)/atom-7.xml")
      #expect(links(feed)["next"] == nil)
      #expect(!feed.contains("fh:archive"))
      // 300 articles: seven blocks of 40, and 20 that are the feed itself.
      #expect(feed.matches(of: /<entry>/).count == 20)
      let middle = try client.request("GET", "/archive/atom-3.xml").text
      #expect(links(middle)["prev-archive"] == "\(folder)/atom-2.xml")
      #expect(links(middle)["next-archive"] == "\(folder)/atom-4.xml")
      #expect(links(middle)["current"] == "\(folder)/atom.xml")
      #expect(middle.contains("<fh:archive"))
      #expect(middle.matches(of: /<entry>/).count == 40)
      let oldest = try client.request("GET", "/archive/atom-1.xml").text
      #expect(links(oldest)["prev-archive"] == nil)
      let newest = try client.request("GET", "/archive/atom-7.xml").text
      #expect(links(newest)["next-archive"] == nil)
    }
  }

  @Test(arguments: [
    "/archive/atom-0.xml", "/archive/atom-8.xml", "/archive/atom-01.xml", "/archive/atomic.xml",
    "/archive/rss.xml", "/wp/feed/?paged=31", "/wp/feed/?paged=9999", "/wp/other/",
  ])
  func `Beyond the oldest there is nothing`(path: String) async throws {
    try await withServer { _, client in
      let answer = try client.request("GET", path)
      #expect(answer.status == 404)
    }
  }

  @Test func `An archive stays what it is when something is published`() async throws {
    try await withServer { server, client in
      let before = try client.request("GET", "/archive/atom-7.xml").body
      server.insertFresh(5)
      #expect(try client.request("GET", "/archive/atom-7.xml").body == before)
      #expect(try client.request("GET", "/archive/atom.xml").text.contains("/id/new-5<"))
    }
  }

  @Test func `A numbered page names its program and no other page`() async throws {
    try await withServer { _, client in
      let first = try client.request("GET", "/wp/feed/").text
      #expect(first.contains("<generator>https://wordpress.org/"))
      #expect(!first.contains("rel=\"next\""))
      #expect(try client.request("GET", "/wp/feed/?paged=1").text.matches(of: /<item>/).count == 10)
      let last = try client.request("GET", "/wp/feed/?paged=30")
      #expect(last.status == 200)
      #expect(last.text.matches(of: /<item>/).count == 10)
    }
  }

  @Test func `An export has a line for each article, and each says what follows`() async throws {
    try await withServer { server, client in
      let answer = try client.request("GET", "/api/articles.ndjson")
      #expect(answer.isComplete)
      #expect(answer.headers["content-type"]?.hasPrefix("application/x-ndjson") == true)
      let lines = answer.text.split(separator: "\n")
      #expect(lines.count == 300)
      let objects = try lines.map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.map { $0["id"] as? String } == server.archive.articles.map(\.entry.id))
      var page = try #require(client.walk("/api/articles", limit: 100).first)
      page["cursor"] = objects[0]["cursor"]
      #expect(NSDictionary(dictionary: page) == NSDictionary(dictionary: objects[0]))

      let cursor = try #require(objects[99]["cursor"] as? String)
      let rest = try client.request("GET", "/api/articles.ndjson?cursor=\(cursor)").text
      #expect(rest.split(separator: "\n") == Array(lines[100...]))
      let last = try #require(objects[299]["cursor"] as? String)
      let nothing = try client.request("GET", "/api/articles.ndjson?cursor=\(last)")
      #expect(nothing.isComplete)
      #expect(nothing.body.isEmpty)
    }
  }

  @Test func `A repeated export has each article under another id each time`() async throws {
    try await withServer(articles: 20) { _, client in
      let text = try client.request("GET", "/api/articles.ndjson?repeat=3").text
      let ids = try text.split(separator: "\n").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return try #require(object?["id"] as? String)
      }
      #expect(ids.count == 60)
      #expect(Set(ids).count == 60)
      #expect(ids[25] == ids[5] + "~2")
      let cursor = try #require(
        text.split(separator: "\n")[25].firstMatch(of: /"cursor":"([^"]+)"/))
      let rest = try client.request("GET", "/api/articles.ndjson?repeat=3&cursor=\(cursor.1)").text
      #expect(rest.split(separator: "\n").count == 34)
    }
  }

  @Test func `Exports go wrong on demand`() async throws {
    try await withServer { server, client in
      let path = "/api/articles.ndjson?fault=bad-line:2,bad-line:300"
      let lines = try client.request("GET", path).text.split(separator: "\n")
      #expect(lines.count == 302)
      let isRead = lines.map { line in
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil
      }
      let bad = isRead.indices.filter { !isRead[$0] }
      #expect(bad == [2, 301])
      #expect(try client.request("GET", "/api/articles.ndjson?cursor=zz").status == 400)
      #expect(try client.request("GET", "/api/articles.ndjson?repeat=0").status == 400)
      #expect(try client.request("HEAD", "/api/articles.ndjson").status == 200)
      #expect(try client.request("GET", "/api/articles.ndjson?fault=status:503").status == 503)
      let cut = try client.request("GET", "/api/articles.ndjson?fault=cut:5000")
      #expect(!cut.isComplete)
      #expect(cut.body.count == 5000)
    }
  }
}
