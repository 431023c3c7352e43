internal import FeedServer
internal import Testing

/// Signing in at the reference server: what tests of the client rely on.
@Suite struct SessionTests {
  @Test func `A refresh token is spent by its renewal`() async throws {
    try await withServer { server, client in
      server.addUser("ada", password: "secret")
      func post(_ path: String, _ body: String) throws -> TestClient.Answer {
        try client.request(
          "POST", path, headers: ["Content-Type": "application/json"], body: body)
      }
      let session = try post("/api/session", #"{"user": "ada", "password": "secret"}"#)
      #expect(session.status == 200)
      let token = try #require(session.json()["refreshToken"] as? String)
      let renewal = #"{"refreshToken": "\#(token)"}"#
      #expect(try post("/api/session/refresh", renewal).status == 200)
      let again = try post("/api/session/refresh", renewal)
      #expect(again.status == 401)
      #expect(try again.json()["code"] as? String == "session_ended")
    }
  }

  @Test func `A wrong password gives no session`() async throws {
    try await withServer { server, client in
      server.addUser("ada", password: "secret")
      let answer = try client.request(
        "POST", "/api/session", headers: ["Content-Type": "application/json"],
        body: #"{"user": "ada", "password": "guess"}"#)
      #expect(answer.status == 401)
      #expect(try answer.json()["code"] as? String == "wrong_credentials")
      #expect(try client.request("GET", "/api/articles").status == 401)
    }
  }
}
