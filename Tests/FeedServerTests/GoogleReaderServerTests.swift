internal import FeedServer
internal import Foundation
internal import Testing

/// The dialects of the reference server: what tests of the client rely on. Where a quirk was seen stands at
/// `GoogleReaderQuirks`.
@Suite struct GoogleReaderServerTests {
  private static func library(_ count: Int64 = 6) -> GoogleReaderModel {
    var library = GoogleReaderModel()
    let feed = library.subscribe(to: "https://a.example/feed", title: "A", folders: ["News"])
    library.insert(
      (1...count).map { number in
        GoogleReaderModel.Item(
          id: number, feed: feed.stream, title: "Item \(number)", published: 1_000 - number,
          crawled: number * 1_000_000)
      })
    return library
  }

  private struct Session {
    let server: GoogleReaderServer
    let client: TestClient
    let auth: String
    let token: String

    func get(_ route: String) throws -> TestClient.Answer {
      try client.request(
        "GET", server.quirks.basePath + "/reader/api/0/" + route,
        headers: ["Authorization": "GoogleLogin auth=\(auth)"])
    }

    func post(_ route: String, _ form: String) throws -> TestClient.Answer {
      try client.request(
        "POST", server.quirks.basePath + "/reader/api/0/" + route,
        headers: [
          "Authorization": "GoogleLogin auth=\(auth)",
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: form)
    }

    func ids(_ query: String) throws -> (ids: [String], next: String?) {
      let answer = try get("stream/items/ids?output=json&" + query).json()
      let refs = try #require(answer["itemRefs"] as? [[String: Any]])
      return (refs.compactMap { $0["id"] as? String }, answer["continuation"] as? String)
    }
  }

  private func with(
    _ quirks: GoogleReaderQuirks, count: Int64 = 6, _ body: (Session) throws -> Void
  ) async throws {
    let server = GoogleReaderServer(quirks, clock: { now })
    server.addUser("ada", password: "secret", library: Self.library(count))
    try await server.whileServing { server in
      let client = try TestClient(port: server.port)
      let answer = try client.request(
        "POST", quirks.basePath + "/accounts/ClientLogin",
        headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: "Email=ada&Passwd=secret")
      let auth = try #require(
        answer.text.split(separator: "\n").first { $0.hasPrefix("Auth=") }?.dropFirst(5))
      let token = try client.request(
        "GET", quirks.basePath + "/reader/api/0/token",
        headers: ["Authorization": "GoogleLogin auth=\(auth)"]
      ).text.trimmingCharacters(in: .whitespacesAndNewlines)
      try body(Session(server: server, client: client, auth: String(auth), token: token))
    }
  }

  private static let reading = "s=user/-/state/com.google/reading-list"
  private static let unread = reading + "&xt=user/-/state/com.google/read"
  private static let tag = "tag:google.com,2005:reader/item/"

  @Test func `FreshRSS pads its token, and gives twenty items unless told otherwise`() async throws
  {
    try await with(.freshRSS, count: 30) { session in
      #expect(session.token.utf8.count == 57 && session.token.hasSuffix("Z"))
      let page = try session.ids(Self.reading)
      #expect(page.ids.count == 20)
      #expect(try session.ids(Self.reading + "&n=0").ids.count == 30)
      #expect(try session.ids(Self.reading + "&n=abc").ids.count == 30)
      #expect(try session.get("subscription/list").status == 501)
    }
  }

  @Test func `FreshRSS begins again at a continuation that is none, and ends with an empty page`()
    async throws
  {
    try await with(.freshRSS) { session in
      let first = try session.ids(Self.reading + "&n=3")
      #expect(first.ids == ["6", "5", "4"] && first.next == "4")
      #expect(try session.ids(Self.reading + "&n=3&c=rubbish").ids == first.ids)
      let second = try session.ids(Self.reading + "&n=3&c=4")
      #expect(second.ids == ["3", "2", "1"] && second.next == "1")
      let last = try session.ids(Self.reading + "&n=3&c=1")
      #expect(last.ids.isEmpty && last.next == nil)
    }
  }

