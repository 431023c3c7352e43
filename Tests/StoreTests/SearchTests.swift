internal import Foundation
internal import News
internal import Testing

@testable internal import Store

@Suite struct SearchTests {
  @Test(
    arguments: [
      ("swift", "\"swift\" *"),
      ("swift concurrency", "\"swift\" AND \"concurrency\" *"),
      ("\"structured concurrency\" swift", "\"structured concurrency\" AND \"swift\" *"),
      ("\"structured concurrency\"", "\"structured concurrency\""),
      ("  ", nil), ("", nil), ("\"", nil), ("\"\"", nil), ("*", nil), ("-", nil), ("\0", nil),
      ("a\0b", "\"ab\" *"),
      ("NEAR(a b)", "\"NEAR(a\" AND \"b)\" *"),
      ("title:x OR y", "\"title:x\" AND \"OR\" AND \"y\" *"),
      ("say \"unclosed words", "\"say\" AND \"unclosed words\" *"),
    ] as [(String, String?)])
  func `Typed words become an expression`(typed: String, expression: String?) {
    #expect(SearchExpression(typed)?.text == expression)
  }

  static let hostile = [
    "\"", "\"\"\"", "*", "**", "a*", "-a", "- -", "NEAR(", "NEAR(a b, 2)", "a NEAR", "^a", "a^",
    "{title}: a", "title:a", "(a", "a)", "a OR", "AND", "NOT a", "a AND NOT", "+", "a + b",
    "a\0b", "\0", ";", "'", "a'b", "\\", "%", "\u{0301}", "\u{200D}", "²", "½", "٣", "漢字",
    "👩‍👩‍👧", "\u{FFFD}\u{FFFF}", "\"a\" *", "a\"b\"c", "\t\n", "?1", ":a", "@a", "a.b.c", "'; DROP",
    String(repeating: "a ", count: 2_000), String(repeating: "a", count: 100_000),
    String(repeating: "\"", count: 999), String(repeating: "(", count: 999) + "a",
  ]

  @Test(arguments: hostile)
  func `No input is an error`(typed: String) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a b c")], into: feed)
    try await test.store.edit { edit in
      _ = try edit.view.timeline.slice(TimelineQuery(.search(typed)))
      _ = try edit.view.timeline.counts(of: .search(typed))
      _ = try edit.marks.markAllRead(.search(typed), notNewerThan: nil, now: noon)
    }
  }

  @Test(arguments: [
    ("uber", true), ("ÜBER", true), ("brü", true), ("bru", true), ("rück", false),
    ("fox lazy", true), ("lazy fox", true), ("\"lazy fox\"", false), ("\"quick brown\"", true),
    ("hidden", false), ("p", false), ("Zusammen", true), ("fox nothing", false),
  ])
  func `A search finds words of title and text, whatever their accents`(
    words: String, isFound: Bool
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let content = "<p class='hidden'>The quick brown fox, the lazy dog. Brücke.</p>"
    try await test.merge([entry("1", title: "Über Zusammenhänge", content: content)], into: feed)
    let rows = try await test.rows(TimelineQuery(.search(words)))
    #expect(rows.count == (isFound ? 1 : 0))
  }

  @Test func `What is found and what is starred is counted with its unread`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(["1", "2", "3"].map { entry($0, content: "word") }, into: feed)
    let ids = try await test.articles(feed).map(\.id)
    let counts = try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[0]], now: noon)
      try edit.marks.set(.starred(true), of: [ids[0], ids[1]], now: noon)
      return try [
        edit.view.timeline.counts(of: .search("word")), edit.view.timeline.counts(of: .starred),
      ]
    }
    #expect(counts.map(\.total) == [3, 2])
    #expect(counts.map(\.unread) == [2, 1])
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(.search("word"), notNewerThan: nil, now: noon)
    }
    #expect(marked == 2)
  }

  @Test func `A total below the limit of a search is exact, though some hits are duplicates`()
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    let shared = linked("a", "https://example.org/a", title: "word a", at: -50)
    try await test.merge([shared], into: one)
    let others = ["b", "c", "d"].map { entry($0, title: "word \($0)") }
    try await test.merge(others + [shared], into: two)
    func total(_ limit: Int, isMerged: Bool = true) async throws -> Int {
      try await test.store.view {
        try $0.timeline.counts(of: .search("word"), isMerged: isMerged, limit: limit).total
      }
    }
    #expect(try await total(3) == 3)
    #expect(try await total(10) == 4)
    #expect(try await total(10, isMerged: false) == 5)
    #expect(try await total(4, isMerged: false) == 4)
  }

  @Test func `The index follows what is replaced and what is removed`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try await test.subscribe("b")
    try await test.merge([entry("1", content: "<p>before</p>"), entry("2")], into: feed)
    try await test.merge([entry("1", content: "before")], into: other)
    try await test.merge([entry("1", content: "<p>after</p>")], into: feed)
    func hits(_ words: String) async throws -> Int {
      try await test.store.view { try $0.timeline.counts(of: .search(words)).total }
    }
    #expect(try await (hits("before"), hits("after")) == (1, 1))
    let raw = try RawDatabase(test.folder)
    #expect(try raw.problems() == [])
    try await test.store.edit { try $0.feeds.unsubscribe(feed) }
    #expect(try await (hits("before"), hits("after")) == (1, 0))
    #expect(try raw.problems() == [])
    #expect(try raw.strings("SELECT count(*) FROM articleBody") == ["1"])
  }

  @Test func `A batch of a refresh is one segment of the index`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    // Their places are some 2.5 MB, which FTS5 would write in parts by itself.
    let words = (0..<5_000).map { "w\($0)" }
    let entries = (0..<300).map { number in
      let part = (0..<1_400).map { words[($0 * 7 + number * 31) % words.count] }
      return entry("\(number)", content: part.joined(separator: " "))
    }
    try await test.merge(entries, into: feed)
    let raw = try RawDatabase(test.folder)
    #expect(try raw.strings("SELECT count(DISTINCT segid) FROM search_idx") == ["1"])
    #expect(try raw.problems() == [])
  }

  @Test func `The index follows what changes more than once in a transaction`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let other = try await test.subscribe("b")
    try await test.store.edit { edit in
      for content in ["first", "second", "third"] {
        let page = PreparedPage(Page(entries: [entry("1", content: content)]))
        try edit.articles.merge(page, into: feed, at: .newest, now: noon)
        try edit.articles.merge(page, into: other, at: .newest, now: noon)
      }
      try edit.feeds.unsubscribe(other)
      let page = PreparedPage(Page(entries: [entry("1", content: "fourth")]))
      try edit.articles.merge(page, into: feed, at: .newest, now: noon)
    }
    #expect(try RawDatabase(test.folder).problems() == [])
    let hits = try await test.store.view { view in
      try ["first", "second", "third", "fourth"].map {
        try view.timeline.counts(of: .search($0)).total
      }
    }
    #expect(hits == [0, 0, 0, 1])
  }

  @Test func `A long body is indexed up to its limit and taken out again whole`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let long = String(repeating: "<p>ö filler words</p>", count: 30_000) + "needle"
    try await test.merge([entry("1", content: long)], into: feed)
    try await test.merge([entry("1", content: "short")], into: feed)
    #expect(try RawDatabase(test.folder).problems() == [])
    #expect(try await test.store.view { try $0.timeline.counts(of: .search("filler")).total } == 0)
  }
}

