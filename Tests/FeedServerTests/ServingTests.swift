internal import FeedServer
internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct ServingTests {
  @Test func `After a stop clients are refused, and after a start served on the same port`()
    async throws
  {
    try await withServer { server, client in
      #expect(try client.request("GET", "/api").status == 200)
      let port = server.port
      for _ in 0..<3 {
        await server.stop()
        #expect(server.openConnections == 0)
        #expect(throws: TestClient.Failure(code: ECONNREFUSED)) { try TestClient(port: port) }
        try server.start()
        #expect(server.port == port)
        #expect(try TestClient(port: port).request("GET", "/api").status == 200)
      }
      #expect(throws: TestClient.Failure.self) { try client.request("GET", "/api") }
    }
  }

  @Test func `A port in use is an error`() async throws {
    try await withServer { server, _ in
      let second = RawServer(port: server.port) { _ in .reset }
      #expect(throws: POSIXError(.EADDRINUSE)) { try second.start() }
    }
  }

  @Test func `A server that goes away stops listening`() async throws {
    let port = try RawServer { _ in .hang }.start()
    #expect(
      await eventually { (try? TestClient(port: port)) == nil })
  }

  @Test func `The log names method, target, headers and connection`() async throws {
    try await withServer { server, client in
      _ = try client.request("GET", "/api/articles?limit=3", headers: ["X-Request-ID": "abc"])
      _ = try client.request("HEAD", "/rss.xml")
      _ = try TestClient(port: server.port).request("GET", "/api")
      let log = server.requests
      #expect(log.map(\.method) == ["GET", "HEAD", "GET"])
      #expect(log.map(\.target) == ["/api/articles?limit=3", "/rss.xml", "/api"])
      #expect(log[0].header("x-request-id") == "abc")
      #expect(log[0].query("limit") == "3")
      #expect(log[0].connection == log[1].connection)
      #expect(log[0].connection != log[2].connection)
      #expect(log[0].arrived < log[2].arrived)
      server.forgetRequests()
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `Requests that come in pieces or all at once are each answered`() async throws {
    let server = RawServer { request in
      .reply(WireReply(type: "text/plain", text: request.target + String(request.body.count)))
    }
    try server.start()
    let client = try TestClient(port: server.port)
    client.send("GET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyzGET /c HTT")
    #expect(try client.answer().text == "/a0")
    #expect(try client.answer().text == "/b3")
    client.send("P/1.1\r\nConnection: close\r\n\r\n")
    #expect(try client.answer().text == "/c0")
    #expect(throws: TestClient.Failure(code: 0)) { try client.answer() }
    await server.stop()
  }

  @Test func `A raw script sends exactly its bytes`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
    let server = RawServer { request in
      switch request.target {
      case "/split":
        Script([.send(Array(head.utf8)), .pause(.milliseconds(1)), .send([1, 2, 3, 4])])
      case "/nul": .bytes(Array(head.utf8) + [0, 0xFF, 0, 0xFE])
      default: .bytes(Array("nonsense\r\n\r\n".utf8))
      }
    }
    try server.start()
    let client = try TestClient(port: server.port)
    #expect(try client.request("GET", "/split").body == [1, 2, 3, 4])
    #expect(try client.request("GET", "/nul").body == [0, 0xFF, 0, 0xFE])
    #expect(server.madeConnections == 1)
    await server.stop()
  }

  @Test func `Many clients at once each get their own answer`() async throws {
    let server = RawServer { .reply(WireReply(type: "text/plain", text: $0.target)) }
    try server.start()
    try await withThrowingTaskGroup { group in
      for number in 0..<64 {
        group.addTask {
          let client = try TestClient(port: server.port)
          for round in 0..<10 {
            let target = "/\(number)/\(round)"
            #expect(try client.request("GET", target).text == target)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 640)
    #expect(server.madeConnections == 64)
    await server.stop()
  }

  @Test func `A directory is served with validators and nothing outside it`() async throws {
    let server = try StaticServer(directory: demo)
    try server.start()
    let client = try TestClient(port: #require(UInt16(server.baseURL.split(separator: ":")[2])))
    #expect(server.paths.contains("/media/pontoon.png"))
    let file = try client.request("GET", "/articles.json")
    #expect(try Data(file.body) == Data(contentsOf: URL(fileURLWithPath: demo + "/articles.json")))
    let etag = try #require(file.headers["etag"])
    let date = try #require(file.headers["last-modified"])
    for headers in [["If-None-Match": etag], ["If-Modified-Since": date]] {
      let again = try client.request("GET", "/articles.json", headers: headers)
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
    }
    #expect(try client.request("HEAD", "/articles.json").headers == file.headers)
    #expect(try client.request("GET", "/../../Package.swift").status == 404)
    await server.stop()
  }
}