  @Test func `FreshRSS skips an item where the one before it was read between two pages`()
    async throws
  {
    try await with(.freshRSS) { session in
      let first = try session.ids(Self.unread + "&n=3")
      #expect(first.ids == ["6", "5", "4"])
      session.server.change("ada") { $0.mark([4], adding: [.read]) }
      #expect(try session.ids(Self.unread + "&n=3&c=4").ids == ["2", "1"])
    }
  }

  @Test func `FreshRSS says OK to what it does not do`() async throws {
    try await with(.freshRSS) { session in
      let read = "a=user/-/state/com.google/read"
      let unknown = try session.post("edit-tag", read + "&T=&i=99")
      #expect(unknown.text == "OK")
      // The thousand pairs that PHP reads are all ids.
      let ids = Array(repeating: "i=1", count: 1_000).joined(separator: "&")
      #expect(try session.post("edit-tag", ids + "&" + read).text == "OK")
      #expect(session.server.library(of: "ada").unread.count == 6)
      #expect(try session.post("edit-tag", read + "&" + ids).text == "OK")
      #expect(session.server.library(of: "ada").unread.count == 5)
    }
  }

  @Test func `FreshRSS names a bad token, takes it for subscriptions, and bounds a body`()
    async throws
  {
    try await with(.freshRSS) { session in
      let refusal = try session.post("edit-tag", "a=user/-/state/com.google/read&T=no&i=1")
      #expect(refusal.status == 401 && refusal.headers["google-bad-token"] == "true")
      let add = "ac=subscribe&s=feed/https://b.example/feed&T=no"
      #expect(try session.post("subscription/edit", add).text == "OK")
      #expect(try session.post("subscription/edit", add).status == 400)
      let much = "i=" + String(repeating: "1", count: 1 << 20)
      #expect(try session.post("edit-tag", much).status == 413)
    }
  }

  @Test func `Miniflux counts items in its continuation, and has neither counts nor streams`()
    async throws
  {
    try await with(.miniflux) { session in
      let first = try session.ids(Self.unread + "&n=3")
      #expect(first.ids == ["6", "5", "4"] && first.next == "3")
      session.server.change("ada") { $0.mark([6], adding: [.read]) }
      let second = try session.ids(Self.unread + "&n=3&c=3")
      #expect(second.ids == ["2", "1"] && second.next == nil)
      #expect(try session.get("unread-count?output=json").text == "[]\n")
      #expect(try session.get("stream/contents/feed/1?output=json").text == "[]\n")
    }
  }

  @Test func `Miniflux wants the token and JSON for contents, and refuses labels`() async throws {
    try await with(.miniflux) { session in
      let item = "i=\(Self.tag)0000000000000001"
      #expect(try session.post("stream/items/contents", item).status == 401)
      #expect(try session.post("stream/items/contents", item + "&T=\(session.token)").status == 400)
      let answer = try session.post(
        "stream/items/contents", item + "&output=json&T=\(session.token)")
      let items = try #require(answer.json()["items"] as? [[String: Any]])
      #expect(items.first?["id"] as? String == Self.tag + "0000000000000001")
      let label = "a=user/-/label/x&T=\(session.token)&"
      #expect(try session.post("edit-tag", label + item).status == 400)
    }
  }

  @Test func `The Old Reader has ids of 24 hex digits in both places`() async throws {
    try await with(.theOldReader) { session in
      let id = try #require(try session.ids(Self.reading + "&n=1").ids.first)
      #expect(id.utf8.count == 24)
      let items = try session.post("stream/items/contents", "i=\(Self.tag)\(id)").json()["items"]
      #expect((items as? [[String: Any]])?.first?["id"] as? String == Self.tag + id)
    }
  }

  @Test func `BazQux gives the reason of a refusal, and does not look at ot`() async throws {
    try await with(.bazQux) { session in
      let refusal = try session.client.request(
        "POST", "/accounts/ClientLogin",
        headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: "Email=ada&Passwd=wrong")
      #expect(refusal.status == 401)
      #expect(refusal.headers["x-bq-loginerrorreason"] == "YearSubscriptionExpired")
      #expect(try session.ids(Self.reading + "&ot=5").ids.count == 6)
    }
    try await with(.freshRSS) { session in
      let page = try session.ids(Self.reading + "&ot=5")
      #expect(page.ids == ["6", "5"])
    }
  }