@Suite struct BodyCodecTests {
  @Test(arguments: [
    "", "short", "ünïcödé \u{1F600}", String(repeating: "<p>the same</p>", count: 500),
    String(repeating: "x", count: 119), String(repeating: "x", count: 120),
    String((0..<400).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7919 % 90))) }),
    String(repeating: "\0", count: 300),
  ])
  func `A text comes back as it was`(text: String) {
    let data = BodyEncoder().encode(text)
    #expect(BodyCodec.decode(data) == text)
    #expect(data.count <= text.utf8.count + 1)
  }

  @Test func `What was written once can be read for ever`() throws {
    let stored =
      "ASi1L/0kUz0BAMAiPsOcbml0ZWQgTG9vcHM8L2E+LjwvcD4EQADFZdEmJ7NzJsPmck1km24="
    let text =
      "<p>The post appeared first on <a href=\"https://example.org/\">Ünited Loops</a>.</p>"
    let data = try #require(Data(base64Encoded: stored))
    #expect(BodyCodec.decode(data) == text)
    #expect(data.count < text.utf8.count)
  }

  @Test func `A long text takes less room than it is long`() {
    let text = String(repeating: "<p>the same again</p>", count: 500)
    #expect(BodyEncoder().encode(text).count < text.utf8.count / 10)
  }

  @Test func `Damaged bytes are nil, never a wrong text`() {
    let text = String(repeating: "a long and compressible text ", count: 50)
    let data = BodyEncoder().encode(text)
    #expect(data.first == 1)
    for length in 1..<data.count { #expect(BodyCodec.decode(data.prefix(length)) == nil) }
    for index in data.indices.dropFirst() {
      var damaged = data
      damaged[index] ^= 0x55
      let decoded = BodyCodec.decode(damaged)
      #expect(decoded == nil || decoded == text, "byte \(index)")
    }
    #expect(BodyCodec.decode(Data([7, 1, 2, 3])) == nil)
    #expect(BodyCodec.decode(Data([1, 255, 255, 255, 255, 0])) == nil)
  }

  @Test func `An article whose body is damaged can still be opened`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let content = String(repeating: "<p>long</p>", count: 100)
    try await test.merge([entry("1", title: "Title", content: content)], into: feed)
    try RawDatabase(test.folder).execute("UPDATE articleBody SET content = x'0102'")
    let article = try #require(try await test.articles(feed).first)
    #expect(article.entry.title == "Title")
    #expect(article.entry.contentHTML == nil)
  }
}
