internal import FeedServer
internal import Foundation
internal import News
internal import TestSupport
internal import Testing
internal import WebSocket

@Suite struct LiveTests {
  private static func withLiveServer(
    heartbeat: Duration = .seconds(30), _ body: (FeedServer) async throws -> Void
  ) async throws {
    let archive = try Archive(directory: demo, now: now, count: 40)
    let server = try FeedServer(archive: archive, heartbeat: heartbeat, clock: { now })
    try await server.whileServing { _ in try await body(server) }
  }

  /// What a client sees on an event stream until `isEnough`.
  private static func stream(
    _ server: FeedServer, _ path: String = "/api/live", after id: String? = nil,
    then act: () throws -> Void = {}, until isEnough: (String) -> Bool
  ) throws -> String {
    let client = try TestClient(port: server.port)
    let resume = id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(resume)\r\n")
    let head = try client.answer()
    #expect(head.status == 200)
    #expect(head.headers["content-type"] == "text/event-stream")
    #expect(head.headers["content-length"] == nil)
    try act()
    var text = String(decoding: client.taken(), as: UTF8.self)
    while !isEnough(text) {
      let more = try client.more()
      guard !more.isEmpty else { break }
      text += String(decoding: more, as: UTF8.self)
    }
    return text
  }

  /// The names of a stream's events and the ids in their data.
  private static func told(_ text: String) throws -> [String] {
    try text.components(separatedBy: "\n\n").compactMap { block in
      let lines = block.split(separator: "\n")
      guard let data = lines.first(where: { $0.hasPrefix("data: ") }),
        let name = lines.first(where: { $0.hasPrefix("event: ") })
      else { return nil }
      let object = try JSONSerialization.jsonObject(with: Data(data.dropFirst(6).utf8))
      let id = (object as? [String: Any])?["id"] as? String
      return "\(name.dropFirst(7)) \(id ?? "-")"
    }
  }

