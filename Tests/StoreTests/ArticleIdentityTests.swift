internal import Foundation
internal import News
internal import Store
internal import Testing

/// An entry whose feed gives it no id.
private func unnamed(
  _ url: String?, title: String?, at seconds: Int? = nil, content: String? = nil,
  file: String? = nil, type: String = "audio/mpeg"
) -> Entry {
  var new = linked(
    url ?? "", url, title: title, at: seconds, content: content, file: file, type: type)
  if title == nil { new.title = nil }
  if url == nil { new.id = EntryIdentity.derived(from: new) }
  return new
}

/// Entries as they come where several of a page have one id.
private func toldApart(_ entries: [Entry]) -> [Entry] {
  entries.map { entry in
    var entry = entry
    entry.id = EntryIdentity.distinct(entry)
    return entry
  }
}

/// Seconds from `noon` to the beginning of an hour, which is the time that feeds of days write.
private let hour = -800

/// Seconds from `noon` to a midnight of UTC.
private let midnight = -80_000

/// One article of a feed under two ids.
@Suite struct ArticleIdentityTests {
  @Test(arguments: [
    (
      "a guid that changes", linked("1", "https://example.org/a", title: "A", at: -50),
      linked("2", "https://example.org/a", title: "A", at: -50)
    ),
    (
      "a guid that changes with the title",
      linked("1", "https://example.org/a", title: "A", at: -50),
      linked("2", "https://example.org/a", title: "A, corrected", at: -50)
    ),
    (
      "no date", linked("1", "https://example.org/a", title: "A"),
      linked("2", "https://example.org/a", title: "A")
    ),
    (
      "a date that is left out",
      linked("1", "https://example.org/a", title: "A", at: -50, content: "a"),
      linked("2", "https://example.org/a", title: "A", content: "a")
    ),
    (
      "a date that comes", linked("1", "https://example.org/a", title: "A", content: "a"),
      linked("2", "https://example.org/a", title: "A", at: -50, content: "a")
    ),
    (
      "a link that moves to https",
      linked("http://example.org/a", "http://example.org/a", title: "A"),
      linked("https://www.example.org/a/", "https://www.example.org/a/", title: "A")
    ),
    (
      "a page that moves",
      linked("https://example.org/a", "https://example.org/a", title: "A", at: -50, content: "a"),
      linked(
        "https://example.org/new/a", "https://example.org/new/a", title: "A", at: -50, content: "a")
    ),
    (
      "a site that moves with its guids",
      linked("http://old.example/?p=1", "http://old.example/p1/", title: "A", at: -50),
      linked("https://new.example/?p=1", "https://new.example/p1/", title: "A", at: -50)
    ),
    (
      "a site of days that moves",
      linked("http://old.example/a", "http://old.example/a", title: "A", at: midnight),
      linked("https://new.example/a", "https://new.example/a", title: "A", at: midnight)
    ),
    (
      "a site that moves with its Atom ids",
      linked("tag:old,2024:1", "http://old.example/a", title: "A", updated: -50),
      linked("tag:new,2024:1", "https://new.example/a", title: "A", updated: -50)
    ),
    (
      "a site without dates that moves",
      linked(
        "http://old.example/a", "http://old.example/a", title: "A",
        content: "<a href=\"http://old.example/b\">b</a>"),
      linked(
        "https://new.example/a", "https://new.example/a", title: "A",
        content: "<a href=\"https://new.example/b\">b</a>")
    ),
    (
      "guids that move to https",
      linked("http://example.org/?p=1", "http://example.org/a", title: "A", content: "a"),
      linked("https://example.org/?p=1", "https://example.org/a", title: "A", content: "b")
    ),
    (
      "a version in the guid",
      linked("https://bbc.example/x#0", "https://bbc.example/x", title: "A", at: -9000),
      linked("https://bbc.example/x#1", "https://bbc.example/x", title: "B", at: -50)
    ),
    (
      "an id that changes with the date of a correction",
      linked("1", "https://example.org/a", title: "A", at: -350),
      linked("2", "https://example.org/a", title: "A", at: -50)
    ),
    (
      "an Atom id that changes, and the only date",
      linked("tag:1", "https://example.org/a", title: "A", updated: -90_000),
      linked("tag:2", "https://example.org/a", title: "A", updated: -50)
    ),
    (
      "RSS that becomes Atom, with seconds",
      linked("https://example.org/a", "https://example.org/a", title: "A", at: -77),
      linked("tag:1", "https://example.org/a", title: "A", at: -50, updated: -50)
    ),
    (
      "RSS that becomes Atom without a date of publication",
      linked("https://example.org/a", "https://example.org/a", title: "A", at: -50),
      linked("tag:1", "https://example.org/a", title: "A", updated: -50)
    ),
    (
      "a session in the link",
      unnamed("https://example.org/a;jsessionid=1", title: "A"),
      unnamed("https://example.org/a;jsessionid=2", title: "A")
    ),
    (
      "a corrected title, and nothing but a date and a text",
      unnamed(nil, title: "A", at: -50, content: "text"),
      unnamed(nil, title: "A!", at: -50, content: "text")
    ),
    (
      "a link that is given from now on", unnamed(nil, title: "A", at: -50),
      unnamed("https://example.org/a", title: "A", at: -50)
    ),
    (
      "no link and no id of its own", linked("telex:1", nil, title: "A", at: -50),
      linked("telex:2", nil, title: "A", at: -50)
    ),
  ])
  func `An article that comes under another id stays the same`(
    _ reason: String, _ old: Entry, _ new: Entry
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([old], into: feed)
    let id = try #require(try await test.articles(feed).first?.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: [id], now: noon) }
    let result = try await test.merge([new], into: feed)
    #expect((result.inserted, result.known) == (0, 1), "\(reason)")
    let articles = try await test.articles(feed)
    #expect(articles.map(\.id) == [id])
    #expect(articles.first?.entry == new)
    #expect(articles.first?.status.isRead == true)
    // Known by its new id from now on.
    let again = try await test.merge([new], into: feed)
    #expect((again.inserted, again.updated, again.known) == (0, 0, 1))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [
    (
      "both are in the page",
      [linked("1", "https://example.org/a", title: "A", at: -50)],
      [
        linked("2", "https://example.org/a", title: "A", at: -50),
        linked("1", "https://example.org/a", title: "A", at: -50),
      ]
    ),
    (
      "another title and another date",
      [linked("1", "https://example.org/live", title: "Morning", at: -50)],
      [linked("2", "https://example.org/live", title: "Evening", at: -10)]
    ),
    (
      "the front page is no link",
      [linked("1", "https://example.org/", title: "Open thread", at: -50)],
      [linked("2", "https://example.org/", title: "Open thread", at: -10)]
    ),
    (
      "another guid and another link at the same moment",
      [linked("1", "https://example.org/1", title: "Photo", at: -50)],
      [linked("2", "https://example.org/2", title: "Photo", at: -50)]
    ),
    (
      "the picture of the day",
      [linked("1", "https://example.org/today", title: "Picture of the day", at: -90_000)],
      [linked("2", "https://example.org/today", title: "Picture of the day", at: -50)]
    ),
    (
      "the picture of the day, without a date",
      [linked("1", "https://example.org/today", title: "Picture", content: "<p>a</p>")],
      [linked("2", "https://example.org/today", title: "Picture", content: "<p>b</p>")]
    ),
    (
      "only one has a date, and there is no text",
      [linked("1", "https://example.org/today", title: "Picture")],
      [linked("2", "https://example.org/today", title: "Picture", at: -50)]
    ),
    (
      "another page of the same site",
      [linked("1", "https://example.org/?p=1", title: "Weekly", at: -50)],
      [linked("2", "https://example.org/?p=2", title: "Weekly", at: -10)]
    ),
    (
      "a title without a date", [linked("1", nil, title: "Weekly")],
      [linked("2", nil, title: "Weekly")]
    ),
    (
      "a title without a date and an id, and another text",
      [unnamed(nil, title: "Weather", content: "sun")],
      [unnamed(nil, title: "Weather", content: "rain")]
    ),
    (
      "two pages of one host at one moment",
      [unnamed("https://jobs.example/1", title: "Teacher", at: -50)],
      [unnamed("https://jobs.example/4", title: "Teacher", at: -50)]
    ),
    (
      "two pages of one host at one moment, with ids",
      [linked("1", "https://jobs.example/1", title: "Teacher", at: -50, content: "a")],
      [linked("4", "https://jobs.example/4", title: "Teacher", at: -50, content: "a")]
    ),
    (
      "the menu of another day, with the date of that hour",
      [linked("1", "https://example.org/menu", title: "Menu A", at: hour)],
      [linked("2", "https://example.org/menu", title: "Menu B", at: hour)]
    ),
    (
      "another episode on the page of the show",
      [linked("1", "https://example.org/show", title: "1", at: hour, file: "https://e.org/1.mp3")],
      [linked("2", "https://example.org/show", title: "2", at: hour, file: "https://e.org/2.mp3")]
    ),
    (
      "another trailer at the very same time",
      [linked("1", "https://example.org/show", title: "T", at: -50, file: "https://e.org/1.mp3")],
      [linked("2", "https://example.org/show", title: "T", at: -50, file: "https://e.org/2.mp3")]
    ),
    (
      "the weather of another hour",
      [linked("1", "https://example.org/weather", title: "Weather", at: -3650)],
      [linked("2", "https://example.org/weather", title: "Weather", at: -50)]
    ),
    (
      "another page with the name of one on another host",
      [unnamed("https://berlin.example/weekly", title: "Weekly", at: midnight, content: "a")],
      [unnamed("https://paris.example/weekly", title: "Bi-weekly", at: midnight, content: "a")]
    ),
    (
      "a page of another host, undated",
      [unnamed("https://berlin.example/weekly", title: "Weekly", content: "a")],
      [unnamed("https://paris.example/weekly", title: "Weekly", content: "b")]
    ),
    (
      "the next bulletin of a place, with a guid of its own",
      [linked("b-1", "https://example.org/berlin", title: "Heat", at: -1900, content: "14 h")],
      [linked("b-2", "https://example.org/berlin", title: "Heat", at: -100, content: "18 h")]
    ),
    (
      "the evening's bulletin, with the date of the day",
      [linked("b-1", "https://example.org/berlin", title: "Heat", at: midnight, content: "a")],
      [linked("b-2", "https://example.org/berlin", title: "Heat", at: midnight, content: "b")]
    ),
    (
      "no link, and the same title with another file",
      [unnamed(nil, title: "T", at: -50, file: "https://e.org/1.mp3")],
      [unnamed(nil, title: "T", at: -50, file: "https://e.org/2.mp3")]
    ),
  ])
  func `Articles that only look alike stay apart`(
    _ reason: String, _ old: [Entry], _ new: [Entry]
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(old, into: feed)
    try await test.merge(new, into: feed)
    #expect(try await test.articles(feed).count == 2, "\(reason)")
  }

  @Test(arguments: [(5, 604_800), (12, 604_800), (12, 604_801), (5, 3600)])
  func `Episodes that share the page of their show stay the same when it moves to https`(
    count: Int, seconds: Int
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func episodes(_ scheme: String) -> [Entry] {
      toldApart(
        (1...count).reversed().map { number in
          unnamed(
            "\(scheme)://example.org/show", title: "Episode \(number)",
            at: hour - 20_000_000 + number * seconds, content: "text \(number)",
            file: "\(scheme)://example.org/\(number).mp3")
        })
    }
    try await test.merge(episodes("http"), into: feed)
    let ids = try await test.articles(feed).map(\.id)
    let result = try await test.merge(episodes("https"), into: feed)
    #expect((result.inserted, result.known) == (0, count))
    #expect(try await test.articles(feed).map(\.id) == ids)
  }

  @Test func `Of two articles that might be it, neither is`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [
        linked("1", "https://example.org/a", title: "A", at: -50),
        linked("2", "https://example.org/a", title: "A", at: -40),
      ], into: feed)
    try await test.merge([linked("3", "https://example.org/a", title: "A", at: -30)], into: feed)
    #expect(try await test.articles(feed).count == 3)
  }
}

