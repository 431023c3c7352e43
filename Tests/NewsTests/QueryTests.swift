internal import Testing

@testable internal import News

/// The language of queries.
@Suite struct QueryTests {
  private func condition(_ text: String) throws -> QueryCondition {
    try ArticleQuery(text).condition
  }

  private static func word(_ text: String) -> QueryCondition { .words(QueryWords(text)) }

  static let readings: [(String, QueryCondition)] = [
    ("", .all([])),
    ("  \t ", .all([])),
    ("swift", word("swift")),
    ("swift rust", .all([word("swift"), word("rust")])),
    ("swift AND rust", .all([word("swift"), word("rust")])),
    ("swift OR rust go", .any([word("swift"), .all([word("rust"), word("go")])])),
    ("(swift OR rust) go", .all([.any([word("swift"), word("rust")]), word("go")])),
    ("((swift))", word("swift")),
    ("or and not", .all([word("or"), word("and"), word("not")])),
    ("ORB NOTE", .all([word("ORB"), word("NOTE")])),
    ("-swift", .not(word("swift"))),
    ("--swift", word("swift")),
    ("NOT swift", .not(word("swift"))),
    ("NOT -swift", word("swift")),
    ("-(a b)", .not(.all([word("a"), word("b")]))),
    ("well-known", word("well-known")),
    ("\"actor model\"", word("actor model")),
    ("act*", .words(QueryWords("act", isPrefix: true))),
    ("\"actor mod\"*", .words(QueryWords("actor mod", isPrefix: true))),
    ("title:\"actor model\"", .words(QueryWords("actor model", in: .title))),
    ("TITLE:swift", .words(QueryWords("swift", in: .title))),
    ("text:mod*", .words(QueryWords("mod", in: .text, isPrefix: true))),
    ("/a b\\/c\\d/", .matches(.title, "a b/c\\d")),
    ("url:/^https/", .matches(.url, "^https")),
    ("unread read starred", .all([.state(.unread), .state(.read), .state(.starred)])),
    ("-unread", .state(.read)), ("NOT read", .state(.unread)), ("has:\"tag\"", .state(.tagged)),
    ("\"unread\"", word("unread")),
    ("is:heard", .state(.heard)),
    ("has:audio has:tag", .all([.has(.audio), .state(.tagged)])),
    ("author:jo", .contains(.author, "jo")),
    ("-feed:HN", .not(.contains(.feed, "HN"))),
    ("feed:\"Hacker News\"", .contains(.feed, "Hacker News")),
    ("tag:swift", .tag("swift")),
    ("url:https://example.org/?a=1", .contains(.url, "https://example.org/?a=1")),
    ("after:1w", .date(.written, .atLeast, .ago(7 * 86_400))),
    ("before:90min", .date(.written, .less, .ago(5_400))),
    ("age<3d", .date(.written, .more, .ago(3 * 86_400))),
    ("age>=1y", .date(.written, .atMost, .ago(365 * 86_400))),
    ("after:2026-02-28", .date(.written, .atLeast, .day("2026-02-28", next: "2026-03-01"))),
    ("on:2024-02-29", .date(.written, .equal, .day("2024-02-29", next: "2024-03-01"))),
    ("on:2026-12", .date(.written, .equal, .day("2026-12-01", next: "2027-01-01"))),
    ("on:2026", .date(.written, .equal, .day("2026-01-01", next: "2027-01-01"))),
    ("on:yesterday", .date(.written, .equal, .today(daysAgo: 1))),
    ("arrived:2h", .date(.arrived, .atLeast, .ago(7_200))),
    ("since:last-refresh", .sinceLastRefresh),
    ("unread>10", .count(.unread, .more, 10)),
    ("total<=5", .count(.total, .atMost, 5)),
    ("age<3d)", .all([])),
  ].dropLast()

  @Test(arguments: readings)
  func `A query is read as it is meant`(_ text: String, _ wanted: QueryCondition) throws {
    #expect(try condition(text) == wanted)
  }

  static let mistakes: [(String, Range<Int>)] = [
    ("swift OR", 8..<8), ("OR swift", 0..<0), ("AND swift", 0..<3), ("swift AND", 6..<9),
    ("(swift", 0..<6), ("swift)", 5..<6), ("()", 0..<2), ("a (b OR) c", 7..<7),
    ("NOT", 3..<3), ("a \"b", 2..<4), ("/a", 0..<2), ("/(/", 0..<3), ("//", 0..<2),
    ("titel:x", 0..<5), ("https://example.org", 0..<5), ("title:", 0..<6), ("title:...", 6..<9),
    ("tag:", 0..<4), ("tag:/a/", 0..<4), ("is:new", 3..<6), ("has:pictures", 4..<12),
    ("after:soon", 6..<10), ("after:2026-02-29", 6..<16), ("after:2026-13", 6..<13),
    ("after:26-1-1", 6..<12), ("on:3d", 3..<5), ("age:3d", 0..<4), ("age<3", 4..<5),
    ("age=3d", 3..<4), ("unread>x", 7..<8), ("unread>-1", 7..<9), ("size>3", 0..<4),
    ("...", 0..<3), ("-", 0..<1), ("Ⓐ", 0..<1), ("unread:", 0..<7), ("-sort:oldest", 1..<5),
  ]

  @Test(arguments: mistakes)
  func `A mistake is told with its place`(_ text: String, _ place: Range<Int>) {
    let mistake = #expect(throws: QueryError.self) { try ArticleQuery(text) }
    #expect(mistake?.place == place && mistake?.message.isEmpty == false)
  }

  @Test func `What stands at the place is told too`() throws {
    let mistake = QueryError("this is wrong", at: 6..<9)
    #expect(mistake.line(in: "swift abc") == "this is wrong, at “abc”")
    #expect(mistake.line(in: "swift") == "this is wrong, at the end")
  }

  @Test func `Depth and length have bounds`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(try condition(nested(16)) == Self.word("a"))
    #expect(throws: QueryError.self) { try ArticleQuery(nested(17)) }
    #expect(throws: QueryError.self) { try ArticleQuery(nested(2_000)) }
    #expect(try ArticleQuery(String(repeating: "a ", count: 200)).condition.parts.count == 200)
    #expect(throws: QueryError.self) { try ArticleQuery(String(repeating: "-a ", count: 201)) }
    #expect(throws: QueryError.self) { try ArticleQuery(String(repeating: "a", count: 4_097)) }
    #expect(try condition(String(repeating: "-", count: 4_000) + "a") == Self.word("a"))
  }

  @Test func `A query is known by its text`() throws {
    #expect(try ArticleQuery(" unread  swift ").text == "unread  swift")
    #expect(try ArticleQuery("unread ") == ArticleQuery("unread"))
    #expect(try ArticleQuery("unread swift").isAboutUnread)
    #expect(try ArticleQuery("-read").isAboutUnread)
    #expect(try !ArticleQuery("-unread").isAboutUnread)
    #expect(try !ArticleQuery("unread OR starred").isAboutUnread)
    #expect(try ArticleQuery("").isEmpty && !ArticleQuery("a").isEmpty)
  }
}
