import FeedServer
import Foundation
import HTTP
import TestSupport
import Testing

struct TransferTests {
  @Test func `A response comes with its head, body and metrics`() async throws {
    let server = try LoopbackServer { _ in
      [.response(200, ["ETag": "\"v1\"", "Content-Type": "text/plain"], "hello")]
    }
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url("/feed?q=1")))
    #expect(response.head.status == 200)
    #expect(response.head.headers["etag"] == "\"v1\"")
    #expect(response.head.url == server.url("/feed?q=1"))
    #expect(response.head.permanentURL == nil)
    #expect(response.head.httpVersion == "1.1")
    #expect(String(decoding: response.body, as: UTF8.self) == "hello")
    #expect(response.metrics.bytesReceived == 5)
    #expect(response.metrics.address == "127.0.0.1")
    #expect(response.metrics.httpVersion == "HTTP/1.1")
    #expect(!response.metrics.isConnectionReused)
    #expect(response.metrics.total >= response.metrics.firstByte)
  }

  static let repetitive =
    "<rss>" + String(repeating: "the same words again, ", count: 20) + "</rss>"
  static let brotli = Array(
    Data(base64Encoded: "G8IBGIzUYU08Mkao9OTxmasXuR5EklcIE026Q4gqsuRXxbkRc0EW") ?? Data())
  static let zstd = Array(
    Data(
      base64Encoded: "KLUv/WDDAE0BABQCPHJzcz50aGUgc2FtZSB3b3JkcyBhZ2FpbiwgPC9yc3M+AQB/pjrH")
      ?? Data())

  static let bodies: [(String, [LoopbackServer.Step], String)] = [
    ("gzip", [.response(200, ["Content-Encoding": "gzip"], body: Gzip.stored("plain"))], "plain"),
    ("brotli", [.response(200, ["Content-Encoding": "br"], body: brotli)], repetitive),
    ("zstd", [.response(200, ["Content-Encoding": "zstd"], body: zstd)], repetitive),
    (
      "chunks",
      [
        .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        .text("2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n"),
      ], "abcde"
    ),
    ("until the close", [.text("HTTP/1.1 200 OK\r\n\r\nto the end"), .close], "to the end"),
    ("after an interim", [.text("HTTP/1.1 103 Early\r\nA: b\r\n\r\n"), .response(200, "x")], "x"),
    ("nothing", [.response(204)], ""),
    ("not modified", [.response(304, ["ETag": "v"])], ""),
  ]

  @Test(arguments: bodies)
  func `A body arrives whole however it is sent`(
    how: String, steps: [LoopbackServer.Step], expected: String
  ) async throws {
    let server = try LoopbackServer { _ in steps }
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url()))
    #expect(String(decoding: response.body, as: UTF8.self) == expected, "\(how)")
  }

  @Test(arguments: [
    (HTTPMethod.get, nil as String?), (.head, nil), (.post, "text"), (.post, ""), (.post, nil),
    (.put, "text"), (.put, nil), (.patch, "text"), (.delete, nil), (.delete, "text"),
  ])
  func `Each method arrives with its body`(method: HTTPMethod, body: String?) async throws {
    let server = try LoopbackServer { request in
      request.method == "HEAD"
        ? [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")] : [.response(200, "ok")]
    }
    var request = HTTPRequest(method, server.url(), body: body.map { Array($0.utf8) })
    if body != nil { request.headers["Content-Type"] = "text/plain" }
    let response = try await makeClient().response(for: request)
    let seen = try #require(server.requests.first)
    #expect(response.head.status == 200)
    #expect(seen.method == method.rawValue)
    #expect(String(decoding: seen.body, as: UTF8.self) == body ?? "")
    #expect(seen.header("content-type") == (body == nil ? nil : "text/plain"))
    #expect(seen.header("expect") == nil)
    #expect(seen.header("accept-encoding")?.contains("gzip") == true)
    #expect(seen.header("cookie") == nil)
  }

  @Test func `A large body is sent whole`() async throws {
    let server = try LoopbackServer { request in [.response(200, String(request.body.count))] }
    let request = HTTPRequest(
      .put, server.url(), headers: ["Content-Type": "application/octet-stream"],
      body: [UInt8](repeating: 7, count: 3_000_000))
    let response = try await makeClient().response(for: request)
    #expect(String(decoding: response.body, as: UTF8.self) == "3000000")
    #expect(response.metrics.bytesSent == 3_000_000)
  }

  @Test func `Cookies are not kept`() async throws {
    let server = try LoopbackServer { _ in [.response(200, ["Set-Cookie": "a=b"], "x")] }
    let client = makeClient()
    for _ in 0..<2 { _ = try await client.response(for: HTTPRequest(.get, server.url())) }
    #expect(server.requests.allSatisfy { $0.header("cookie") == nil })
  }

  @Test func `Cancelling before the head closes the socket`() async throws {
    let server = try LoopbackServer { _ in [.hang] }
    let client = makeClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          try await client.response(for: .patient(server.url()))
        }
      }
      #expect(await eventually { server.requests.count == 1 })
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `Cancelling in the body closes the socket`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    let client = makeClient()
    let hasBegun = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: CancellationError.self) {
          for try await _ in try await client.stream(for: .patient(server.url())) {
            hasBegun.open()
          }
        }
      }
      #expect(await eventually { hasBegun.isOpen })
      group.cancelAll()
      try await group.waitForAll()
    }
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `Leaving the loop over a body closes the socket`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    let client = makeClient()
    let stream = try await client.stream(for: .patient(server.url()))
    for try await chunk in stream {
      #expect(chunk == Array("abc".utf8))
      break
    }
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime((client, stream)) {}
    #expect(stream.head.status == 200)
  }

  @Test func `Dropping a stream unread closes the socket`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    let client = makeClient()
    do { _ = try await client.stream(for: .patient(server.url())) }
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `A stream outlives the client it came from`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .wait(gate), .text("def")]
    }
    let stream = try await makeClient().stream(for: HTTPRequest(.get, server.url()))
    gate.open()
    #expect(try await stream.collected() == Array("abcdef".utf8))
  }

  @Test func `A transport that is let go closes its connections`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    do { _ = try await makeClient().response(for: HTTPRequest(.get, server.url())) }
    #expect(await eventually { server.connectionsLeft == 1 })
  }

  @Test func `A slow reader holds the server back`() async throws {
    let size = 50 << 20
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .flood(size)]
    }
    let client = makeClient()
    let request = HTTPRequest(server.url()) {
      $0.limits.maxBodyBytes = nil
      // Time in which the reader lags must not count as silence.
      $0.limits.silence = .milliseconds(300)
    }
    let stream = try await client.stream(for: request)
    let stalled = try await stalledCount(of: server)
    #expect(stalled < 16 << 20, "the server could send \(stalled) bytes")
    var received = 0
    for try await chunk in stream {
      received += chunk.count
      #expect(chunk.count <= 300 << 10)
    }
    #expect(received == size)
  }

  @Test func `Twenty calls share six connections`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let client = makeClient()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { _ = try await client.response(for: HTTPRequest(.get, server.url())) }
      }
      try await group.waitForAll()
    }
    let last = try await client.response(for: HTTPRequest(.get, server.url()))
    #expect(last.metrics.isConnectionReused)
    #expect(server.requests.count == 21)
    #expect(server.connectionsMade <= 6)
  }

  @Test func `Waiting for a connection does not count as connecting`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      [.drip(0, every: .zero), .wait(gate), .response(200, "x")]
    }
    let client = makeClient { $0.maxConnectionsPerHost = 1 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await client.response(for: HTTPRequest(.get, server.url("/1"))) }
      #expect(await eventually { server.requests.count == 1 })
      group.addTask {
        let request = HTTPRequest(server.url("/2")) { $0.limits.connect = .milliseconds(100) }
        _ = try await client.response(for: request)
      }
      // Long enough for the limit to have passed several times over.
      let start = ContinuousClock.now
      #expect(await eventually { start.duration(to: .now) > .milliseconds(600) })
      gate.open()
      try await group.waitForAll()
    }
    #expect(server.connectionsMade == 1)
  }

  @Test func `Five hundred requests at once all complete, whatever happens to one`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/250" ? [.reset] : [.response(200, request.target)]
    }
    let client = makeClient()
    let kinds = await withTaskGroup(of: HTTPError.Kind?.self) { group in
      for number in 0..<500 {
        group.addTask {
          do {
            let request = HTTPRequest(.get, server.url("/\(number)"))
            let response = try await client.response(for: request)
            #expect(response.body == Array("/\(number)".utf8))
            return nil
          } catch {
            return (error as? HTTPError)?.kind ?? .other
          }
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
    }
    #expect(kinds == [.cutShort])
  }
}
