internal import News
internal import Testing

/// What accounts are called beside others.
@Suite struct AccountNameTests {
  private struct Place {
    var base: String
    var user = "ada"
    var name: String?
  }

  private func accounts(_ places: [Place]) -> [Account] {
    Account.tellingApart(
      zip(2..., places).map { id, place in
        Account(
          id: AccountID(id), service: AccountService(AccountKind(rawValue: "items"), [.items]),
          base: place.base, user: place.user, name: place.name)
      })
  }

  @Test func `Accounts at one host are named with their ports where these differ`() {
    let told = accounts([
      Place(base: "https://rss.example.org"), Place(base: "https://rss.example.org:8443"),
      Place(base: "https://other.example.org:9000"),
    ])
    #expect(
      told.map(\.displayName) == [
        "ada at rss.example.org", "ada at rss.example.org:8443", "ada at other.example.org",
      ])
    #expect(
      told.map(\.shortName) == ["rss.example.org", "rss.example.org:8443", "other.example.org"])
  }

  @Test func `Accounts of one user at one port are named with their paths`() {
    let told = accounts([
      Place(base: "https://example.org:81/a"), Place(base: "https://example.org:81/b"),
    ])
    #expect(told.map(\.shortName) == ["example.org:81/a", "example.org:81/b"])
  }

  @Test func `Users at one server are told apart by their names alone`() {
    let told = accounts([
      Place(base: "https://example.org:81"), Place(base: "https://example.org:81", user: "bob"),
    ])
    #expect(told.map(\.displayName) == ["ada at example.org", "bob at example.org"])
  }

  @Test func `A name by the user stays, and so does that of the only other`() {
    let told = accounts([
      Place(base: "https://example.org:81", name: "Work"), Place(base: "https://example.org:82"),
    ])
    #expect(told.map(\.displayName) == ["Work", "ada at example.org"])
  }
}
