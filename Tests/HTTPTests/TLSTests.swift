import ChildProcess
import Foundation
import HTTP
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `openssl s_server` with a certificate of its own making, for localhost.
private final class TLSServer {
  static let openssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let port: Int
  private let identity: TLSIdentity
  private let process: ChildProcess

  var certificate: String { identity.certificate }

  init(_ options: [String] = []) async throws {
    let openssl = try #require(TLSServer.openssl)
    identity = try await TLSIdentity(openssl: openssl)
    process = try ChildProcess(
      openssl,
      ["s_server", "-accept", "0", "-cert", identity.certificate, "-key", identity.key, "-www"]
        + options)
    // It says "ACCEPT 0.0.0.0:39999" once it listens.
    var found: Int?
    while found == nil, process.isRunning {
      let line = process.output.split(separator: "\n").dropLast(0).first { $0.hasPrefix("ACCEPT ") }
      found = line.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
      try await Task.sleep(for: .milliseconds(3))
    }
    port = try #require(found)
  }
}

/// A key for localhost and its certificate, signed by itself; both files are gone with the value.
private final class TLSIdentity {
  let folder: URL
  let certificate: String
  let key: String

  init(openssl: String) async throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "telex-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "cert.pem").path
    key = folder.appending(path: "key.pem").path
    let maker = try ChildProcess(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost",
      ])
    let made = await maker.end()
    try #require(made == .exited(0), "\(maker.errors)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// nghttp2's server: HTTP/2 over TLS. Systems put servers where users do not look for programs.
private let nghttpd =
  ((ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin"])
  .map { "\($0)/nghttpd" }
  .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite(.enabled(if: TLSServer.openssl != nil, "openssl is not installed"))
struct TLSTests {
  @Test func `A self-signed certificate is refused and accepted with its ca_file`() async throws {
    let server = try await TLSServer()
    let request = HTTPRequest(.get, "https://localhost:\(server.port)/")
    let error = await #expect(throws: HTTPError.self) {
      try await makeClient().response(for: request)
    }
    #expect(error?.kind == .tls)
    #expect(error?.message.contains("certificate") == true)
    let trusting = makeClient { $0.caFile = server.certificate }
    let response = try await trusting.response(for: request)
    #expect(response.head.status == 200)
    #expect(response.metrics.tls > .zero)
  }

  @Test func `A certificate for another name is refused`() async throws {
    let server = try await TLSServer()
    let client = makeClient { $0.caFile = server.certificate }
    let request = HTTPRequest(.get, "https://127.0.0.1:\(server.port)/")
    #expect(await kind { try await client.response(for: request) } == .tls)
  }

  @Test func `TLS before 1.2 is refused`() async throws {
    let server = try await TLSServer(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
    let client = makeClient { $0.caFile = server.certificate }
    let request = HTTPRequest(.get, "https://localhost:\(server.port)/")
    #expect(await kind { try await client.response(for: request) } == .tls)
  }

  @Test(.enabled(if: nghttpd != nil, "nghttpd is not installed"))
  func `Requests to one host share a connection of HTTP/2`() async throws {
    let identity = try await TLSIdentity(openssl: try #require(TLSServer.openssl))
    try Data("served".utf8).write(to: identity.folder.appending(path: "a.txt"))
    let executable = try #require(nghttpd)
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
      try await eventually { started.output.contains("listen ") || !started.isRunning }
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
    let server = try LoopbackServer { _ in [] }
    let request = HTTPRequest("https://127.0.0.1:\(server.port)/") {
      $0.limits.connect = .milliseconds(300)
    }
    let found = await kind { try await makeClient().response(for: request) }
    #expect(found == .timeout(.connect))
  }
}
