import HTTP
import Synchronization
import Testing

struct BotCheckTests {
  private func response(
    _ status: Int, _ headers: HTTPHeaders = [:], _ body: String = ""
  ) -> HTTPResponse {
    HTTPResponse(
      head: HTTPResponseHead(status: status, headers: headers, url: "https://example.org/feed"),
      body: Array(body.utf8))
  }

  private static let page = """
    <!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body></body></html>
    """

  @Test func `The check itself is told as one`() {
    for answer in [
      response(403, ["cf-mitigated": "challenge"]), response(503, [:], Self.page),
      response(403, ["Server": "cloudflare"], Self.page),
    ] {
      let error = #expect(throws: HTTPError.self) { try answer.validated() }
      #expect(error?.kind == .status && error?.botCheck == .certain(.cloudflare))
      #expect(error?.message.contains("bot check of Cloudflare at example.org takes Telex") == true)
    }
    #expect(response(200, [:], Self.page).botCheck?.status == 200)
  }

  @Test(arguments: [
    ("<title>Just a moment…</title>", BotCheck.Provider.cloudflare),
    ("<title lang=en>Just a moment...</title>", .cloudflare),
    ("<TITLE>Attention Required! | Cloudflare</TITLE>", .cloudflare),
    ("<title>Vercel Security Checkpoint</title>", .vercel),
    ("<title>Making sure you&#39;re not a bot!</title>", .anubis),
    ("<title>DDoS-Guard</title>", .ddosGuard),
    ("<title>Sucuri WebSite Firewall - Access Denied</title>", .sucuri),
    ("<title>Access Denied</title><p>https://errors.edgesuite.net/18.2e7", .akamai),
    ("<iframe src=\"/_Incapsula_Resource?CWUDNSAI=9\">Incapsula incident ID: 1", .incapsula),
  ])
  func `Checks are known by their pages`(_ page: String, _ provider: BotCheck.Provider) {
    for status in [200, 403, 503] {
      #expect(BotCheck(response(status, [:], page)) == .certain(provider))
    }
  }

  @Test func `Checks are known by their fields`() {
    #expect(
      BotCheck(response(429, ["x-vercel-mitigated": "challenge"])) == .certain(.vercel))
    #expect(
      BotCheck(response(403, ["Server": "cloudflare-nginx"])) == .possible(.cloudflare))
    #expect(
      BotCheck(response(429, ["Server": "cloudflare"], "error code: 1015"))
        == .possible(.cloudflare))
    #expect(BotCheck(response(429, ["Server": "cloudflare"])) == nil)
    #expect(BotCheck(response(403, [:], "<title>Access Denied</title>")) == nil)
  }

  @Test func `A page of a check is not asked for again`() async throws {
    let count = Mutex(0)
    let sending = RetryingSend()
    await #expect(throws: HTTPError.self) {
      _ = try await sending.response(for: HTTPRequest(.get, "https://example.org/feed")) { _ in
        count.withLock { $0 += 1 }
        return response(503, [:], Self.page)
      }
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test(arguments: [403, 503])
  func `An answer from where checks stand may be one`(status: Int) {
    let error = #expect(throws: HTTPError.self) {
      try response(status, ["Server": "cloudflare"], #"{"error":"a","message":"Closed"}"#)
        .validated()
    }
    #expect(error?.botCheck == .possible(.cloudflare) && error?.status == status)
    #expect(error?.message.contains("Closed") == true)
    #expect(error?.message.contains("may take Telex for a bot") == true)
  }

  @Test func `Another answer is none`() {
    for answer in [
      response(403), response(404, ["Server": "cloudflare"]), response(503, ["Server": "nginx"]),
    ] {
      let error = #expect(throws: HTTPError.self) { try answer.validated() }
      #expect(error?.botCheck == nil && error?.message.contains("bot") == false)
    }
    #expect(response(200, ["Server": "cloudflare"], "<rss/>").botCheck == nil)
    #expect(response(200, [:], "<title>Just a moment... of rest</title>").botCheck == nil)
  }
}