  private static func ids(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test func `Each change is an event that names what changed`() async throws {
    try await Self.withLiveServer { server in
      let first = try #require(server.archive.articles.first)
      let comments = "/api/articles/\(first.entry.id.percentEncoded)/comments"
      let text = try Self.stream(server) {
        server.insertFresh(2)
        server.insert([first])
        let poster = try TestClient(port: server.port)
        for _ in 0..<2 {
          // The same comment twice is one comment, and one event.
          _ = try poster.request(
            "POST", comments,
            headers: ["Idempotency-Key": "k", "Content-Type": "application/json"],
            body: #"{"text": "Well said."}"#)
        }
        server.delete(id: first.entry.id)
      } until: {
        $0.contains("event: deleted") && $0.hasSuffix("\n\n")
      }
      #expect(
        try Self.told(text) == [
          "article new-1", "article new-2", "updated \(first.entry.id)", "comment comment-1",
          "deleted \(first.entry.id)",
        ])
      // The first is where the journal was before.
      #expect(Self.ids(text).count == 6)
      #expect(Set(Self.ids(text)).count == 6)
    }
  }

  @Test func `A client that comes back is told what it missed`() async throws {
    try await Self.withLiveServer { server in
      let begun = try Self.stream(server) { $0.hasSuffix("\n\n") }
      let id = try #require(Self.ids(begun).first)
      server.insertFresh(3)
      let missed = try Self.stream(server, after: id) {
        $0.contains("new-3") && $0.hasSuffix("\n\n")
      }
      #expect(try Self.told(missed) == ["article new-1", "article new-2", "article new-3"])
      let second = Self.ids(missed)[2]
      let rest = try Self.stream(server, after: second) {
        $0.contains("new-3") && $0.hasSuffix("\n\n")
      }
      #expect(try Self.told(rest) == ["article new-3"])
    }
  }

  @Test(arguments: ["nonsense", "x-1", "-", "1-1-1", "{}-99"])
  func `An id that the server does not know begins with a reset`(id: String) async throws {
    try await Self.withLiveServer { server in
      let begun = try Self.stream(server) { $0.hasSuffix("\n\n") }
      let prefix = try #require(Self.ids(begun).first).prefix { $0 != "-" }
      server.insertFresh(1)
      let text = try Self.stream(server, after: id.replacing("{}", with: prefix)) {
        $0.hasSuffix("\n\n")
      }
      #expect(try Self.told(text) == ["reset -"])
    }
  }

  @Test func `What is too old for the journal is a reset`() async throws {
    try await Self.withLiveServer { server in
      let begun = try Self.stream(server) { $0.hasSuffix("\n\n") }
      let id = try #require(Self.ids(begun).first)
      server.insertFresh(1_001)
      let text = try Self.stream(server, after: id) { $0.hasSuffix("\n\n") }
      #expect(try Self.told(text) == ["reset -"])
    }
  }

  @Test func `A section tells of its own articles`() async throws {
    try await Self.withLiveServer { server in
      let sections = server.archive.sections.map(\.slug)
      let theirs = try #require(sections.first)
      let others = server.archive.articles.filter { $0.section != theirs }.prefix(3)
      let own = try #require(server.archive.articles.first { $0.section == theirs })
      let text = try Self.stream(server, "/\(theirs)/api/live") {
        server.insert(Array(others) + [own])
      } until: {
        $0.contains("event: ") && $0.hasSuffix("\n\n")
      }
      #expect(try Self.told(text) == ["updated \(own.entry.id)"])
    }
  }

  @Test func `Heartbeats are comment lines`() async throws {
    try await Self.withLiveServer(heartbeat: .milliseconds(10)) { server in
      let text = try Self.stream(server) { $0.components(separatedBy: ": heartbeat\n\n").count > 3 }
      #expect(try Self.told(text).isEmpty)
    }
  }

  @Test func `A drop ends the connections that there are, and lets new ones in`() async throws {
    try await Self.withLiveServer { server in
      _ = try Self.stream(server) {
        server.dropLiveConnections()
      } until: { _ in
        false
      }
      #expect(await eventually { server.liveConnections == 0 })
      _ = try Self.stream(server) { $0.hasSuffix("\n\n") }
    }
  }

  @Test func `A mute connection says nothing`() async throws {
    try await Self.withLiveServer(heartbeat: .milliseconds(1)) { server in
      server.inject(.mute, on: "/api/live")
      let text = try Self.stream(server) {
        server.insertFresh(1)
        server.dropLiveConnections()
      } until: { _ in
        false
      }
      #expect(text == "")
      #expect(await eventually { server.liveConnections == 0 })
    }
  }

  @Test func `A client that leaves is noticed`() async throws {
    try await Self.withLiveServer { server in
      _ = try Self.stream(server) { $0.hasSuffix("\n\n") }
      #expect(await eventually { server.liveConnections == 0 && server.openConnections == 0 })
    }
  }

  @Test func `A stopped server ends its live connections`() async throws {
    try await Self.withLiveServer { server in
      let client = try TestClient(port: server.port)
      client.send("GET /api/live HTTP/1.1\r\n\r\n")
      #expect(try client.answer().status == 200)
      await server.stop()
      while try !client.more().isEmpty {}
    }
  }

  @Test func `The base says that there is something to listen to`() async throws {
    try await Self.withLiveServer { server in
      let client = try TestClient(port: server.port)
      #expect(try client.request("GET", "/api").json()["live"] as? Bool == true)
      let head = try client.request("HEAD", "/api/live")
      #expect(head.headers["content-type"] == "text/event-stream")
      #expect(server.liveConnections == 0)
    }
  }

  @Test func `What was taken away is gone`() async throws {
    try await withServer { server, client in
      let id = try #require(server.archive.articles.first?.entry.id)
      #expect(server.delete(id: id))
      #expect(!server.delete(id: id))
      let answer = try client.request("GET", "/api/articles/\(id.percentEncoded)")
      #expect(answer.status == 410)
      #expect(try answer.json()["code"] as? String == "gone")
      let all = try client.walk("/api/articles", limit: 100)
      #expect(all.count == 299)
    }
  }

  // MARK: WebSocket

  private static let handshake = [
    "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private static func webSocket(_ server: FeedServer) throws -> TestClient {
    let client = try TestClient(port: server.port)
    client.send(
      "GET /api/live HTTP/1.1\r\nHost: x\r\n\(handshake.joined(separator: "\r\n"))\r\n\r\n")
    let head = try client.answer(hasBody: false)
    #expect(head.status == 101)
    #expect(head.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    return client
  }

  /// The next messages, until there are so many or the connection ends.
  private static func messages(_ count: Int, _ client: TestClient) throws -> [WebSocketMessage] {
    var decoder = WebSocketDecoder(role: .client)
    var messages = decoder.consume(client.taken())
    while messages.count < count {
      let bytes = try client.more()
      guard !bytes.isEmpty else { break }
      messages += decoder.consume(bytes)
    }
    #expect(decoder.violation == nil)
    return messages
  }

  @Test func `The same address speaks WebSocket`() async throws {
    try await Self.withLiveServer { server in
      let client = try Self.webSocket(server)
      server.insertFresh(1)
      client.send(WebSocketFrame(.ping, [1, 2, 3]).bytes(mask: 7))
      let messages = try Self.messages(3, client)
      let texts = messages.compactMap { message -> [String: Any]? in
        guard case .text(let text) = message else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      }
      #expect(texts.count == 2)
      #expect(texts.first?["event"] is NSNull)
      #expect(texts.last?["event"] as? String == "article")
      #expect((texts.last?["data"] as? [String: Any])?["id"] as? String == "new-1")
      #expect(texts.allSatisfy { $0["id"] is String })
      #expect(messages.contains(.pong([1, 2, 3])))
    }
  }

  @Test func `A close frame is answered, and ends the connection`() async throws {
    try await Self.withLiveServer { server in
      let client = try Self.webSocket(server)
      client.send(WebSocketFrame.close(.goingAway).bytes(mask: 7))
      #expect(try Self.messages(9, client).last == .close(.goingAway, reason: ""))
      #expect(await eventually { server.liveConnections == 0 })
    }
  }

  @Test func `A client that breaks the rules is told which`() async throws {
    try await Self.withLiveServer { server in
      let client = try Self.webSocket(server)
      client.send(WebSocketFrame(.ping).bytes(mask: nil))
      #expect(try Self.messages(9, client).last == .close(.protocolError, reason: ""))
    }
  }

  @Test func `A drop may name a code`() async throws {
    try await Self.withLiveServer { server in
      let client = try Self.webSocket(server)
      server.dropLiveConnections(code: 1012)
      let last = try Self.messages(9, client).last
      #expect(last == .close(WebSocketCloseCode(rawValue: 1012), reason: ""))
    }
  }

  @Test(arguments: [(0, "h2c", 426), (1, "close", 426), (2, "8", 426), (3, "short", 400)])
  func `A handshake that is none is refused`(
    line: Int, value: String, status: Int
  ) async throws {
    try await Self.withLiveServer { server in
      var lines = Self.handshake
      lines[line] = lines[line].prefix { $0 != ":" } + ": " + value
      let client = try TestClient(port: server.port)
      client.send("GET /api/live HTTP/1.1\r\nHost: x\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == status)
      #expect(try answer.json()["message"] is String)
    }
  }
}

extension String {
  fileprivate var percentEncoded: String {
    addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
  }
}
