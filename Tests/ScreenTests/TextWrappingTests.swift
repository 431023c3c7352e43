import Screen
import Testing

struct TextWrappingTests {
  @Test(arguments: [
    ("the quick brown fox", 10, ["the quick", "brown fox"]),
    ("the quick brown fox", 9, ["the quick", "brown fox"]),
    ("the   quick", 5, ["the", "quick"]),
    ("a b", 80, ["a b"]),
    ("", 5, [""]),
    ("one\ntwo\n\nthree", 10, ["one", "two", "", "three"]),
    // A mark behind a line break stands in the line it begins.
    ("one\n\u{301}two", 10, ["one", "\u{301}two"]),
    // Inside words.
    ("well-known facts", 7, ["well-", "known", "facts"]),
    ("option -v here", 8, ["option", "-v here"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    (
      "see https://example.org/a/long/path?x=1", 16,
      ["see", "https://example.", "org/a/long/path?", "x=1"]
    ),
    ("a\u{A0}b c", 3, ["a\u{A0}b", "c"]),
    // CJK: between ideographs, but no line begins with 、。」 and none ends with 「.
    ("日本語の文章", 4, ["日本", "語の", "文章"]),
    ("日本語、文章。", 6, ["日本", "語、文", "章。"]),
    ("日本「語」", 6, ["日本", "「語」"]),
    ("日本", 1, ["日", "本"]),
    ("use漢字here", 5, ["use漢", "字", "here"]),
    // Behind their punctuation before Latin words and brackets, and nowhere else beside it.
    ("一二三四。「五六」", 10, ["一二三四。", "「五六」"]),
    ("一二三四五六七他说，Hello world", 20, ["一二三四五六七他说，", "Hello world"]),
    ("他说“你好”Hello world", 11, ["他说“你好”", "Hello world"]),
    ("サーバーAPI", 10, ["サーバー", "API"]), ("サーバー", 4, ["サー", "バー"]),
    ("Hello（世界）", 8, ["Hello", "（世界）"]), ("ああ」「い」", 6, ["ああ」", "「い」"]),
    ("ｻｰﾊﾞｰの話", 4, ["ｻｰ", "ﾊﾞｰ", "の話"]),
    ("wait,(what)", 6, ["wait,(", "what)"]),
    // Hyphens that begin a word, and those before numbers.
    ("with --verbose now", 9, ["with", "--verbose", "now"]),
    ("run (--all) or \"--none\"", 12, ["run (--all)", "or \"--none\""]),
    ("a x=-1 b", 5, ["a", "x=-1", "b"]), ("on 2026-11-26 it", 11, ["on", "2026-11-26", "it"]),
    ("state-of-the-art", 9, ["state-of-", "the-art"]),
    ("one--two three", 6, ["one--", "two", "three"]), ("pages 10–20", 9, ["pages 10–", "20"]),
  ])
  func `Lines end where a user expects it`(text: String, width: Int, lines: [String]) {
    #expect(TextWrapping.wrap(text, width: width).map(String.init) == lines)
  }

  static let nasty = [
    "The quick brown fox jumps over the lazy dog; it was well-known at https://example.org/a/b?c=d.",
    "日本語の文章、「引用」。ラーメンとカレーライス！漢字かな交じり文",
    "emoji 👩🏽‍🚀👨‍👩‍👧‍👦 ❤️❤️❤️ 🇩🇪🇫🇷🇯🇵 1️⃣2️⃣3️⃣ x",
    "שלום עולם مرحبا بالعالم mixed with English",
    "हिन्दी में एक वाक्य क्षत्रिय", "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
    String(repeating: "a", count: 200), String(repeating: "漢", count: 100),
    String(repeating: "\u{301}", count: 100), "   leading and trailing   ", "\n\n\n", " ",
    "----------",
    "a\u{200B}b\u{200B}c\u{202E}d \u{1B}[31m e\tf", "((((((((((", "、。、。、。、。", "「「「「「「",
    "/a/b/c///d?e&f=g#h_i", String(repeating: "x ", count: 100),
    "e\u{301}\u{301}\u{301}\u{301}\u{301}",
  ]

  @Test(arguments: nasty)
  func `No line is too long and no text is lost at any width`(text: String) {
    for width in 1...80 {
      let bytes = Array(text.utf8)
      let lines = TextWrapping.lines(of: text, width: width)
      var next = 0
      for line in lines {
        #expect(line.start == next)
        #expect(line.end >= line.start && line.next >= line.end)
        let shown = String(decoding: bytes[line.start..<line.end], as: UTF8.self)
        #expect(TextWidth.columns(of: shown) == line.columns, "\(shown) at \(width)")
        #expect(line.columns <= max(width, 2), "\(shown) at \(width)")
        if line.columns > width {
          #expect(shown.filter { TextWidth.columns(of: $0) > 0 }.count == 1)
        }
        // What is not shown is white space, or has no width.
        let hidden = String(decoding: bytes[line.end..<line.next], as: UTF8.self)
        #expect(hidden.allSatisfy { $0.isWhitespace || TextWidth.columns(of: $0) == 0 })
        next = line.next
      }
      #expect(next == bytes.count)
    }
  }

  @Test(arguments: nasty)
  func `Pieces of code hold every byte`(text: String) {
    for width in 1...20 {
      let pieces = TextWrapping.pieces(of: text, width: width, firstWidth: width + 3)
      #expect(pieces.first?.start == 0)
      #expect(pieces.last?.next == text.utf8.count)
      for (piece, following) in zip(pieces, pieces.dropFirst()) {
        #expect(piece.end == following.start)
        #expect(piece.columns <= max(width + 3, 2))
      }
    }
  }

  @Test(arguments: [
    ("let name = value", 12, ["let name = ", "value"]),
    // A word longer than a piece ends behind punctuation, and a longer token anywhere.
    ("[0.125,0.25,0.375]", 12, ["[0.125,0.25,", "0.375]"]),
    ("<ul><li>one</li></ul>", 12, ["<ul><li>", "one</li>", "</ul>"]),
    ("x.first(where: \\.isShown)?.name", 14, ["x.first(where:", " \\.isShown)?.", "name"]),
    ("aaaaaaaabbbb cc", 8, ["aaaaaaaa", "bbbb cc"]),
    // A token behind an indentation is not cut where it fits below.
    ("      identifier", 12, ["      ", "identifier"]),
    ("// 漢字漢字漢字", 8, ["// 漢字", "漢字漢字"]),
  ])
  func `Pieces of code end at words`(_ text: String, _ width: Int, _ expected: [String]) {
    let bytes = Array(text.utf8)
    let pieces = TextWrapping.pieces(of: text, width: width)
    #expect(pieces.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) } == expected)
  }

  @Test func `The first line can have a width of its own`() {
    let lines = TextWrapping.lines(of: "aa bb cc", width: 5, firstWidth: 2)
    #expect(lines.map(\.columns) == [2, 5])
  }
}
