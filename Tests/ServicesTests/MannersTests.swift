internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// What servers learn of Telex, and what it says of those that do not want it.
@Suite struct MannersTests {
  @Test(arguments: [FeedFormat.rss, .api])
  func `Ids of requests go to the Feed API, and to no feed`(format: FeedFormat) async throws {
    try await withAnswers({ _ in
      .reply(
        format == .api
          ? WireReply(type: "application/json", text: #"{"items": [{"id": "a"}]}"#) : .rss(["a"]))
    }) { base, server, sources in
      _ = try await sources.page(of: feed(base, format: format))
      let request = try #require(server.requests.first)
      #expect((request.header("X-Request-ID") != nil) == (format == .api))
      #expect(request.header("X-Request-Attempt") == (format == .api ? "1" : nil))
    }
  }

  @Test func `An account at a sync server gets the ids of requests`() async throws {
    let server = SyncServer(.miniflux(.current))
    server.addUser("ada", password: "secret", library: readerLibrary(.miniflux, 3))
    try await server.whileServing { server in
      let client = MinifluxClient(
        SyncServerSettings(base: server.siteURL + "/v1", user: "ada"), .password,
        client: readerHTTP(1), secret: { "secret" })
      try await client.signIn()
      #expect(!server.requests.isEmpty)
      #expect(server.requests.allSatisfy { $0.header("X-Request-ID") != nil })
    }
  }

  private static let challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head>"

  @Test(arguments: [
    WireReply(status: 403, headers: [("cf-mitigated", "challenge")]),
    WireReply(status: 403, headers: [("Server", "cloudflare")]),
    WireReply(status: 503, headers: [("Server", "cloudflare")]),
    WireReply(status: 403, type: "text/html", text: challenge),
    WireReply(type: "text/html", text: challenge),
  ])
  func `A bot check is named, with what helps`(_ reply: WireReply) async throws {
    try await withAnswers({ _ in .reply(reply) }) { base, _, sources in
      for isSubscribed in [true, false] {
        let error = await #expect(throws: SourceError.self) {
          if isSubscribed {
            _ = try await sources.page(of: feed(base))
          } else {
            _ = try await sources.discover(base)
          }
        }
        #expect(error?.kind == .status && error?.status == reply.status)
        #expect(error?.message.contains("bot check of Cloudflare") == true, "\(error?.line ?? "")")
        #expect(error?.next?.contains("--user-agent") == true)
      }
    }
  }

  @Test func `A circle of redirects that depends on the name of the program says so`() async throws
  {
    try await withAnswers({ request in
      .reply(
        request.header("User-Agent") == "Other/1"
          ? .rss(["a"]) : WireReply(status: 302, headers: [("Location", "/feed")]))
    }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base + "/feed"))
      }
      #expect(error?.kind == .redirect)
      #expect(error?.message.contains("in a circle, as bot checks do") == true)
      #expect(error?.next?.contains("--user-agent") == true)
      let found = try await sources.asking(as: "Other/1").discover(base + "/feed")
      guard case .feed(let located) = found else { throw CocoaError(.fileReadUnknown) }
      #expect(located.page.entries.map(\.id) == ["a"])
    }
  }
}
