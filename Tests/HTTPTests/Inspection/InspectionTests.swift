import ChildProcess
import FeedServer
import Foundation
import LoopbackTLS
import Requirements
import Testing
import Text

@testable import HTTP

/// What a request that is looked at tells of its way.
struct InspectionTests {
  private static let start = Date(timeIntervalSince1970: 1_773_039_900)

  @Test func `A trace has every hop, where it leads and what it took`() async throws {
    let other = try LoopbackServer { _ in [.response(200, "the end")] }
    let elsewhere = other.url("/feed")
    let server = try LoopbackServer { request in
      request.target == "/0" ? [.redirect(301, to: "/1")] : [.redirect(302, to: elsewhere)]
    }
    let request = HTTPRequest(server.url("/0")) { $0.headers["Authorization"] = "Bearer sesame" }
    let trace = try await makeClient().trace(request)
    #expect(trace.error == nil && trace.failedAt == nil)
    #expect(trace.hops.map(\.url.description) == [server.url("/0"), server.url("/1"), elsewhere])
    #expect(trace.hops.map(\.head.status) == [301, 302, 200])
    #expect(trace.hops.map(\.leadsTo?.description) == [server.url("/1"), elsewhere, nil])
    #expect(trace.hops.map(\.leavesOrigin) == [false, true, false])
    #expect(trace.hops.map(\.isPermanent) == [true, false, false])
    #expect(trace.hops.map(\.metrics.isConnectionReused) == [false, true, false])
    #expect(trace.hops.allSatisfy { $0.metrics.isConnected && $0.metrics.address == "127.0.0.1" })
    #expect(trace.permanentURL == server.url("/1"))
    #expect(trace.response?.body == Array("the end".utf8))
    #expect(server.requests.allSatisfy { $0.header("authorization") != nil })
    #expect(other.requests.map { $0.header("authorization") } == [nil])
  }

  @Test func `A trace that fails has the hops before, and how far the last came`() async throws {
    let port = try ClosedPort()
    let gone = port.url
    let server = try LoopbackServer { _ in [.redirect(302, to: gone)] }
    let refused = try await makeClient().trace(HTTPRequest(.get, server.url()))
    #expect(refused.hops.map(\.head.status) == [302])
    #expect(refused.error?.kind == .refused && refused.failedAt?.description == gone)
    #expect(refused.error?.metrics?.isConnected == false)
    withExtendedLifetime(port) {}

    let silent = try LoopbackServer { _ in [.hang] }
    let request = HTTPRequest(silent.url()) { $0.limits.total = .milliseconds(300) }
    let hung = try await makeClient().trace(request)
    #expect(hung.error?.kind == .timeout(.total) && hung.hops.isEmpty)
    #expect(hung.error?.metrics?.isConnected == true)
    #expect(hung.error?.metrics?.firstByte == .zero)

    let circle = try LoopbackServer { request in
      [.redirect(301, to: request.target == "/a" ? "/b" : "/a")]
    }
    let loop = try await makeClient().trace(HTTPRequest(.get, circle.url("/a")))
    #expect(loop.hops.count == 2 && loop.error?.kind == .redirectLoop)
  }

