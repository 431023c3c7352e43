import FeedServer
import Foundation
import LoopbackTLS
import Requirements
import Testing

@testable import HTTP

/// Where a body ends, and whether that is its end.
struct BodyEndTests {
  typealias Coded = (name: String, coding: String, bytes: [UInt8], text: String)

  private static let raw = Array(Gzip.stored("abc").dropFirst(10).dropLast(8))

  static let whole: [Coded] = [
    ("one member", "gzip", Gzip.stored("abc"), "abc"),
    ("several members", "gzip", Gzip.stored("ab") + Gzip.stored("") + Gzip.stored("c"), "abc"),
    ("junk behind it", "x-gzip", Gzip.stored("abc") + Array("<!-- cached -->".utf8), "abc"),
    ("zeros behind it", "GZIP", Gzip.stored("abc") + [0, 0, 0], "abc"),
    ("a byte behind it", "gzip", Gzip.stored("abc") + [0x1F], "abc"),
    ("what looks like a member", "gzip", Gzip.stored("abc") + [0x1F, 0x8B, 0xFF, 0xFF], "abc"),
    ("twice", "gzip, gzip", Gzip.stored("abc", times: 2), "abc"),
    ("four times", "gzip,gzip,gzip,gzip", Gzip.stored("abc", times: 4), "abc"),
    ("deflate without its frame", "deflate", raw, "abc"),
    ("deflate", "deflate", [0x78, 0x01] + raw + [0x02, 0x4D, 0x01, 0x27], "abc"),
    ("brotli", "br", TransferTests.brotli, TransferTests.repetitive),
    ("brotli and junk", "br", TransferTests.brotli + [1, 2, 3], TransferTests.repetitive),
    ("zstd", "zstd", TransferTests.zstd, TransferTests.repetitive),
    (
      "zstd frames", "zstd", TransferTests.zstd + TransferTests.zstd,
      TransferTests.repetitive + TransferTests.repetitive
    ),
    ("zstd and junk", "zstd", TransferTests.zstd + Array("junk".utf8), TransferTests.repetitive),
    ("text under gzip", "gzip", Array("<rss>ä</rss>".utf8), "<rss>ä</rss>"),
    ("text under deflate", "deflate", Array("<rss></rss>".utf8), "<rss></rss>"),
    ("text under zstd", "zstd", Array("{\"items\": []}".utf8), "{\"items\": []}"),
    ("text under brotli", "br", Array("\n<rss></rss>".utf8), "\n<rss></rss>"),
    (
      "text behind a byte order mark", "br", Array("\u{FEFF}<rss></rss>".utf8),
      "\u{FEFF}<rss></rss>"
    ),
    ("gzip under brotli", "br", Gzip.stored("abc"), "abc"),
    ("gzip under deflate", "deflate", Gzip.stored("abc"), "abc"),
    ("gzip under zstd", "zstd", Gzip.stored("abc"), "abc"),
    ("zstd under gzip", "gzip", TransferTests.zstd, TransferTests.repetitive),
    ("zlib under gzip", "gzip", [0x78, 0x01] + raw + [0x02, 0x4D, 0x01, 0x27], "abc"),
    ("gzip once of twice", "gzip, gzip", Gzip.stored("<rss></rss>"), "<rss></rss>"),
    ("gzip twice, named once", "gzip", Gzip.stored("abc", times: 2), "abc"),
    ("gzip under a packed document", "br", Gzip.stored("abc", times: 2), "abc"),
    ("gzip behind a byte order mark", "gzip", [0xEF, 0xBB, 0xBF] + Gzip.stored("abc"), "abc"),
    (
      "a wrong checksum", "gzip", Array(Gzip.stored("abc").dropLast(8)) + [0, 0, 0, 0, 3, 0, 0, 0],
      "abc"
    ),
    ("a wrong length", "gzip", Array(Gzip.stored("abc").dropLast(4)) + [9, 0, 0, 0], "abc"),
    ("a wrong checksum of deflate", "deflate", [0x78, 0x01] + raw + [0, 0, 0, 0], "abc"),
    ("an encoding that is none", "UTF-8", Array("abc".utf8), "abc"),
    ("none by name", "identity, none", Array("abc".utf8), "abc"),
    ("nothing", "gzip", [], ""),
  ]

