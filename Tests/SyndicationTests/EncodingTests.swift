import Foundation
import News
import Syndication
import Testing

/// One reading of a title, and all labels that must lead to it.
struct LabelledText: CustomTestStringConvertible, Sendable {
  var bytes: [UInt8]
  var text: String
  var labels: String

  var testDescription: String { "\(text) by \(labels.prefix(24))" }
}

@Suite struct EncodingTests {
  @Test(arguments: [
    LabelledText(
      bytes: [0x80, 0x20, 0xE9], text: "€ é",
      labels: """
        windows-1252 Windows-1252 WINDOWS_1252 cp1252 x-cp1252 win-1252 iso-8859-1 \
        ISO_8859-1 iso8859-1 iso88591 ISO_8859-1:1987 latin1 latin-1 l1 iso-ir-100 \
        csISOLatin1 ibm819 cp819 us-ascii ascii ANSI_X3.4-1968
        """),
    LabelledText(
      bytes: [0xB1, 0xE6], text: "ąć",
      labels: "iso-8859-2 ISO8859-2 iso_8859-2:1987 latin2 l2 csISOLatin2 iso-ir-101"),
    LabelledText(
      bytes: [0xB1, 0xE6], text: "ħĉ", labels: "iso-8859-3 latin3 l3 iso-ir-109 csISOLatin3"),
    LabelledText(
      bytes: [0xB3, 0xE6], text: "ŗæ", labels: "iso-8859-4 latin4 l4 iso-ir-110 csISOLatin4"),
    LabelledText(
      bytes: [0xB4, 0xE6, 0xF1], text: "Дцё",
      labels: "iso-8859-5 cyrillic csISOLatinCyrillic iso-ir-144"),
    LabelledText(
      bytes: [0xD3, 0xE4, 0xC7, 0xE5], text: "سلام",
      labels: """
        iso-8859-6 arabic ASMO-708 ECMA-114 iso-8859-6-e iso-8859-6-i csISOLatinArabic iso-ir-127
        """),
    LabelledText(
      bytes: [0xB6, 0xE8, 0xDE], text: "Άθή",
      labels: """
        iso-8859-7 greek greek8 ELOT_928 ECMA-118 sun_eu_greek csISOLatinGreek iso-ir-126
        """),
    LabelledText(
      bytes: [0xF9, 0xEC, 0xE5, 0xED], text: "שלום",
      labels: """
        iso-8859-8 hebrew visual logical iso-8859-8-i iso-8859-8-e csISOLatinHebrew iso-ir-138
        """),
    LabelledText(
      bytes: [0x80, 0x20, 0xFD, 0xF0, 0xFE], text: "€ ığş",
      labels: """
        windows-1254 iso-8859-9 latin5 l5 cp1254 x-cp1254 csISOLatin5 iso-ir-148
        """),
    LabelledText(
      bytes: [0xB1, 0xFE, 0xB9], text: "ąþđ", labels: "iso-8859-10 latin6 l6 iso-ir-157"),
    LabelledText(
      bytes: [0xE0, 0xE1, 0xFE], text: "ąįž", labels: "iso-8859-13"),
    LabelledText(
      bytes: [0xF0, 0xFE], text: "ŵŷ", labels: "iso-8859-14"),
    LabelledText(
      bytes: [0xA4, 0xBD], text: "€œ", labels: "iso-8859-15 latin9 l9 csISOLatin9"),
    LabelledText(
      bytes: [0xA4, 0xBA, 0xFE], text: "€șț", labels: "iso-8859-16"),
    LabelledText(
      bytes: [0xE4, 0xB7, 0xC2, 0x80], text: "ไทย€",
      labels: "windows-874 tis-620 iso-8859-11 dos-874"),
    LabelledText(
      bytes: [0xAF, 0xF3, 0xB3, 0x77, 0x80], text: "Żółw€", labels: "windows-1250 cp1250 x-cp1250"),
    LabelledText(
      bytes: [0xCC, 0xE8, 0xF0, 0xB9], text: "Мир№",
      labels: "windows-1251 cp1251 x-cp1251 win-1251 Windows_1251"),
    LabelledText(
      bytes: [0xCC, 0xDF, 0xE1, 0x80], text: "Μία€", labels: "windows-1253 cp1253"),
    LabelledText(
      bytes: [0xF9, 0xEC, 0xE5, 0xED, 0x80], text: "שלום€", labels: "windows-1255 cp1255"),
    LabelledText(
      bytes: [0xD3, 0xE1, 0xC7, 0xE3, 0x80], text: "سلام€", labels: "windows-1256 cp1256"),
    LabelledText(
      bytes: [0xD0, 0x69, 0xE0, 0xF2, 0x80], text: "Šiąņ€", labels: "windows-1257 cp1257"),
    LabelledText(
      bytes: [0xD0, 0xF5, 0x6E, 0x80], text: "Đơn€", labels: "windows-1258 cp1258"),
    LabelledText(
      bytes: [0xED, 0xC9, 0xD2], text: "Мир", labels: "koi8-r koi koi8 koi8_r csKOI8R"),
    LabelledText(
      bytes: [0xEB, 0xC9, 0xA7, 0xD7, 0xAD], text: "Київґ", labels: "koi8-u koi8-ru"),
    LabelledText(
      bytes: [0x8C, 0xA8, 0xE0], text: "Мир", labels: "ibm866 cp866 866 csIBM866"),
    LabelledText(
      bytes: [0x8E, 0xD5], text: "é’", labels: "macintosh mac x-mac-roman csMacintosh"),
    LabelledText(
      bytes: [0x8C, 0xE8, 0xF0], text: "Мир", labels: "x-mac-cyrillic x-mac-ukrainian"),
    LabelledText(
      bytes: [0xD6, 0xD0, 0xCE, 0xC4, 0x86, 0xB4], text: "中文喆",
      labels: """
        gb18030 gbk gb2312 GB_2312-80 chinese x-gbk csGB2312 iso-ir-58 gb_2312 euc-cn cp936
        """),
    LabelledText(
      bytes: [0xA4, 0xA4, 0xA4, 0xE5, 0xAA, 0xBA], text: "中文的",
      labels: "big5 Big5-HKSCS cn-big5 x-x-big5 csBig5 cp950"),
    LabelledText(
      bytes: [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40], text: "日本①",
      labels: "shift_jis Shift-JIS sjis x-sjis ms_kanji windows-31j ms932 csShiftJIS"),
    LabelledText(
      bytes: [0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC], text: "日本語",
      labels: "euc-jp x-euc-jp csEUCPkdFmtJapanese EUC_JP"),
    LabelledText(
      bytes: [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x38, 0x6C, 0x1B, 0x28, 0x42], text: "日本語",
      labels: "iso-2022-jp csISO2022JP"),
    LabelledText(
      bytes: [0xC7, 0xD1, 0xB1, 0xB9, 0x8C, 0x63], text: "한국똠",
      labels: """
        euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 \
        csKSC56011987 iso-ir-149 cp949
        """),
    LabelledText(
      bytes: [0x82], text: "é", labels: "cp850 ibm850"),
    LabelledText(
      bytes: [0x47, 0x72, 0xC3, 0xB6, 0xC3, 0x9F, 0x65], text: "Größe",
      labels: "utf-8 UTF8 utf_8 unicode-1-1-utf-8 x-unicode20utf8 unicode20utf8"),
  ])
  func `A label leads to its encoding`(_ given: LabelledText) throws {
    for label in given.labels.split(separator: " ") {
      let feed = try parse(given.bytes, declared: String(label))
      #expect(feed.description.title == given.text, "\(label)")
      #expect(feed.warnings == [], "\(label)")
    }
  }

