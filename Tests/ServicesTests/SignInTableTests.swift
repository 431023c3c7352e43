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
    _ signIns: [SignIn], _ signer: Signer, latest: SignIn? = nil, at origin: String = origin
  ) throws -> SignIn? {
    try SignInTable(signIns).signIn(at: origin, for: signer, latest: latest)
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
    #expect(try found([ada, password], .user(nil)) == ada)
    #expect(try found([password], .user(nil)) == password)
    // Who has just signed in is meant.
    #expect(try found([ada, bob], .user(nil), latest: Self.api("bob", nil, at: "/api/")) == bob)
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
