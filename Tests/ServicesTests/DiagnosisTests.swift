internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import Testing
internal import Text

/// What `diagnose` finds out about servers that behave, and about those that do not.
@Suite struct DiagnosisTests {
  private func diagnose(
    _ path: String = "/", _ respond: @escaping RawServer.Responder
  ) async throws -> Diagnosis {
    let found = Mutex<Diagnosis?>(nil)
    try await withAnswers(respond) { base, _, sources in
      let diagnosis = try await sources.diagnose(base + path, proxies: .none)
      found.withLock { $0 = diagnosis }
    }
    return try #require(found.withLock { $0 })
  }

  /// How a server may answer the second time, and what that means.
  enum Second: Sendable, CaseIterable {
    case notModified, same, other, error, nothing
  }

  @Test(arguments: Second.allCases)
  func `A second request shows whether the validators are worth anything`(
    second: Second
  ) async throws {
    let validators = [(name: "ETag", value: "\"one\"")]
    let diagnosis = try await diagnose { request in
      guard request.header("If-None-Match") == "\"one\"" else {
        return .reply(.rss(["a"], headers: validators))
      }
      return switch second {
      case .notModified: .reply(WireReply(status: 304, headers: validators))
      case .same: .reply(.rss(["a"], headers: validators))
      case .other: .reply(.rss(["b"], headers: validators))
      case .error: .reply(WireReply(status: 500))
      case .nothing: .reset
      }
    }
    #expect(diagnosis.validators == Validators(etag: "\"one\""))
    switch (second, diagnosis.revalidation) {
    case (.notModified, .notModified), (.same, .sentAgain), (.other, .changed),
      (.error, .status(500)), (.nothing, .failed):
      break
    default: Issue.record("\(second): \(String(describing: diagnosis.revalidation))")
    }
    #expect(diagnosis.problem == nil)
  }

