internal import FeedServer
internal import Foundation
internal import News
internal import Testing

@Suite struct FeedAPITests {
  @Test func `The base URL says what the API is and lists the sections`() async throws {
    try await withServer { server, client in
      let base = try client.request("GET", "/api").json()
      #expect(base["api"] as? String == "telex-feed")
      #expect(base["version"] as? Int == 1)
      #expect(base["title"] as? String == server.archive.title)
      #expect(base["language"] as? String == "en")
      let feeds = try #require(base["feeds"] as? [[String: Any]])
      #expect(feeds.count == server.archive.sections.count)
      for feed in feeds {
        let url = try #require(feed["url"] as? String)
        #expect(url.hasPrefix(server.baseURL))
        let section = try client.request("GET", String(url.dropFirst(server.baseURL.count))).json()
        #expect(section["api"] as? String == "telex-feed")
        #expect(section["feeds"] is NSNull)
      }
    }
  }

  @Test(arguments: [1, 7, 50, 100])
  func `A walk yields every article exactly once, in the archive's order`(limit: Int) async throws {
    try await withServer { server, client in
      let ids = try client.walk("/api/articles", limit: limit).map { $0["id"] as? String }
      #expect(ids == server.archive.articles.map(\.entry.id))
      #expect(ids.count == 300)
    }
  }

  @Test func `Inserts between pages neither skip nor repeat an article`() async throws {
    try await withServer { server, client in
      let before = server.archive.articles.map(\.entry.id)
      server.inject(.insert(articles: 2), on: "/api/articles", skipping: 1, times: 5)
      let ids = try client.walk("/api/articles", limit: 30).map { $0["id"] as? String }
      #expect(ids == before)
      #expect(server.archive.articles.count == 310)
      let newest = try client.request("GET", "/api/articles?limit=11").json()
      let items = try #require(newest["items"] as? [[String: Any]])
      #expect(items.prefix(10).allSatisfy { ($0["id"] as? String)?.hasPrefix("new-") == true })
      #expect(items.last?["id"] as? String == before.first)
    }
  }

  @Test func `Articles of one second are ordered by id, and a page may end among them`()
    async throws
  {
    let date = now
    let ids = ["b", "é", "a", "z", "c"]
    let archive = Archive(
      title: "Ties",
      articles: ids.map {
        Archive.Article(entry: .init(id: $0, title: $0), section: "", published: date)
      })
    let server = try FeedServer(archive: archive)
    try await server.whileServing { _ in
      let client = try TestClient(port: server.port)
      let found = try client.walk("/api/articles", limit: 2).map { $0["id"] as? String }
      #expect(found == ["é", "z", "c", "b", "a"])
    }
  }

  @Test func `A section's pages hold that section's articles only`() async throws {
    try await withServer { server, client in
      for section in server.archive.sections {
        let expected = server.archive.articles.filter { $0.section == section.slug }
        #expect(!expected.isEmpty)
        let found = try client.walk("/\(section.slug)/api/articles", limit: 9)
        #expect(found.map { $0["id"] as? String } == expected.map(\.entry.id))
      }
    }
  }

  @Test(
    arguments: [
      (nil, 20), ("1", 1), ("100", 100), ("5000", 100),
    ] as [(String?, Int)])
  func `The limit is kept within its bounds`(limit: String?, count: Int) async throws {
    try await withServer { _, client in
      let query = limit.map { "?limit=\($0)" } ?? ""
      let page = try client.request("GET", "/api/articles" + query).json()
      #expect((page["items"] as? [Any])?.count == count)
      #expect(page["nextCursor"] is String)
    }
  }