  @Test(arguments: [
    // ／ ～ ‧ ﹑ are of Big5 itself, 0x8862 of Hong Kong; kana and € are ETEN's.
    (
      "big5",
      [
        0xB0, 0x4F, 0xA1, 0xFE, 0xA1, 0xE3, 0xA1, 0x45, 0xA1, 0x4E, 0xB4, 0xE4, 0x88, 0x62, 0xFA,
        0xB1,
      ],
      "記／～‧﹑港Ê̄刦"
    ),
    ("big5", [0xC6, 0xEA, 0xA3, 0xE1, 0x87, 0x40], "い€䏰"),
    ("big5-hkscs", [0x9D, 0xEF, 0xA1, 0xFE, 0x88, 0x66], "嘅／Ê"),
    // Rows 89 to 92 of NEC, with those on either side of 0x7F in Shift_JIS; row 13.
    (
      "euc-jp",
      [0xFC, 0xE2, 0xB6, 0xB6, 0xF9, 0xA1, 0xF9, 0xDF, 0xF9, 0xE0, 0xFA, 0xA1, 0xAD, 0xA1],
      "髙橋纊\u{FA0F}\u{FA10}忞①"
    ),
  ])
  func `A table's missing characters come from another`(
    _ label: String, _ bytes: [UInt8], _ text: String
  ) throws {
    let feed = try parse(bytes, declared: label)
    #expect(feed.description.title == text)
    #expect(feed.warnings == [])
  }

  @Test(arguments: [
    "utf-7", "hz-gb-2312", "iso-2022-kr", "iso-2022-cn", "x-user-defined", "ebcdic-us", "binary",
    "utf-8//TRANSLIT", "../../x", String(repeating: "x", count: 200),
  ])
  func `A label that is not read is named and the bytes decide`(_ label: String) throws {
    let feed = try parse(Array("Größe".utf8), declared: label)
    #expect(feed.description.title == "Größe")
    #expect(feed.warnings == ["The encoding “\(label.prefix(40))” is unknown; read as UTF-8."])
  }

  @Test(arguments: [
    // One U+FFFD for each maximal subpart (Unicode §3.9).
    ([0xE6, 0x9D, 0x41], "\u{FFFD}A"),
    ([0xF0, 0x9F, 0x98, 0x41], "\u{FFFD}A"),
    ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
    ([0xE0, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF0, 0x80, 0x41], "\u{FFFD}\u{FFFD}A"),
    ([0xE1, 0x80, 0xE1, 0x80, 0x80], "\u{FFFD}\u{1000}"),
    ([0xFF], "\u{FFFD}"),
    // White space stands in the place of a byte; what follows it belongs to what stands before it.
    ([0x41, 0xE6, 0x20, 0x92, 0x73], "A\u{FFFD} \u{FFFD}s"),
    ([0x41, 0xE9, 0x42], "A\u{FFFD}B"),
  ])
  func `Damage in UTF-8 is marked once for each broken character`(
    _ bytes: [UInt8], _ text: String
  ) throws {
    let feed = try parse(Array("東京東京".utf8) + bytes, declared: "utf-8")
    #expect(feed.description.title == "東京東京" + text)
    let count = text.count { $0 == "\u{FFFD}" }
    let cause = "A byte does not fit the encoding and was not read"
    #expect(feed.warnings.contains("Line 1: \(cause)\(count > 1 ? " (\(count) times)" : "")."))
  }

