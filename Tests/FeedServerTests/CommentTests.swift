internal import FeedServer
internal import Foundation
internal import Testing

@Suite struct CommentTests {
  private let path = "/api/articles/keyset-paging/comments"

  private func post(
    _ client: TestClient, key: String?, type: String = "application/json",
    _ body: String = #"{"text": "Thank you.", "author": "Tester"}"#
  ) throws -> TestClient.Answer {
    var headers = ["Content-Type": type]
    headers["Idempotency-Key"] = key
    return try client.request("POST", path, headers: headers, body: body)
  }

  @Test func `A comment sent three times with one key is kept once`() async throws {
    try await withServer { server, client in
      let before = server.comments(on: "keyset-paging").count
      let first = try post(client, key: "k1")
      #expect(first.status == 201)
      let id = try #require(first.json()["id"] as? String)
      for _ in 0..<2 {
        let again = try post(client, key: "k1")
        #expect(again.status == 200)
        #expect(try again.json()["id"] as? String == id)
      }
      #expect(try post(client, key: "k2").status == 201)
      #expect(server.comments(on: "keyset-paging").count == before + 2)
      let article = try client.request("GET", "/api/articles/keyset-paging").json()
      #expect(article["commentCount"] as? Int == before + 2)
    }
  }

  @Test func `A comment that was kept but whose answer was lost is not kept again`() async throws {
    try await withServer { server, client in
      server.inject(.cut(afterBytes: 3), on: path)
      #expect(try !post(client, key: "k").isComplete)
      let second = try TestClient(port: server.port)
      #expect(try post(second, key: "k").status == 200)
      #expect(server.comments(on: "keyset-paging").count { $0.author == "Tester" } == 1)
    }
  }

  @Test func `A key that comes back with another comment is a conflict`() async throws {
    try await withServer { _, client in
      #expect(try post(client, key: "k").status == 201)
      let answer = try post(client, key: "k", #"{"text": "Something else."}"#)
      #expect(answer.status == 409)
      #expect(try answer.json()["code"] as? String == "idempotency_key_reused")
    }
  }

  @Test(
    arguments: [
      (nil, "application/json", #"{"text": "a"}"#, 400, "idempotency_key_required"),
      ("k", "text/plain", #"{"text": "a"}"#, 415, "unsupported_media_type"),
      ("k", "application/json", "{", 400, "malformed_body"),
      ("k", "application/json; charset=utf-8", #"{"text": " \n"}"#, 422, "invalid_comment"),
    ] as [(String?, String, String, Int, String)])
  func `A comment that cannot be kept is refused with a reason`(
    key: String?, type: String, body: String, status: Int, code: String
  ) async throws {
    try await withServer { server, client in
      let before = server.comments(on: "keyset-paging")
      let answer = try post(client, key: key, type: type, body)
      #expect(answer.status == status)
      let error = try answer.json()
      #expect(error["code"] as? String == code)
      #expect((error["fields"] as? [String: [String]])?["text"] != nil || status != 422)
      #expect(server.comments(on: "keyset-paging") == before)
    }
  }

  @Test func `Comments are paged oldest first, and one posted meanwhile comes last`() async throws {
    try await withServer { server, client in
      for number in 0..<5 {
        #expect(try post(client, key: "\(number)", #"{"text": "\#(number)"}"#).status == 201)
      }
      let texts = try client.walk(path, limit: 2) { page in
        if page == 1 { _ = try post(client, key: "late", #"{"text": "late"}"#) }
      }.map { $0["text"] as? String }
      #expect(texts == server.comments(on: "keyset-paging").map(\.text))
      #expect(texts.suffix(2) == ["4", "late"])
    }
  }
}
