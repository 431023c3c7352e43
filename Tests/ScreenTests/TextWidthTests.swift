import Screen
import Testing

struct TextWidthTests {
  @Test(arguments: [
    ("a", 1), ("~", 1), (" ", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("Ж", 1), ("ـ", 1),
    // CJK, kana, Hangul in both forms, fullwidth and halfwidth.
    ("漢", 2), ("か", 2), ("か\u{3099}", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2),
    ("ｱ", 1), ("　", 2), ("，", 2), ("𠮷", 2), ("〈", 2),
    // Emoji: plain, text by default, with selectors, tones, joiners, as flags and keycaps.
    ("😀", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("⌚", 2), ("⌚\u{FE0E}", 2), ("👍🏽", 2), ("☝🏽", 2),
    ("👩🏽‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("❤️‍🔥", 2), ("🏳️‍🌈", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🇩🇪", 2), ("🇩", 1), ("1️⃣", 2),
    ("1", 1), ("©", 1), ("©\u{FE0F}", 2), ("🫩", 2),
    // Marks without a base stand on a space.
    ("\u{301}", 1), ("\u{20D7}", 1),
    // Never shown.
    ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("\u{AD}", 0), ("\u{202E}", 0),
    ("\u{2066}", 0), ("\u{7}", 0), ("\u{1B}", 0), ("\u{7F}", 0), ("\u{9B}", 0), ("\u{FFFF}", 0),
    // Separators show as a space.
    ("\t", 1), ("\n", 1), ("\r\n", 1), ("\u{2028}", 1),
    // Ambiguous width is narrow.
    ("…", 1), ("─", 1), ("“", 1), ("①", 1), ("☰", 1),
    // Indic: a spacing vowel sign has a column of its own.
    ("की", 2), ("न\u{94D}", 1), ("ك", 1), ("שׁ", 1), ("ก้", 1),
  ])
  func `A character takes the columns that terminals give it`(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
    #expect(TextWidth.columns(of: Character(text)) == columns)
  }

  @Test(arguments: ["plain", "mañana", "漢字kana", "👩🏽‍🚀🇩🇪❤️x", "a\u{301}\u{302}b", "\u{1B}[31mred", ""])
  func `A text is as wide as its characters`(text: String) {
    let sum = text.reduce(0) { $0 + TextWidth.columns(of: $1) }
    #expect(TextWidth.columns(of: text) == sum)
    #expect(TextWidth.columns(of: text[...]) == sum)
  }

  @Test(arguments: [
    ("漢字", 3, "漢"), ("漢字", 4, "漢字"), ("abc", 0, ""), ("e\u{301}x", 1, "e\u{301}"), ("", 5, ""),
    ("a👩🏽‍🚀b", 3, "a👩🏽‍🚀"), ("a👩🏽‍🚀b", 2, "a"),
  ])
  func `A prefix never cuts a character`(text: String, columns: Int, prefix: String) {
    #expect(TextWidth.prefix(of: text, fitting: columns) == prefix)
  }
}