extension ArticleIdentityTests {
  /// Three entries, made from their number and their second after `noon`.
  private static func three(_ make: (Int, Int) -> Entry) -> [Entry] {
    (1...3).map { make($0, -120 + $0 * 30) }
  }

  private static let named: [(String, [Entry])] = [
    (
      "one guid for all",
      three { linked("0", "https://example.org/\($0)", title: "\($0)", at: $1, content: "\($0)") }
    ),
    (
      "one guid for all, at the beginning of hours",
      three { number, _ in
        linked(
          "0", "https://example.org/\(number)", title: "\(number)", at: hour - 3600 * (3 - number))
      }
    ),
    (
      "one guid for all, and no links",
      three { linked("0", nil, title: "\($0)", at: $1, content: "\($0)") }
    ),
    (
      "one guid for all, and no dates",
      three { number, _ in
        linked("0", "https://example.org/\(number)", title: "\(number)", content: "\(number)")
      }
    ),
    (
      "one guid and one link for all, and a file each",
      three {
        linked(
          "0", "https://example.org/show", title: "\($0)", at: $1, file: "https://e.org/\($0).mp3")
      }
    ),
    ("the page of a state", three { unnamed("https://example.org/now", title: "\($0)", at: $1) }),
    ("the front page", three { unnamed("https://www.example.org", title: "\($0)", at: $1) }),
    (
      "the page of a comic",
      three {
        unnamed(
          "https://example.org/today", title: "Comic", at: $1, file: "https://e.org/\($0).png",
          type: "image/png")
      }
    ),
    (
      "the page of a comic that is in the text",
      three {
        unnamed(
          "https://example.org/today", title: "Comic", at: $1,
          content: "<img src=\"https://e.org/\($0).png\">")
      }
    ),
    (
      "notes without titles",
      three { unnamed("https://example.org/now", title: nil, at: $1, content: "\($0)") }
    ),
  ]

