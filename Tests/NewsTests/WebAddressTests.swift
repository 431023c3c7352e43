import News
import Testing

@Suite struct WebAddressTests {
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
    ("bücher.example", "https://bücher.example/"), ("http://[::1]:8080/x", "http://[::1]:8080/x"),
    ("https://u:p@example.org/", "https://u:p@example.org/"),
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
    "exam\u{1B}ple.org", "https://ex<am>ple.org", "feed:feed:example.org", "?x", "https://.org",
    "a\u{A0}b",
  ])
  func `What cannot be an address is refused`(_ typed: String) {
    #expect { try WebAddress.normalized(typed) } throws: {
      let error = $0 as? SourceError
      return error?.kind == .address && error?.stage == .address && error?.next != nil
    }
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
      // A step back, and what is none of the web.
      ("https://a.org/feed", "http://b.org/feed", nil),
      ("https://a.org/feed", "javascript:alert(1)", nil),
      ("file:///a.xml", "https://a.org/feed", nil),
    ] as [(String, String, String?)])
  func `What says that it has moved is elsewhere, or has not`(
    _ old: String, _ new: String, _ target: String?
  ) {
    #expect(WebAddress.move(from: old, to: new) == target)
  }
}