  @Test func `CommaFeed loses items between pages, and both folders at once mean the root`()
    async throws
  {
    try await with(.commaFeed) { session in
      // By publication, which is the opposite order here.
      let first = try session.ids(Self.reading + "&n=3")
      #expect(first.ids == ["1", "2", "3"] && first.next == "3")
      #expect(try session.ids(Self.reading + "&n=3&c=3").ids == ["1", "2"])
      let move = "ac=edit&s=feed/1&a=user/-/label/X&r=user/-/label/News&T=\(session.token)"
      #expect(try session.post("subscription/edit", move).text == "OK")
      #expect(session.server.library(of: "ada").feeds.first?.folders == [])
    }
  }

  @Test func `Inoreader wants the key of an application, and counts calls`() async throws {
    var quirks = GoogleReaderQuirks.inoreader
    quirks.quota = 2
    let server = GoogleReaderServer(quirks)
    server.addUser("ada", password: "secret", library: Self.library())
    try await server.whileServing { server in
      let client = try TestClient(port: server.port)
      let form = "Email=ada&Passwd=secret"
      var headers = ["Content-Type": "application/x-www-form-urlencoded"]
      #expect(
        try client.request("POST", "/accounts/ClientLogin", headers: headers, body: form).status
          == 403)
      headers["AppId"] = "1000001"
      headers["AppKey"] = "key"
      let answer = try client.request("POST", "/accounts/ClientLogin", headers: headers, body: form)
      let auth = try #require(answer.text.split(separator: "Auth=").last)
      headers["Authorization"] =
        "GoogleLogin auth=" + auth.trimmingCharacters(in: .whitespacesAndNewlines)
      for (number, status) in [(1, 200), (2, 200), (3, 429)] {
        let info = try client.request("GET", "/reader/api/0/user-info", headers: headers)
        #expect(info.status == status)
        #expect(info.headers["x-reader-zone1-usage"] == String(number))
        #expect(info.headers["x-reader-limits-reset-after"] == "3600")
      }
    }
  }

  @Test func `What ends in the middle ends for all who have it`() async throws {
    try await with(.plain) { session in
      session.server.inject(.endedWriteTokens, on: "edit-tag")
      let form = "a=user/-/state/com.google/read&T=\(session.token)&i=1"
      let refusal = try session.post("edit-tag", form)
      #expect(refusal.status == 401)
      #expect(try session.get("user-info").status == 200)
      session.server.inject(.endedSignIns, on: "user-info")
      #expect(try session.get("user-info").status == 401)
    }
  }

  @Test func `An answer in memory is the one that goes over the wire`() async throws {
    try await with(.freshRSS) { session in
      let path = "/api/greader.php/reader/api/0/stream/items/ids?output=json&n=2&" + Self.reading
      let reply = session.server.reply(
        to: WireRequest(
          "GET", path, headers: [("Authorization", "GoogleLogin auth=\(session.auth)")]))
      let answer = try session.get("stream/items/ids?output=json&n=2&" + Self.reading)
      #expect(reply.body == answer.body && reply.status == 200)
    }
  }

  @Test func `A mark may be taken for half, or not at all, and OK is said`() async throws {
    try await with(.plain) { session in
      let form = "a=user/-/state/com.google/read&T=\(session.token)&i=1&i=2&i=3&i=4"
      session.server.inject(.ignoredMark, on: "edit-tag")
      let answer = try session.post("edit-tag", form)
      #expect(answer.text == "OK")
      #expect(session.server.library(of: "ada").unread.count == 6)
      session.server.inject(.halfMark, on: "edit-tag")
      #expect(try session.post("edit-tag", form).text == "OK")
      #expect(session.server.library(of: "ada").unread.count == 4)
    }
  }
}
