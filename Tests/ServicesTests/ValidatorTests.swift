internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

@Suite struct ValidatorTests {
  /// Values that nobody can send again, byte for byte as servers were seen to send them or might.
  static let unsendable: [(what: String, bytes: [UInt8])] = [
    ("Latin-1", Array("\"caf".utf8) + [0xE9, 0x22]), ("UTF-8", Array("\"café\"".utf8)),
    ("a C1 control", [0x22, 0xC2, 0x9B, 0x22]), ("a control character", [0x22, 0x01, 0x22]),
    ("a tab", Array("\"a\tb\"".utf8)), ("DEL", [0x22, 0x7F, 0x22]),
    ("any document", Array("*".utf8)), ("any document of a list", Array("\"a\", *".utf8)),
    ("too long", Array(repeating: UInt8(ascii: "x"), count: Validators.longest + 1)),
  ]

  @Test(arguments: unsendable, [200, 304])
  func `What cannot be sent again is not kept`(
    _ value: (what: String, bytes: [UInt8]), status: Int
  ) async throws {
    let body = "<rss version='2.0'><channel><item><guid>a</guid></item></channel></rss>"
    try await withAnswers({ _ in
      .bytes(
        Array("HTTP/1.1 \(status) Said\r\nETag: ".utf8) + value.bytes
          + Array("\r\nLast-Modified: ".utf8) + value.bytes
          + Array(
            (status == 304 ? "\r\n\r\n" : "\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
              .utf8))
    }) { base, server, sources in
      for format in [FeedFormat.rss, .api] where format == .rss || status == 304 {
        let feed = feed(base, format: format)
        let known = KnownPage(validators: Validators(etag: "\"old\""))
        let answer = try await sources.source(for: feed).page(after: nil, known: known)
        switch answer.body {
        case .page(let page): #expect(page.validators.isEmpty, "\(value.what)")
        case .unchanged(let validators): #expect(validators.isEmpty, "\(value.what)")
        }
      }
    }
  }

  @Test(arguments: [
    ("Mon, 09 Mar 2026 07:05:00 GMT", true), ("Mon, 09 Mar 2026 07:04:59 GMT", true),
    ("Mon, 09 Mar 2026 07:05:01 GMT", false), ("Tue Mar 10 07:05:00 2026", false),
    ("some time ago", true),
  ])
  func `A time of change that is later than the answer is not kept`(
    changed: String, isKept: Bool
  ) async throws {
    let headers = [
      (name: "Date", value: "Mon, 09 Mar 2026 07:05:00 GMT"),
      (name: "Last-Modified", value: changed),
    ]
    try await withAnswers({ _ in .reply(.rss(["a"], headers: headers)) }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      #expect(page.validators.lastModified == (isKept ? changed : nil))
    }
  }

  @Test func `The longest value that is kept is sent as it came`() async throws {
    let etag = "\"" + String(repeating: "x", count: Validators.longest - 2) + "\""
    try await withAnswers({ request in
      request.header("If-None-Match") == etag
        ? .reply(WireReply(status: 304)) : .reply(.rss(["a"], headers: [("ETag", etag)]))
    }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      let known = KnownPage(validators: page.validators)
      let answer = try await sources.source(for: feed(base)).page(after: nil, known: known)
      #expect(answer.body == .unchanged(Validators()))
    }
  }

  @Test(arguments: [FeedFormat.rss, .api])
  func `A server that fails our condition is asked again without it`(
    format: FeedFormat
  ) async throws {
    try await withAnswers({ request in
      if request.header("If-None-Match") != nil || request.header("If-Modified-Since") != nil {
        return .reply(WireReply(status: 412))
      }
      return .reply(
        format == .api
          ? WireReply(type: "application/json", text: #"{"items": [{"id": "a"}]}"#)
          : .rss(["a"]))
    }) { base, server, sources in
      let known = KnownPage(
        validators: Validators(
          etag: "\"old\"", lastModified: "Mon, 09 Mar 2026 07:05:00 GMT"))
      let page = try await sources.page(of: feed(base, format: format), known: known)
      #expect(page.entries.map(\.id) == ["a"])
      #expect(server.requests.count == 2)
    }
  }

  @Test func `A server that fails what was no condition is not asked again`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 412)) }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base))
      }
      #expect(error?.status == 412)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [FeedFormat.rss, .api])
  func `A 204 is nothing new, and leaves the validators as they are`(
    format: FeedFormat
  ) async throws {
    try await withAnswers({ _ in
      .reply(WireReply(status: 204, headers: [("ETag", "\"of nothing\"")]))
    }) { base, _, sources in
      let known = KnownPage(validators: Validators(etag: "\"old\""))
      let source = sources.source(for: feed(base, format: format))
      let page = try await source.page(after: nil, known: known)
      #expect(page.body == .unchanged(known.validators))
    }
  }

  @Test func `Where a 204 is all that a new address has, it is said so`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 204)) }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.locate(base) }
      #expect(error?.message == "The server has sent no document yet (204).")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `An older page that is a 204 is the last`() async throws {
    try await withAnswers({ request in
      .reply(request.path == "/older" ? WireReply(status: 204) : .rss(["a"]))
    }) { base, _, sources in
      let page = try await sources.page(of: feed(base), after: Cursor(base + "/older"))
      #expect(page.entries.isEmpty && page.nextCursor == nil)
    }
  }
}
