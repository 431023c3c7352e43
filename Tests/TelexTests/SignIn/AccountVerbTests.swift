import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// Signing in and out, and where the secrets go.
@Suite(.timeLimit(.minutes(10)))
struct AccountVerbTests {
  private static let password = "pa55 wörd with spaces"

  private func withLockedNewspaper(
    _ body: (FeedServer, Sandbox) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(60)) { server, sandbox in
      server.addUser("ada", password: Self.password)
      try await body(server, sandbox)
    }
  }

  private func login(_ sandbox: Sandbox, _ server: FeedServer) async throws {
    let outcome = try await sandbox.telex(
      "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: Self.password + "\n")
    try #require(outcome.status == 0, "\(outcome.testDescription)")
  }

  /// Everything in the sandbox's files, but the credentials themselves.
  private func everythingStored(_ sandbox: Sandbox) throws -> [(name: String, bytes: Data)] {
    let files = try #require(FileManager.default.enumerator(atPath: sandbox.folder))
    return files.compactMap { $0 as? String }.compactMap { name in
      guard !name.hasSuffix("credentials.json") else { return nil }
      return FileManager.default.contents(atPath: sandbox.folder + "/" + name).map { (name, $0) }
    }
  }

  private let credentials = ".local/share/telex/secrets/credentials.json"

  @Test func `A sign-in opens the API, and only tokens are kept of it`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let refused = try await sandbox.telex("add", server.apiURL)
      #expect(refused.status == 1)
      #expect(refused.errors.contains("telex login"))

      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      #expect(try await sandbox.articles().count == 50)

      let kept = try #require(sandbox.contents(of: credentials))
      #expect(kept.contains("accessToken") && !kept.contains(Self.password))
      let path = sandbox.folder + "/" + credentials
      let file = try FileManager.default.attributesOfItem(atPath: path)
      #expect(file[.posixPermissions] as? Int == 0o600)
      let folder = try FileManager.default.attributesOfItem(
        atPath: (path as NSString).deletingLastPathComponent)
      #expect(folder[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `No secret is in a file, an address, an output or an argument`() async throws {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      var said = ""
      for _ in 0..<2 {
        server.inject(.status(500), on: "/api", times: nil)
        let outcome = try await sandbox.telex("refresh", "--json", "--timeout", "2")
        said += outcome.output + outcome.errors
        server.clearFaults()
        server.expireAccessTokens()
        let second = try await sandbox.telex("refresh")
        said += second.output + second.errors
      }
      for verb in [["accounts"], ["accounts", "--json"], ["list", "--json"], ["export"]] {
        let outcome = try await sandbox.telex(verb)
        said += outcome.output + outcome.errors
      }
      var secrets = [Self.password]
      for request in server.requests {
        #expect(!request.target.contains("access-") && !request.target.contains("refresh-"))
        if let token = request.header("Authorization")?.dropFirst("Bearer ".count) {
          secrets.append(String(token))
        }
        if request.path.hasSuffix("/refresh"), request.method == "POST" {
          let body = String(decoding: request.body, as: UTF8.self)
          secrets.append(
            try #require(body.split(separator: "\"").dropFirst(3).first.map(String.init)))
        }
      }
      #expect(secrets.contains { $0.hasPrefix("access-") })
      #expect(secrets.contains { $0.hasPrefix("refresh-") })
      let files = try everythingStored(sandbox)
      #expect(files.contains { $0.name.hasSuffix("telex.sqlite") })
      for secret in Set(secrets) {
        #expect(!said.contains(secret))
        for file in files {
          #expect(file.bytes.range(of: Data(secret.utf8)) == nil, "\(file.name)")
        }
      }
    }
  }

  @Test func `A password that is wrong is refused, and nothing is kept`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let outcome = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: "wrong\n")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("wrong") && outcome.errors.contains("check the name"))
      #expect(sandbox.contents(of: credentials) == nil)
      #expect(try await sandbox.telex("accounts").output == "")
    }
  }

  @Test func `The password shows as dots while it is typed`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let terminal = try sandbox.reader("login", server.apiURL)
      try await terminal.wait(for: "User name at 127.0.0.1:")
      try terminal.send("ada\r")
      try await terminal.wait(for: "Password:")
      // A slip that is taken back, of a character of two bytes.
      try terminal.send("ü\u{7F}")
      try terminal.send(Self.password + "\r")
      try await terminal.wait(for: "signed in to \(server.baseURL) as ada")
      #expect(try await terminal.waitForEnd() == .exited(0))
      #expect(terminal.screen.contains(String(repeating: "•", count: Self.password.count)))
      let output = String(decoding: terminal.output, as: UTF8.self)
      #expect(!output.contains(Self.password) && !output.contains("ü"))
      #expect(terminal.isGivenBack)
    }
  }

  @Test func `The reader asks who one is, and adds the feed then`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "No feeds yet.")
      try await reader.add(server.apiURL)
      try await reader.wait(for: "User name at 127.0.0.1:")
      try reader.send("ada\r")
      try await reader.wait(for: "Password:")
      try reader.send("wrong\r")
      try await reader.wait(for: "User name at 127.0.0.1:")
      try reader.send("ada\r")
      try await reader.wait(for: "Password:")
      try reader.send(Self.password)
      try await reader.wait(for: String(repeating: "•", count: Self.password.count))
      #expect(!reader.screen.contains(Self.password))
      try reader.send("\r")
      try await reader.wait(for: "Story 001")
      // The session ends; the key brings the question back.
      server.revokeSessions()
      try reader.send("r")
      try await reader.wait(for: "H why")
      try reader.send("L")
      try await reader.wait(for: "User name at 127.0.0.1:")
      try reader.send("ada\r")
      try await reader.wait(for: "Password:")
      try reader.send(Self.password + "\r")
      // Not "H why": a question or a notice takes that line.
      try await reader.wait(until: "it is well again") {
        server.openSessions == 1 && !$0.lines.contains { $0.contains("! The Loop") }
      }
      #expect(try await reader.quit() == .exited(0))
      #expect(!String(decoding: reader.output, as: UTF8.self).contains(Self.password))
      #expect(server.openSessions == 1)
    }
  }

  @Test func `Ctrl-C at the password leaves the terminal as it was`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let terminal = try sandbox.reader("login", server.apiURL, "--user", "ada")
      try await terminal.wait(for: "Password:")
      try terminal.send("half")
      try await terminal.wait(for: "••••")
      try terminal.send(.control("c"))
      #expect(try await terminal.waitForEnd() == .exited(130))
      #expect(terminal.isGivenBack)
      #expect(server.openSessions == 0)
    }
  }

  @Test func `Tokens that have ended are renewed once, whoever comes first`() async throws {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      server.expireAccessTokens()
      server.forgetRequests()
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
        for _ in 0..<4 { group.addTask { try await sandbox.telex("refresh").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == [0, 0, 0, 0])
      #expect(server.requests.count { $0.path.hasSuffix("/session/refresh") } == 1)
      #expect(server.openSessions == 1)
    }
  }

  @Test func `A session that has ended asks for a sign-in, and what is cached can be read`()
    async throws
  {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      server.revokeSessions()
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("r")
      try await reader.wait(for: "H why")
      try reader.send("j")
      try await reader.wait(until: "why is told") { screen in
        screen.contains("wants you to sign in")
      }
      #expect(reader.screen.contains("Story 001"))
      #expect(try await reader.quit() == .exited(0))
      try await login(sandbox, server)
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test func `Feeds that ask for a password or a key get them`() async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      server.protect("/rss.xml", with: .basic(user: "ada", password: Self.password))
      let refused = try await sandbox.telex(
        "login", server.baseURL + "/rss.xml", "--user", "ada", "--password-stdin", stdin: "no\n")
      #expect(refused.status == 1)
      let basic = try await sandbox.telex(
        "login", server.baseURL + "/rss.xml", "--user", "ada", "--password-stdin",
        stdin: Self.password + "\n")
      #expect(basic.status == 0, "\(basic.testDescription)")
      try await sandbox.add(server.baseURL + "/rss.xml")
      #expect(try await sandbox.articles().count == 5)
    }
    try await withNewspaper(newspaper(5)) { server, sandbox in
      server.protect("/", with: .apiKey(header: "X-Reader-Key", key: "k3y"))
      let outcome = try await sandbox.telex(
        "login", server.baseURL + "/atom.xml", "--api-key", "X-Reader-Key", "--password-stdin",
        stdin: "k3y\n")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      try await sandbox.add(server.baseURL + "/atom.xml")
      #expect(try await sandbox.articles().count == 5)
      let listed = try await sandbox.telex("accounts")
      #expect(listed.output == "\(server.baseURL)\t\tapi-key\n")
    }
  }

  @Test func `A sign-out leaves nothing behind`() async throws {
    try await withLockedNewspaper { server, sandbox in
      try await withNewspaper(newspaper(3)) { other, _ in
        try await login(sandbox, server)
        try await sandbox.add(server.apiURL)
        try await sandbox.add(other.baseURL + "/rss.xml")
        #expect(server.openSessions == 1)
        let outcome = try await sandbox.telex("logout", server.baseURL, "--yes")
        #expect(outcome.status == 0, "\(outcome.testDescription)")
        #expect(server.openSessions == 0)
        #expect(sandbox.contents(of: credentials)?.contains("Token") != true)
        #expect(try await sandbox.telex("accounts").output == "")
        // Of that server only.
        #expect(try await sandbox.articles().count == 3)
        #expect(try await sandbox.telex("logout", server.baseURL, "--yes").status == 2)
      }
    }
  }

  @Test func `A sign-out that takes feeds along does not wait for an answer in a script`()
    async throws
  {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      let line = "cd '\(sandbox.folder)' && '\(BuiltProduct.path(of: "telex"))' logout"
      let terminal = try PseudoTerminal(
        executable: "/bin/sh", arguments: ["-c", "\(line) \(server.baseURL) </dev/null"],
        environment: sandbox.home)
      #expect(try await terminal.waitForEnd() == .exited(2))
      #expect(terminal.screen.contains("--yes"))
      #expect(server.openSessions == 1)
      #expect(try await sandbox.telex("accounts").lines.count == 1)
    }
  }

  @Test func `Signing in once more, at another base of the server, keeps the new session`()
    async throws
  {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      let again = try await sandbox.telex(
        "login", server.apiURL + "/", "--user", "ada", "--password-stdin",
        stdin: Self.password + "\n")
      #expect(again.status == 0, "\(again.testDescription)")
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(try await sandbox.telex("accounts").lines.count == 1)
    }
  }

  @Test func `What one has written is not sent in another's name`() async throws {
    try await withLockedNewspaper { server, sandbox in
      server.addUser("bob", password: "b0b")
      try await login(sandbox, server)
      try await sandbox.add(server.apiURL)
      let article = try #require(try await sandbox.articles().first?["id"] as? Int)
      await server.stop()
      let outcome = try await sandbox.telex(
        "comments", "\(article)", "--write", "ada's", "--timeout", "3")
      #expect(outcome.output.hasPrefix("waiting to be sent"))
      try server.start()
      let bob = try await sandbox.telex(
        "login", server.apiURL, "--user", "bob", "--password-stdin", stdin: "b0b\n")
      #expect(bob.status == 0, "\(bob.testDescription)")
      // Both are signed in, here and at the server: it is sent in ada's name.
      #expect(try await sandbox.telex("accounts").lines.count == 2)
      #expect(server.openSessions == 2)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try await sandbox.telex("outbox").output == "")
      let comment = server.comments(on: "story-001").first { $0.text == "ada's" }
      #expect(comment?.author == "ada")
    }
  }

  @Test func `A password does not follow a redirect to another server`() async throws {
    let thief = RawServer { _ in .reply(WireReply(status: 200)) }
    let port = try thief.start()
    let server = RawServer { request in
      request.path == "/api"
        ? .reply(
          WireReply(type: "application/json", text: #"{"api": "telex-feed", "version": 1}"#))
        : .reply(
          WireReply(status: 307, headers: [("Location", "http://127.0.0.1:\(port)/steal")]))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex(
      "login", base + "/api", "--user", "ada", "--password-stdin", stdin: "hunter2\n")
    #expect(outcome.status == 1)
    #expect(!(outcome.output + outcome.errors).contains("hunter2"))
    #expect(thief.requests.isEmpty)
    #expect(sandbox.contents(of: credentials) == nil)
    await server.stop()
    await thief.stop()
  }

  @Test func `A sign-out works without the server, and says so`() async throws {
    try await withLockedNewspaper { server, sandbox in
      try await login(sandbox, server)
      await server.stop()
      let outcome = try await sandbox.telex("logout", server.baseURL)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("the server was not told"))
      #expect(sandbox.contents(of: credentials)?.contains("Token") != true)
    }
  }

  @Test func `A command in the configuration gives the password`() async throws {
    try await withLockedNewspaper { server, sandbox in
      try sandbox.file("password.txt", Self.password + "\n")
      try sandbox.file(
        "config.toml",
        """
        [secrets]
        keyring = false
        [accounts."\(server.baseURL)"]
        user = "ada"
        scheme = "feed-api"
        base = "\(server.apiURL)"
        password_command = "cat '\(sandbox.folder)/password.txt'"
        """)
      let config = sandbox.folder + "/config.toml"
      let added = try await sandbox.telex("add", server.apiURL, "--config", config)
      #expect(added.status == 0, "\(added.testDescription)")
      // The tokens are kept: the password is asked for once.
      try FileManager.default.removeItem(atPath: sandbox.folder + "/password.txt")
      #expect(try await sandbox.telex("refresh", "--config", config).status == 0)
      server.revokeSessions()
      let failed = try await sandbox.telex("refresh", "--config", config)
      #expect(failed.status == 1)
    }
  }

  @Test
  func `A sign-in does not wait long for a server that wants a pause, and says how long that is`()
    async throws
  {
    try await withLockedNewspaper { server, sandbox in
      server.inject(.status(429, retryAfter: 100), on: "/", times: nil)
      let outcome = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: Self.password + "\n",
        deadline: .seconds(40))
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("try again in 100 s"), "\(outcome.errors)")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `A sign-in waits a short while for a server, and says so`() async throws {
    try await withLockedNewspaper { server, sandbox in
      server.inject(.status(429, retryAfter: 3), on: "/")
      let outcome = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: Self.password + "\n")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("is asked again in 3 s"), "\(outcome.errors)")
      #expect(outcome.errors.contains("waiting for the answer of 127.0.0.1"))
    }
  }

  @Test func `L asks for no password where no server answers`() async throws {
    try await withLockedNewspaper { server, sandbox in
      let address = server.apiURL
      await server.stop()
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(until: "it is there") { !$0.lines.joined().isEmpty }
      try reader.send("L")
      try await reader.wait(for: "Sign in to")
      try reader.send(address + "\r")
      try await reader.wait(for: "does not accept connections")
      #expect(!reader.screen.contains("User name at"))
      #expect(try await reader.quit() == .exited(0))
    }
  }
}
