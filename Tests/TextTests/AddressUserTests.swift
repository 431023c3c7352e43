import Testing
import Text

struct AddressUserTests {
  @Test(arguments: [
    ("https://ada:pw@example.org/feed", "https://example.org", "ada", "pw"),
    ("http://a%40b:p%3Aw@127.0.0.1:8080/?x=1", "http://127.0.0.1:8080", "a@b", "p:w"),
    ("https://ada@example.org", "https://example.org", "ada", ""),
    ("https://:key@[::1]:8443/feed", "https://[::1]:8443", "", "key"),
    ("https://a:b@c@example.org/feed?u=x@y", "https://example.org", "a", "b@c"),
  ])
  func `Name and password are read from before the last @ of the authority`(
    address: String, origin: String, name: String, password: String
  ) throws {
    let user = try #require(WebAddress.user(in: address))
    #expect(user.origin == origin && user.user == name && user.password == password)
    #expect(WebAddress.user(in: WebAddress.withoutUser(address)) == nil)
    #expect(WebAddress.withoutUser(address).hasPrefix(origin))
    #expect(!"\(user) \(String(reflecting: user))".contains("pw"))
  }

  @Test(arguments: [
    "https://example.org/@ada/feed", "https://example.org?mail=a@b", "mailto:a@b.org", "",
    "file:///a@b", "https://example.org/#a@b",
  ])
  func `An @ elsewhere is none`(address: String) {
    #expect(WebAddress.user(in: address) == nil)
    #expect(WebAddress.withoutUser(address) == address)
  }

  @Test func `What repeats the address loses name and password`() throws {
    let user = try #require(WebAddress.user(in: "https://a%40b:p%3Aw@example.org/"))
    for text in [
      "https://a%40b:p%3Aw@example.org/2", "see http://a@b:p:w@example.org",
      #"{"url":"https:\/\/a%40b:p%3Aw@example.org"}"#, "a%40b:p%3Aw@example.org",
    ] {
      let clean = user.removed(from: text)
      #expect(!clean.contains("p%3Aw") && !clean.contains("p:w") && clean.contains("example.org"))
    }
    let name = try #require(WebAddress.user(in: "https://ada@example.org/"))
    #expect(name.removed(from: "write to ada@example.org") == "write to ada@example.org")
    #expect(name.removed(from: "https://ada@example.org/x") == "https://example.org/x")
  }

  @Test(arguments: [
    ("https://ada:pw@example.org/a?b#c", "https://example.org/a?b#c"),
    ("//ada:pw@example.org:8080/a", "https://example.org:8080/a"),
    ("https:\\\\ada:pw@example.org\\a", "https://example.org/a"),
    ("HTTPS://ada@example.org/ä", "HTTPS://example.org/%C3%A4"),
    ("https://a:b@c@example.org/@ada?mail=a@b", "https://example.org/@ada?mail=a@b"),
    ("ftp://ada:pw@example.org/a", "ftp://example.org/a"),
    ("one", "https://base.example/dir/one"), ("/two?@", "https://base.example/two?@"),
    ("mailto:ada@example.org", "mailto:ada@example.org"),
  ])
  func `An address that a document names has no name and password`(
    reference: String, address: String
  ) {
    #expect(WebAddress.resolve(reference, against: "https://bob:pw@base.example/dir/x") == address)
  }

  @Test func `A text loses the user of an address that it is, and none that it holds`() {
    for (text, bare) in [
      ("https://ada:pw@example.org/1", "https://example.org/1"), ("tag:ada@example.org,1", nil),
      ("see https://ada:pw@example.org/1", nil), ("//me@home", nil),
    ] as [(String, String?)] {
      #expect(WebAddress.textWithoutUser(text) == bare ?? text)
    }
  }
}