  @Test func `An article has every member, and null for what is absent`() async throws {
    try await withServer { server, client in
      let page = try client.request("GET", "/api/articles?limit=40").json()
      let items = try #require(page["items"] as? [[String: Any]])
      let names: Set = [
        "id", "url", "title", "authors", "published", "updated", "contentHTML", "summary",
        "enclosures", "categories", "commentCount",
      ]
      for item in items { #expect(Set(item.keys) == names) }
      let bare = try #require(items.first { $0["id"] as? String == "empty-body" })
      #expect(bare["contentHTML"] is NSNull)
      #expect(bare["updated"] is NSNull)
      let rich = try #require(items.first { $0["id"] as? String == "podcast-signal-flags" })
      let enclosures = try #require(rich["enclosures"] as? [[String: Any]])
      #expect(enclosures.first?["length"] as? Int == 160_044)
      #expect(enclosures.last?["length"] is NSNull)
      let feed = try #require(page["feed"] as? [String: Any])
      #expect(Set(feed.keys) == ["title", "link", "description", "language"])
      #expect(feed["link"] as? String == server.baseURL + "/")
    }
  }

  @Test func `Each article is found under its id, whatever characters the id has`() async throws {
    try await withServer(articles: 31) { server, client in
      #expect(server.archive.article("notes/2026?draft#1") != nil)
      for article in server.archive.articles {
        let segment = article.entry.id.utf8.map { "%" + String(format: "%02X", $0) }.joined()
        let found = try client.request("GET", "/api/articles/\(segment)").json()
        #expect(found["id"] as? String == article.entry.id)
        #expect(found["title"] as? String == article.entry.title)
      }
    }
  }

  @Test(arguments: [
    ("GET", "/api/articles?cursor=nonsense", 400, "invalid_cursor"),
    ("GET", "/api/articles?limit=0", 400, "invalid_limit"),
    ("GET", "/api/articles?limit=many", 400, "invalid_limit"),
    ("GET", "/api/articles/unknown", 404, "not_found"),
    ("GET", "/api/articles/unknown/comments", 404, "not_found"),
    ("GET", "/api/elsewhere", 404, "not_found"),
    ("GET", "/media/../articles.json", 404, "not_found"),
    ("DELETE", "/api/articles", 405, "method_not_allowed"),
    ("POST", "/rss.xml", 405, "method_not_allowed"),
    ("GET", "/api/articles?fault=delay:soon", 400, "invalid_fault"),
  ])
  func `An error has a status, a code and a sentence`(
    method: String, target: String, status: Int, code: String
  ) async throws {
    try await withServer { _, client in
      let answer = try client.request(method, target)
      #expect(answer.status == status)
      #expect((answer.headers["allow"] != nil) == (status == 405))
      let body = try answer.json()
      #expect(Set(body.keys) == ["code", "message", "details", "fields"])
      #expect(body["code"] as? String == code)
      #expect((body["message"] as? String)?.hasSuffix(".") == true || code == "invalid_fault")
    }
  }

  @Test(arguments: ["/api", "/api/articles", "/rss.xml", "/", "/media/headland.png"])
  func `What has not changed is a 304, and what has is not`(path: String) async throws {
    try await withServer { server, client in
      let first = try client.request("GET", path)
      let etag = try #require(first.headers["etag"])
      let date = try #require(first.headers["last-modified"])
      #expect(first.headers["cache-control"] == "no-cache")
      for headers in [
        ["If-None-Match": etag], ["If-None-Match": "\"x\", W/\(etag)"],
        ["If-Modified-Since": date], ["If-None-Match": etag, "If-Modified-Since": "never"],
      ] {
        let again = try client.request("GET", path, headers: headers)
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.headers["etag"] == etag)
      }
      #expect(
        try client.request(
          "GET", path, headers: ["If-None-Match": "\"x\"", "If-Modified-Since": date]
        ).status == 200)
      server.insertFresh(1)
      let since = try client.request("GET", path, headers: ["If-Modified-Since": date])
      #expect(since.status == 200)
      if path == "/api/articles" || path == "/rss.xml" {
        #expect(since.headers["etag"] != etag)
      }
    }
  }

  @Test func `A HEAD has the headers of a GET and no body`() async throws {
    try await withServer { _, client in
      let whole = try client.request("GET", "/api/articles")
      let head = try client.request("HEAD", "/api/articles")
      #expect(head.status == 200)
      #expect(head.headers == whole.headers)
      #expect(try client.request("GET", "/api").status == 200)
    }
  }

  @Test func `The archive is the same for the same input`() throws {
    let first = try Archive(directory: demo, now: now, count: 120)
    let second = try Archive(directory: demo, now: now, count: 120)
    #expect(first.articles == second.articles)
    #expect(Set(first.articles.map(\.entry.id)).count == 120)
    let ties = zip(first.articles, first.articles.dropFirst()).filter { pair in
      pair.0.published == pair.1.published
    }
    #expect(!ties.isEmpty)
  }
}
