import Testing
import Text

@Suite struct WebAddressTests {
  @Test(arguments: [
    "https://example.org/a/b?c=d#e", " http://example.org\n", "https://1.example/", "HTTPS://A/",
  ])
  func `A plain address is what resolving makes of it`(_ text: String) {
    #expect(WebAddress.plain(text) != nil)
    #expect(WebAddress.plain(text) == WebAddress.resolve(text, against: "https://base.example/"))
  }

  @Test(arguments: [
    "", "/a", "example.org", "ftp://example.org/", "https://", "https:///a", "https://?a",
    "https://@a/",
    "https://user@example.org/", "https://example.org:80/", "https://:80/", "https://[::1]/",
    "https://example.org/../a", "https://example.org/.a", "https://example.org/a b",
    "https://example.org/ä", "https://example.org/?a&amp;b", "http://http://example.org/",
    "http://https:/example.org/", "https://example.org/\na", "https://-a/",
  ])
  func `What may have to be changed is no plain address`(_ text: String) {
    #expect(WebAddress.plain(text) == nil)
  }

  /// RFC 3986 §5.4.1 and §5.4.2.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../", "http://a/"), ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ])
  func `A reference is resolved as RFC 3986 shows`(_ reference: String, _ expected: String) {
    #expect(WebAddress.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test(arguments: [
    ("https://example.org/a?b#c", "https://example.org/a?b#c"),
    ("https://example.org/a/../b/./c", "https://example.org/b/c"),
    (" /a b\n", "https://b.example/a%20b"), ("/ä?ö#ü", "https://b.example/%C3%A4?%C3%B6#%C3%BC"),
    ("https://bücher.example/ä", "https://bücher.example/%C3%A4"),
    ("a<b>\"c", "https://b.example/dir/a%3Cb%3E%22c"), ("%20", "https://b.example/dir/%20"),
    ("mailto:ann@example.org", "mailto:ann@example.org"),
    ("javascript:alert(1)", "javascript:alert(1)"),
    ("//cdn.example/x", "https://cdn.example/x"),
  ])
  func `Addresses from feeds come out encoded`(_ reference: String, _ expected: String) {
    #expect(WebAddress.resolve(reference, against: "https://b.example/dir/page?x") == expected)
  }

  @Test func `A relative reference needs a base`() {
    #expect(WebAddress.resolve("a", against: nil) == nil)
    #expect(WebAddress.resolve("a", against: "no/base") == nil)
    #expect(WebAddress.resolve("https://example.org/", against: nil) == "https://example.org/")
    #expect(WebAddress.resolve("x", against: "https://example.org") == "https://example.org/x")
  }

  @Test(arguments: [
    ("http://example.org", true), ("HTTPS://example.org/", true), ("ftp://example.org/", false),
    ("javascript:alert(1)", false), ("//example.org", false), ("http:", false),
    ("http:///x", false),
    ("http://user@/x", false), ("", false),
  ])
  func `Only http and https with a host are of the web`(_ address: String, _ expected: Bool) {
    #expect(WebAddress.isWeb(address) == expected)
  }

  @Test(arguments: [
    ("https://Example.org:8080/x", "example.org"), ("https://u:p@example.org/", "example.org"),
    ("http://[::1]:80/", "[::1]"), ("https://a@b@example.org", "example.org"),
  ])
  func `The host is found`(_ address: String, _ expected: String) {
    #expect(WebAddress.host(of: address) == expected)
  }

  @Test(
    arguments: [
      (
        "https://example.org:8080/a/b?c#d", "https://example.org:8080", "/a/b",
        "example.org:8080/a/b?c#d"
      ),
      (
        "http://ada:x@example.org?q=a://b", "http://ada:x@example.org", "",
        "ada:x@example.org?q=a://b"
      ),
      ("file:///home/ada/feed.xml", "file://", "/home/ada/feed.xml", "/home/ada/feed.xml"),
      ("mailto:ada@example.org", nil, "ada@example.org", "mailto:ada@example.org"),
      ("/feed?next=https://example.org/", nil, "/feed", "/feed?next=https://example.org/"),
      ("", nil, "", ""),
    ] as [(String, String?, String, String)])
  func `An address is taken apart`(
    _ address: String, _ origin: String?, _ path: String, _ bare: String
  ) {
    #expect(WebAddress.origin(of: address) == origin)
    #expect(WebAddress.path(of: address) == path)
    #expect(WebAddress.withoutScheme(address) == bare)
  }

  @Test(arguments: [
    ("https://user:secret@example.org:81/a?token=x#f", "https://example.org:81/a"),
    ("https://example.org/a", "https://example.org/a"), ("//u:secret@h/x?y", "//h/x"),
    ("user:secret@example.org/x?k", "user:example.org/x"), ("https:///u:secret@h/", "https://h/"),
    ("https://e.org/\u{1B}[31m", "https://e.org/[31m"), ("not an address", "not an address"),
  ])
  func `A message shows no secret`(_ address: String, _ expected: String) {
    #expect(WebAddress.redacted(address) == expected)
  }

  @Test(arguments: [
    ("example.org/feed", "https://example.org/feed"), ("  example.org ", "https://example.org/"),
    ("feed:https://example.org/rss", "https://example.org/rss"),
    ("feed://example.org/rss", "https://example.org/rss"),
    ("feed:example.org", "https://example.org/"),
    ("feed:http://example.org/rss", "http://example.org/rss"),
    ("HTTP://Example.ORG:80/Feed", "http://example.org/Feed"),
    ("https://example.org:443", "https://example.org/"),
    ("https://example.org:8443", "https://example.org:8443/"),
    ("example.org:8080/feed", "https://example.org:8080/feed"),
    ("localhost:8080/feed", "http://localhost:8080/feed"),
    ("127.0.0.1/feed", "http://127.0.0.1/feed"),
    ("//example.org/x", "https://example.org/x"),
    ("<https://example.org/x>", "https://example.org/x"),
    ("https://example.org/ä?q=ö#top", "https://example.org/%C3%A4?q=%C3%B6"),
    ("bücher.example", "https://xn--bcher-kva.example/"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ("https://u:p@example.org/", "https://u:p@example.org/"),
    ("feed://https://example.org/rss", "https://example.org/rss"),
    ("feed://http://example.org:8080/rss", "http://example.org:8080/rss"),
    ("feed:http//example.org/rss", "http://example.org/rss"),
    ("feed://https//example.org/rss", "https://example.org/rss"),
    ("feed://example.org:8080/rss", "https://example.org:8080/rss"),
    ("FEED://Example.org/rss", "https://example.org/rss"),
    ("feed://localhost:8080/rss", "http://localhost:8080/rss"),
    ("feeds://example.org/rss", "https://example.org/rss"),
    ("feeds:http://example.org/rss", "http://example.org/rss"),
    ("itpc://example.org/cast", "https://example.org/cast"),
    ("itpcs://example.org/cast", "https://example.org/cast"),
    ("pcast://example.org/cast", "https://example.org/cast"),
    ("podcast://example.org/cast", "https://example.org/cast"),
    ("podcast:https://example.org/cast", "https://example.org/cast"),
  ])
  func `What a person types is understood`(_ typed: String, _ expected: String) throws {
    #expect(try WebAddress.normalized(typed) == expected)
    #expect(try WebAddress.normalized(expected) == expected)
  }

  @Test(arguments: [
    "", "   ", "two words", "https://exa mple.org/", "https://example.org/a b",
    "ftp://example.org/",
    "javascript:alert(1)", "file:///etc/passwd", "mailto:ann@example.org", "https://",
    "https:///path",
    "http:example.org", "/feed.xml", "https://example.org:99999/", "https://example.org:x/",
    "exam\u{1B}ple.org", "https://ex<am>ple.org", "feed:feed:example.org",
    "feed:", "feed://", "feed:///rss", "feed:https:example.org", "feed://mailto:ann@example.org",
    "itpc:feed://example.org", "view-source:https://example.org/", "?x", "https://.org",
    "a\u{A0}b",
  ])
  func `What cannot be an address is refused`(_ typed: String) {
    #expect(throws: AddressRefusal.self) { try WebAddress.normalized(typed) }
  }

  @Test(
    arguments: [
      ("https://a.org/feed", "https://b.org/feed", "https://b.org/feed"),
      ("http://a.org/feed", "https://a.org/feed", "https://a.org/feed"),
      ("https://ada:key@a.org/feed", "https://a.org/new", "https://a.org/new"),
      ("https://a.org/feed", "https://a.org/feed?all", "https://a.org/feed?all"),
      // The same address, however it is written.
      ("https://a.org/feed", "https://a.org/feed", nil),
      ("https://a.org/feed", "HTTPS://A.org:443/feed#top", nil),
      ("https://ada:key@a.org/feed", "https://a.org/feed", nil),
      // From https to https only.
      ("https://a.org/feed", "http://b.org/feed", "https://b.org/feed"),
      ("https://a.org/feed", "http://b.org:8080/feed", "https://b.org:8080/feed"),
      ("https://a.org/feed", "http://a.org/feed", nil),
      ("http://a.org/feed", "http://b.org/feed", "http://b.org/feed"),
      ("https://a.org/feed", "javascript:alert(1)", nil),
      ("file:///a.xml", "https://a.org/feed", nil),
    ] as [(String, String, String?)])
  func `What says that it has moved is elsewhere, or has not`(
    _ old: String, _ new: String, _ target: String?
  ) {
    #expect(WebAddress.move(from: old, to: new) == target)
  }

  @Test(
    arguments: [
      ("http://a.org/x?y#z", "https://a.org/", "https://a.org/x?y#z"),
      ("HTTP://a.org:80/x", "https://a.org/", "https://a.org/x"),
      ("http://a.org:/x", "https://a.org/", "https://a.org/x"),
      ("http://a.org:8080/x", "https://a.org/", "https://a.org:8080/x"),
      ("http://ada@[::1]:80/x", "https://a.org/", "https://ada@[::1]/x"),
      ("https://a.org/x", "https://a.org/", nil), ("http://a.org/x", "http://a.org/", nil),
      ("file:///x", "https://a.org/", nil), ("numbered/1 paged 2 ff", "https://a.org/", nil),
    ] as [(String, String, String?)])
  func `A document over https leads to https`(
    _ address: String, _ document: String, _ secured: String?
  ) {
    #expect(WebAddress.secured(address, namedAt: document) == secured)
  }

  @Test(
    arguments: [
      ("feed://example.org/rss", "http://example.org/rss"),
      ("feed:example.org/rss", "http://example.org/rss"),
      (" PODCAST://example.org:81/c ", "http://example.org:81/c"),
      ("feed://https://example.org/rss", nil), ("feed:http://example.org/rss", nil),
      ("feeds://example.org/rss", nil), ("itpcs://example.org/cast", nil),
      ("example.org/rss", nil), ("https://example.org/rss", nil), ("http://example.org/rss", nil),
      ("feed://localhost/rss", nil), ("feed://ann:secret@example.org/rss", nil),
      ("ftp://example.org/", nil),
    ] as [(String, String?)])
  func `Only what leaves the scheme open may be asked for over http`(
    _ typed: String, _ plain: String?
  ) {
    #expect(WebAddress.plainForm(of: typed) == plain)
  }
}

