internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// Reading single documents, as servers of the Google Reader API were seen to write them, and worse.
@Suite struct GoogleReaderDocumentTests {
  /// Runs the body with a client whose reads are all answered with the text.
  private func with(
    _ text: String, type: String = "application/json", _ product: GoogleReaderProduct = .freshRSS,
    _ body: (GoogleReaderClient) async throws -> Void
  ) async throws {
    try await withAnswers({ request in
      .reply(
        request.path.hasSuffix("ClientLogin")
          ? WireReply(type: "text/plain", text: "SID=x\nLSID=null\nAuth=ada/1\n")
          : WireReply(type: type, text: text))
    }) { base, _, _ in
      try await body(
        GoogleReaderClient(
          GoogleReaderClient.Settings(
            SyncServerSettings(base: base, user: "ada"), product: product),
          client: readerHTTP(), password: { "secret" }))
    }
  }

  private static let origin = #""origin":{"streamId":"feed/1"}"#

  private func item(
    _ members: String, product: GoogleReaderProduct = .freshRSS,
    id: String = "tag:google.com,2005:reader/item/0000000000000001",
    _ body: (Item) throws -> Void
  ) async throws {
    try await with(#"{"items":[{"id":"\#(id)",\#(members)}]}"#, product) { client in
      let asked = try #require(GoogleReaderItemID(id))
      try body(try #require(try await client.items([asked]).items.first))
    }
  }

  @Test func `An item of FreshRSS`() async throws {
    try await item(
      """
      "crawlTimeMsec":"1773000000123","timestampUsec":"1773000000123456","published":1772999999,
      "title":"Q＆A ＜now＞","author":"Ada","alternate":[{"href":"https://a.example/1"}],
      "categories":["user/-/state/com.google/reading-list","user/-/label/News",
        "user/-/state/com.google/read","user/-/label/Later"],
      "origin":{"streamId":"feed/12","title":"A"},
      "summary":{"content":"<p>Hi <img src=\\"/i.png\\"></p>"},
      "enclosure":[{"href":"https://a.example/1.mp3","type":"audio/mpeg","length":42},{"type":"x"}]
      """
    ) { item in
      #expect(item.feed == "feed/12" && item.isRead == true && item.isStarred == false)
      #expect(
        item.entry
          == Entry(
            id: "1", url: "https://a.example/1", title: "Q&A <now>", authors: [Author("Ada")],
            published: Date(timeIntervalSince1970: 1_772_999_999),
            contentHTML: #"<p>Hi <img src="https://a.example/i.png"></p>"#,
            enclosures: [
              Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 42)
            ]))
    }
  }

  @Test func `An item of Miniflux has its states under a number, and both bodies`() async throws {
    try await item(
      """
      "title":"Q＆A","categories":["user/1/state/com.google/reading-list",
        "user/1/state/com.google/starred","user/1/label/News"],
      "published":1772999999,"canonical":[{"href":"https://a.example/1"}],\(Self.origin),
      "content":{"content":"<p>The whole.</p>"},"summary":{"content":"<p>Part"}
      """, product: .other
    ) { item in
      #expect(item.isStarred == true && item.isRead == false)
      #expect(item.entry.contentHTML == "<p>The whole.</p>")
      // Only FreshRSS means anything else by full-width characters.
      #expect(item.entry.title == "Q＆A")
    }
  }

  @Test func `Numbers may be texts, and texts may be missing`() async throws {
    try await item(#""published":"1772999999","title":null,"author":"",\#(Self.origin)"#) { item in
      #expect(item.entry.published == Date(timeIntervalSince1970: 1_772_999_999))
      #expect(item.entry.title == nil && item.entry.authors == [] && item.entry.url == nil)
    }
  }

  @Test func `Members of a wrong kind cost themselves alone`() async throws {
    try await item(
      #""title":["x"],"published":{},"categories":"no","enclosure":7,"updated":1e300,"summary":{"content":"<b>x</b>"},"alternate":[3,{"href":"https://a.example/1"}],\#(Self.origin)"#
    ) { item in
      #expect(item.entry.title == nil && item.entry.published == nil && item.entry.updated == nil)
      #expect(item.entry.contentHTML == "<b>x</b>" && item.entry.url == "https://a.example/1")
    }
  }

  @Test func `Text from a server passes the sanitiser`() async throws {
    try await item(
      #""title":"a\u001b[2Jb\u202e","author":"x\u0007","summary":{"content":"<p>\u001b]0;x</p>"},\#(Self.origin)"#
    ) { item in
      #expect(item.entry.title == "a[2Jb" && item.entry.authors == [Author("x")])
      #expect(item.entry.contentHTML == "<p>]0;x</p>")
    }
  }

  @Test func `Dates that are none are left out`() async throws {
    try await item(#""published":0,"updated":"99999999999999999999",\#(Self.origin)"#) { item in
      #expect(item.entry.published == nil && item.entry.updated == nil)
    }
  }

  @Test func `What nobody asked for is left out`() async throws {
    try await with(
      """
      {"items":[{"id":"1","title":"a",\(Self.origin)},{"id":"2","title":"b",\(Self.origin)},
        {"id":"1"},{"title":"c"},null,{"id":"3","origin":{"streamId":"feed/\\u001b1"}}]}
      """
    ) { client in
      let batch = try await client.items(["1", "3", "4"])
      #expect(batch.items.map(\.entry.title) == ["a"])
      #expect(batch.warnings == ["4 articles of an answer could not be read"])
    }
  }

  @Test(arguments: [false, true])
  func `A list of feeds is read, and one with a damaged entry is not taken for whole`(
    isDamaged: Bool
  ) async throws {
    try await with(
      """
      {"subscriptions":[{"id":"feed/1","title":" A \\u0007","url":"https://a.example/feed",
        "htmlUrl":"https://a.example/","categories":[{"id":"user/-/label/B","label":"b"},{"id":"user/-/state/com.google/x"},5]},
       \(isDamaged ? "{\"title\":\"no id\"}," : ""){"id":"feed/https://c.example/rss"},
       {"id":"feed/2","url":"gopher://x"}]}
      """
    ) { client in
      guard !isDamaged else {
        await #expect(throws: SourceError.self) { try await client.subscriptions() }
        return
      }
      let list = try await client.subscriptions()
      #expect(list.map(\.id) == ["feed/1", "feed/https://c.example/rss", "feed/2"])
      #expect(
        list.map(\.url) == ["https://a.example/feed", "https://c.example/rss", "feed/2"])
      let first = try #require(list.first)
      #expect(first.title == "A" && first.folders == ["B"])
    }
  }

  @Test func `Tags tell folders from labels where the server does`() async throws {
    try await with(
      """
      {"tags":[{"id":"user/-/state/com.google/starred"},{"id":"user/1/label/F","type":"folder"},
       {"id":"user/-/label/T","type":"tag"},{"id":"user/-/label/U"}]}
      """
    ) { client in
      let tags = try await client.tags().values
      #expect(
        tags == [
          GoogleReaderTag(name: "F", isFolder: true), GoogleReaderTag(name: "T", isFolder: false),
          GoogleReaderTag(name: "U", isFolder: nil),
        ])
    }
  }

  @Test func `Ids may be numbers, decimal or hex, negative or none`() async throws {
    try await with(
      """
      {"itemRefs":[{"id":"12"},{"id":13},{"id":-14},{"id":"tag:google.com,2005:reader/item/000000000000000f"},
       {"id":"5fd1c0de0000000000000001"}],"continuation":12}
      """
    ) { client in
      let page = try await client.idPage(of: .all, count: 10, after: nil)
      #expect(page.ids.map(\.text) == ["12", "13", "-14", "15", "5fd1c0de0000000000000001"])
      #expect(page.continuation == "12" && page.badEntries == 0 && page.hasList)
    }
  }

  /// The first two are read by a scan of the bytes, the others by a decoder.
  @Test(arguments: [
    #"{"itemRefs":[{"id":"1"},{"id":"-2"},{"id":"18446744073709551613"},{"id":"5fd1c0de0000000000000001"}],"continuation":"x"}"#,
    """
     { "itemRefs" : [ { "id" : "1" } , {"id":"-2"},
    \t{"id":"18446744073709551613"},{"id":"5fd1c0de0000000000000001"} ] , "continuation" : "x" }\r\n
    """,
    #"{"itemRefs":[{"id":"\u0031"},{"id":"-2"},{"id":"18446744073709551613"},{"id":"5fd1c0de0000000000000001"}],"continuation":"x"}"#,
    #"{"continuation":"x","more":[],"itemRefs":[{"id":"1","timestampUsec":"3"},{"directStreamIds":[],"id":"-2"},{"id":"-3"},{"id":"5fd1c0de0000000000000001"}]}"#,
  ])
  func `A list of ids is the same however it is written`(text: String) async throws {
    try await with(text) { client in
      let page = try await client.idPage(of: .all, count: 10, after: nil)
      #expect(page.ids.map(\.text) == ["1", "-2", "-3", "5fd1c0de0000000000000001"])
      #expect(page.continuation == "x" && page.hasList && page.badEntries == 0)
    }
  }

  @Test(arguments: [
    #"{"itemRefs":[{"id":"1"},{"id":"2"}"#, #"{"itemRefs":[{"id":"1"},{"id":"2"}]"#,
    #"{"itemRefs":[{"id":"1"},{"id":"2"}],"continuation":"x""#,
    #"{"itemRefs":[{"id":"1"}]} x"#, #"{"itemRefs":[{"id":"1"},{"id":"2"#,
  ])
  func `A list of ids without its end is an error`(text: String) async throws {
    try await with(text) { client in
      _ = try? await client.user()
      let error = await #expect(throws: SourceError.self) {
        try await client.idPage(of: .all, count: 10, after: nil)
      }
      #expect(error?.kind == .decoding)
    }
  }

  @Test func `An entry that holds no id is left to the count of bad ones`() async throws {
    try await with(#"{"itemRefs":[{"id":"1"},{"id":"a b"},{"id":""}],"continuation":""}"#) {
      client in
      let page = try await client.idPage(of: .all, count: 10, after: nil)
      #expect(page.ids == [GoogleReaderItemID(1)] && page.badEntries == 2)
      #expect(page.continuation == nil)
    }
  }

  @Test func `An answer without a list of ids proves nothing`() async throws {
    try await with("{}") { client in
      let set = try await client.ids(of: .unread)
      #expect(set.ids.isEmpty && set.doubts == [.noList])
    }
    try await with(#"{"itemRefs":[]}"#) { client in
      let isWhole = try await client.ids(of: .unread).isWhole
      #expect(isWhole)
    }
  }

  @Test(arguments: ["", "   ", "null", "7", "\"x\"", "[]", "[{}]", "{\"items\":", "{}", "<rss/>"])
  func `What is no object with the list that was asked for is an error`(text: String) async throws {
    try await with(text) { client in
      for call in [
        { @Sendable in _ = try await client.subscriptions() },
        { @Sendable in _ = try await client.tags() },
        { @Sendable in _ = try await client.items(["1"]) },
      ] {
        let error = await #expect(throws: SourceError.self) { try await call() }
        #expect(error?.kind == .decoding && error?.next?.isEmpty == false)
      }
    }
  }
}
