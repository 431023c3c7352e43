import FeedServer
import HTTP
import Testing

struct HeaderTests {
  @Test func `Names compare without regard to case and keep their order`() {
    var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "x-one": "2"]
    #expect(headers["ACCEPT"] == "a")
    #expect(headers.values(of: "X-ONE") == ["1", "2"])
    headers["X-oNE"] = "3"
    #expect(headers.values(of: "x-one") == ["3"])
    headers.append("Last", "z")
    headers["accept"] = nil
    #expect(headers.fields.map(\.name) == ["X-One", "Last"])
    headers.setDefault("last", "y")
    #expect(headers["Last"] == "z")
    #expect(headers == (["x-ONE": "3", "LAST": "z"] as HTTPHeaders))
    #expect(headers.hashValue == (["x-ONE": "3", "LAST": "z"] as HTTPHeaders).hashValue)
  }

  @Test func `Values are bytes: what is no UTF-8 is sent back as it came`() async throws {
    let value: [UInt8] = [0x22, 0xE9, 0x80, 0x22]
    let server = try LoopbackServer { _ in
      [.send(Array("HTTP/1.1 204 Said\r\nX-Mark: ".utf8) + value + Array("\r\n\r\n".utf8))]
    }
    let client = makeClient()
    let head = try await client.response(for: HTTPRequest(.get, server.url())).head
    #expect(head.headers.bytes(of: "x-mark") == value)
    #expect(head.headers["X-Mark"] == "\"\u{E9}\u{80}\"")
    var request = HTTPRequest(.get, server.url())
    request.headers.append(HTTPHeaders.Field(name: "X-Mark", bytes: value))
    _ = try await client.response(for: request)
    let sent = try #require(server.requests.last?.head)
    #expect(sent.contains(Array("X-Mark: ".utf8) + value + [0x0D, 0x0A]))
    // What is set anew has nothing of it.
    request.headers["X-Mark"] = "plain"
    #expect(request.headers.bytes(of: "X-Mark") == Array("plain".utf8))
  }

  @Test(arguments: [
    (["max-age=60"], 60 as Int?, false, false),
    (["Max-Age=\"60\", must-revalidate"], 60, false, false),
    (["no-store"], nil, true, false), (["no-cache, max-age=0"], 0, false, true),
    (["max-age=99999999999999999999"], 1 << 31, false, false), (["max-age=-1"], nil, false, false),
    (["max-age=90", "max-age=30"], 30, false, false), ([], nil, false, false),
    (["max-age"], nil, false, false), (["x=y,,=,"], nil, false, false),
  ])
  func `Cache-Control is read leniently`(
    values: [String], maxAge: Int?, isNoStore: Bool, isNoCache: Bool
  ) {
    var headers = HTTPHeaders()
    for value in values { headers.append("Cache-Control", value) }
    let control = CacheControl(headers)
    #expect(control.maxAge == maxAge)
    #expect(control.isNoStore == isNoStore)
    #expect(control.isNoCache == isNoCache)
  }

  @Test(arguments: [
    (200, StatusClass.success, false), (204, .empty, false), (205, .empty, false),
    (304, .notModified, false), (301, .movedPermanently, false), (308, .movedPermanently, false),
    (302, .redirect, false), (401, .unauthorized, false), (403, .forbidden, false),
    (404, .notFound, false), (408, .requestTimeout, true), (409, .conflict, false),
    (410, .gone, false), (422, .invalid, false), (429, .tooManyRequests, true),
    (418, .clientError, false), (500, .serverError, true), (503, .serverError, true),
    (999, .serverError, true),
  ])
  func `A status belongs to one class`(status: Int, expected: StatusClass, isTransient: Bool) {
    #expect(StatusClass(status) == expected)
    #expect(StatusClass(status).isTransient == isTransient)
    #expect(StatusClass(status).isError == (status >= 400))
  }
}
