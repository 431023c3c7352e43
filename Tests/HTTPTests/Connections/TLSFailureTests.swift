import CCurl
import ChildProcess
import FeedServer
import Foundation
import LoopbackTLS
import Requirements
import Synchronization
import Testing

@testable import HTTP

/// What cannot be trusted is refused, once, and said as what it is.
@Suite(.needs(.openssl))
struct TLSFailureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var server: [String] = []
    var validity = TLSIdentity.Validity.now
    var isTrusted = true
    var minTLS = TLSVersion.v12
    var host = "localhost"
    var pins: Pins?
    var failure: TLSFailure
    var says: String

    enum Pins: Sendable { case wrong, right }
    var testDescription: String { what }
  }

  static let cases = [
    Case(
      what: "self-signed", isTrusted: false, failure: .untrusted,
      says: "not signed by a trusted authority"
    ),
    Case(what: "expired", validity: .past, failure: .expired, says: "has expired"),
    Case(what: "too early", validity: .future, failure: .notYetValid, says: "not valid yet"),
    Case(what: "another name", host: "127.0.0.1", failure: .wrongName, says: "another name"),
    Case(
      what: "TLS 1.1", server: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
      failure: .protocolVersion, says: "TLS 1.2 or newer"),
    Case(
      what: "TLS 1.2 where 1.3 is wanted", server: ["-tls1_2"], minTLS: .v13,
      failure: .protocolVersion, says: "TLS 1.3 or newer"),
    Case(what: "wrong pins", pins: .wrong, failure: .pin, says: "does not match the pinned"),
    // A pin adds a condition; it never takes the place of a valid certificate.
    Case(
      what: "the right pin on a certificate that nobody signed", isTrusted: false, pins: .right,
      failure: .untrusted, says: "not signed by a trusted authority"),
    Case(
      what: "the right pin on an expired certificate", validity: .past, pins: .right,
      failure: .expired, says: "has expired"),
  ]

  @Test func `A close during the handshake is a dropped connection, and tried again`()
    async throws
  {
    let server = try LoopbackServer(opening: .dropping) { _ in [] }
    let client = ResilientClient(makeClient(), retries: RetryingSend(clock: FakeTime().clock))
    let error = await #expect(throws: HTTPError.self) {
      try await client.response(for: HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .cutShort)
    #expect(server.connectionsMade == 3)
  }

  @Test(arguments: cases)
  func `Each failure is told as what it is, after one attempt`(item: Case) async throws {
    // It takes one connection and ends: a second attempt would be refused, and that would be the
    // error.
    let server = try await TLSServer(["-naccept", "1"] + item.server, item.validity)
    let pins = try await item.pins.asyncMap { kind in
      let reserve = spare("reserve")
      return kind == .wrong
        ? [spare("another"), reserve] : [try await server.identity.pin(), reserve]
    }
    let table = try PublicKeyPins(pins.map { [item.host: $0] } ?? [:])
    let client = makeClient {
      $0.caFile = item.isTrusted ? server.certificate : nil
      $0.minTLS = item.minTLS
      $0.pins = table
    }
    let waits = Mutex(0)
    let send = RetryingSend(onWait: { _ in waits.withLock { $0 += 1 } })
    let error = try #require(
      await #expect(throws: HTTPError.self) {
        try await send.response(for: HTTPRequest(.get, "https://\(item.host):\(server.port)/")) {
          try await client.response(for: $0)
        }
      })
    #expect(error.kind == .tls)
    #expect(error.tlsFailure == item.failure, "\(error.detail ?? "")")
    #expect(error.message.contains(item.says) && error.message.contains(item.host))
    #expect(waits.withLock { $0 } == 0)
    #expect(await server.end() == .exited(0))
  }

  @Test func `What does not speak TLS is told from what cannot be trusted`() async throws {
    let server = try LoopbackServer(
      opening: .greeting(Array("220 mail.example.org ESMTP\r\n".utf8))
    ) { _ in [] }
    let error = await #expect(throws: HTTPError.self) {
      try await makeClient().response(for: HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error?.kind == .tls)
    #expect(error?.tlsFailure == .notTLS, "\(error?.detail ?? "")")
    #expect(server.connectionsMade == 1)
  }

  @Test func `TLS 1.3 is spoken where nothing older will do`() async throws {
    let server = try await TLSServer(["-tls1_3"])
    let client = makeClient {
      $0.caFile = server.certificate
      $0.minTLS = .v13
    }
    #expect(try await client.response(for: HTTPRequest(.get, server.url)).head.status == 200)
  }

  @Test func `A key that is pinned is accepted, in reserve too, and other hosts have any`()
    async throws
  {
    let server = try await TLSServer()
    let pin = try await server.identity.pin()
    for table in [
      ["localhost": [pin, spare("reserve")]], ["localhost": [spare("current"), pin]],
      ["LOCALHOST": [spare("current"), spare("next"), pin]],
      ["example.org": [spare("current"), spare("reserve")]],
    ] {
      let pins = try PublicKeyPins(table)
      let client = makeClient {
        $0.caFile = server.certificate
        $0.pins = pins
      }
      #expect(try await client.response(for: HTTPRequest(.get, server.url)).head.status == 200)
    }
  }

  static let files: [(String, String)] = [
    ("nothing", ""), ("words", "This is no certificate.\n"),
    ("a web page", "<!DOCTYPE html><title>Not found</title>"),
    ("a key", "-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n"),
    ("noise", "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n"),
    ("half of one", "-----BEGIN CERTIFICATE-----\nMIIBhTCCASug\n"),
    // It has the look of one, so that the TLS library is the one who notices.
    ("a shell", "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"),
  ]

  @Test(arguments: files)
  func `A ca_file that holds no certificate is named, and not the server blamed`(
    what: String, text: String
  ) async throws {
    let server = try await TLSServer()
    let file = server.identity.folder.appending(path: "garbage.pem")
    try Data(text.utf8).write(to: file)
    let client = makeClient { $0.caFile = file.path }
    let error = await #expect(throws: HTTPError.self) {
      try await client.response(for: HTTPRequest(.get, server.url))
    }
    #expect(error?.kind == .tls)
    #expect(error?.tlsFailure == .caFile, "\(what): \(error?.message ?? "")")
    #expect(error?.message.contains("ca_file") == true)
  }

  @Test func `A ca_file that is missing is named`() async throws {
    let client = makeClient { $0.caFile = "/nowhere/ca.pem" }
    let error = await #expect(throws: HTTPError.self) {
      try await client.response(for: HTTPRequest(.get, "https://localhost:1/"))
    }
    #expect(error?.tlsFailure == .caFile)
    #expect(error?.message == "The ca_file /nowhere/ca.pem cannot be read.")
  }

  @Test func `A ca_file may have words around its certificates, and several`() async throws {
    let server = try await TLSServer()
    let certificate = try String(contentsOfFile: server.certificate, encoding: .utf8)
    let other = try await TLSIdentity()
    let another = try String(contentsOfFile: other.certificate, encoding: .utf8)
    let file = server.identity.folder.appending(path: "bundle.pem")
    try Data("# Ours\r\n\(another)\nsubject=localhost\n\(certificate)".utf8).write(to: file)
    let client = makeClient { $0.caFile = file.path }
    #expect(try await client.response(for: HTTPRequest(.get, server.url)).head.status == 200)
  }

  /// As the libraries say it that curl may be built with; the words are curl's.
  static let words: [(CURLcode, Int, String, TLSFailure)] = [
    (CURLE_PEER_FAILED_VERIFICATION, 20, "SSL certificate problem", .untrusted),
    (
      CURLE_PEER_FAILED_VERIFICATION, 64, "SSL certificate problem: IP address mismatch", .wrongName
    ),
    (
      CURLE_PEER_FAILED_VERIFICATION, 0, "server certificate verification failed: expired", .expired
    ),
    (
      CURLE_PEER_FAILED_VERIFICATION, 0,
      "SSL: certificate subject name (a.org) does not match target host name 'b.org'", .wrongName
    ),
    (CURLE_PEER_FAILED_VERIFICATION, 0, "SSL certificate problem: Untrusted issuer", .untrusted),
    (
      CURLE_PEER_FAILED_VERIFICATION, 0, "SSL peer certificate or SSH remote key was not OK", .other
    ),
    (CURLE_PEER_FAILED_VERIFICATION, 23, "SSL certificate problem: certificate revoked", .other),
    (CURLE_SSL_CONNECT_ERROR, 0, "gnutls_handshake() failed: Handshake failed", .other),
    (CURLE_SSL_PINNEDPUBKEYNOTMATCH, 0, "SSL: public key does not match pinned public key", .pin),
    (CURLE_SSL_CACERT_BADFILE, 0, "error setting certificate file", .systemCertificates),
    (CURLE_SSL_CIPHER, 0, "no cipher", .other),
  ]

  @Test(arguments: words)
  func `A failure is told by code, verdict and words`(
    code: CURLcode, verdict: Int, words: String, expected: TLSFailure
  ) {
    let found = CurlTLSFailure(code: code, verdict: verdict, words: words, hasCAFile: false).failure
    #expect(found == expected, "\(words)")
  }
}

