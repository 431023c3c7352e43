import Testing

@testable import WebSocket

@Suite struct HandshakeTests {
  /// RFC 6455 §1.3.
  private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

  /// Of RFC 3174 §7.3, and the lengths around a block, from another implementation.
  static let digests: [(String, String)] = [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    (String(repeating: "x", count: 55), "cef734ba81a024479e09eb5a75b6ddae62e6abf1"),
    (String(repeating: "x", count: 64), "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163"),
    (
      String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
  ]

  @Test(arguments: digests) func `SHA-1 is SHA-1`(text: String, digest: String) {
    let hex = SHA1.digest(of: Array(text.utf8)).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    #expect(hex.joined() == digest)
  }

  @Test func `The key and its answer are those of the standard`() {
    #expect(WebSocketHandshake.accept(for: Self.key) == Self.accept)
    #expect(WebSocketHandshake.isKey(Self.key))
    #expect(WebSocketHandshake.key(Array("the sample nonce".utf8)) == Self.key)
    for text in ["", "c2hvcnQ=", "not base64 at all!!!!!!!"] {
      #expect(!WebSocketHandshake.isKey(text))
    }
  }

  private static let good = [
    "upgrade": ["websocket"], "connection": ["Upgrade"], "sec-websocket-accept": [accept],
  ]

  static let answers: [(name: String, values: [String]?, isAccepted: Bool)] = [
    ("upgrade", ["WebSocket"], true), ("upgrade", nil, false), ("upgrade", ["h2c"], false),
    ("upgrade", ["websocket, h2c"], false), ("connection", ["keep-alive, upgrade"], true),
    ("connection", ["keep-alive", "Upgrade"], true), ("connection", ["close"], false),
    ("connection", nil, false), ("sec-websocket-accept", nil, false),
    ("sec-websocket-accept", [accept, accept], false), ("sec-websocket-accept", [key], false),
    ("sec-websocket-extensions", ["permessage-deflate"], false),
    ("sec-websocket-protocol", ["chat"], false),
  ]

  @Test func `A proper answer is accepted`() {
    #expect(
      WebSocketHandshake.isAccepted(key: Self.key) { Self.good[$0.lowercased()] ?? [] })
  }

  @Test(arguments: answers)
  func `Each header of the answer counts`(name: String, values: [String]?, isAccepted: Bool) {
    var headers = Self.good
    headers[name] = values
    let found = WebSocketHandshake.isAccepted(key: Self.key) { headers[$0.lowercased()] ?? [] }
    #expect(found == isAccepted)
  }
}