  @Test(arguments: [
    ([0x49, 0x74, 0x92, 0x73], "It’s"), ([0x93, 0x41, 0x94], "“A”"),
    ([0x61, 0x20, 0x96, 0x20, 0x62], "a – b"), ([0x61, 0x2E, 0x94, 0x97, 0x62], "a.”—b"),
    ([0x61, 0x85], "a…"), ([0x80, 0x35], "€5"), ([0x63, 0x61, 0x66, 0xE9], "café"),
    ([0xFC, 0x62, 0x65, 0x72], "über"), ([0x61, 0x20, 0xE0, 0x20, 0x62], "a à b"),
    ([0x41, 0xD1, 0x41], "AÑA"), ([0x61, 0xE7, 0xE3, 0x6F], "ação"),
    ([0x6C, 0x92, 0xC3, 0xA9], "l’é"),
    ([0x61, 0xE9, 0x94], "aé”"), ([0x61, 0xE0, 0xA0, 0x3A], "aà\u{A0}:"),
    ([0x61, 0xE9, 0xE9, 0x65], "aéée"),
    // What is left of a cut character, and what windows-1252 does not have.
    ([0x61, 0xC3], "a\u{FFFD}"), ([0x20, 0xBC, 0x62], "\u{FFFD}b"),
    ([0x69, 0x74, 0xE2, 0x73], "it\u{FFFD}s"),
    ([0x61, 0xE2, 0x80], "a\u{FFFD}"), ([0x61, 0xE6, 0x9D, 0x2E], "a\u{FFFD}."),
    ([0x20, 0xE9, 0x94, 0x20, 0x61], "\u{FFFD} a"),
    ([0xC3, 0xA9, 0x92], "é\u{FFFD}"), ([0x92, 0xC3, 0xA9], "\u{FFFD}é"),
    ([0x61, 0xD1, 0x61], "a\u{FFFD}a"), ([0x61, 0x81, 0x62], "a\u{FFFD}b"),
    ([0xF0, 0x9F, 0x98], "\u{FFFD}"),
    ([0x61, 0x20, 0xE9, 0x2E], "a \u{FFFD}."),
  ])
  func `A byte of windows-1252 in UTF-8 is read where that is certain`(
    _ bytes: [UInt8], _ text: String
  ) throws {
    let feed = try parse(Array("Größe für schöne Bücher\n".utf8) + bytes, declared: "utf-8")
    #expect(feed.description.title == "Größe für schöne Bücher " + text)
    let isMended = !text.contains("\u{FFFD}")
    let cause =
      isMended ? "of windows-1252 stands in UTF-8" : "does not fit the encoding and was not read"
    #expect(feed.warnings.count == 1)
    #expect(feed.warnings.first?.hasPrefix("Line 2: A byte \(cause)") == true)
  }

  @Test(arguments: [
    ("pl", [0x61, 0xEA, 0x62, 0x62, 0x96, 0x20], "a\u{FFFD}bb–"),
    ("fr", [0x61, 0xEA, 0x62], "aêb"),
  ])
  func `Letters of other code pages are not guessed`(
    _ language: String, _ bytes: [UInt8], _ text: String
  ) throws {
    let head = Array(
      "<rss><channel><language>\(language)</language><title>Möchte für schöne Größe ".utf8)
    let feed = try FeedParser.parse(head + bytes + Array("</title></channel></rss>".utf8))
    #expect(feed.description.title == "Möchte für schöne Größe " + text)
  }

  @Test(arguments: [
    // A trail that is ASCII may be markup and stays.
    ("shift_jis", [0x93, 0xFA, 0x81, 0x20, 0x41], "日\u{FFFD} A"),
    ("shift_jis", [0x93, 0xFA, 0x81, 0xFF, 0x93, 0xFA], "日\u{FFFD}日"),
    ("gb18030", [0xD6, 0xD0, 0x80, 0xD6, 0xD0], "中€中"),
    ("gb18030", [0xD6, 0xD0, 0xFF, 0x41], "中\u{FFFD}A"),
    ("euc-kr", [0xB0, 0xA1, 0xC7, 0xFF, 0xB0, 0xA1], "가\u{FFFD}가"),
    ("windows-1253", [0xC1, 0xD2, 0xC1], "Α\u{FFFD}Α"),
  ])
  func `Damage in other encodings takes nothing else with it`(
    _ label: String, _ bytes: [UInt8], _ text: String
  ) throws {
    let feed = try parse(bytes, declared: label)
    #expect(feed.description.title == text)
  }

