internal import FeedServer
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct FaultTests {
  @Test(
    arguments: [
      ("status:503", nil), ("status:429:120", "120"), ("status:404", nil),
    ] as [(String, String?)])
  func `A status comes with its error body and Retry-After`(
    fault: String, retryAfter: String?
  ) async throws {
    try await withServer { _, client in
      let answer = try client.request("GET", "/api?fault=\(fault)")
      #expect(fault.contains("\(answer.status)"))
      #expect(answer.headers["retry-after"] == retryAfter)
      #expect(try answer.json()["message"] is String)
      #expect(try client.request("GET", "/api").status == 200)
    }
  }

  @Test func `A cut promises more than it sends`() async throws {
    try await withServer { server, client in
      server.inject(.cut(afterBytes: 100), on: "/api/articles")
      let answer = try client.request("GET", "/api/articles")
      #expect(answer.status == 200)
      #expect(!answer.isComplete)
      #expect(answer.body.count == 100)
      let again = try TestClient(port: server.port).request("GET", "/api/articles")
      #expect(again.isComplete)
    }
  }

  @Test func `A drip delivers everything in the end`() async throws {
    try await withServer { _, client in
      let whole = try client.request("GET", "/api")
      let drip = try client.request("GET", "/api", headers: ["X-Telex-Fault": "drip:7:1"])
      #expect(drip.isComplete)
      #expect(drip.body == whole.body)
    }
  }

  @Test func `A delay answers whole, and later than it arrived`() async throws {
    try await withServer { server, client in
      let answer = try client.request("GET", "/api?fault=delay:30")
      let arrived = try #require(server.requests.last?.arrived)
      #expect(ContinuousClock.now - arrived >= .milliseconds(30))
      #expect(answer.status == 200)
    }
  }

  @Test func `A reset is a reset`() async throws {
    try await withServer { server, client in
      server.inject(.reset)
      #expect(throws: TestClient.Failure(code: ECONNRESET)) {
        try client.request("GET", "/rss.xml")
      }
    }
  }

  @Test func `A hang ends when the server stops`() async throws {
    try await withServer { server, client in
      server.inject(.hang)
      client.send("GET /api HTTP/1.1\r\n\r\n")
      #expect(await eventually { server.requests.count == 1 })
      await server.stop()
      #expect(throws: TestClient.Failure(code: 0)) { try client.answer() }
    }
  }

  @Test func `A client that leaves during a hang is noticed`() async throws {
    try await withServer { server, _ in
      server.inject(.hang)
      #expect(await eventually { server.openConnections == 1 })
      do {
        let leaver = try TestClient(port: server.port)
        leaver.send("GET /api HTTP/1.1\r\n\r\n")
        #expect(await eventually { server.requests.count == 1 })
        #expect(server.openConnections == 2)
      }
      #expect(await eventually { server.openConnections == 1 })
    }
  }

  @Test func `Garbage, a wrong type and an oversized body keep the status`() async throws {
    try await withServer { _, client in
      let garbage = try client.request("GET", "/api/articles?fault=garbage")
      #expect(garbage.status == 200)
      #expect(garbage.isComplete)
      #expect(throws: (any Error).self) { try garbage.json() }
      let typed = try client.request("GET", "/api?fault=type:image/png")
      #expect(typed.headers["content-type"] == "image/png")
      #expect(try typed.json()["version"] as? Int == 1)
      let large = try client.request("GET", "/api?fault=oversized:300000")
      #expect(large.body.count == 300_000)
      #expect(try large.json()["version"] as? Int == 1)
    }
  }

  @Test func `A repeated cursor is the one that was asked with`() async throws {
    try await withServer { server, client in
      let first = try client.request("GET", "/api/articles").json()
      let cursor = try #require(first["nextCursor"] as? String)
      server.inject(.repeatCursor, on: "/api/articles")
      let target = "/api/articles?cursor=\(cursor)"
      #expect(try client.request("GET", target).json()["nextCursor"] as? String == cursor)
      #expect(try client.request("GET", target).json()["nextCursor"] as? String != cursor)
    }
  }

  @Test func `Faults meet the paths and the requests they were planned for`() async throws {
    try await withServer { server, client in
      server.inject(.status(500), on: "/api/articles", skipping: 1, times: 2)
      server.inject(.status(503), on: "/rss", times: nil)
      let statuses = try (0..<4).map { _ in try client.request("GET", "/api/articles").status }
      #expect(statuses == [200, 500, 500, 200])
      #expect(try client.request("GET", "/atom.xml").status == 200)
      #expect(
        try (0..<3).map { _ in try client.request("GET", "/rss.xml").status } == [503, 503, 503])
      server.clearFaults()
      #expect(try client.request("GET", "/rss.xml").status == 200)
    }
  }

  @Test(arguments: ["", "delay", "delay:", "delay:-1", "cut:a", "drip:1", "reset:1", "type", "no"])
  func `A text that is no fault is none`(text: String) {
    #expect(Fault(text) == nil)
  }
}
