import FeedServer
import Testing

@testable import HTTP

struct DigestTests {
  /// Takes the one password, said by Digest (RFC 7616, SHA-256).
  private static func server(path: String = "/") throws -> LoopbackServer {
    try LoopbackServer { request in
      guard request.target == path else { return [.redirect(302, to: path)] }
      let said = fields(of: request.header("authorization") ?? "")
      if said["response"] != nil, said["response"] == expected(request, said) {
        return [.response(200, "inside")]
      }
      return [
        .response(
          401,
          [
            "WWW-Authenticate":
              "Digest realm=\"r\", nonce=\"n0\", algorithm=SHA-256, qop=\"auth\""
          ], "no")
      ]
    }
  }

  private static func expected(
    _ request: WireRequest, _ said: [String: String]
  ) -> String {
    let who = hash("ada:r:secret")
    let what = hash("\(request.method):\(request.target)")
    return hash(
      "\(who):n0:\(said["nc"] ?? ""):\(said["cnonce"] ?? ""):\(said["qop"] ?? ""):\(what)")
  }

  private static func hash(_ text: String) -> String {
    SHA256.digest(of: Array(text.utf8)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func fields(of value: String) -> [String: String] {
    guard value.hasPrefix("Digest ") else { return [:] }
    var fields: [String: String] = [:]
    for part in value.dropFirst(7).split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      fields[pair[0].filter { $0 != " " }] = pair[1].filter { $0 != "\"" }
    }
    return fields
  }

  private func request(_ url: String, password: String = "secret") -> HTTPRequest {
    var request = HTTPRequest(.get, url)
    request.middlewares = [.credential(.basic(user: "ada", password: password))]
    return request
  }

  @Test func `A server that asks for Digest gets it, and the password itself once at most`()
    async throws
  {
    let server = try Self.server()
    let client = makeClient()
    for _ in 0..<3 {
      let response = try await client.response(for: request(server.url("/")))
      #expect(response.head.status == 200)
      #expect(response.body == Array("inside".utf8))
    }
    let said = server.requests.map { $0.header("authorization") ?? "" }
    #expect(said.count { $0.hasPrefix("Basic ") } == 1)
    #expect(said.count { $0.hasPrefix("Digest ") } == 3)
    let trace = try await client.trace(request(server.url("/")))
    #expect(trace.response?.head.status == 200)
  }

  @Test func `A wrong password is refused, and what the server says is told`() async throws {
    let server = try Self.server()
    let client = makeClient()
    for _ in 0..<2 {
      let response = try await client.response(for: request(server.url("/"), password: "wrong"))
      #expect(response.head.status == 401)
      #expect(response.body == Array("no".utf8))
    }
    #expect(try await client.response(for: request(server.url("/"))).head.status == 200)
  }

  @Test func `A redirect to another origin carries no Digest`() async throws {
    let other = try Self.server()
    let server = try LoopbackServer { request in
      (request.header("authorization") ?? "").hasPrefix("Digest ")
        ? [.redirect(302, to: other.url("/"))]
        : [.response(401, ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n0\", qop=\"auth\""])]
    }
    let response = try await makeClient().response(for: request(server.url("/")))
    #expect(response.head.status == 401)
    #expect(other.requests.map { $0.header("authorization") } == [nil])
  }

  @Test func `A redirect on the same origin carries it on`() async throws {
    let server = try Self.server(path: "/feed")
    let response = try await makeClient().response(for: request(server.url("/")))
    #expect(response.body == Array("inside".utf8))
  }

  @Test func `Who has no name and password is not asked twice`() async throws {
    let server = try Self.server()
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url("/")))
    #expect(response.head.status == 401)
    #expect(server.requests.count == 1)
  }

  @Test func `A sign-in that is printed shows no password`() throws {
    let signIn = try #require(DigestSignIn(basic: "Basic YWRhOnNlY3JldA=="))
    #expect(signIn.user == "ada" && signIn.password == "secret")
    #expect(!"\(signIn) \(String(reflecting: signIn))".contains("secret"))
    #expect(DigestSignIn(basic: "Bearer x") == nil && DigestSignIn(basic: nil) == nil)
  }
}