  /// Texts as short as titles are.
  @Test(
    arguments: [
      (
        [
          0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x2C, 0x20, 0xFD, 0xF2, 0xEE, 0x20, 0xEA, 0xEE, 0xF0,
          0xEE, 0xF2, 0xEA, 0xE0, 0xFF, 0x20, 0xED, 0xEE, 0xE2, 0xEE, 0xF1, 0xF2, 0xFC,
        ], "", "Привет, это короткая новость", "windows-1251"
      ),
      (
        [
          0xE7, 0xCC, 0xC1, 0xD7, 0xCE, 0xD9, 0xC5, 0x20, 0xCE, 0xCF, 0xD7, 0xCF, 0xD3, 0xD4, 0xC9,
          0x20, 0xD3, 0xC5, 0xC7, 0xCF, 0xC4, 0xCE, 0xD1,
        ], "", "Главные новости сегодня", "KOI8-R"
      ),
      (
        [
          0xB3, 0xDB, 0xD0, 0xD2, 0xDD, 0xEB, 0xD5, 0x20, 0xDD, 0xDE, 0xD2, 0xDE, 0xE1, 0xE2, 0xD8,
          0x20, 0xE1, 0xD5, 0xD3, 0xDE, 0xD4, 0xDD, 0xEF,
        ], "", "Главные новости сегодня", "ISO-8859-5"
      ),
      (
        [
          0x83, 0xAB, 0xA0, 0xA2, 0xAD, 0xEB, 0xA5, 0x20, 0xAD, 0xAE, 0xA2, 0xAE, 0xE1, 0xE2, 0xA8,
          0x20, 0xE1, 0xA5, 0xA3, 0xAE, 0xA4, 0xAD, 0xEF,
        ], "", "Главные новости сегодня", "IBM866"
      ),
      ([0xCD, 0xEE, 0xE2, 0xEE, 0xF1, 0xF2, 0xE8], "ru", "Новости", "windows-1251"),
      ([0xEB, 0xC9, 0xA7, 0xD7], "uk", "Київ", "KOI8-U"),
      (
        [0x83, 0x6A, 0x83, 0x85, 0x81, 0x5B, 0x83, 0x58, 0x82, 0xC5, 0x82, 0xB7], "", "ニュースです",
        "Shift_JIS"
      ),
      (
        [0xA5, 0xCB, 0xA5, 0xE5, 0xA1, 0xBC, 0xA5, 0xB9, 0xA4, 0xC7, 0xA4, 0xB9], "", "ニュースです",
        "EUC-JP"
      ),
      ([0x93, 0x8C, 0x8B, 0x9E], "ja", "東京", "Shift_JIS"),
      (
        [0xCE, 0xD2, 0xC3, 0xC7, 0xBD, 0xF1, 0xCC, 0xEC, 0xB5, 0xC4, 0xD0, 0xC2, 0xCE, 0xC5], "",
        "我们今天的新闻", "GB18030"
      ),
      ([0xD0, 0xC2, 0xCE, 0xC5], "zh", "新闻", "GB18030"),
      (
        [0xA7, 0xDA, 0xAD, 0xCC, 0xA4, 0xB5, 0xA4, 0xD1, 0xAA, 0xBA, 0xB7, 0x73, 0xBB, 0x44], "",
        "我們今天的新聞", "Big5"
      ),
      (
        [
          0xBF, 0xC0, 0xB4, 0xC3, 0xC0, 0xC7, 0x20, 0xC1, 0xD6, 0xBF, 0xE4, 0x20, 0xB4, 0xBA, 0xBD,
          0xBA,
        ], "", "오늘의 주요 뉴스", "EUC-KR"
      ),
      ([0xB4, 0xBA, 0xBD, 0xBA], "ko", "뉴스", "EUC-KR"),
      (
        [
          0x5A, 0x61, 0xBF, 0xF3, 0xB3, 0xE6, 0x20, 0x67, 0xEA, 0x9C, 0x6C, 0xB9, 0x20, 0x6A, 0x61,
          0x9F, 0xF1,
        ], "pl", "Zażółć gęślą jaźń", "windows-1250"
      ),
      (
        [0xBE, 0x6C, 0x75, 0xBB, 0x6F, 0x75, 0xE8, 0x6B, 0xFD, 0x20, 0x6B, 0xF9, 0xF2], "cs",
        "žluťoučký kůň", "ISO-8859-2"
      ),
      (
        [
          0x5A, 0x61, 0xBF, 0xF3, 0xB3, 0xE6, 0x20, 0x67, 0xEA, 0x9C, 0x6C, 0xB9, 0x20, 0x6A, 0x61,
          0x9F, 0xF1,
        ], "", "Zażółć gęślą jaźń", "windows-1250"
      ),
      (
        [
          0x50, 0xF8, 0xED, 0x6C, 0x69, 0xB9, 0x20, 0xBE, 0x6C, 0x75, 0xBB, 0x6F, 0x75, 0xE8, 0x6B,
          0xFD, 0x20, 0x6B, 0xF9, 0xF2,
        ], "", "Příliš žluťoučký kůň", "ISO-8859-2"
      ),
      // What is claimed may have the same letters.
      ([0xAB, 0x4B, 0x6F, 0x70, 0x6A, 0x6F, 0xBB, 0x20, 0xEB], "sq", "«Kopjo» ë", "windows-1252"),
      ([0xF5, 0x68, 0x74, 0x75, 0x9A, 0x6F, 0x75], "et", "õhtušou", "windows-1252"),
      ([0xF5, 0x68, 0x74, 0x75, 0xF0, 0x6F, 0x75], "et", "õhtušou", "windows-1257"),
      ([0xB6, 0xEC, 0xE1], "el", "Άμα", "ISO-8859-7"),
      ([0xC5, 0xEB, 0xEB, 0xDC, 0xE4, 0xE1], "el", "Ελλάδα", "windows-1253"),
      (
        [
          0xDD, 0x73, 0x74, 0x61, 0x6E, 0x62, 0x75, 0x6C, 0x92, 0x64, 0x61, 0x20, 0xFD, 0xFE, 0xFD,
          0x6B,
        ], "tr", "İstanbul’da ışık", "windows-1254"
      ),
      (
        [0xE7, 0xE3, 0xF9, 0xE5, 0xFA, 0x20, 0xE4, 0xE9, 0xE5, 0xED], "he", "חדשות היום",
        "windows-1255"
      ),
      (
        [0xC3, 0xCE, 0xC8, 0xC7, 0xD1, 0x20, 0xC7, 0xE1, 0xED, 0xE6, 0xE3], "ar", "أخبار اليوم",
        "windows-1256"
      ),
      (
        [0xA2, 0xE8, 0xD2, 0xC7, 0xC7, 0xD1, 0xB9, 0xB9, 0xD5, 0xE9], "th", "ข่าววันนี้", "windows-874"
      ),
      (
        [
          0xD0, 0x69, 0x61, 0x6E, 0x64, 0x69, 0x65, 0x6E, 0x20, 0xE0, 0xFE, 0x75, 0x6F, 0x6C, 0x61,
          0x73,
        ], "lt", "Šiandien ąžuolas", "windows-1257"
      ),
      (
        [0x43, 0x61, 0x66, 0xE9, 0x20, 0xE0, 0x20, 0x6C, 0x61, 0x20, 0x63, 0x72, 0xE8, 0x6D, 0x65],
        "", "Café à la crème", "windows-1252"
      ),
      (
        [
          0x84, 0x53, 0x70, 0x61, 0xDF, 0x93, 0x20, 0xFC, 0x62, 0x65, 0x72, 0x20, 0x47, 0x72, 0xF6,
          0xDF, 0x65,
        ], "en", "„Spaß“ über Größe", "windows-1252"
      ),
      (
        [
          0xC8, 0x20, 0x70, 0x69, 0xF9, 0x20, 0x63, 0x6F, 0x73, 0xEC, 0x2C, 0x20, 0x70, 0x65, 0x72,
          0x63, 0x68, 0xE9, 0x20, 0x63, 0x69, 0x74, 0x74, 0xE0, 0x20, 0x70, 0x75, 0xF2,
        ], "it", "È più così, perché città può", "windows-1252"
      ),
      (
        [
          0xBF, 0x51, 0x75, 0xE9, 0x20, 0x70, 0x61, 0x73, 0xF3, 0x20, 0x6D, 0x61, 0xF1, 0x61, 0x6E,
          0x61, 0x3F, 0x20, 0x4E, 0x69, 0xF1, 0x6F,
        ], "es", "¿Qué pasó mañana? Niño", "windows-1252"
      ),
      (
        [
          0x53, 0xE3, 0x6F, 0x20, 0x50, 0x61, 0x75, 0x6C, 0x6F, 0x3A, 0x20, 0x61, 0xE7, 0xE3, 0x6F,
          0x2C, 0x20, 0x6E, 0xE3, 0x6F, 0x20, 0xE9, 0x3F,
        ], "pt", "São Paulo: ação, não é?", "windows-1252"
      ),
      (
        [
          0x53, 0x6D, 0xF6, 0x72, 0x67, 0xE5, 0x73, 0x62, 0x6F, 0x72, 0x64, 0x20, 0x70, 0xE5, 0x20,
          0xC5, 0x6C, 0x61, 0x6E, 0x64,
        ], "sv", "Smörgåsbord på Åland", "windows-1252"
      ),
      (
        [0x49, 0x74, 0x92, 0x73, 0x20, 0x93, 0x6E, 0x65, 0x77, 0x94, 0x20, 0x96, 0x20, 0xA3, 0x35],
        "", "It’s “new” – £5", "windows-1252"
      ),
      (
        [
          0xDE, 0xF3, 0x72, 0xF0, 0x75, 0x72, 0x20, 0xE1, 0x20, 0xCD, 0x73, 0x6C, 0x61, 0x6E, 0x64,
          0x69,
        ], "is", "Þórður á Íslandi", "windows-1252"
      ),
      (
        [
          0xD3, 0xF0, 0xFF, 0xE4, 0x20, 0xEE, 0xE3, 0xEE, 0xEB, 0xEE, 0xF1, 0xE8, 0xE2, 0x20, 0xF1,
          0xFC, 0xEE, 0xE3, 0xEE, 0xE4, 0xED, 0xB3, 0x20, 0xED, 0xEE, 0xE2, 0xB3, 0x20, 0xE7, 0xE0,
          0xF5, 0xEE, 0xE4, 0xE8,
        ], "", "Уряд оголосив сьогодні нові заходи", "windows-1251"
      ),
      (
        [
          0xF5, 0xD2, 0xD1, 0xC4, 0x20, 0xCF, 0xC7, 0xCF, 0xCC, 0xCF, 0xD3, 0xC9, 0xD7, 0x20, 0xD3,
          0xD8, 0xCF, 0xC7, 0xCF, 0xC4, 0xCE, 0xA6, 0x20, 0xCE, 0xCF, 0xD7, 0xA6, 0x20, 0xDA, 0xC1,
          0xC8, 0xCF, 0xC4, 0xC9,
        ], "", "Уряд оголосив сьогодні нові заходи", "KOI8-U"
      ),
      (
        [
          0xC7, 0x20, 0xEA, 0xF5, 0xE2, 0xDD, 0xF1, 0xED, 0xE7, 0xF3, 0xE7, 0x20, 0xE1, 0xED, 0xE1,
          0xEA, 0xEF, 0xDF, 0xED, 0xF9, 0xF3, 0xE5, 0x20, 0xEC, 0xDD, 0xF4, 0xF1, 0xE1,
        ], "", "Η κυβέρνηση ανακοίνωσε μέτρα", "windows-1253"
      ),
      ([0xB1, 0xB1, 0xBE, 0xA9, 0xBB, 0xE1, 0xD2, 0xE9], "", "北京会议", "GB18030"),
      ([0xC5, 0xEC, 0xB5, 0xFE, 0xA4, 0xCE, 0xB2, 0xF1, 0xB5, 0xC4], "", "東京の会議", "EUC-JP"),
      ([0x93, 0x8C, 0x8B, 0x9E, 0x82, 0xCC, 0x89, 0xEF, 0x8B, 0x63], "", "東京の会議", "Shift_JIS"),
      ([0xBB, 0x4F, 0xA5, 0x5F, 0xB7, 0x7C, 0xC4, 0xB3], "", "臺北會議", "Big5"),
      ([0xBC, 0xAD, 0xBF, 0xEF, 0x20, 0xC8, 0xB8, 0xC0, 0xC7], "", "서울 회의", "EUC-KR"),
      ([0xA1, 0x47, 0x6F, 0x6C, 0x21], "es", "¡Gol!", "windows-1252"),
      ([0x31, 0x32, 0xB0, 0x43, 0x2C, 0x20, 0x33, 0xB0, 0x43], "", "12°C, 3°C", "windows-1252"),
      (
        [0xBF, 0x51, 0x75, 0xE9, 0x3F, 0x20, 0xA1, 0x4F, 0x6C, 0xE9, 0x21], "", "¿Qué? ¡Olé!",
        "windows-1252"
      ),
    ] as [([UInt8], String, String, String)])
  func `What claims to be UTF-8 and is not is told by its bytes`(
    _ bytes: [UInt8], _ language: String, _ text: String, _ encoding: String
  ) throws {
    let head = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss><channel>".utf8)
    let title = Array("<title>".utf8) + bytes + Array("</title>".utf8)
    let tail = Array("<language>\(language)</language></channel></rss>".utf8)
    let feed = try FeedParser.parse(head + title + tail)
    #expect(feed.description.title == text)
    let remark = "The document says the text is UTF-8, but its bytes are not; read as \(encoding)."
    #expect(feed.warnings == [remark])
  }

