import Testing
import Text

/// UTS #46 as browsers have it. Where an expected value is given, browsers and the library `idna` agree.
@Suite struct HostFormTests {
  @Test(arguments: [
    // Deviations stay: transitional processing is off.
    ("faß.de", "xn--fa-hia.de"), ("FAẞ.de", "xn--fa-hia.de"),
    ("βόλος.com", "xn--nxasmm1c.com"), ("ΒΌΛΟΣ.com", "xn--nxasmq6b.com"),
    // A joiner between letters that join, and behind a virama.
    ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"), ("نامهای.com", "xn--mgba3gch31f.com"),
    ("ශ්\u{200D}රී.com", "xn--10cl1a0b660p.com"), ("ශ්රී.com", "xn--10cl1a0b.com"),
    // Full stops of other scripts, full-width and other compatibility forms.
    ("a\u{3002}b\u{FF0E}c\u{FF61}d", "a.b.c.d"), ("ＢÜＣＨＥＲ．ｅｘａｍｐｌｅ", "xn--bcher-kva.example"),
    ("ﬁ℡Ⅷ.example", "fitelviii.example"), ("ｶﾞ.jp", "xn--mck.jp"),
    // What is left out: soft hyphens, variation selectors, word joiners.
    ("ex\u{AD}am\u{2060}ple\u{FE0F}.org", "example.org"), ("❤\u{FE0F}.example", "xn--qei.example"),
    ("a\u{E0100}ü.example", "xn--a-eha.example"),
    // Normal form C, marks in any order, syllables of Hangul.
    ("BU\u{308}CHER.de", "xn--bcher-kva.de"), ("a\u{307}\u{323}.org", "xn--rsa542l.org"),
    ("a\u{323}\u{307}.org", "xn--rsa542l.org"), ("\u{1100}\u{1161}\u{11A8}.kr", "xn--p39a.kr"),
    ("\u{AC00}\u{11A8}.kr", "xn--p39a.kr"), ("\u{915}\u{93C}.in", "xn--11b2f.in"),
    ("\u{958}.in", "xn--11b2f.in"),
    // Emoji, underscores and hyphens are names on the web, though no registry has them.
    ("💩.la", "xn--ls8h.la"), ("_dmarc.ü.de", "_dmarc.xn--tda.de"), ("-ü-.de", "xn-----xka.de"),
    // Both directions, each label by itself.
    ("אב.example", "xn--4dbc.example"), ("à.א", "xn--0ca.xn--4db"), ("א1.com", "xn--1-zhc.com"),
    ("ü..de", "xn--tda..de"), ("XN--FA-HIA.de", "xn--fa-hia.de"), ("xn--ls8h.la", "xn--ls8h.la"),
  ])
  func `A name has the form that browsers look up`(name: String, expected: String) {
    #expect(WebAddress.asciiHost(name) == expected)
    #expect(WebAddress.asciiHost(expected) == expected)
    #expect(WebAddress.asciiHost(name.uppercased()) != nil)
  }

  @Test(arguments: [
    // A joiner where nothing joins, also under Punycode.
    "a\u{200C}b.com", "a\u{200D}b.com", "xn--ab-j1t.com", "xn--ab-m1t.com",
    // A mark in front.
    "\u{301}a.com", "a.\u{301}b.com", "xn--a-ecp.com",
    // Characters that no name has.
    "ü\u{FFFD}.com", "ü\u{2FF0}.com", "ü\u{202E}.com", "\u{E0041}ü.com", "ü\u{E000}.com",
    "ü\u{378}.com",
    // Right-to-left labels with left-to-right letters, with both kinds of digits, and that end wrong.
    "אa.com", "aא.com", "א1\u{661}.com", "א-.com", "1ü.א",
    // Codes of nothing, of ASCII, of what is mapped, and what is no code.
    "xn--.com", "xn--a.com", "xn--a-.com", "xn--abc-.com", "xn--strae-5ja-!.com", "xn--zca9.\u{FC}",
    "xn--99999999.com", "xn--ü.com", "xn--\u{FF41}.com", "xn--Bcher-9ja.com", "xn--e-xbb.com",
    String(repeating: "ü", count: 60) + ".com", String(repeating: "a", count: 64) + ".ü",
    String(repeating: "ü", count: 50_000),
  ])
  func `What is no name has no form`(name: String) {
    #expect(WebAddress.asciiHost(name) == nil)
    #expect(throws: AddressRefusal.self) { try WebAddress.normalized("https://\(name)/") }
    // An address that a page names stays as it is.
    #expect(WebAddress.withASCIIHost("https://\(name)/") == "https://\(name)/")
  }

  @Test func `A label has 63 bytes at the most`() {
    let name = { String(repeating: "a", count: $0) + "ü.com" }
    #expect(WebAddress.asciiHost(name(55))?.prefix { $0 != "." }.utf8.count == 63)
    #expect(WebAddress.asciiHost(name(56)) == nil)
  }

  /// Each code point by itself: no trap, and a form that stays.
  @Test func `A form is its own form`() {
    for value in stride(from: UInt32(0x80), through: 0x2_FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      guard let form = WebAddress.asciiHost("a\(scalar)b") else { continue }
      #expect(WebAddress.asciiHost(form) == form, "U+\(String(value, radix: 16))")
    }
  }
}
