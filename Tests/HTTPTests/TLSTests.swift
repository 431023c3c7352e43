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

  let certificate: String
  let port: Int
  private let folder: URL
  private let process: ChildProcess

  init(_ options: [String] = []) async throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "telex-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "cert.pem").path
    let key = folder.appending(path: "key.pem").path
    let openssl = try #require(TLSServer.openssl)
    let maker = try ChildProcess(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost",
      ])
    let made = await maker.end()
    try #require(made == .exited(0), "\(maker.errors)")
    process = try ChildProcess(
      openssl, ["s_server", "-accept", "0", "-cert", certificate, "-key", key, "-www"] + options)
    // It says "ACCEPT 0.0.0.0:39999" once it listens.
    var found: Int?
    while found == nil, process.isRunning {
      let line = process.output.split(separator: "\n").dropLast(0).first { $0.hasPrefix("ACCEPT ") }
      found = line.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
      try await Task.sleep(for: .milliseconds(3))
    }
    port = try #require(found)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

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

  @Test func `A handshake that is never answered runs into the connect limit`() async throws {
    let server = try LoopbackServer { _ in [] }
    let request = HTTPRequest("https://127.0.0.1:\(server.port)/") {
      $0.limits.connect = .milliseconds(300)
    }
    let found = await kind { try await makeClient().response(for: request) }
    #expect(found == .timeout(.connect))
  }
}
