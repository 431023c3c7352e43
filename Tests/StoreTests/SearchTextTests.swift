internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Texts and phrases as the index takes them.
struct SearchTextTests {
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: [
    ("plain text, “quoted” – naïve", "plain text, “quoted” – naïve"),
    ("日本語", "日本 本語 語"),
    ("日", "日"),
    ("東京でSwiftを学ぶ。", "東京 京で で Swift を学 学ぶ ぶ 。"),
    ("한국어를 배운다", "한국 국어 어를 를 배운 운다 다"),
    // Vowel signs and tones stay with their letters.
    ("ที่นี่", "ที่นี่ นี่"),
    ("हिन्दी में", "हिन्दी में"),
    ("がぎ", "がぎ ぎ"),
  ])
  func `A stretch goes into the index as its pairs`(_ text: String, _ expected: String) {
    #expect(words(SearchText.indexed(text)) == expected)
  }

  @Test(arguments: [
    ("swift", true, "\"swift\" *"), ("swift", false, "\"swift\""),
    ("日本語", true, "\" 日本 本語 \""), ("日本", false, "\" 日本 \""),
    ("日", true, "\" 日 \" *"), ("日", false, "\" 日 \" *"),
    ("日。", false, "\" 日 \" *"),
    ("東京でSwift", true, "\" 東京 京で で Swift\" *"),
  ])
  func `Words become a phrase that finds them in the middle of a stretch`(
    _ words: String, _ isPrefix: Bool, _ expected: String
  ) {
    #expect(SearchText.phrase(words, isPrefix: isPrefix) == expected)
  }

  private static let text = """
    東京でSwiftを学ぶ会が開かれた。初心者も歓迎。ภาษาไทยไม่มีช่องว่างระหว่างคำ ที่นี่. 한국어를 배우는 사람들. हिन्दी में लिखा है. \
    中国人民银行宣布降息。ខ្ញុំរៀនភាសាខ្មែរ
    """

  @Test(arguments: [
    // Words of one, of two and of more letters.
    "会", "東京", "学ぶ", "初心者", "開かれた", "人民", "银行宣布", "歓迎",
    "ไทย", "ช่องว่าง", "ที่", "นี่", "ภาษาไทย", "한국", "국어", "배우", "हिन्दी", "में", "ភាសា",
    "Swift", "swi", "東京でSwift", "Swiftを学ぶ", "東京 歓迎", "\"東京で\" 人民", "会 swift",
  ])
  func `A part of a text without spaces is found, and shown`(_ typed: String) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [
        Entry(id: "1", title: "One", contentHTML: "<p>\(Self.text)</p>"),
        Entry(id: "2", title: "Other", contentHTML: "<p>京東 国中 ภาไท 국한 plain</p>"),
      ], into: feed)
    let query = TimelineQuery(.search(typed))
    let (rows, snippets) = try await test.store.view { view in
      let slice = try view.timeline.slice(query)
      return (slice.rows, try view.search.snippets(of: slice, for: query))
    }
    #expect(rows.count == 1)
    #expect(snippets.values.first?.parts.contains(where: \.isHit) == true)
    // Where a beginning is one only with a star.
    guard typed != "swi" else { return }
    let queried = try ArticleQuery(typed)
    #expect(try await test.rows(TimelineQuery(.matching(queried, in: .all))).count == 1)
  }

  @Test(arguments: ["東学", "本", "ไม้", "어한", "नहीं", "京都", "\"東京 Swift\""])
  func `What is not in a text is not found in it`(_ typed: String) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [Entry(id: "1", title: "One", contentHTML: "<p>\(Self.text)</p>")], into: feed)
    #expect(try await test.rows(TimelineQuery(.search(typed))).isEmpty)
  }

  @Test func `Any part of any stretch is found`() async throws {
    var random = SplitMix(seed: 5)
    let letters = Array("日本語東京都のがぎ一二三กขคที่นี่한국어")
    let test = try TestStore()
    let feed = try await test.subscribe()
    let texts = (0..<40).map { _ in
      String(
        (0..<Int.random(in: 1...30, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
    }
    try await test.merge(
      texts.enumerated().map { Entry(id: "\($0)", title: "t", contentHTML: "<p>\($1)</p>") },
      into: feed)
    for _ in 0..<150 {
      let text = Array(texts[Int.random(in: 0..<texts.count, using: &random)])
      let start = Int.random(in: 0..<text.count, using: &random)
      let part = String(text[start..<Int.random(in: start + 1...text.count, using: &random)])
      let expected = texts.count { $0.contains(part) }
      let counts = try await test.store.view { try $0.timeline.counts(of: .search(part)) }
      #expect(counts.total == expected, "\(part)")
    }
  }
}
