internal import FeedServer
internal import Foundation
internal import HTTP
internal import LoopbackTLS
internal import News
internal import Requirements
internal import Testing

@testable internal import Services

/// What a document that came over https names over plain http: it is asked for over https, and over
/// nothing else. What nobody serves over https is at a server without TLS, which notes each request.
@Suite(.needs(.openssl)) struct SecureDocumentTests {
  private static func json(_ id: String, next: String? = nil, icon: String = "") -> String {
    let next = next.map { "\"next_url\": \"\($0)\"," } ?? ""
    return """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T", \(next)
       "items": [{"id": "\(id)", "title": "\(id)"}]}
      """
  }

  private static func atom(_ id: String, _ relation: String, _ next: String) -> String {
    """
    <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link rel="\(relation)" \
    href="\(next)"/><entry><id>\(id)</id><title>\(id)</title></entry></feed>
    """
  }

  /// Runs the body with a folder that is served over TLS, and a server that has none.
  private func withServers(
    _ body: (TLSServer, _ plain: RawServer, Sources) async throws -> Void
  ) async throws {
    let folder = try await TLSServer(document: ("text/plain", ""))
    let plain = RawServer { _ in .reply(.rss(["secret"])) }
    try plain.start()
    do {
      try await body(folder, plain, makeSources(caFile: folder.certificate))
    } catch {
      await plain.stop()
      throw error
    }
    await plain.stop()
  }

  @Test(arguments: ["next_url", "next", "prev-archive"])
  func `An older page that is named over http is asked for over https`(
    relation: String
  ) async throws {
    try await withServers { folder, _, sources in
      let next = "http://localhost:\(folder.port)/older"
      try folder.put(
        "feed", relation == "next_url" ? Self.json("1", next: next) : Self.atom("1", relation, next)
      )
      try folder.put("older", Self.json("2"))
      let feed = feed(folder.url + "feed")
      let newest = try await sources.page(of: feed)
      #expect(newest.entries.map(\.title) == ["1"])
      let older = try await sources.page(of: feed, after: newest.nextCursor)
      #expect(older.entries.map(\.title) == ["2"])
    }
  }

  @Test(arguments: [true, false])
  func `An older page that does not come over https is refused`(isStored: Bool) async throws {
    try await withServers { folder, plain, sources in
      let next = "http://localhost:\(plain.port)/older"
      try folder.put("feed", Self.json("1", next: next))
      let feed = feed(folder.url + "feed")
      // As an earlier Telex has stored it, or as this one reads it.
      let cursor = try await isStored ? Cursor(next) : sources.page(of: feed).nextCursor
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed, after: cursor)
      }
      #expect(error?.kind == .insecure)
      #expect(error?.message.contains("over plain http, and over https") == true)
      #expect(plain.requests.isEmpty)
    }
  }

  @Test func `A page over https leads to a feed over https`() async throws {
    try await withServers { folder, _, sources in
      try folder.put("feed", Self.json("1"))
      try folder.put(
        "page", type: "text/html",
        """
        <link rel="alternate" type="application/rss+xml" \
        href="http://localhost:\(folder.port)/feed"><p>A page.
        """)
      let found = try await sources.discover(folder.url + "page")
      guard case .feed(let located) = found else {
        Issue.record("\(found)")
        return
      }
      #expect(located.url == folder.url + "feed")
    }
  }

  @Test(arguments: ["link", "refresh", "header"])
  func `A feed that a page over https names over http only is refused`(
    place: String
  ) async throws {
    try await withServers { folder, plain, sources in
      let feed = "http://localhost:\(plain.port)/feed.xml"
      let page =
        switch place {
        case "link": "<link rel=alternate type='application/rss+xml' href='\(feed)'>"
        case "refresh": "<meta http-equiv=refresh content='0; url=\(feed)'>"
        default: ""
        }
      try folder.put(
        "page", type: "text/html",
        fields: place == "header"
          ? "Link: <\(feed)>; rel=alternate; type=\"application/rss+xml\"\r\n" : "",
        page + "<p>Page")
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(folder.url + "page")
      }
      if place != "refresh" {
        #expect(error?.message.contains("over plain http, and over https") == true)
        #expect(error?.next?.contains("http://") == true)
      }
      #expect(plain.requests.isEmpty)
    }
  }

  @Test func `A feed is not taken from a choice over plain http`() async throws {
    try await withServers { folder, plain, sources in
      let links = (1...2).map {
        "<link rel=alternate type='application/rss+xml' href='http://localhost:\(plain.port)/\($0)'>"
      }
      try folder.put("page", type: "text/html", links.joined() + "<p>Page")
      let found = try await sources.discover(folder.url + "page")
      guard case .choice(let choice) = found else {
        Issue.record("\(found)")
        return
      }
      #expect(choice.map(\.url) == (1...2).map { "https://localhost:\(plain.port)/\($0)" })
      let error = await #expect(throws: SourceError.self) {
        try await sources.locate(oneOf: choice, namedBy: folder.url + "page")
      }
      #expect(error?.message.contains("over plain http, and over https") == true)
      #expect(plain.requests.isEmpty)
    }
  }

  @Test(arguments: [301, 302, 308])
  func `A redirect to http is followed over https`(status: Int) async throws {
    try await withServers { folder, _, sources in
      try folder.put(
        "old", status: status, fields: "Location: http://localhost:\(folder.port)/feed\r\n", "")
      try folder.put("feed", Self.json("1"))
      let source = sources.source(for: feed(folder.url + "old"))
      let answer = try await source.page(after: nil, known: KnownPage())
      #expect(answer.movedTo == (status == 302 ? nil : folder.url + "feed"))
    }
  }

  @Test func `A redirect to what there is over http only is refused`() async throws {
    try await withServers { folder, plain, sources in
      try folder.put(
        "old", status: 301, fields: "Location: http://localhost:\(plain.port)/feed\r\n", "")
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(folder.url + "old"))
      }
      #expect(error?.kind == .redirect)
      #expect(error?.message.contains("redirects from https to plain http, and over https") == true)
      #expect(plain.requests.isEmpty)
    }
  }
}
