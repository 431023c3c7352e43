import HTTP
import News
import Testing

@testable import Services

/// Which sign-in signs a request, where there are several at an origin.
@Suite struct SignInTableTests {
  private static let origin = "https://e.org"

  private static func api(_ user: String, _ id: Int64?, at path: String = "/api") -> SignIn {
    SignIn(
      origin: origin, user: user, scheme: .bearer(base: origin + path),
      account: id.map(AccountID.init))
  }

  private static func account(_ user: String, _ id: Int64) -> Account {
    Account(id: AccountID(id), service: .feedAPI, base: origin + "/api", user: user)
  }

  private let ada = api("ada", 2)
  private let bob = api("bob", 3)
  private let password = SignIn(origin: origin, user: "eve", scheme: .basic)

  private func found(
    _ signIns: [SignIn], _ party: Signer.Party, asking subject: Signer.Subject = .document,
    latest: SignIn? = nil, at url: String = origin
  ) throws -> SignIn? {
    try SignInTable(signIns).signIn(
      at: HTTPURL(url), for: Signer(party, asking: subject), latest: latest)
  }

  @Test func `An account signs with its own sign-in, and never with another's`() throws {
    let all = [ada, bob, password]
    #expect(try found(all, .account(Self.account("ada", 2))) == ada)
    #expect(try found(all, .account(Self.account("bob", 3))) == bob)
    #expect(try found([ada, password], .account(Self.account("bob", 3))) == nil)
    #expect(try found(all, .account(Self.account("ada", 2)), at: "https://other.org") == nil)
    // One of the configuration that has got its account only now.
    let configured = Self.api("eve", nil)
    #expect(try found(all + [configured], .account(Self.account("eve", 9))) == configured)
    let elsewhere = Self.api("eve", nil, at: "/other")
    #expect(try found([elsewhere], .account(Self.account("eve", 9))) == nil)
  }

  @Test func `Local feeds go with the credential, else with the one account that there is`() throws
  {
    for account in [Account.local, Self.account("", 4)] {
      #expect(try found([ada, bob, password], .account(account)) == password)
      #expect(try found([ada], .account(account)) == ada)
      #expect(try found([ada, bob], .account(account)) == nil)
      #expect(try found([], .account(account)) == nil)
    }
  }

  @Test func `Where several are signed in, a search asks for the user`() throws {
    let error = #expect(throws: SourceError.self) { try found([ada, bob], .user(nil)) }
    #expect(error?.stage == .arguments)
    #expect(error?.message.contains("ada, bob") == true)
    #expect(error?.next?.contains("--user") == true)
    #expect(try found([ada, bob], .user("bob")) == bob)
    #expect(try found([ada, bob], .user("eve")) == nil)
    #expect(try found([password], .user(nil)) == password)
    // Who has just signed in is meant.
    #expect(try found([ada, bob], .user(nil), latest: Self.api("bob", nil, at: "/api/")) == bob)
  }

  @Test(arguments: [
    (Signer.Subject.document, "/api", "ada"), (.document, "/api/", "ada"),
    (.document, "/api/feed.xml", "eve"), (.document, "/apis", "eve"), (.document, "/", "eve"),
    (.api, "/api/articles?limit=50", "ada"), (.api, "/other/articles", "eve"),
  ])
  func `What a search has found is refreshed with the same sign-in`(
    _ subject: Signer.Subject, _ path: String, _ user: String
  ) throws {
    for party in [Signer.Party.user(nil), .account(.local), .account(Self.account("", 4))] {
      let signIn = try found([ada, password], party, asking: subject, at: Self.origin + path)
      #expect(signIn?.user == user, "\(party)")
    }
  }

  @Test func `Of one user's accounts the one with the nearest base is meant`() throws {
    let root = Self.api("ada", 5, at: "")
    let other = Self.api("ada", 6, at: "/api/2")
    for party in [Signer.Party.user("ada"), .user(nil), .account(.local)] {
      func at(_ path: String) throws -> SignIn? {
        try found([root, ada, other], party, asking: .api, at: Self.origin + path)
      }
      #expect(try at("/api/articles") == ada)
      #expect(try at("/api/2/articles") == other)
      #expect(try at("/api/20/articles") == ada)
      #expect(try at("/articles") == root)
    }
    #expect(throws: SourceError.self) {
      try found([ada, other], .user("ada"), asking: .api, at: Self.origin + "/elsewhere")
    }
  }

  @Test func `A sync server's sign-in signs no requests for feeds, and asks nobody who is meant`()
    throws
  {
    let synced = ["ada", "bob"].map { user in
      SignIn(
        origin: Self.origin, user: user,
        scheme: .syncServer(.googleReader, base: Self.origin + "/api/greader.php"))
    }
    for party in [Signer.Party.user(nil), .user("ada"), .account(.local)] {
      #expect(try found(synced, party) == nil)
    }
    #expect(try found(synced + [password], .user(nil)) == password)
  }

  @Test(arguments: [
    ("/rss1", ["/rss1/api"], true), ("/rss1/api/i/", ["/rss1/api"], true),
    ("/rss1/api", ["/rss1/api"], false), ("/", ["", "/rss1/api", "/rss2/api"], false),
    ("/", [""], true), ("/rss", [""], true), ("/rss2/api/", ["/rss2/api"], true),
  ])
  func `The address tells which of one user's accounts is meant`(
    _ path: String, _ bases: [String], _ isUserKnown: Bool
  ) {
    let all = ["", "/rss1/api", "/rss2/api"].map { Self.api("ada", 2, at: $0) }
    let meant = all.meant(by: Self.origin + path, isUserKnown: isUserKnown)
    #expect(meant == bases.map { Self.api("ada", 2, at: $0) })
  }

  @Test(
    arguments: [
      ("/api", "/api/", true), ("/api", "/api?x=1", true), ("", "/", true),
      ("/api", "/api/2", false),
      ("", "/api", false),
    ])
  func `The same user at two services of an origin is two`(
    _ first: String, _ second: String, _ isSame: Bool
  ) {
    #expect(Self.api("ada", 2, at: first).isSame(as: Self.api("ada", nil, at: second)) == isSame)
    #expect(!Self.api("ada", 2, at: first).isSame(as: Self.api("bob", nil, at: first)))
    #expect(!Self.api("eve", 2, at: first).isSame(as: password))
  }
}
