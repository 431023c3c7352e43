import Discovery
import News
import Testing
import Text

/// The order of the search, without a network: a site is a table of answers.
@Suite struct FeedSearchTests {
  /// What a site has at its addresses; all others answer 404.
  private struct Site {
    var answers: [String: SearchAnswer]

    /// Performs a search, and lists what it asked for: its kind and its address.
    func perform(
      _ search: FeedSearch
    ) -> (asked: [String], end: Result<FoundFeeds, SourceError>) {
      var search = search
      var asked: [String] = []
      var action = search.begin()
      while true {
        switch action {
        case .found(let feeds): return (asked, .success(feeds))
        case .failed(let error): return (asked, .failure(error))
        case .fetch(let request):
          asked.append("\(request.kind) \(request.url)")
          action = search.received(answers[request.url] ?? FeedSearchTests.failure(404))
        }
      }
    }
  }

  private static let page = "https://e.org/"

  private static func failure(_ status: Int?, _ kind: SourceError.Kind = .status) -> SearchAnswer {
    .failure(
      SourceError(kind, stage: .fetch, subject: "e.org", message: "No.", status: status),
      isUnanswered: kind == .refused)
  }

  private static func html(_ text: String, at url: String = page) -> SearchAnswer {
    let error = SourceError(.notAFeed, stage: .parse, subject: "e.org", message: "A page.")
    return .document(
      SearchDocument(
        url: url, digest: Int64(text.utf8.count), content: .page(error, text: Array(text.utf8))))
  }

  private static func feed(at url: String) -> SearchAnswer {
    .document(SearchDocument(url: url, digest: -1, content: .feed(Page(entries: []))))
  }

  private static func addresses(_ end: Result<FoundFeeds, SourceError>) -> [String] {
    switch end {
    case .success(.feed(let feed)): [feed.url]
    case .success(.choice(let links)): links.map(\.url)
    case .failure: []
    }
  }

  @Test func `An address that is a feed is asked once`() {
    let site = Site(answers: [Self.page: Self.feed(at: Self.page)])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(asked == ["page https://e.org/"])
    #expect(Self.addresses(end) == ["https://e.org/"])
  }

  @Test func `What the shape of an address tells is asked before the page`() {
    let channel = "https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa"
    let search = FeedSearch(channel)
    let (asked, _) = Site(answers: [:]).perform(search)
    #expect(asked.first?.contains("feeds/videos.xml") == true)
    // It was none: the page follows.
    #expect(asked.dropFirst().first == "page \(channel)")
  }

  @Test func `Declared links go before guessed ones, and those before what is called so`() {
    let html = """
      <link rel=alternate type=application/rss+xml href=/declared>
      <a href=/feed.rss>x</a><a href=/called>RSS</a>
      """
    let site = Site(answers: [
      Self.page: Self.html(html), "https://e.org/called": Self.feed(at: "https://e.org/called"),
    ])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(
      asked == [
        "page https://e.org/", "document https://e.org/declared", "document https://e.org/feed.rss",
        "document https://e.org/called",
      ])
    #expect(Self.addresses(end) == ["https://e.org/called"])
  }

  @Test func `Several declared feeds are a choice, and none is fetched`() {
    let html = "<link rel=feed href=/a><link rel=feed href=/b>"
    let (asked, end) = Site(answers: [Self.page: Self.html(html)]).perform(FeedSearch(Self.page))
    #expect(asked.count == 1)
    #expect(Self.addresses(end) == ["https://e.org/a", "https://e.org/b"])
  }

  @Test func `A page about feeds is followed once`() {
    let site = Site(answers: [
      Self.page: Self.html("<link rel=feed href=/feeds>"),
      "https://e.org/feeds": Self.html("<a href=/one.rss>One</a>", at: "https://e.org/feeds"),
      "https://e.org/one.rss": Self.html("<a href=/two.rss>Two</a>", at: "https://e.org/one.rss"),
      "https://e.org/two.rss": Self.feed(at: "https://e.org/two.rss"),
    ])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(!asked.contains("document https://e.org/two.rss"))
    #expect(throws: SourceError.self) { try end.get() }
  }

  @Test func `A page that leads on is followed once`() {
    let refresh = "<meta http-equiv=refresh content='0; url=/next'>"
    let site = Site(answers: [
      Self.page: Self.html(refresh),
      "https://e.org/next": Self.html(
        "<meta http-equiv=refresh content='0; url=/last'>", at: "https://e.org/next"),
    ])
    let (asked, _) = site.perform(FeedSearch(Self.page))
    #expect(asked.prefix(2) == ["page https://e.org/", "page https://e.org/next"])
    #expect(!asked.contains("page https://e.org/last"))
  }

