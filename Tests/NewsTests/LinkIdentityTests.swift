import News
import Testing

@Suite struct LinkIdentityTests {
  @Test(arguments: [
    ("https://example.org/a", "http://www.example.org/a/"),
    ("https://example.org/a", "https://EXAMPLE.org:443/a"),
    ("https://example.org/a?id=1", "https://example.org/a?id=1&utm_source=rss&utm_medium=feed"),
    ("https://example.org/a?id=1", "https://example.org/a?fbclid=x&id=1"),
    ("https://example.org/a", "https://example.org/a?gclid=1"),
    ("https://user@example.org/a", "https://example.org/a"),
  ])
  func `Spellings of a link are one`(_ a: String, _ b: String) {
    #expect(LinkIdentity.key(of: a) != nil)
    #expect(LinkIdentity.key(of: a) == LinkIdentity.key(of: b))
  }

  @Test(arguments: [
    ("https://example.org/a", "https://example.org/A"),
    ("https://example.org/a", "https://example.net/a"),
    ("https://example.org/a", "https://example.org:8080/a"),
    ("https://example.org/?p=1", "https://example.org/?p=2"),
    ("https://example.org/a", "https://example.org/a#b"),
    ("https://example.org/a?utm=1", "https://example.org/a"),
  ])
  func `Different links are not`(_ a: String, _ b: String) {
    #expect(LinkIdentity.key(of: a) != LinkIdentity.key(of: b))
  }

  @Test(arguments: [
    "https://example.org", "https://www.example.org/", "https://example.org/?utm_source=rss",
    "mailto:ann@example.org", "urn:uuid:1", "", "example.org/a",
  ])
  func `Front pages, and what is no link, tell nothing apart`(_ url: String) {
    #expect(LinkIdentity.key(of: url) == nil)
  }
}