  @Test(arguments: whole)
  func `A coded body is undone to its end`(_ item: Coded) async throws {
    let server = try LoopbackServer { request in
      request.target == "/"
        ? [.response(200, ["Content-Encoding": item.coding], body: item.bytes)]
        // Byte for byte.
        : [
          .text("HTTP/1.1 200 OK\r\nContent-Encoding: \(item.coding)\r\n"),
          .text("Transfer-Encoding: chunked\r\n\r\n"),
        ] + item.bytes.map { .send(Array("1\r\n".utf8) + [$0, 0x0D, 0x0A]) }
          + [.text("0\r\n\r\n")]
    }
    let client = makeClient()
    for target in ["/", "/pieces"] {
      let response = try await client.response(for: HTTPRequest(.get, server.url(target)))
      #expect(String(decoding: response.body, as: UTF8.self) == item.text, "\(item.name)")
    }
    #expect(server.requests.first?.header("accept-encoding")?.contains("zstd") == true)
  }

  @Test(
    arguments: [
      ("gzip", Gzip.stored("abc")), ("gzip", Gzip.stored("ab") + Gzip.stored("c")),
      ("deflate", [0x78, 0x01] + raw + [0x02, 0x4D, 0x01, 0x27]), ("deflate", raw),
      ("br", TransferTests.brotli), ("zstd", TransferTests.zstd),
      ("gzip, gzip", Gzip.stored("abc", times: 2)),
    ] as [(String, [UInt8])])
  func `A coding that ends early inside a whole message is cut, wherever`(
    coding: String, bytes: [UInt8]
  ) async throws {
    // Where the first of two members ends, the text may end too, and one byte more is junk.
    let ends = [Gzip.stored("ab").count, Gzip.stored("ab").count + 1]
    let cuts = (1..<bytes.count).filter { coding != "gzip" || !ends.contains($0) }
    let server = try LoopbackServer { request in
      let count = Int(request.target.dropFirst()) ?? 0
      return [.response(200, ["Content-Encoding": coding], body: Array(bytes.prefix(count)))]
    }
    let client = makeClient()
    for count in cuts {
      let error = await #expect(throws: HTTPError.self, "\(coding) after \(count)") {
        try await client.response(for: HTTPRequest(.get, server.url("/\(count)")))
      }
      #expect(error?.kind == .cutBody, "\(coding) after \(count)")
      #expect(error?.partial?.head.status == 200)
    }
    // The exchange was in order.
    #expect(server.connectionsMade == 1)
  }

  @Test(
    arguments: [
      ("gzip", Array(Gzip.stored("abc").prefix(10)) + [7]),
      ("zstd", Array(0...8)), ("br", Array(repeating: 0xFF, count: 9)),
      ("gzip,gzip,gzip,gzip,gzip", Gzip.stored("abc", times: 5)),
    ] as [(String, [UInt8])])
  func `What cannot be unpacked is an error`(coding: String, bytes: [UInt8]) async throws {
    let server = try LoopbackServer { _ in
      [.response(200, ["Content-Encoding": coding], body: bytes)]
    }
    let found = await kind { try await makeClient().response(for: HTTPRequest(.get, server.url())) }
    #expect(found == .protocolError)
    // Once more without a coding, and no more.
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.header("accept-encoding") == "identity")
  }

  @Test func `What cannot be unpacked is asked for once more without packing`() async throws {
    let server = try LoopbackServer { request in
      request.header("accept-encoding") == "identity"
        ? [.response(200, "<rss/>")]
        : [.response(200, ["Content-Encoding": "br"], body: Array(repeating: 0xFF, count: 9))]
    }
    let client = makeClient()
    let response = try await client.response(for: HTTPRequest(.get, server.url()))
    #expect(response.body == Array("<rss/>".utf8))
    #expect(server.requests.count == 2)
    // What changes something at the server is sent once.
    var request = HTTPRequest(.post, server.url(), body: [1])
    request.headers["Content-Type"] = "text/plain"
    #expect(await kind { try await client.response(for: request) } == .protocolError)
    #expect(server.requests.count == 3)
  }

  @Test func `A slow reader gets all of what a few bytes unpack to`() async throws {
    // Some 26 MB, which its server has sent before the first is read.
    let repeats = 100_000
    let server = try LoopbackServer { _ in
      [.response(200, ["Content-Encoding": "gzip"], body: Gzip.bomb(repeats: repeats))]
    }
    let stream = try await makeClient().stream(for: HTTPRequest(.get, server.url()))
    var count = 0
    var largest = 0
    let error = await #expect(throws: HTTPError.self) {
      for try await chunk in stream {
        count += chunk.count
        largest = max(largest, chunk.count)
      }
    }
    #expect(error?.kind == .cutBody)
    // The last of the bits may wait for more.
    #expect((258 * (repeats - 2)...258 * repeats + 1).contains(count))
    #expect(largest <= CurlTransport.bufferCapacity + ContentDecoder.pieceSize)
  }

  @Test func `An event that is packed comes before the next one is sent`() async throws {
    let gate = Gate()
    // A stored block that is not the last: its text is all there.
    let block: [UInt8] = [0, 3, 0, 0xFC, 0xFF] + Array("abc".utf8)
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
        .send(Array(Gzip.stored("").prefix(10)) + block), .wait(gate), .close,
      ]
    }
    let stream = try await makeClient().stream(for: HTTPRequest(.get, server.url()))
    var text: [UInt8] = []
    for try await chunk in stream {
      text += chunk
      if text.count == 3 { break }
    }
    #expect(text == Array("abc".utf8))
    gate.open()
  }

  @Test(arguments: [
    ("a length", "Content-Length: 9\r\n\r\nabc"),
    ("chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
    ("a chunk", "Transfer-Encoding: chunked\r\n\r\n9\r\nabc"),
  ])
  func `What came of a body that was cut goes with the error, and is not printed`(
    framing: String, rest: String
  ) async throws {
    let server = try LoopbackServer { _ in [.text("HTTP/1.1 200 OK\r\n" + rest), .close] }
    let error = await #expect(throws: HTTPError.self) {
      try await makeClient().response(for: HTTPRequest(.get, server.url()))
    }
    #expect(error?.kind == .cutShort, "\(framing)")
    #expect(error?.partial?.body == Array("abc".utf8), "\(framing)")
    #expect(!"\(String(reflecting: error))".contains("97, 98"))
  }

  @Test(
    .needs(.openssl),
    arguments: [("-tls1_2", false), ("-tls1_3", false), ("-tls1_3", true)], [200, 404])
  func `A body that ends with a connection that is closed without notice is cut`(
    way: (version: String, isReset: Bool), status: Int
  ) async throws {
    let server = try await TLSServer([way.version], document: ("text/plain", "whole"))
    try server.hold("held", status: status, pieces: 2)
    let client = makeClient { $0.caFile = server.certificate }
    let whole = try await client.response(for: HTTPRequest(.get, server.url + "document"))
    #expect(whole.body == Array("whole".utf8))
    var request = HTTPRequest(.get, server.url + "held")
    // A program that ends with what it has not read resets the connection.
    if way.isReset { request.headers["X-Long"] = String(repeating: "x", count: 60_000) }
    let stream = try await client.stream(for: request)
    var count = 0
    do {
      for try await chunk in stream {
        // All that came before is the client's already.
        if count == 0 { server.kill() }
        count += chunk.count
      }
      #expect(status == 404)
    } catch let error as HTTPError {
      #expect(error.kind == .cutBody && status == 200)
    }
    #expect(count > 0)
  }

  @Test(
    arguments: [
      ("nothing is shown", [], false), ("a record", [[23, 3, 3, 0, 60]], true),
      ("a handshake", [[22, 3, 3, 0, 60]], false),
      ("close_notify", [[23, 3, 3, 0, 60], [21, 3, 3, 0, 26], [1, 0]], false),
      (
        "close_notify of TLS 1.3", [[23, 3, 3, 0, 60], [23], [23, 3, 3, 0, 19], [21], [1, 0]], false
      ),
      ("the end of a kept connection", [[21, 3, 3, 0, 26], [1, 0], [23, 3, 3, 0, 60]], true),
      ("another alert", [[23, 3, 3, 0, 60], [21, 3, 3, 0, 26], [1, 90]], true),
    ] as [(String, [[UInt8]], Bool)])
  func `An end that was not announced is known where records are shown`(
    name: String, shown: [[UInt8]], isUnannounced: Bool
  ) {
    var closing = TLSClosing()
    for bytes in shown { bytes.withUnsafeBytes { closing.read($0) } }
    #expect(closing.isUnannounced == isUnannounced, "\(name)")
  }

  @Test(arguments: [204, 304])
  func `What has no body does not end with its connection`(status: Int) {
    #expect(!HTTPResponseHead(status: status, headers: [:], url: "https://a/").endsWithConnection)
    #expect(HTTPResponseHead(status: 200, headers: [:], url: "https://a/").endsWithConnection)
  }

  @Test(arguments: [206, 226])
  func `A part that nobody asked for is an error`(status: Int) async throws {
    let server = try LoopbackServer { _ in
      [.response(status, ["Content-Range": "bytes 0-2/9"], "abc")]
    }
    let client = makeClient()
    let found = await kind { try await client.response(for: HTTPRequest(.get, server.url())) }
    #expect(found == .protocolError)
    var request = HTTPRequest(.get, server.url())
    request.headers[status == 206 ? "Range" : "A-IM"] = "bytes=0-2"
    #expect(try await client.response(for: request).head.status == status)
  }
}

extension Gzip {
  /// Packed several times.
  fileprivate static func stored(_ text: String, times: Int) -> [UInt8] {
    (0..<times).reduce(Array(text.utf8)) { bytes, _ in stored(bytes: bytes) }
  }
}
