import HTTP
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
      #expect(error?.kind == .status && error?.botCheck == .certain)
      #expect(error?.message.contains("bot check of Cloudflare at example.org takes Telex") == true)
    }
    #expect(response(200, [:], Self.page).botCheck?.status == 200)
  }

  @Test(arguments: [403, 503])
  func `An answer from where checks stand may be one`(status: Int) {
    let error = #expect(throws: HTTPError.self) {
      try response(status, ["Server": "cloudflare"], #"{"error":"a","message":"Closed"}"#)
        .validated()
    }
    #expect(error?.botCheck == .possible && error?.status == status)
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