  @Test(
    arguments: TellingText.all,
    [
      (nil, "The document does not say what encoding it is in"),
      ("utf-8", "The document says the text is utf-8, but its bytes are not"),
      ("iso-8859-1", "The document says the text is iso-8859-1, but its bytes are not"),
    ] as [(String?, String)])
  func `Text that can be in one encoding only is read so whatever is claimed`(
    _ given: TellingText, _ claim: (label: String?, remark: String)
  ) throws {
    let label = claim.label.map { " encoding=\"\($0)\"" } ?? ""
    for language in ["", "en-us", given.language] {
      let head =
        "<?xml version=\"1.0\"\(label)?><rss><channel>"
        + "<language>\(language)</language><title>"
      let feed = try FeedParser.parse(
        Array(head.utf8) + given.bytes + Array("</title></channel></rss>".utf8))
      #expect(feed.description.title == given.text, "\(language)")
      #expect(feed.warnings == ["\(claim.remark); read as \(given.encoding)."], "\(language)")
    }
  }

  @Test(
    arguments: [
      "ГЛАВНЫЕ НОВОСТИ РОССИИ И МИРА СЕГОДНЯ", "ПОГОДА В МОСКВЕ И В САНКТ-ПЕТЕРБУРГЕ",
      "Новости дня: главное", "Погода",
    ])
  func `Russian in capitals is Russian where the document says so`(_ text: String) throws {
    // KOI8-R has its letters in the order of the Latin alphabet, small before capital (RFC 1489).
    let order = Array("юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ")
    let koi = text.map { letter in
      order.firstIndex(of: letter).map { UInt8(0xC0 + $0) } ?? letter.asciiValue ?? 0
    }
    let windows = Array(try #require(text.data(using: .windowsCP1251)))
    for bytes in [windows, koi] {
      let head = "<?xml version=\"1.0\"?><rss><channel><language>ru</language><title>"
      let feed = try FeedParser.parse(
        Array(head.utf8) + bytes + Array("</title></channel></rss>".utf8))
      #expect(feed.description.title == text)
    }
  }

  @Test(
    arguments: ["NESCAFÉ® launches CAFÉ® bars", "Fuß… und Spaß… und GROß“", "CAFÉ’s"], [1, 100])
  func `A sign behind a letter makes no UTF-8 where something else is declared`(
    _ text: String, _ times: Int
  ) throws {
    let bytes = Array(try #require(text.data(using: .windowsCP1252)))
    for label in ["windows-1252", "iso-8859-1"] {
      let body = Array(repeatElement(bytes, count: times).joined(separator: [0x20]))
      let head = "<?xml version=\"1.0\" encoding=\"\(label)\"?><rss><channel><title>"
      let feed = try FeedParser.parse(
        Array(head.utf8) + body + Array("</title></channel></rss>".utf8))
      let whole = Array(repeating: text, count: times).joined(separator: " ")
      #expect(feed.description.title == whole)
    }
  }

  /// Names from elsewhere, signs between letters, and words that other languages have too.
  @Test(
    arguments: [
      "Hermès in Paris; Molière so funny, Genève in winter, pa Ampère in Lyon, da Lumière",
      "The house of Hermès opened a shop in Genève, and so did the heirs of Carrère in India",
      "Police in São Paulo arrested the mayor of Guimarães; João de Sousa and Magalhães care",
      "Guimarães and de Bruyne shine, De Ligt beats Guimarães, João de Deus on health care",
      "Je préfère Genève, je considère Hélène, je me lève et je cède",
      "Novità su carta, libertà su strada, verità su Bologna, perché è già di più",
      "Guðmundur var þar og Þorgerður var við Ísafjörð, því að bærinn var lokaður",
      "Li te fè bèl bagay pou fanm nan peyi a; se pa fòt li, se bò lakay",
      "Malmø ale, Bodø pro, Tromsø pro, Ærø var",
      "Blog»Archive»Post, Home»News»World, Shop»Cart»Pay, A»B»C",
      "Intel®Core and Microsoft®Windows and Adobe®Reader and Coca®Cola and Foo®Bar",
      "(a±b)(c±d) and e±f and g±h and i±j", "x³y³z³ or a³b or c³d or e³f",
      "Foo©Bar and fooµbar, 5µm, Foo©Baz, Foo©Qux", "TÉLÉ’ CAFÉ’s",
      "Søren in Hermès, Malmø in Genève, Zoë in Citroën",
      "Dvorák and Smetana: così, più, già, così, perché, più, così",
    ], [nil, "iso-8859-1", "utf-8"])
  func `Western text stays what it is`(_ text: String, _ label: String?) throws {
    let bytes = Array(try #require(text.data(using: .windowsCP1252)))
    let label = label.map { " encoding=\"\($0)\"" } ?? ""
    for language in ["", "en-us"] {
      for times in [1, 7, 100] {
        let body = Array(repeatElement(bytes, count: times).joined(separator: [0x20]))
        let head =
          "<?xml version=\"1.0\"\(label)?><rss><channel><language>\(language)</language><title>"
        let feed = try FeedParser.parse(
          Array(head.utf8) + body + Array("</title></channel></rss>".utf8))
        let whole = Array(repeating: text, count: times).joined(separator: " ")
        #expect(feed.description.title == whole, "\(language) \(times)")
      }
    }
  }

  @Test(arguments: RightLabel.all)
  func `A right label is never overruled`(_ given: RightLabel) throws {
    for language in given.languages {
      for times in [1, 40] {
        let text = Array(repeatElement(given.bytes, count: times).joined(separator: [0x20]))
        let head =
          "<?xml version=\"1.0\" encoding=\"\(given.label)\"?><rss><channel>"
          + "<language>\(language)</language><title>"
        let feed = try FeedParser.parse(
          Array(head.utf8) + text + Array("</title></channel></rss>".utf8))
        let whole = Array(repeating: given.text, count: times).joined(separator: " ")
        #expect(feed.description.title == whole)
        #expect(feed.warnings == [])
      }
    }
  }

  @Test(arguments: [
    ("utf-8", Array("Größe – “x”".utf8), "Größe – “x”", [0xE9], "é", "windows-1252", "UTF-8"),
    (
      "utf-8",
      [0xFC, 0x62, 0x65, 0x72, 0x20, 0x47, 0x72, 0xF6, 0xDF, 0x65, 0x2C, 0x20, 0xE9, 0x20, 0xE0],
      "über Größe, é à", Array("”".utf8), "”", "UTF-8",
      "windows-1252"
    ),
    (
      "windows-1251", [0xCC, 0xE8, 0xF0, 0x20, 0xED, 0xEE], "Мир но", Array("é".utf8), "é", "UTF-8",
      "windows-1251"
    ),
  ])
  func `A little at the beginning does not decide on all that follows`(
    _ label: String, _ bytes: [UInt8], _ text: String, _ early: [UInt8], _ earlyText: String,
    _ former: String, _ encoding: String
  ) throws {
    let feed = try parse(early + filler + bytes, declared: label)
    let title = try #require(feed.description.title)
    #expect(title.hasPrefix(earlyText + "news "))
    #expect(title.hasSuffix(" news " + text))
    #expect(feed.warnings.contains("Some of the text is \(former), the rest \(encoding)."))
  }

  @Test func `Much at the beginning decides on all that follows`() throws {
    // The second of the two is a sequence of UTF-8, too.
    let pair: [UInt8] = [0xB7, 0x7C, 0xC4, 0xB3]
    for count in [10, 100, 1024, 3000] {
      let much = Array(repeatElement(pair, count: count).joined())
      let feed = try parse(much + filler + pair.prefix(2), declared: "utf-8")
      let title = try #require(feed.description.title)
      #expect(title.hasPrefix("會議會議") && title.hasSuffix(" 會"), "\(count)")
    }
  }

  @Test func `A decision does not depend on what stands far behind`() throws {
    // The first byte that is no ASCII comes late, the next ones later still.
    let filler = Array(String(repeating: "news ", count: 4000).utf8)
    let title = filler + [0xE9] + filler + [0xE9]
    let feed = try parse(title, declared: "utf-8")
    let text = try #require(feed.description.title)
    #expect(text.filter { $0 == "é" }.count == 2)
    #expect(
      feed.warnings == [
        "The document says the text is utf-8, but its bytes are not; "
          + "read as windows-1252."
      ])
  }

  @Test(arguments: [
    "shift_jis", "euc-jp", "gb18030", "big5", "iso-2022-jp", "koi8-r", "windows-1255",
  ])
  func `Any bytes in any encoding are read to the end`(_ label: String) throws {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<50 {
      var bytes: [UInt8] = []
      for _ in 0..<600 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let byte = UInt8(truncatingIfNeeded: state >> 33)
        // Markup would end the title.
        bytes.append(byte == 0x3C || byte == 0x26 ? 0x41 : byte)
      }
      let whole = try parse(bytes, declared: label)
      let head = Array("<?xml version=\"1.0\" encoding=\"\(label)\"?><rss><channel><title>".utf8)
      var parser = FeedParser()
      for byte in head + bytes + Array("</title></channel></rss>".utf8) {
        parser.consume(CollectionOfOne(byte))
      }
      let pieces = try parser.finish()
      #expect(pieces.description == whole.description)
      #expect(pieces.warnings == whole.warnings)
    }
  }

  @Test(arguments: longTexts)
  func `Where the pieces end leaves no trace`(_ label: String, _ unit: [UInt8]) throws {
    for shift in 0..<min(unit.count, 24) {
      var title = [UInt8](repeating: 0x61, count: shift)
      while title.count < 9000 + 2 * unit.count { title += unit }
      let head = Array("<?xml version=\"1.0\" encoding=\"\(label)\"?><rss><channel><title>".utf8)
      let document = head + title + Array("</title></channel></rss>".utf8)
      let whole = try FeedParser.parse(document)
      for size in [61, 4095, 4096, 4097, 5000] {
        var parser = FeedParser()
        for start in stride(from: 0, to: document.count, by: size) {
          parser.consume(document[start..<min(start + size, document.count)])
        }
        let pieces = try parser.finish()
        #expect(pieces.description.title == whole.description.title, "\(shift) \(size)")
        #expect(pieces.warnings == whole.warnings, "\(shift) \(size)")
      }
    }
  }

  @Test(arguments: ["\u{FEFF}\u{FEFF}", "\n\u{FEFF}", "\u{FEFF}\n\u{FEFF} "])
  func `Byte order marks too many are passed over`(_ marks: String) throws {
    let json = marks + #"{"version": "https://jsonfeed.org/version/1.1", "title": "Größe"}"#
    #expect(try FeedParser.parse(Array(json.utf8)).description.title == "Größe")
    let rss = marks + "<rss><channel><title>Größe</title></channel></rss>"
    #expect(try FeedParser.parse(Array(rss.utf8)).description.title == "Größe")
  }
}

/// Labels and what is repeated, so that the sample's end and those of the pieces fall on every byte of
/// a character.
private let longTexts: [(String, [UInt8])] = [
  ("utf-8", Array("東京 Größe 😀 ".utf8)),
  ("utf-8", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x20]),
  (
    "utf-8",
    Array("Größe für ".utf8) + [0x92, 0x73, 0x94, 0x97, 0x61, 0xE9, 0x20, 0x62, 0xC3, 0x20]
  ),
  ("utf-8", [0x93, 0xFA, 0x82, 0xCC, 0x82, 0xE0, 0x82, 0xCC, 0x20]),
  // Little of it in each sample, so that several are taken and the encoding changes.
  ("utf-8", thinned(between: [[0xE9], Array("“é”".utf8), [0xE9, 0x20, 0xE2, 0x80]])),
  (
    "iso-8859-1", thinned(between: [Array("é".utf8), [0xE9, 0xFC], Array("東”".utf8)])
  ),
  ("windows-1258", thinned(between: [[0xEA, 0xF2], Array("é".utf8)])),
  ("big5", thinned(between: [[0xA4, 0xA4], Array("中文é".utf8), [0x88, 0x66]])),
  ("shift_jis", [0x93, 0xFA, 0x82, 0xCC, 0x81, 0x20, 0x82]),
  ("gb18030", [0xD6, 0xD0, 0x81, 0x30, 0x81, 0x30, 0x41, 0x80]),
  ("gb2312", Array("東京，".utf8)),
  ("windows-1252", Array("Größe ".utf8)),
  ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42, 0x20]),
]

/// More than a sample.
private let filler = Array(String(repeating: "news ", count: 1100).utf8)

private func thinned(between texts: [[UInt8]]) -> [UInt8] { texts.flatMap { $0 + filler } }

private func parse(_ title: [UInt8], declared label: String) throws(SourceError) -> ParsedFeed {
  let head = Array("<?xml version=\"1.0\" encoding=\"\(label)\"?><rss><channel><title>".utf8)
  return try FeedParser.parse(head + title + Array("</title></channel></rss>".utf8))
}