  @Test func `Without validators there is no second request`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base, proxies: .none)
      guard case .feed(let page) = diagnosis.document else {
        return #expect(Bool(false), "a feed")
      }
      #expect(page.entries.count == 1 && diagnosis.revalidation == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A 204 is no error`() async throws {
    let diagnosis = try await diagnose { _ in .reply(WireReply(status: 204)) }
    #expect(diagnosis.problem == nil && diagnosis.document == nil)
    #expect(diagnosis.trace.hops.map(\.head.status) == [204])
  }

  @Test func `An error of the server is told, and nothing is asked twice`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 503)) }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base, proxies: .none)
      #expect(diagnosis.problem?.status == 503 && diagnosis.document == nil)
      #expect(diagnosis.trace.hops.map(\.head.status) == [503])
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A page, the Feed API and something else are told apart`() async throws {
    let page = "<html><link rel='alternate' type='application/rss+xml' href='/f.xml'></html>"
    let found = try await diagnose { _ in .reply(WireReply(type: "text/html", text: page)) }
    guard case .page(let links, let failure?) = found.document else {
      return #expect(Bool(false), "a page that names what is none")
    }
    #expect(links.count == 1 && failure.kind == .notAFeed)
    let other = try await diagnose { _ in .reply(WireReply(type: "text/plain", text: "hello")) }
    guard case .unreadable(let error) = other.document else {
      return #expect(Bool(false), "nothing")
    }
    #expect(error.kind == .notAFeed)
    try await withServer { server, sources in
      let diagnosis = try await sources.diagnose(server.apiURL, proxies: .none)
      guard case .api(.success(let page)) = diagnosis.document else {
        return #expect(Bool(false), "the API")
      }
      #expect(page.entries.count == 50)
      server.addUser("ada", password: "sesame")
      let closed = try await sources.diagnose(server.apiURL, proxies: .none)
      guard case .api(.failure(let error)) = closed.document else {
        return #expect(Bool(false), "the API without a sign-in")
      }
      #expect(error.status == 401)
    }
  }

  /// Addresses are those of the server, without its host.
  struct Search: Sendable, CustomTestStringConvertible {
    var what: String
    var asked = "/"
    var page = ""
    var link: String?
    var status = 200
    /// Where it has feeds.
    var feeds: Set<String> = []
    var found: [String]
    var requests: [String]
    var testDescription: String { what }
  }

  private static let declared = "<link rel=alternate type=application/rss+xml href="

  @Test(arguments: [
    Search(
      what: "one that the page declares", page: declared + "/f>", feeds: ["/f"], found: ["/f"],
      requests: ["/", "/f"]),
    Search(
      what: "several", page: declared + "/f>" + declared + "/g>", found: ["/f", "/g"],
      requests: ["/"]),
    Search(
      what: "one in the head of the answer",
      link: "</f>; rel=alternate; type=application/atom+xml", feeds: ["/f"], found: ["/f"],
      requests: ["/", "/f"]),
    Search(
      what: "a link that looks like one", page: "<a href=/news.rss>News</a>",
      feeds: ["/news.rss"], found: ["/news.rss"], requests: ["/", "/news.rss"]),
    Search(
      what: "one of the usual places", feeds: ["/feed"], found: ["/feed"],
      requests: ["/", "/feed/", "/feed"]),
    Search(
      what: "one that the address tells of, beside a page for browsers only", asked: "/@ada",
      status: 403, feeds: ["/@ada.rss"], found: ["/@ada.rss"], requests: ["/@ada", "/@ada.rss"]),
  ])
  func `Where a page is, its feeds are found as by subscribing`(search: Search) async throws {
    try await withAnswers({ request in
      let path = String(request.path)
      if search.feeds.contains(path) { return .reply(.rss(["a"])) }
      guard path == search.asked else { return .reply(WireReply(status: 404)) }
      return .reply(
        WireReply(
          status: search.status, type: "text/html",
          headers: search.link.map { [("Link", $0)] } ?? [],
          text: "<!doctype html><html><body>\(search.page)</body></html>"))
    }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base + search.asked, proxies: .none)
      guard case .page(let links, nil) = diagnosis.document else {
        Issue.record("\(String(describing: diagnosis.document))")
        return
      }
      #expect(links.map(\.url) == search.found.map { base + $0 })
      #expect(server.requests.map { String($0.path) } == search.requests)
      #expect(diagnosis.problem?.status == (search.status == 200 ? nil : search.status))
    }
  }

  @Test(arguments: ["/f>", "/f>" + declared + "/g>"])
  func `Where nothing is at the address, the page that leads to feeds is named`(
    links: String
  ) async throws {
    try await withAnswers({ request in
      switch request.path {
      case "/": .reply(WireReply(type: "text/html", text: "<html>" + Self.declared + links))
      case "/f": .reply(.rss(["a"]))
      default: .reply(WireReply(status: 404))
      }
    }) { base, _, sources in
      let diagnosis = try await sources.diagnose(base + "/gone", proxies: .none)
      guard case .page(let links, nil) = diagnosis.document else {
        Issue.record("\(String(describing: diagnosis.document))")
        return
      }
      #expect(links.first?.url == base + "/f")
      #expect(links.allSatisfy { $0.foundAt == base + "/" })
    }
  }

  @Test func `A feed that others have named leads to public hosts only, and so does its page`()
    async throws
  {
    try await withAnswers({ _ in
      .reply(WireReply(type: "text/html", text: "<html>\(Self.declared)/f></html>"))
    }) { base, server, sources in
      let diagnosis = try await sources.diagnose(base, isUserEntered: false, proxies: .none)
      #expect(diagnosis.problem?.kind == .address && diagnosis.document == nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `Behind a proxy the name is not looked up here`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, _, sources in
      let proxies = ProxySettings(http: "http://proxy.example:3128")
      let diagnosis = try await sources.diagnose(
        base.replacing("127.0.0.1", with: "localhost"), proxies: proxies)
      // This machine is never reached by a proxy.
      #expect(diagnosis.route == .direct)
      let addresses = try #require(try diagnosis.addresses?.get())
      #expect(addresses.contains { $0.isLoopback })
    }
  }

  @Test func `The clock is compared with the server that is nearest to it`() async throws {
    func server(behind seconds: Double) -> RawServer {
      RawServer { _ in
        let date = CivilTime(seconds: Int(Date().timeIntervalSince1970 - seconds)).rfc5322 + " GMT"
        return .reply(WireReply(headers: [(name: "Date", value: date)]))
      }
    }
    let (near, far, mute) = (
      server(behind: 1_000), server(behind: 9_000), RawServer { _ in .reset }
    )
    let feeds = try [far, near, mute].map { feed("http://127.0.0.1:\(try $0.start())/") }
    let skew = try await makeSources().clockSkew(of: feeds, limit: .seconds(60))
    #expect(skew?.host == "127.0.0.1")
    #expect((995...1_100).contains((skew?.skew ?? .zero) / .seconds(1)))
    #expect(near.requests.map(\.method) == ["HEAD"])
    #expect(try await makeSources().clockSkew(of: [feeds[2]], limit: .seconds(60)) == nil)
    for server in [near, far, mute] { await server.stop() }
  }
}
