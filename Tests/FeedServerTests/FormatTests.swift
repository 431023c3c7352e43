internal import FeedServer
internal import Foundation
internal import News
internal import Testing

@Suite struct FormatTests {
  @Test(arguments: [
    ("/rss.xml", "application/rss+xml", "<guid isPermaLink=\"false\">"),
    ("/atom.xml", "application/atom+xml", "<entry>"),
    ("/rdf.xml", "application/rdf+xml", "<item rdf:about="),
    ("/kitchen/rss.xml", "application/rss+xml", "<guid isPermaLink=\"false\">"),
  ])
  func `An XML feed is well-formed and holds its articles`(
    path: String, type: String, marker: String
  ) async throws {
    try await withServer { server, client in
      for target in [path, path + "?limit=100"] {
        let answer = try client.request("GET", target)
        #expect(answer.headers["content-type"] == type + "; charset=utf-8")
        let checked = XMLCheck.problem(in: answer.body)
        #expect(checked == nil)
        let expected = target == path ? 40 : path.hasPrefix("/k") ? nil : 100
        if let expected {
          #expect(answer.text.components(separatedBy: marker).count - 1 == expected)
        }
      }
    }
  }

  @Test func `The titles of the demo survive being written`() async throws {
    try await withServer { server, client in
      let text = try client.request("GET", "/rss.xml").text
      #expect(text.contains("Use &lt;b&gt; &amp; &quot;quotes&quot; in titles: what 5 &lt; 6"))
      #expect(text.contains("<pubDate>Mon, 09 Mar 2026 06:45:00 +0000</pubDate>"))
      #expect(text.contains("src=&quot;\(server.baseURL)/media/pontoon.png&quot;"))
      let atom = try client.request("GET", "/atom.xml").text
      #expect(atom.contains("<published>2026-03-09T06:45:00Z</published>"))
    }
  }

  @Test func `JSON Feed is paged by next_url to the last article`() async throws {
    try await withServer { server, client in
      var target: String? = "/feed.json"
      var ids: [String] = []
      while let asked = target {
        let answer = try client.request("GET", asked)
        #expect(answer.headers["content-type"] == "application/feed+json; charset=utf-8")
        let feed = try answer.json()
        #expect(feed["version"] as? String == "https://jsonfeed.org/version/1.1")
        let items = try #require(feed["items"] as? [[String: Any]])
        ids += items.compactMap { $0["id"] as? String }
        target = (feed["next_url"] as? String).map { String($0.dropFirst(server.baseURL.count)) }
        try #require(ids.count <= 300)
      }
      #expect(ids == server.archive.articles.map(\.entry.id))
    }
  }

  @Test(arguments: ["/rss.xml", "/atom.xml"])
  func `A feed names its older articles as RFC 5005 does`(path: String) async throws {
    try await withServer(articles: 90) { server, client in
      var target: String? = path
      var pages = 0
      while let asked = target {
        let text = try client.request("GET", asked).text
        let link = text.firstRange(of: "rel=\"next\" href=\"").map { text[$0.upperBound...] }
        target = link.map {
          String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
            .replacing(server.baseURL, with: "")
        }
        pages += 1
        try #require(pages <= 3)
      }
      #expect(pages == 3)
    }
  }

  @Test func `The front page names every feed`() async throws {
    try await withServer { server, client in
      let text = try client.request("GET", "/").text
      for name in ["rss.xml", "atom.xml", "rdf.xml", "feed.json", "api"] {
        #expect(text.contains("href=\"\(server.baseURL)/\(name)\""))
        #expect(try client.request("GET", "/" + name).status == 200)
      }
    }
  }

  @Test func `What an article points to on this server is there`() async throws {
    try await withServer(articles: 100) { server, client in
      var addresses: Set<String> = []
      for article in server.archive.articles {
        addresses.formUnion(article.entry.enclosures.map(\.url))
        addresses.formUnion(article.entry.url.map { [$0] } ?? [])
        for part in (article.entry.contentHTML ?? "").components(separatedBy: "=\"/").dropFirst() {
          addresses.insert("/" + part.prefix { $0 != "\"" })
        }
      }
      #expect(addresses.contains("/media/headland.png"))
      for address in addresses {
        #expect(try client.request("GET", address).status == 200, "\(address)")
      }
      for enclosure in server.archive.articles.flatMap(\.entry.enclosures) {
        guard let length = enclosure.length else { continue }
        let body = try client.request("GET", enclosure.url).body
        #expect(Int64(body.count) == length)
      }
    }
  }
}
