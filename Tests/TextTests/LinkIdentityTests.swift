import Testing
import Text

@Suite struct LinkIdentityTests {
  @Test(arguments: [
    ("https://example.org/a", "http://www.example.org/a/"),
    ("https://example.org/a", "https://EXAMPLE.org:443/a"),
    ("https://example.org/a?id=1", "https://example.org/a?id=1&utm_source=rss&utm_medium=feed"),
    ("https://example.org/a?id=1", "https://example.org/a?fbclid=x&id=1"),
    ("https://example.org/a", "https://example.org/a?gclid=1"),
    ("https://user@example.org/a", "https://example.org/a"),
    ("https://bbc.example/a", "https://bbc.example/a?at_medium=RSS&at_campaign=rss"),
    ("https://example.org/a", "https://example.org/a#xtor=RSS-1"),
    ("https://example.org/a", "https://example.org/a?xtor=RSS-3208"),
    ("https://example.org/a?b", "https://example.org/a?b&cmpid=RSS&CMP=rss"),
    ("https://example.org/a", "https://example.org/a?mtm_source=feed&pk_kwd=x&wt_mc=rss"),
    ("https://example.org/a", "https://example.org/a?ns_campaign=bbc&ns_mchannel=rss"),
    ("https://example.org/a", "https://example.org/a?smid=tw-share&ocid=wsnews.rss"),
    ("https://example.org/a", "https://example.org/a?partner=rssnyt&emc=rss&ref=feed&source=rss"),
    (
      "https://youtube.example/watch?v=1", "https://youtube.example/watch?v=1&feature=youtube_gdata"
    ),
    ("https://example.org/a", "https://example.org/a;jsessionid=1F?phpsessid=2"),
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
    ("https://example.org/a?cmp=acme", "https://example.org/a?cmp=globex"),
    ("https://example.org/a?ref=main", "https://example.org/a"),
    ("https://example.org/a?source=1", "https://example.org/a?source=2"),
    ("https://example.org/a?smid=1", "https://example.org/a?smid=2"),
    ("https://example.org/a?feature=x", "https://example.org/a?feature=y"),
    ("https://example.org/a#utm_source", "https://example.org/a"),
    ("https://example.org/a;b=1", "https://example.org/a;b=2"),
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

  @Test(arguments: [
    "http://example.org", "https://example.org/", "http://www.example.org",
    "https://www.example.org/",
  ])
  func `The spellings of an address are told`(_ spelling: String) {
    #expect(LinkIdentity.spellings(of: "https://www.example.org").contains(spelling))
    #expect(LinkIdentity.spellings(of: "http://example.org/").contains(spelling))
  }

  @Test(arguments: ["urn:uuid:1", "https://example.org/?page=1"])
  func `What is no plain address has one spelling`(_ address: String) {
    #expect(LinkIdentity.spellings(of: address) == [address])
  }

  // What is made of these keys is stored. Where one of them has to change, every database needs a
  // migration that makes them anew.
  @Test(arguments: [
    ("https://www.Example.org/Ä/a%20b/?q=1&utm_source=rss&b", "example.org/Ä/a%20b?q=1&b"),
    ("http://user:secret@example.org:8080/a/", "example.org:8080/a"),
    ("https://example.org:80/a//", "example.org/a"),
    ("https://example.org/?p=1", "example.org?p=1"),
    ("https://example.org/a;jsessionid=1?x=2#c", "example.org/a?x=2#c"),
    ("https://example.org/a?at_medium=RSS&xtor=1#xtor=2", "example.org/a"),
    ("https://example.org/#/a", "example.org#/a"),
    (
      "https://example.org/a?ref=rss&ref=1&feature=x#a&utm_source=b",
      "example.org/a?ref=1&feature=x#a"
    ),
    ("https://www.www.example.org/a?", "www.example.org/a"),
    ("https://bücher.example/a", "bücher.example/a"),
  ])
  func `The key of a link is the same in every release`(_ url: String, _ key: String) {
    #expect(LinkIdentity.key(of: url) == key)
  }
}