  @Test(arguments: named)
  func `An article that comes under the id of another one is added, and found again`(
    _ reason: String, _ entries: [Entry]
  ) async throws {
    let (one, two, three) = (entries[0], entries[1], entries[2])
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([one], into: feed)
    let first = try #require(try await test.articles(feed).first?.id)
    try await test.store.edit {
      try $0.marks.set(.read(true), of: [first], now: noon)
      try $0.marks.set(.starred(true), of: [first], now: noon)
    }
    #expect(try await test.merge([two], into: feed).inserted == 1, "\(reason)")
    #expect(try await test.merge([two], into: feed).inserted == 0, "\(reason)")
    #expect(try await test.merge([three], into: feed).inserted == 1, "\(reason)")
    // Alone and together, in any order, they stay three.
    let pages = [
      [three], [two], [one], [two], toldApart([three, two]), toldApart([two, one]), [one],
      toldApart([one, two, three]), [three],
    ]
    for page in pages {
      #expect(try await test.merge(page, into: feed).inserted == 0, "\(reason)")
    }
    let articles = try await test.articles(feed)
    #expect(articles.count == 3)
    let kept = try #require(articles.first { $0.id == first })
    #expect(kept.entry.title == one.title && kept.entry.contentHTML == one.contentHTML)
    #expect(articles.map(\.status.isRead).filter { $0 }.count == 1)
    #expect(kept.status.isRead && kept.status.isStarred)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  private static let report = linked(
    "1", "https://example.org/a", title: "A", at: -50, content: "a")
  private static let page = unnamed("https://example.org/a", title: "A", at: -50)