  @Test func `Twelve requests are the most`() {
    let site = Site(answers: [Self.page: Self.html("<p>nothing</p>")])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(asked.count <= 12 && asked.count > 5)
    #expect(Set(asked).count == asked.count)
    #expect(asked.dropFirst().allSatisfy { $0.hasPrefix("guess ") })
    guard case .failure(let error) = end else { return #expect(Bool(false), "\(end)") }
    #expect(error.message.contains("there is none at /feed/, /feed"))
  }

  @Test func `Twelve requests are the most for pages about feeds as well`() {
    var answers: [String: SearchAnswer] = [:]
    var links: [FeedLink] = []
    for page in 1...5 {
      let url = "https://e.org/\(page)"
      let named = (1...5).map { "<a href=/\(page)/\($0).rss>x</a>" }.joined()
      answers[url] = Self.html(named, at: url)
      links.append(FeedLink(url: url))
    }
    let (asked, end) = Site(answers: answers).perform(FeedSearch(Self.page, from: .links(links)))
    #expect(asked.count == 12)
    #expect(throws: SourceError.self) { try end.get() }
  }

  @Test func `A site that fails is left alone`() {
    let site = Site(answers: [
      Self.page: Self.html("<a href=/feed.rss>x</a>"), "https://e.org/feed.rss": Self.failure(503),
    ])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(asked.count == 2)
    guard case .failure(let error) = end else { return #expect(Bool(false), "\(end)") }
    #expect(error.status == 503)
  }

  /// Some sites lead back to their page from whatever is not there, others send it again.
  @Test(arguments: [true, false])
  func `The answer of the page itself is no feed at another address`(_ leadsBack: Bool) {
    let html = "<p>nothing</p>"
    var answers = [Self.page: Self.html(html)]
    for place in FeedLinks.usualPlaces(of: Self.page) {
      answers[place] = Self.html(html, at: leadsBack ? Self.page : place)
    }
    let (asked, _) = Site(answers: answers).perform(FeedSearch(Self.page))
    // Names of files come first from then on.
    #expect(asked[1] == "guess https://e.org/feed/")
    let names = asked[2...4].map { $0.split(separator: "/").last ?? "" }
    #expect(names.allSatisfy { $0.contains(".") }, "\(asked)")
  }

  @Test func `Where nothing answers over https, http is asked where it may be meant`() {
    let plain = "http://e.org/"
    let site = Site(answers: [
      Self.page: Self.failure(nil, .refused), plain: Self.feed(at: plain),
    ])
    let (asked, end) = site.perform(FeedSearch(Self.page, plain: plain))
    #expect(asked == ["secureAddress https://e.org/", "page http://e.org/"])
    #expect(Self.addresses(end) == [plain])
    let (alone, _) = site.perform(FeedSearch(Self.page))
    #expect(alone == ["page https://e.org/"])
  }

  @Test func `Where an address is gone, the first page of its site is looked at`() {
    let site = Site(answers: [
      Self.page: Self.html("<link rel=feed href=/f>"),
      "https://e.org/f": Self.feed(at: "https://e.org/f"),
    ])
    let (asked, end) = site.perform(FeedSearch("https://e.org/old"))
    #expect(
      asked == ["page https://e.org/old", "page https://e.org/", "document https://e.org/f"])
    #expect((try? end.get())?.foundAt == Self.page)
  }

  @Test func `A feed that an https page names over http is asked for over https`() {
    let html = "<link rel=feed href=http://e.org/f>"
    let site = Site(answers: [
      Self.page: Self.html(html), "https://e.org/f": Self.failure(nil, .tls),
    ])
    let (asked, end) = site.perform(FeedSearch(Self.page))
    #expect(asked[1] == "document https://e.org/f")
    guard case .failure(let error) = end else { return #expect(Bool(false), "\(end)") }
    #expect(error.message.contains("over plain http"))
  }

  @Test func `Words are believed where each that is asked is a feed`() {
    let links = (1...5).map { "<a href=/x?id=\($0)>RSS</a>" }.joined()
    var answers = [Self.page: Self.html(links)]
    for id in 1...3 {
      answers["https://e.org/x?id=\(id)"] = Self.feed(at: "https://e.org/x?id=\(id)")
    }
    let (asked, end) = Site(answers: answers).perform(FeedSearch(Self.page))
    #expect(asked.count == 4)
    #expect(Self.addresses(end).count == 5)
    answers["https://e.org/x?id=2"] = nil
    let (_, fewer) = Site(answers: answers).perform(FeedSearch(Self.page))
    #expect(Self.addresses(fewer) == ["https://e.org/x?id=1", "https://e.org/x?id=3"])
  }

  @Test func `Of feeds that are named the first that is one is taken`() {
    let site = Site(answers: ["https://e.org/b": Self.feed(at: "https://e.org/b")])
    let links = ["a", "b", "c"].map {
      FeedLink(url: "https://e.org/" + $0, foundAt: "https://e.org/")
    }
    let (asked, end) = site.perform(FeedSearch(Self.page, from: .links(links)))
    #expect(asked == ["document https://e.org/a", "document https://e.org/b"])
    #expect((try? end.get())?.foundAt == "https://e.org/")
  }

  @Test func `Only the host that was typed may be private`() {
    var search = FeedSearch(Self.page)
    guard case .fetch(let request) = search.begin() else { return #expect(Bool(false)) }
    #expect(request.isUserEnteredHost(of: "https://e.org/x"))
    #expect(!request.isUserEnteredHost(of: "https://other.example/"))
    var named = FeedSearch(Self.page, isUserEntered: false)
    guard case .fetch(let other) = named.begin() else { return #expect(Bool(false)) }
    #expect(!other.isUserEnteredHost(of: Self.page))
  }

  @Test func `An answer that nobody asked for ends the search as a failure`() {
    var search = FeedSearch(Self.page)
    guard case .failed(let error) = search.received(Self.feed(at: Self.page)) else {
      Issue.record("The search goes on.")
      return
    }
    #expect(error.kind == .notAFeed)
  }
}