@Suite struct InternationalNameTests {
  /// RFC 3492 §7.1, but those whose letters are in capitals and the one of ASCII only.
  @Test(
    arguments: [
      (
        "\u{0644}\u{064A}\u{0647}\u{0645}\u{0627}\u{0628}\u{062A}\u{0643}\u{0644}\u{0645}"
          + "\u{0648}\u{0634}\u{0639}\u{0631}\u{0628}\u{064A}\u{061F}",
        "egbpdaj6bu4bxfgehfvwxn"
      ),
      (
        "\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}",
        "ihqwcrb4cv8a8dqg056pqjye"
      ),
      (
        "\u{4ED6}\u{5011}\u{7232}\u{4EC0}\u{9EBD}\u{4E0D}\u{8AAA}\u{4E2D}\u{6587}",
        "ihqwctvzc91f659drss3x8bo0yb"
      ),
      (
        "\u{05DC}\u{05DE}\u{05D4}\u{05D4}\u{05DD}\u{05E4}\u{05E9}\u{05D5}\u{05D8}\u{05DC}"
          + "\u{05D0}\u{05DE}\u{05D3}\u{05D1}\u{05E8}\u{05D9}\u{05DD}\u{05E2}\u{05D1}\u{05E8}"
          + "\u{05D9}\u{05EA}",
        "4dbcagdahymbxekheh6e0a7fei0b"
      ),
      (
        "\u{306A}\u{305C}\u{307F}\u{3093}\u{306A}\u{65E5}\u{672C}\u{8A9E}\u{3092}\u{8A71}"
          + "\u{3057}\u{3066}\u{304F}\u{308C}\u{306A}\u{3044}\u{306E}\u{304B}",
        "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"
      ),
      (
        "\u{043F}\u{043E}\u{0447}\u{0435}\u{043C}\u{0443}\u{0436}\u{0435}\u{043E}\u{043D}"
          + "\u{0438}\u{043D}\u{0435}\u{0433}\u{043E}\u{0432}\u{043E}\u{0440}\u{044F}\u{0442}"
          + "\u{043F}\u{043E}\u{0440}\u{0443}\u{0441}\u{0441}\u{043A}\u{0438}",
        "b1abfaaepdrnnbgefbadotcwatmq2g4l"
      ),
      ("3\u{5E74}b\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "3b-ww4c5e180e575a65lsy2b"),
      (
        "\u{5B89}\u{5BA4}\u{5948}\u{7F8E}\u{6075}-with-super-monkeys",
        "-with-super-monkeys-pc58ag80a8qai00g7n9n"
      ),
      ("\u{3072}\u{3068}\u{3064}\u{5C4B}\u{6839}\u{306E}\u{4E0B}2", "2-u9tlzr9756bt3uc0v"),
      ("\u{305D}\u{306E}\u{30B9}\u{30D4}\u{30FC}\u{30C9}\u{3067}", "d9juau41awczczp"),
    ])
  func `A label is encoded as RFC 3492 shows`(_ label: String, _ code: String) {
    #expect(WebAddress.asciiHost(label + ".example") == "xn--\(code).example")
  }

  @Test(arguments: [
    ("Bücher.Example", "xn--bcher-kva.example"), ("BU\u{308}CHER.de", "xn--bcher-kva.de"),
    ("www.bücher.москва", "www.xn--bcher-kva.xn--80adxhks"), ("faß.de", "xn--fa-hia.de"),
    ("ünïcödé", "xn--ncd-dma1a7bzb"), ("Example.ORG", "example.org"), ("[::1]", "[::1]"),
    ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("ü.", "xn--tda."),
  ])
  func `A host has one form`(_ name: String, _ expected: String) {
    #expect(WebAddress.asciiHost(name) == expected)
    #expect(WebAddress.asciiHost(expected) == expected)
  }

  @Test(arguments: [
    ("https://bücher.example/ü?ü", "https://xn--bcher-kva.example/ü?ü"),
    ("http://ann@Bücher.example:81", "http://ann@xn--bcher-kva.example:81"),
    ("https://example.org/ü", "https://example.org/ü"), ("ü", "ü"), ("", ""),
  ])
  func `Only the host of an address changes`(_ address: String, _ expected: String) {
    #expect(WebAddress.withASCIIHost(address) == expected)
  }

  /// What browsers do (WHATWG URL): a host with such a character is refused, and everywhere else it is
  /// percent-encoded.
  @Test(
    arguments: [
      ("https://e\u{9D}xample.org/", nil), ("https://e\u{202E}xample.org/", nil),
      ("//e\u{9D}xample.org/x", nil), ("https://\u{2066}example.org:x", nil),
      ("https://e\u{FEFF}xample.org/", nil), ("feed://e\u{9D}xample.org/", nil),
      ("https://u\u{9D}:p\u{202E}@example.org/", "https://example.org/"),
      ("/\u{9D}?\u{202E}#\u{9B}", "https://base.example/%C2%9D?%E2%80%AE#%C2%9B"),
      ("\u{1B}[31m", "https://base.example/%1B[31m"),
      ("mailto:a\u{9D}@example.org\u{7F}\n", "mailto:a%C2%9D@example.org%7F"),
      ("feed:https://e\u{9D}x/", "feed:https://e%C2%9Dx/"),
      ("https://b\u{FC}cher.example/", "https://b\u{FC}cher.example/"),
    ] as [(String, String?)])
  func `An address that would speak to a terminal is encoded or refused`(
    reference: String, resolved: String?
  ) {
    #expect(WebAddress.resolve(reference, against: "https://base.example/") == resolved)
  }

  @Test(arguments: [
    ("https://example.org/a?b#c", "https://example.org/a?b#c"),
    ("https://e\u{9D}x.org/\u{1B}\u{202E}", "https://e%C2%9Dx.org/%1B%E2%80%AE"),
    ("https://b\u{FC}cher.example/\u{E4}", "https://b\u{FC}cher.example/\u{E4}"),
    ("file:///a\u{7F}\nb", "file:///a%7Fb"),
  ])
  func `A stored address is cleaned, and never becomes another host`(
    address: String, clean: String
  ) {
    #expect(WebAddress.clean(address) == clean)
    #expect(WebAddress.clean(clean) == clean)
  }
}