struct PublicKeyPinsTests {
  static let mistakes: [(String, [String], String)] = [
    ("example.org", [], "two different pins"),
    ("example.org", [spare("a")], "two different pins"),
    ("example.org", [spare("a"), spare("a")], "two different pins"),
    ("example.org", [spare("a"), "sha256//" + spare("b")], "44 characters"),
    ("example.org", [spare("a"), String(spare("b").dropLast())], "44 characters"),
    ("example.org", [spare("a"), spare("b") + "\n"], "44 characters"),
    ("example.org", [spare("a"), ""], "44 characters"),
    ("example.org", [spare("a"), Data(repeating: 1, count: 20).base64EncodedString()], "44"),
    ("example.org", [spare("a"), Data(repeating: 1, count: 33).base64EncodedString()], "44"),
    // 32 bytes, but not as anything prints them: the last bits are not zero.
    ("example.org", [spare("a"), String(repeating: "A", count: 42) + "B="], "44 characters"),
    ("https://example.org", [spare("a"), spare("b")], "name of a host"),
    ("example.org/feed", [spare("a"), spare("b")], "name of a host"),
    ("", [spare("a"), spare("b")], "name of a host"),
    ("example.org:8443", [spare("a"), spare("b")], "all its ports"),
  ]

  @Test(arguments: mistakes)
  func `A mistake is found when the pins are read`(
    host: String, pins: [String], message: String
  ) {
    let error = #expect(throws: PublicKeyPins.Mistake.self) { try PublicKeyPins([host: pins]) }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(error?.next.isEmpty == false)
  }

  @Test func `A host cannot be there twice, in another case`() throws {
    var pins = PublicKeyPins()
    try pins.set([spare("a"), spare("b")], for: "Example.org")
    #expect(throws: PublicKeyPins.Mistake.self) {
      try pins.set([spare("c"), spare("d")], for: "example.ORG")
    }
    #expect(pins.curlText(for: "example.org") == "sha256//\(spare("a"));sha256//\(spare("b"))")
    #expect(pins.curlText(for: "www.example.org") == nil)
  }
}

/// A pin of no key that there is.
private func spare(_ name: String) -> String {
  Data((name + String(repeating: ".", count: 32)).utf8.prefix(32)).base64EncodedString()
}

extension Optional {
  fileprivate func asyncMap<Value>(
    _ body: (Wrapped) async throws -> Value
  ) async rethrows -> Value? {
    if let self { try await body(self) } else { nil }
  }
}
