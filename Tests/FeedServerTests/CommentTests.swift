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

  @Test func `An answer names the comment that it answers, on the same article`() async throws {
    try await withServer { server, client in
      let first = try #require(try post(client, key: "a").json()["id"] as? String)
      let body = #"{"text": "So do I.", "parentID": "\#(first)"}"#
      #expect(try post(client, key: "b", body).json()["parentID"] as? String == first)
      let listed = try client.walk(path, limit: 50)
      #expect(listed.last?["parentID"] as? String == first)
      let before = server.comments(on: "keyset-paging")
      let refused = try post(client, key: "c", #"{"text": "a", "parentID": "elsewhere"}"#)
      #expect(refused.status == 422)
      #expect((try refused.json()["fields"] as? [String: [String]])?["parentID"] != nil)
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

  // MARK: Changing

  private func put(
    _ client: TestClient, _ id: String, version: String?, _ text: String, fault: String? = nil
  ) throws -> TestClient.Answer {
    var headers = ["Content-Type": "application/json"]
    headers["If-Match"] = version.map { "\"\($0)\"" }
    headers["X-Telex-Fault"] = fault
    return try client.request(
      "PUT", "\(path)/\(id)", headers: headers, body: #"{"text": "\#(text)"}"#)
  }

  @Test func `A change of the newest version is kept, and makes a new one`() async throws {
    try await withServer { server, client in
      let posted = try post(client, key: "k")
      #expect(posted.headers["etag"] == "\"1\"")
      #expect(try posted.json()["version"] as? String == "1")
      let answer = try put(client, "comment-1", version: "1", "Thanks.")
      #expect(answer.status == 200 && answer.headers["etag"] == "\"2\"")
      let comment = try client.request("GET", "\(path)/comment-1").json()
      #expect(comment["text"] as? String == "Thanks." && comment["version"] as? String == "2")
      #expect(comment["updated"] is String)
      #expect(server.comments(on: "keyset-paging").last?.text == "Thanks.")
    }
  }

  @Test func `A change of an older version is refused, and told what the comment is now`()
    async throws
  {
    try await withServer { server, client in
      _ = try post(client, key: "k")
      #expect(server.editComment("comment-1", on: "keyset-paging", to: "Elsewhere."))
      let answer = try put(client, "comment-1", version: "1", "Here.")
      #expect(answer.status == 409)
      let error = try answer.json()
      #expect(error["code"] as? String == "comment_changed")
      let current = try #require(error["current"] as? [String: Any])
      #expect(current["text"] as? String == "Elsewhere." && current["version"] as? String == "2")
      let bare = try put(client, "comment-1", version: "1", "Here.", fault: "bare-conflict")
      #expect(bare.status == 412)
      #expect(try bare.json()["current"] == nil)
      let raced = try put(client, "comment-1", version: "2", "Here.", fault: "edit-comment")
      #expect(raced.status == 409)
      #expect(server.comments(on: "keyset-paging").last?.text == "This was changed elsewhere.")
    }
  }

  @Test func `A key that comes back with another comment is told which comment it has`()
    async throws
  {
    try await withServer { _, client in
      _ = try post(client, key: "k")
      let answer = try post(client, key: "k", #"{"text": "Something else."}"#)
      let current = try #require(try answer.json()["current"] as? [String: Any])
      #expect(current["id"] as? String == "comment-1")
      #expect(current["text"] as? String == "Thank you.")
    }
  }

  @Test func `A change that cannot be made is refused with a reason`() async throws {
    try await withServer { server, client in
      _ = try post(client, key: "k")
      #expect(try put(client, "comment-1", version: nil, "a").status == 428)
      #expect(try put(client, "comment-1", version: "1", " ").status == 422)
      // Nobody's own.
      #expect(try put(client, "keyset-paging-c1", version: "1", "a").status == 403)
      #expect(try put(client, "nothing", version: "1", "a").status == 404)
      #expect(
        try client.request("DELETE", "\(path)/comment-1").headers["allow"] == "GET, HEAD, PUT")
      #expect(server.deleteComment("comment-1", on: "keyset-paging"))
      #expect(try put(client, "comment-1", version: "1", "a").status == 410)
      #expect(try client.request("GET", "\(path)/comment-1").status == 410)
    }
  }

  @Test func `With a sign-in only its author changes a comment`() async throws {
    try await withServer { server, client in
      server.addUser("ada", password: "a")
      server.addUser("bo", password: "b")
      func token(_ user: String, _ password: String) throws -> String {
        let body = #"{"user": "\#(user)", "password": "\#(password)"}"#
        let session = try client.request("POST", "/api/session", body: body).json()
        return try #require(session["accessToken"] as? String)
      }
      func send(_ method: String, _ path: String, _ token: String) throws -> Int {
        try client.request(
          method, path,
          headers: [
            "Content-Type": "application/json", "Authorization": "Bearer \(token)",
            "Idempotency-Key": "k", "If-Match": "\"1\"",
          ], body: #"{"text": "a"}"#
        ).status
      }
      let (ada, bo) = (try token("ada", "a"), try token("bo", "b"))
      #expect(try send("POST", path, ada) == 201)
      #expect(try send("PUT", path + "/comment-1", bo) == 403)
      #expect(try send("PUT", path + "/comment-1", ada) == 200)
    }
  }
}
