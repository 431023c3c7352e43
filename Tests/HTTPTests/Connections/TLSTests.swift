import ChildProcess
import FeedServer
import Foundation
import HTTP
import LoopbackTLS
import Requirements
import TestSupport
import Testing

@Suite(.needs(.openssl))
struct TLSTests {
  @Test func `A certificate is accepted with its ca_file`() async throws {
    let server = try await TLSServer()
    let client = makeClient { $0.caFile = server.certificate }
    let response = try await client.response(for: HTTPRequest(.get, server.url))
    #expect(response.head.status == 200)
    #expect(response.metrics.tls > .zero)
  }

  @Test func `An upgrade goes over the same TLS`() async throws {
    // It would speak HTTP/2 if it were asked to, and answers every GET with a page.
    let server = try await TLSServer(["-alpn", "h2,http/1.1"])
    let request = HTTPRequest("https://localhost:\(server.port)/live") {
      $0.upgrade = HTTPUpgrade(name: "websocket")
    }
    #expect(await kind { try await makeClient().stream(for: request) } == .tls)
    let trusting = makeClient { $0.caFile = server.certificate }
    let stream = try await trusting.stream(for: request)
    #expect(stream.head.status == 200)
    #expect(stream.head.headers["Content-Type"] == "text/html")
  }

  @Test(.needs(.nghttpd))
  func `Requests to one host share a connection of HTTP/2`() async throws {
    let identity = try await TLSIdentity()
    try Data("served".utf8).write(to: identity.folder.appending(path: "a.txt"))
    let executable = try #require(Program.path(of: "nghttpd"))
    // It takes no port of the system's choice; one that is taken ends it.
    var server: ChildProcess?
    var port = 0
    while server == nil {
      port = .random(in: 20_000..<30_000)
      let started = try ChildProcess(
        executable,
        [
          "-v", "-a", "127.0.0.1", "-d", identity.folder.path, "\(port)", identity.key,
          identity.certificate,
        ])
      #expect(await eventually { started.output.contains("listen ") || !started.isRunning })
      if started.isRunning { server = started }
    }
    defer { withExtendedLifetime(server) {} }
    let client = makeClient { $0.caFile = identity.certificate }
    let url = "https://localhost:\(port)/a.txt"
    let first = try await client.response(for: HTTPRequest(.get, url))
    #expect(String(decoding: first.body, as: UTF8.self) == "served")
    #expect(first.head.httpVersion == "2")
    let versions = try await withThrowingTaskGroup(of: (String, Bool).self) { group in
      for _ in 0..<20 {
        group.addTask {
          let response = try await client.response(for: HTTPRequest(.get, url))
          return (response.head.httpVersion, response.metrics.isConnectionReused)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions.count == 20)
    #expect(versions.allSatisfy { $0 == ("2", true) })
  }

  @Test func `A handshake that is never answered runs into the connect limit`() async throws {
    let server = try LoopbackServer(opening: .silence) { _ in [] }
    let request = HTTPRequest("https://127.0.0.1:\(server.port)/") {
      $0.limits.connect = .milliseconds(300)
    }
    let found = await kind { try await makeClient().response(for: request) }
    #expect(found == .timeout(.connect))
  }
}
