import FeedServer
import Foundation
import HTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LogTests {
  private let path = NSTemporaryDirectory() + "telex-log-\(UUID().uuidString)"

  private func client() throws -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.middlewares = [try HTTPLog(path: path).middleware]
    return makeClient(client: configuration)
  }

  private func lines() throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func `A line tells an attempt, its outcome and its phases, and no secret`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer { request in
      switch request.target {
      case "/old?key=hidden": [.redirect(302, to: "/new?key=hidden")]
      case "/cut": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close]
      default: [.response(200, ["Set-Cookie": "hidden"], "the hidden body")]
      }
    }
    let client = try client()
    var request = HTTPRequest(
      .get, server.url("/old?key=hidden"),
      headers: ["authorization": "Bearer hidden", "X-Api-Key": "hidden", "COOKIE": "hidden"])
    request.id = "the-id"
    _ = try await client.response(for: request)
    _ = try? await client.response(for: HTTPRequest(.get, server.url("/cut")))
    _ = try? await client.response(for: HTTPRequest(.get, "http://user:hidden@127.0.0.1:1/"))
    let lines = try lines()
    try #require(lines.count == 3)
    #expect(
      lines[0].contains("GET \(server.url("/old?…")) id=the-id attempt=1 200 HTTP/1.1 hops=1"))
    #expect(lines[0].contains("body=15") && lines[0].contains("first="))
    #expect(lines[1].contains("/cut") && lines[1].contains("failed: cutShort"))
    #expect(lines[2].contains("failed: refused"))
    #expect(!lines.joined().contains("hidden"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `A stream is told at its end, however it came to that`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer { request in
      switch request.target {
      case "/whole": [.response(200, "abcde")]
      case "/cut": [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close]
      default: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
      }
    }
    let client = try client()
    for try await _ in try await client.stream(for: HTTPRequest(.get, server.url("/whole"))) {}
    _ = await kind {
      for try await _ in try await client.stream(for: HTTPRequest(.get, server.url("/cut"))) {}
    }
    do {
      let stream = try await client.stream(for: HTTPRequest(.get, server.url("/left")))
      for try await _ in stream { break }
    }
    #expect(await eventually { (try? lines().count) == 3 })
    let told = try lines()
    #expect(told[0].contains("/whole") && told[0].contains("200 HTTP/1.1"))
    #expect(told[0].contains("first=") && told[0].contains("body=5 streamed"))
    #expect(told[1].contains("body=3 streamed failed: cutShort"))
    #expect(told[2].contains("body=3 streamed called off"))
  }

  @Test func `What cannot be decoded is told with its place`() async throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try LoopbackServer { _ in [.response(200, #"{"items": [{"n": 1}, {"n": "x"}]}"#)] }
    struct List: Decodable, Sendable {
      struct Item: Decodable, Sendable { var n: Int }
      var items: [Item]
    }
    let client = try client()
    let endpoint = Endpoint<List>(json: .get, ["list"])
    let request = try endpoint.request(base: server.url())
    let response = try await client.response(for: request)
    let error = #expect(throws: HTTPError.self) {
      try endpoint.value(of: response, to: request, through: client)
    }
    #expect(error?.kind == .decoding && error?.message.contains("items") == false)
    let line = try #require(try lines().last)
    #expect(line.contains("GET \(server.url("/list"))"))
    #expect(line.contains("failed: decoding 127.0.0.1 at $.items[1].n is not a Int"))
  }

  @Test func `A log that has grown is set aside, and one that cannot be written is an error`()
    async throws
  {
    defer {
      for suffix in ["", ".1"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 10 << 20 | 1)))
    _ = try client()
    #expect(FileManager.default.fileExists(atPath: path + ".1"))
    #expect(try lines() == [])
    #expect(throws: HTTPError.self) { try HTTPLog(path: "/nowhere/at/all.log") }
  }

  @Test(
    arguments: [
      (["LANG": "de_AT.UTF-8"], "de-AT, de;q=0.8, en;q=0.7"),
      (["LANG": "en_GB.UTF-8"], "en-GB, en;q=0.8"),
      (["LANG": "C"], nil), (["LANG": "C.UTF-8"], nil), ([:], nil), (["LANG": "POSIX"], nil),
      (["LANG": "de_DE", "LC_ALL": "fr_FR.UTF-8@euro"], "fr-FR, fr;q=0.8, en;q=0.7"),
      (["LANG": "de_DE", "LANGUAGE": "nl:fr_FR"], "nl, fr-FR;q=0.8, fr;q=0.7, en;q=0.6"),
      (["LANG": "x\r\nEvil: 1"], nil),
    ] as [([String: String], String?)])
  func `The languages of the environment are asked for`(
    environment: [String: String], value: String?
  ) {
    #expect(AcceptLanguage.value(environment: environment) == value)
  }

  @Test func `A host has its own proxy, and what is below it too`() throws {
    var settings = ProxySettings(http: "http://general:1", https: "http://general:1")
    settings.hosts = ["example.org": .via("http://own:1"), "in.example.org": .direct]
    func choice(_ url: String) throws -> ProxyChoice { settings.choice(for: try HTTPURL(url)) }
    #expect(try choice("http://example.org/") == .via("http://own:1"))
    #expect(try choice("https://a.example.org/") == .via("http://own:1"))
    #expect(try choice("https://x.in.example.org/") == .direct)
    #expect(try choice("https://notexample.org/") == .via("http://general:1"))
  }
}
