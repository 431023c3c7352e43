import News
import Testing

@testable import OtherReaders

@Suite("Newsboat's filters")
struct NewsboatFilterTests {
  @Test(
    "Each comparison has its counterpart",
    arguments: [
      (#"unread = "yes""#, "unread"), (#"unread == "no""#, "is:read"),
      (#"unread != "yes""#, "is:read"),
      (#"title =~ "swift|c\+\+""#, #"title:/swift|c\+\+/"#),
      (#"title !~ "[Aa]d""#, "-title:/[Aa]d/"), (#"title = "a.b""#, #"title:/^a\.b$/"#),
      (#"author = "Jo""#, "author:/^Jo$/"), (#"content =~ "x/y""#, #"text:/x\/y/"#),
      (#"link =~ "^https://a""#, #"url:/^https:\/\/a/"#),
      (#"feedtitle # "News""#, #"feed:/(?:^|\s)News(?:\s|$)/"#),
      (#"rssurl =~ "github""#, "feed:/github/"), (#"feedlink =~ "a""#, "site:/a/"),
      (#"tags # "news/tech""#, "folder:\"news\u{2215}tech\""),
      (#"tags # "long reads""#, #"folder:"long reads""#), (#"tags !# "tech""#, #"-folder:"tech""#),
      (#"flags # "a""#, "tag:flag-a"), (#"flags !# "B""#, "-tag:flag-upper-b"),
      (#"flags =~ "s""#, "is:starred"),
      ("age < 7", "age<7d"), ("age <= 7", "age<8d"), ("age > 7", "age>=8d"),
      ("age >= 7", "age>=7d"), ("age between 2:5", "age>=2d age<6d"),
      ("age between 5:2", "age>=2d age<6d"), ("age = 0", "age>=0d age<1d"),
      ("unread_count > 0", "unread>0"), ("total_count between 1:10", "total>=1 total<=10"),
      (#"enclosure_type =~ "audio/""#, "has:audio"), (#"enclosure_url != """#, "has:enclosure"),
      (#"enclosure_url =~ ".""#, "has:enclosure"),
    ])
  func comparisons(filter: String, query: String) throws {
    #expect(try NewsboatFilter(filter).query(star: "s").text == query)
  }

  @Test("And and or have one rank and group from the right")
  func grouping() throws {
    func query(_ filter: String) throws -> String { try NewsboatFilter(filter).query().text }
    let (a, b, c) = (#"unread = "yes""#, #"title =~ "x""#, #"author =~ "y""#)
    #expect(try query("\(a) and \(b) and \(c)") == "unread title:/x/ author:/y/")
    #expect(try query("\(a) and \(b) or \(c)") == "unread (title:/x/ OR author:/y/)")
    #expect(try query("\(a) or \(b) and \(c)") == "unread OR title:/x/ author:/y/")
    #expect(try query("(\(a) or \(b)) and \(c)") == "(unread OR title:/x/) author:/y/")
    #expect(try query("((\(a)))") == "unread")
  }

  @Test(
    "What has no counterpart is refused with a reason",
    arguments: [
      #"guid = "x""#, #"date =~ "2026""#, "articleindex = 3", "feedindex < 3",
      #"description =~ "x""#, #"flags =~ "ab""#, #"unread = "maybe""#, #"title > "a""#,
      #"nonsense = "x""#, #"enclosure_type =~ "pdf""#, "age =~ 3", "age < -1", #"title =~ "[a""#,
      #"title = """#,
    ])
  func refused(filter: String) {
    let error = #expect(throws: QueryError.self) { try NewsboatFilter(filter).query() }
    #expect(error?.message.isEmpty == false)
  }

  @Test(
    "What newsboat could not read either is a mistake with its place",
    arguments: [
      "", "title", "title =", #"title = "x"#, "(unread = \"yes\"", "unread = \"yes\")",
      "unread = \"yes\" and", "unread = \"yes\" author",
    ])
  func mistakes(filter: String) {
    #expect(throws: QueryError.self) { try NewsboatFilter(filter) }
  }

  @Test("Parentheses without end do not exhaust the stack")
  func depth() {
    #expect(throws: QueryError.self) {
      try NewsboatFilter(String(repeating: "(", count: 100_000))
    }
  }

  @Test(
    "Expressions of POSIX mean the same in a query",
    arguments: [
      ("a/b", #"a\/b"#), (#"\<word\>"#, #"\bword\b"#), ("[]a]", #"[\]a]"#), ("[^]]", #"[^\]]"#),
      (#"[\d]"#, #"[\\d]"#), ("[[:alpha:]_]", "[[:alpha:]_]"), ("[a-]", #"[a\-]"#),
      ("[-a]", #"[\-a]"#), ("[a-z&&b]", #"[a-z\&\&b]"#),
    ])
  func expressions(posix: String, query: String) {
    #expect(PosixExpression.translated(posix) == query)
  }
}
