internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// Documents that did not end.
@Suite struct CutDocumentTests {
  private static let rss = """
    <rss version="2.0"><channel><title>T</title><item><guid>a</guid><title>a</title></item>\
    <item><guid>b</guid><title>b</title></item></channel></rss>
    """
  private static let cutRSS = String(rss.prefix(130))
  private static let json = """
    {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{"id": "a", \
    "content_text": "a"}, {"id": "b", "content_text": "b"}]}
    """

  private static func head(_ fields: String) -> [UInt8] {
    Array(
      """
      HTTP/1.1 200 OK\r
      Content-Type: application/xml\r
      ETag: "1"\r
      Last-Modified: Mon, 09 Mar 2026 07:05:00 GMT\r
      \(fields)\r
      \r\n
      """.utf8)
  }

  /// A stored block of gzip (RFC 1952) without its trailer.
  private static func packed(_ text: String) -> [UInt8] {
    let count = UInt16(text.utf8.count)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
      + [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
      + text.utf8
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    /// Whether it is a failure: not of a document that is such by itself.
    var isProblem = true
    /// Whether the document is whole all the same.
    var isWhole = false
  }

  static let cases: [Case] = [
    Case(
      testDescription: "a length that is not reached",
      bytes: head("Content-Length: 900") + cutRSS.utf8),
    Case(
      testDescription: "chunks without the last",
      bytes: head("Transfer-Encoding: chunked") + "82\r\n\(cutRSS)\r\n".utf8),
    Case(testDescription: "until the connection ends", bytes: head("X: y") + cutRSS.utf8),
    Case(
      testDescription: "gzip in a whole message",
      bytes: head("Content-Encoding: gzip\r\nContent-Length: 145") + packed(cutRSS)),
    Case(
      testDescription: "a packed document in a whole message",
      bytes: head("Content-Length: 145") + packed(cutRSS), isProblem: false),
    Case(
      testDescription: "XML in a whole message", bytes: head("Content-Length: 130") + cutRSS.utf8,
      isProblem: false),
    Case(
      testDescription: "JSON in a whole message",
      bytes: head("Content-Length: 110") + json.utf8.prefix(110), isProblem: false),
    Case(
      testDescription: "gzip whose document is whole",
      bytes: head("Content-Encoding: gzip\r\nContent-Length: \(rss.utf8.count + 15)")
        + packed(rss), isProblem: false, isWhole: true),
    Case(
      testDescription: "chunks without the last, whose document is whole",
      bytes: head("Transfer-Encoding: chunked")
        + "\(String(rss.utf8.count, radix: 16))\r\n\(rss)\r\n".utf8, isProblem: false,
      isWhole: true),
  ]

  @Test(arguments: cases, [FeedFormat.rss, nil])
  func `A document that did not end is shown, and keeps nothing to ask by`(
    _ item: Case, format: FeedFormat?
  ) async throws {
    try await withAnswers({ _ in Script([.send(item.bytes), .close]) }) { base, _, sources in
      let page = try await sources.page(of: feed(base, format: format))
      #expect(page.entries.first?.id == "a")
      #expect(page.isCut)
      #expect(page.validators.isEmpty)
      #expect(page.bodyDigest == nil)
      #expect((page.problem != nil) == item.isProblem)
      #expect((page.remark != nil) == (!item.isProblem && !item.isWhole))
      if let problem = page.problem {
        #expect(problem.kind == .cutShort && problem.status == 200)
        #expect(!problem.isConnectivity)
      } else {
        #expect(!page.warnings.isEmpty)
      }
      // To be subscribed to it is good enough.
      let located = try await sources.locate(base)
      #expect(located.page.entries.first?.id == "a" && located.page.bodyDigest == nil)
    }
  }

  @Test func `A document that ended keeps them`() async throws {
    let bytes = Self.head("Content-Length: \(Self.rss.utf8.count)") + Self.rss.utf8
    try await withAnswers({ _ in .bytes(bytes) }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      #expect(!page.isCut && page.problem == nil)
      #expect(page.validators.etag == "\"1\"" && page.validators.lastModified != nil)
      #expect(page.bodyDigest != nil)
    }
  }

  @Test func `Where nothing can be shown, what was cut is an error`() async throws {
    let bytes = Self.head("Content-Length: 900") + "<rss version='2.0'><chan".utf8
    try await withAnswers({ _ in Script([.send(bytes), .close]) }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base))
      }
      #expect(error?.kind == .cutShort && error?.status == nil)
    }
  }

  @Test func `An older page that was cut is an error: its rest would be lost`() async throws {
    let bytes = Self.head("Content-Length: 900") + Self.cutRSS.utf8
    try await withAnswers({ _ in Script([.send(bytes), .close]) }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base), after: Cursor(base + "/2"))
      }
      #expect(error?.kind == .cutShort)
    }
  }

  @Test func `A part that nobody asked for is no feed's newest page`() async throws {
    try await withAnswers({ _ in
      .reply(
        WireReply(
          status: 206, type: "application/xml", headers: [("ETag", "\"1\"")], text: Self.cutRSS))
    }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base))
      }
      #expect(error?.kind == .decoding)
      #expect(error?.message.contains("a part of the document") == true)
    }
  }
}