  private static func pictured(_ title: String, at seconds: Int, _ picture: String) -> Entry {
    unnamed(
      "https://example.org/a", title: title, at: seconds, file: "https://i.org/\(picture)",
      type: "image/jpeg")
  }

  @Test(arguments: [
    ("a title", report, linked("1", "https://example.org/a", title: "B", at: -50, content: "a")),
    ("a date", report, linked("1", "https://example.org/a", title: "A", at: -20, content: "b")),
    ("a title and a link", report, linked("1", "https://example.org/b", title: "B", at: -50)),
    ("title and date, with the link", report, linked("1", report.url, title: "B", at: -20)),
    (
      "title and date after a move", linked("1", "http://old.example/a", title: "A", at: -50),
      linked("1", "https://new.example/a", title: "B", at: -20)
    ),
    (
      "title and date of an episode",
      linked("1", nil, title: "A", at: -50, content: "a", file: "https://e.org/1.mp3"),
      linked("1", nil, title: "B", at: -20, content: "b", file: "https://cdn.org/1.mp3")
    ),
    (
      "an entry of Atom",
      linked("tag:1", "https://example.org/a", title: "A", at: -50, updated: -50),
      linked("tag:1", "https://example.org/b", title: "B", at: -50, updated: -20)
    ),
    (
      "an entry of Atom that tells only when it was updated",
      linked("tag:1", "https://example.org/a", title: "A", updated: -50),
      linked("tag:1", "https://example.org/a", title: "B", updated: -20)
    ),
    ("the title of a page", page, unnamed(page.url, title: "B", at: -50)),
    (
      "the date of a page, and its picture in another size",
      pictured("A", at: -50, "1.jpg?w=1"), pictured("A", at: -20, "1.jpg?w=2")
    ),
    (
      "the title of a page, and its picture",
      pictured("A", at: -50, "1.jpg"), pictured("B", at: -50, "2.jpg")
    ),
    (
      "the date of a page, and its picture with the text",
      unnamed(page.url, title: "A", at: -50, content: "<img src=\"https://i.org/1.jpg\">Old"),
      unnamed(page.url, title: "A", at: -20, content: "<img src=\"https://i.org/2.jpg\">New")
    ),
    (
      "a date that comes late", unnamed(page.url, title: "A"),
      unnamed(page.url, title: "B", at: -50)
    ),
  ])
  func `A correction stays one`(_ what: String, _ old: Entry, _ new: Entry) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([old], into: feed)
    let result = try await test.merge([new], into: feed)
    #expect((result.inserted, result.updated) == (0, 1), "\(what)")
    #expect(try await test.articles(feed).map(\.entry) == [new])
  }

  @Test func `The ids of a service that vouches for them are not doubted`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    for (url, title, at) in [("1", "A", -90), ("2", "B", -50)] {
      let entry = linked("0", "https://example.org/\(url)", title: title, at: at)
      var served = Page(entries: [entry])
      served.service = AccountService(AccountKind(rawValue: "test"), [.pages, .stableIDs])
      let page = PreparedPage(served)
      try await test.store.edit {
        _ = try $0.articles.merge(page, into: feed, at: .newest, now: noon)
      }
    }
    #expect(try await test.titles(feed) == ["B"])
  }

  /// A newspaper changes title, date and picture while the story runs.
  @Test(arguments: ["https://example.org/story", "story-1"])
  func `Beside other articles an id is believed`(_ id: String) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let link = "https://example.org/story"
    let other = linked("https://example.org/2", "https://example.org/2", title: "2", at: -95)
    let first = linked(
      id, link, title: "Fire in town", at: -90, content: "<p>Smoke</p>",
      file: "https://example.org/1.jpg", type: "image/jpeg")
    let second = linked(
      id, link, title: "Fire is out", at: -30, content: "<p>Rain</p>",
      file: "https://example.org/2.jpg", type: "image/jpeg")
    try await test.merge([first, other], into: feed)
    try await test.merge([second, other], into: feed)
    #expect(try await test.titles(feed) == ["Fire is out", "2"])
  }

  @Test func `A correction of the second under an id is one`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let entries = [
      linked("0", "https://example.org/1", title: "1", at: -90),
      linked("0", "https://example.org/2", title: "2", at: -60),
      linked("0", "https://example.org/2", title: "2, corrected", at: -60),
      linked("0", "https://example.org/3", title: "3", at: -30),
      linked("0", "https://example.org/2", title: "2, finished", at: -60),
    ]
    for entry in entries { try await test.merge([entry], into: feed) }
    #expect(try await test.titles(feed) == ["3", "2, finished", "1"])
  }

  @Test(arguments: [
    (
      "with links", linked("0", "https://example.org/1", title: "1", at: -90),
      linked("0", "https://example.org/2", title: "2", at: -60)
    ),
    ("without links", linked("0", nil, title: "1", at: -90), linked("0", nil, title: "2", at: -60)),
  ])
  func `A corrected title is none of a new article where one id stands twice`(
    _ reason: String, _ one: Entry, _ two: Entry
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(toldApart([two, one]), into: feed)
    var corrected = one
    corrected.title = "1, corrected"
    let result = try await test.merge(toldApart([two, corrected]), into: feed)
    #expect((result.inserted, result.updated) == (0, 1), "\(reason)")
    #expect(try await test.titles(feed) == ["2", "1, corrected"])
  }

  /// Lists of jobs, of events, of cases: the page shows the newest of them, and what they are called
  /// is soon the same again.
  @Test(arguments: [hour, midnight, -50], [true, false])
  func `A page that slides on brings new articles`(_ at: Int, _ hasLinks: Bool) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func offer(_ number: Int, _ title: String) -> Entry {
      let url = hasLinks ? "https://jobs.example/\(number)" : "https://jobs.example/all"
      return linked("\(number)", url, title: title, at: at, content: "Apply now.")
    }
    let first = [offer(3, "Nurse"), offer(2, "Cook"), offer(1, "Teacher")]
    try await test.merge(first, into: feed)
    let result = try await test.merge(
      [offer(4, "Teacher"), offer(3, "Nurse"), offer(2, "Cook")], into: feed)
    #expect((result.inserted, result.updated) == (1, 0))
  }

  @Test func `Where a page holds many articles, the next is one more`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func note(_ number: Int) -> Entry {
      linked("\(number)", "https://example.org/notes", title: "Note", at: -number * 7)
    }
    try await test.merge((1...12).map(note), into: feed)
    #expect(try await test.merge([note(13)], into: feed).inserted == 1)
  }

  /// Bulletins of a day that have the address of one page for their ids, and then its new one.
  @Test(arguments: [
    (["Heat", "Wind"], 2), (["Heat", "HEAT"], 4), (["Heat", "Wind", "heat"], 4),
  ])
  func `A title that stands twice in a page is not known again by it`(
    _ titles: [String], _ count: Int
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func bulletins(_ scheme: String, _ titles: [String]) -> [Entry] {
      toldApart(
        titles.map { title in
          unnamed(
            "\(scheme)://example.org/berlin", title: title, at: midnight,
            content: "Mind the weather.")
        })
    }
    try await test.merge(bulletins("http", ["Heat", "Wind"]), into: feed)
    try await test.merge(bulletins("https", titles), into: feed)
    #expect(try await test.articles(feed).count == count)
  }

  @Test func `A page whose links still lead to the old host has not moved`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func event(_ host: String, _ name: String) -> Entry {
      let url = "https://\(host).example/\(name)"
      return linked(url, url, title: name, at: midnight)
    }
    try await test.merge([event("berlin", "ball"), event("berlin", "weekly")], into: feed)
    try await test.merge([event("paris", "weekly"), event("berlin", "ball")], into: feed)
    #expect(try await test.articles(feed).count == 3)
  }
}
