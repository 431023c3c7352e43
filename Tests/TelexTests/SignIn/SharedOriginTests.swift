import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// Two users who are signed in at one Feed API.
@Suite(.timeLimit(.minutes(10)))
struct SharedOriginTests {
  private static let passwords = ["ada": "s3cret", "bob": "b0bs"]
  private let credentials = ".local/share/telex/secrets/credentials.json"

  private func login(
    _ user: String, _ server: FeedServer, _ sandbox: Sandbox, _ options: String...
  ) async throws {
    let outcome = try await sandbox.telex(
      ["login", server.apiURL, "--user", user, "--password-stdin"] + options,
      stdin: (Self.passwords[user] ?? "") + "\n")
    try #require(outcome.status == 0, "\(outcome.testDescription)")
  }

  /// Runs the body with a feed of each user: the first story is ada's alone, the second bob's.
  private func withTwoUsers(
    _ body: (FeedServer, Sandbox, _ feeds: [String: String]) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      for (user, password) in Self.passwords { server.addUser(user, password: password) }
      server.give(["story-001"], to: "ada")
      server.give(["story-002"], to: "bob")
      try await login("ada", server, sandbox)
      try await login("bob", server, sandbox)
      var feeds: [String: String] = [:]
      for user in ["ada", "bob"] {
        let added = try await sandbox.telex("add", server.apiURL, "--user", user, "--json")
        try #require(added.status == 0, "\(added.testDescription)")
        let feed = try #require(try added.json()["feed"] as? [String: Any])
        feeds[user] = "\(try #require(feed["id"] as? Int))"
      }
      try await body(server, sandbox, feeds)
    }
  }

  private func titles(_ sandbox: Sandbox, _ feed: String?) async throws -> Set<String> {
    let articles = try await sandbox.articles("--feed", try #require(feed))
    return Set(articles.compactMap { $0["title"] as? String })
  }

  /// The token that each of the requests for a page bore.
  private func tokens(_ server: FeedServer) -> [String] {
    server.requests.filter { $0.path == "/api/articles" }.compactMap { $0.header("Authorization") }
  }

  private func renewals(_ server: FeedServer) -> Int {
    server.requests.count { $0.path.hasSuffix("/session/refresh") }
  }

  @Test func `Each of two users at one origin has a session and sees what is theirs`() async throws
  {
    try await withTwoUsers { server, sandbox, feeds in
      #expect(try await sandbox.telex("accounts").lines.count == 2)
      #expect(server.openSessions == 2)
      #expect(feeds["ada"] != feeds["bob"])
      for count in [4, 5] {
        let (ada, bob) = try await (titles(sandbox, feeds["ada"]), titles(sandbox, feeds["bob"]))
        #expect(ada.count == count && bob.count == count)
        #expect(ada.contains("Story 001") && !ada.contains("Story 002"))
        #expect(bob.contains("Story 002") && !bob.contains("Story 001"))
        server.insertFresh(1)
        server.forgetRequests()
        #expect(try await sandbox.telex("refresh").status == 0)
        #expect(Set(tokens(server)).count == 2)
      }
      // What is written is sent by who has written it.
      for user in ["ada", "bob"] {
        let feed = try #require(feeds[user])
        let articles = try await sandbox.articles("--feed", feed)
        let article = try #require(articles.last?["id"] as? Int)
        let sent = try await sandbox.telex("comments", "\(article)", "--write", "\(user)'s")
        #expect(sent.output == "sent\n", "\(sent.testDescription)")
      }
      #expect(server.comments(on: "story-005").suffix(2).map(\.author) == ["ada", "bob"])
      #expect(server.comments(on: "story-005").suffix(2).map(\.text) == ["ada's", "bob's"])
    }
  }

  @Test func `What is added there has to name the user`() async throws {
    try await withTwoUsers { server, sandbox, feeds in
      server.forgetRequests()
      let which = try await sandbox.telex("add", server.apiURL)
      #expect(which.status == 2)
      #expect(which.errors.contains("ada, bob") && which.errors.contains("--user"))
      let nobody = try await sandbox.telex("add", server.apiURL, "--user", "eve")
      #expect(nobody.status == 2 && nobody.errors.contains("as eve"))
      #expect(server.requests.isEmpty)
      let several = try await sandbox.telex("fetch", server.apiURL)
      #expect(several.status == 2, "\(several.testDescription)")
      // The one that is there already.
      let again = try await sandbox.telex("add", server.apiURL, "--user", "bob", "--json")
      #expect(try again.json()["new"] as? Bool == false)
      #expect(
        ((try again.json()["feed"] as? [String: Any])?["id"] as? Int).map(String.init)
          == feeds["bob"])
      #expect(try await sandbox.telex("list").lines.count == 2)
    }
  }

  @Test func `A token that is renewed leaves the other user's as it is`() async throws {
    try await withTwoUsers { server, sandbox, _ in
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      let before = Set(tokens(server))
      #expect(before.count == 2 && renewals(server) == 0)

      server.expireAccessTokens(of: "ada")
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(renewals(server) == 1)
      let after = Set(tokens(server))
      #expect(after.count == 3 && after.intersection(before).count == 2)

      // Both at once: each is renewed once, whichever process comes first.
      server.expireAccessTokens()
      server.forgetRequests()
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
        for _ in 0..<3 { group.addTask { try await sandbox.telex("refresh").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == [0, 0, 0])
      #expect(renewals(server) == 2)
      #expect(server.openSessions == 2)
    }
  }

  @Test func `logout asks for the user where two are signed in, and leaves what is the other's`()
    async throws
  {
    try await withTwoUsers { server, sandbox, _ in
      let which = try await sandbox.telex("logout", server.apiURL, "--yes")
      #expect(which.status == 2)
      #expect(which.errors.contains("ada, bob") && which.errors.contains("--user"))
      let nobody = try await sandbox.telex("logout", server.apiURL, "--user", "eve", "--yes")
      #expect(nobody.status == 2 && nobody.errors.contains("as eve"))
      #expect(try await sandbox.telex("accounts").lines.count == 2)

      let bob = try await sandbox.telex("logout", server.apiURL, "--user", "bob", "--yes")
      #expect(bob.status == 0, "\(bob.testDescription)")
      #expect(try await sandbox.telex("list").lines.count == 1)
      #expect(server.openSessions == 1)
      let kept = try #require(sandbox.contents(of: credentials))
      #expect(kept.contains("\"ada") && !kept.contains("\"bob"))
      // Ada's session goes on as if nothing had been.
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(Set(tokens(server)).count == 1 && renewals(server) == 0)

      let ada = try await sandbox.telex("logout", server.apiURL, "--yes")
      #expect(ada.status == 0, "\(ada.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
      #expect(try await sandbox.telex("accounts").output == "")
      #expect(server.openSessions == 0)
    }
  }

  @Test func `Tokens of before there could be several are found, and get their place`() async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for (user, password) in Self.passwords { server.addUser(user, password: password) }
      try await login("ada", server, sandbox)
      try await sandbox.add(server.apiURL)
      let path = sandbox.folder + "/" + credentials
      let named = try #require(sandbox.contents(of: credentials))
      #expect(named.contains("\"ada base:/api\""))
      // As an earlier version has kept them.
      let former = named.replacing("\"ada base:/api\"", with: "\"ada\"")
      try Data(former.utf8).write(to: URL(filePath: path))
      server.expireAccessTokens()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(sandbox.contents(of: credentials)?.contains("\"ada base:/api\"") == true)
      #expect(sandbox.contents(of: credentials)?.contains("\"ada\"") == false)
      #expect(server.openSessions == 1)

      // The same for another who signs in before they are used again, and for a sign-out.
      let moved = try #require(sandbox.contents(of: credentials))
      try Data(moved.replacing("\"ada base:/api\"", with: "\"ada\"").utf8)
        .write(to: URL(filePath: path))
      try await login("bob", server, sandbox)
      #expect(sandbox.contents(of: credentials)?.contains("\"ada base:/api\"") == true)
      let both = try #require(sandbox.contents(of: credentials))
      try Data(both.replacing("\"ada base:/api\"", with: "\"ada\"").utf8)
        .write(to: URL(filePath: path))
      let out = try await sandbox.telex("logout", server.apiURL, "--user", "ada", "--yes")
      #expect(out.status == 0 && out.errors == "", "\(out.testDescription)")
      #expect(sandbox.contents(of: credentials)?.contains("\"ada") == false)
      #expect(server.openSessions == 1)
    }
  }

  @Test func `A user of the configuration and one who has signed in have a session each`()
    async throws
  {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      for (user, password) in Self.passwords { server.addUser(user, password: password) }
      server.give(["story-001"], to: "ada")
      server.give(["story-002"], to: "bob")
      let config = try sandbox.file(
        "config.toml",
        """
        [secrets]
        keyring = false
        [accounts."\(server.baseURL)"]
        user = "bob"
        scheme = "feed-api"
        base = "\(server.apiURL)"
        password_command = "printf b0bs"
        """)
      let added = try await sandbox.telex("add", server.apiURL, "--config", config)
      #expect(added.status == 0, "\(added.testDescription)")
      // The command prints the password of bob, and of nobody else.
      try await login("ada", server, sandbox, "--config", config)
      let which = try await sandbox.telex("add", server.apiURL, "--config", config)
      #expect(which.status == 2 && which.errors.contains("ada, bob"), "\(which.testDescription)")
      let second = try await sandbox.telex(
        "add", server.apiURL, "--user", "ada", "--config", config)
      #expect(second.status == 0, "\(second.testDescription)")
      #expect(try await sandbox.telex("refresh", "--config", config).status == 0)
      #expect(try await titles(sandbox, "1").contains("Story 002"))
      #expect(try await titles(sandbox, "1").contains("Story 001") == false)
      #expect(try await titles(sandbox, "2").contains("Story 001"))
      #expect(try await titles(sandbox, "2").contains("Story 002") == false)
      #expect(server.openSessions == 2)
    }
  }

  @Test func `Feeds that one user has left are not the next one's`() async throws {
    try await withTwoUsers { server, sandbox, feeds in
      server.addUser("eve", password: "3ve")
      let out = try await sandbox.telex(
        "logout", server.apiURL, "--user", "bob", "--keep-feeds")
      try #require(out.status == 0, "\(out.testDescription)")
      let eve = try await sandbox.telex(
        "login", server.apiURL, "--user", "eve", "--password-stdin", stdin: "3ve\n")
      try #require(eve.status == 0, "\(eve.testDescription)")
      server.forgetRequests()
      _ = try await sandbox.telex("refresh")
      #expect(Set(tokens(server)).count == 1, "\(tokens(server))")
      #expect(try await titles(sandbox, feeds["bob"]).contains("Story 002"))
      try await login("bob", server, sandbox)
      server.insertFresh(1)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try await titles(sandbox, feeds["bob"]).count == 5)
      #expect(try await sandbox.telex("list").lines.count == 2)
    }
  }

  @Test func `The reader's Add prompt says how to name the user`() async throws {
    try await withTwoUsers { server, sandbox, _ in
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 005")
      try await reader.add(server.apiURL)
      try await reader.wait(for: "everal are signed in there: ada, bob")
      #expect(reader.screen.contains("--user NAME"))
      // The address is offered again.
      try reader.send(.escape)
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("list").lines.count == 2)
    }
  }

  @Test func `A sign-in goes by the proxy of its own account's feeds, and of nobody else's`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for (user, password) in Self.passwords { server.addUser(user, password: password) }
      let port = try #require(server.baseURL.split(separator: ":").last.flatMap { UInt16($0) })
      let proxy = try LoopbackProxy(to: port)
      try await login("ada", server, sandbox)
      let added = try await sandbox.telex("add", server.apiURL, "--proxy", proxy.url())
      try #require(added.status == 0, "\(added.testDescription)")
      let visits = proxy.visits.count
      try await login("bob", server, sandbox)
      let other = try await sandbox.telex("add", server.apiURL, "--user", "bob")
      try #require(other.status == 0, "\(other.testDescription)")
      #expect(proxy.visits.count == visits)

      server.expireAccessTokens(of: "bob")
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh", "2").status == 0)
      #expect(renewals(server) == 1 && proxy.visits.count == visits)
      server.expireAccessTokens(of: "ada")
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh", "1").status == 0)
      #expect(renewals(server) == 1)
      let isRenewedByProxy = proxy.visits.dropFirst(visits).count >= server.requests.count
      #expect(isRenewedByProxy, "\(proxy.visits.count - visits) of \(server.requests.count)")
    }
  }

  @Test func `A sign-out forgets the password of the proxy of a feed that goes with it`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for (user, password) in Self.passwords { server.addUser(user, password: password) }
      let port = try #require(server.baseURL.split(separator: ":").last.flatMap { UInt16($0) })
      let proxy = try LoopbackProxy(to: port, credentials: "eve:pa55word-of-the-proxy")
      try await login("ada", server, sandbox)
      let added = try await sandbox.telex(
        "add", server.apiURL, "--proxy", proxy.url(as: "eve:pa55word-of-the-proxy"))
      try #require(added.status == 0, "\(added.testDescription)")
      #expect(sandbox.contents(of: credentials)?.contains("pa55word-of-the-proxy") == true)
      let out = try await sandbox.telex("logout", server.apiURL, "--yes")
      #expect(out.status == 0, "\(out.testDescription)")
      #expect(sandbox.contents(of: credentials)?.contains("pa55word-of-the-proxy") != true)
    }
  }

  @Test func `A document beside an account is added and refreshed with the password for documents`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.addUser("ada", password: Self.passwords["ada"] ?? "")
      server.protect("/rss.xml", with: .basic(user: "eve", password: "3ve"))
      try await login("ada", server, sandbox)
      let basic = try await sandbox.telex(
        "login", server.baseURL + "/rss.xml", "--user", "eve", "--basic", "--password-stdin",
        stdin: "3ve\n")
      try #require(basic.status == 0, "\(basic.testDescription)")
      let document = try await sandbox.telex("add", server.baseURL + "/rss.xml")
      #expect(document.status == 0, "\(document.testDescription)")
      let api = try await sandbox.telex("add", server.apiURL)
      #expect(api.status == 0, "\(api.testDescription)")
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(try await sandbox.telex("list").lines.count == 2)
    }
  }
}