  @Test func `An ordinary request does not pay for the look`() async throws {
    let server = try LoopbackServer { _ in [.close] }
    let error = try #require(
      await #expect(throws: HTTPError.self) {
        try await makeClient().response(for: HTTPRequest(.get, server.url()))
      })
    #expect(error.metrics == nil)
  }

  @Test(arguments: [
    (
      "SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384\n", "TLSv1.3", "TLS_AES_256_GCM_SHA384"
    ),
    (
      "SSL connection using TLSv1.3 / TLS_AES_128_GCM_SHA256 / X25519 / RSASSA-PSS", "TLSv1.3",
      "TLS_AES_128_GCM_SHA256"
    ),
    ("SSL connection using TLSv1.2", "TLSv1.2", ""), ("SSL connection using ", "", ""),
    ("SSL certificate verify ok.", "", ""),
  ])
  func `The version of TLS is read from the library's words`(
    line: String, version: String, cipher: String
  ) {
    var words = ConnectionWords()
    words.read(line)
    #expect(words.session.version == version && words.session.cipher == cipher)
    #expect(!words.isConnected)
  }

  @Test(arguments: [
    ("Connected to localhost (127.0.0.1) port 80 (#0)\n", true),
    ("Established connection to localhost (127.0.0.1 port 80) from 127.0.0.1 port 4711", true),
    ("  Trying 127.0.0.1:80...", false),
  ])
  func `So is that a connection stood`(line: String, isConnected: Bool) {
    var words = ConnectionWords()
    words.read(line)
    #expect(words.isConnected == isConnected)
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `SHA-256 gives what FIPS 180-4 says`(text: String, digest: String) {
    let found = SHA256.digest(of: Array(text.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    #expect(found == digest)
  }

  @Test(
    arguments: [
      (["Date": "Mon, 09 Mar 2026 07:05:00 GMT"], 0),
      (["Date": "Mon, 09 Mar 2026 07:00:00 GMT"], 300),
      (["Date": "Mon, 09 Mar 2026 08:05:00 GMT"], -3_600),
      // An answer that has lain in a cache for an hour.
      (["Date": "Mon, 09 Mar 2026 06:05:00 GMT", "Age": "3600"], 0),
      (["Date": "Mon, 09 Mar 2026 07:05:00 GMT", "Age": "nonsense"], 0),
      (["Date": "yesterday"], nil), ([:], nil),
    ] as [([String: String], Int?)])
  func `The clock is compared with the server's`(fields: [String: String], skew: Int?) {
    var headers = HTTPHeaders()
    for (name, value) in fields { headers[name] = value }
    let head = HTTPResponseHead(status: 200, headers: headers, url: "https://example.org/")
    #expect(head.clockSkew(now: Self.start) == skew.map { .seconds($0) })
  }

  @Test func `A name of this machine has addresses`() async throws {
    let found = try await NameLookup.addresses(of: "localhost", limit: .seconds(60))
    #expect(!found.isEmpty && found.allSatisfy(\.isLoopback))
    #expect(Set(found).count == found.count)
  }

  @Test(arguments: ["127.0.0.1", "192.0.2.7", "::1", "2001:db8::17"])
  func `An address is written as it is read`(text: String) {
    #expect(IPAddress(text)?.text == text)
  }

  @Test func `The library says what it is`() throws {
    let library = try NetworkLibrary.load()
    #expect(library.version.first?.isNumber == true)
    #expect(library.features.contains(.gzip))
  }
}

/// Certificates, as openssl makes and describes them.
@Suite(.needs(.openssl))
struct CertificateTests {
  @Test func `A trace over TLS tells of the certificate and its pin`() async throws {
    let server = try await TLSServer()
    let client = makeClient { $0.caFile = server.certificate }
    let trace = try await client.trace(HTTPRequest(.get, server.url))
    let session = try #require(trace.hops.first?.metrics.tlsSession)
    #expect(session.version == "TLSv1.3" && !session.cipher.isEmpty)
    let certificate = try #require(session.certificate)
    #expect(certificate.subject == "localhost" && certificate.issuer == "localhost")
    #expect(certificate.isSelfIssued)
    #expect(certificate.names == ["localhost"])
    #expect(certificate.pin == (try await server.identity.pin()))
    #expect(certificate.notBefore < Date() && certificate.notAfter > Date())
    #expect(abs(certificate.notAfter.timeIntervalSince(certificate.notBefore) - 2 * 86_400) < 2)
  }

  @Test(arguments: [TLSIdentity.Validity.past, .future])
  func `What is not trusted is shown all the same`(validity: TLSIdentity.Validity) async throws {
    let server = try await TLSServer([], validity)
    let client = makeClient { $0.caFile = server.certificate }
    let trace = try await client.trace(HTTPRequest(.get, server.url))
    #expect(trace.error?.kind == .tls && trace.error?.metrics?.isConnected == true)
    #expect(trace.error?.tlsFailure?.isOfCertificate == true)
    let url = try HTTPURL(server.url)
    let shown = try #require(
      await CertificateLook.certificate(
        at: url, proxy: .direct, connections: .anywhere, limit: .seconds(60)))
    #expect(shown.pin == (try await server.identity.pin()))
    let years = validity == .past ? (2020, 2021) : (2098, 2099)
    #expect(CivilTime(shown.notBefore).day.year == years.0)
    #expect(CivilTime(shown.notAfter).day.year == years.1)
  }

  @Test func `The look connects only where the request may`() async throws {
    let server = try await TLSServer()
    let url = try HTTPURL(server.url)
    let shown = await CertificateLook.certificate(
      at: url, proxy: .direct, connections: .publicOnly, limit: .seconds(60))
    #expect(shown == nil)
    let plain = try LoopbackServer { _ in [] }
    let none = await CertificateLook.certificate(
      at: try HTTPURL("https://127.0.0.1:\(plain.port)/"), proxy: .direct, connections: .anywhere,
      limit: .milliseconds(300))
    #expect(none == nil)
  }

  @Test func `A certificate that is cut anywhere is none, or says no less`() async throws {
    let identity = try await TLSIdentity()
    let text = try String(contentsOfFile: identity.certificate, encoding: .utf8)
    let whole = try #require(Certificate(pem: text))
    let base = text.split(separator: "\n").dropFirst().dropLast().joined()
    let bytes = try #require(Data(base64Encoded: base))
    #expect(Certificate(der: Array(bytes)) == whole)
    for count in 0..<bytes.count {
      #expect(Certificate(der: Array(bytes.prefix(count))) == nil)
    }
    // Any byte may be another: nothing traps.
    for index in bytes.indices {
      for value in [UInt8(0), 0x7F, 0x80, 0x84, 0xFF] {
        var bent = Array(bytes)
        bent[index] = value
        _ = Certificate(der: bent)
      }
    }
  }

  @Test(arguments: [
    "", "-----BEGIN CERTIFICATE-----",
    "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----",
    "-----END CERTIFICATE----------BEGIN CERTIFICATE-----",
  ])
  func `What is no certificate is none`(text: String) {
    #expect(Certificate(pem: text) == nil)
  }
}
