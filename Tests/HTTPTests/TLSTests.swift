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
  private let process = Process()

  init(_ options: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "telex-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    certificate = folder.appending(path: "cert.pem").path
    let key = folder.appending(path: "key.pem").path
    let openssl = try #require(TLSServer.openssl)
    let maker = Process()
    maker.executableURL = URL(filePath: openssl)
    maker.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost",
    ]
    maker.standardError = FileHandle.nullDevice
    try maker.run()
    maker.waitUntilExit()
    let output = Pipe()
    process.executableURL = URL(filePath: openssl)
    process.arguments =
      ["s_server", "-accept", "0", "-cert", certificate, "-key", key, "-www"] + options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It says "ACCEPT 0.0.0.0:39999" once it listens.
    var text = ""
    var found: Int?
    while found == nil {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "openssl s_server did not start")
      text += String(decoding: more, as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
      found = line.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
    }
    port = try #require(found)
  }

  deinit {
    // Not terminate(): a child of a Dispatch thread is born with SIGTERM blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

@Suite(.enabled(if: TLSServer.openssl != nil, "openssl is not installed"))
struct TLSTests {
  @Test func `A self-signed certificate is refused and accepted with its ca_file`() async throws {
    let server = try TLSServer()
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
    let server = try TLSServer()
    let client = makeClient { $0.caFile = server.certificate }
    let request = HTTPRequest(.get, "https://127.0.0.1:\(server.port)/")
    #expect(await kind { try await client.response(for: request) } == .tls)
  }

  @Test func `TLS before 1.2 is refused`() async throws {
    let server = try TLSServer(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
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
