import FeedServer
import Foundation
import Testing

/// A proxy for one feed, and what a proxy that fails is told as.
@Suite(.timeLimit(.minutes(10)))
struct ProxyVerbTests {
  /// A host that the proxy knows and nobody else.
  private let address = "http://feeds.invalid/rss.xml"
  private let credentials = ".local/share/telex/secrets/credentials.json"
  private let password = "pa55word-of-the-proxy"

  private func withProxy(
    credentials: String? = nil, _ body: (LoopbackProxy, Sandbox) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let port = try #require(server.baseURL.split(separator: ":").last.flatMap { UInt16($0) })
      try await body(LoopbackProxy(to: port, credentials: credentials), sandbox)
    }
  }

  /// The names of the files in which a text stands.
  private func files(with text: String, in sandbox: Sandbox) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.folder))
    return names.compactMap { $0 as? String }.filter { name in
      FileManager.default.contents(atPath: sandbox.folder + "/" + name)?
        .range(of: Data(text.utf8)) != nil
    }
  }

  private func proxy(of sandbox: Sandbox) async throws -> String? {
    try await sandbox.telex("list", "--json").json()["proxy"] as? String
  }

  @Test(arguments: ["http", "socks5h"])
  func `A feed is added and refreshed by a proxy of its own`(scheme: String) async throws {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      let added = try await sandbox.telex(
        "add", address, "--proxy", proxy.url(scheme, as: "ada"), "--proxy-password-stdin", "--json",
        stdin: password + "\n")
      #expect(added.status == 0, "\(added.testDescription)")
      let visits = proxy.visits.count
      #expect(visits > 0 && proxy.visits.allSatisfy { $0.host == "feeds.invalid" })
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(proxy.visits.count > visits)
      #expect(try await sandbox.articles().count == 3)

      #expect(try await self.proxy(of: sandbox) == proxy.url(scheme))
      #expect(try files(with: password, in: sandbox) == [credentials])
      #expect(!(added.output + added.errors + refreshed.output).contains(password))
      let looked = try await sandbox.telex("doctor", "1")
      #expect(looked.output.contains("by the proxy \(proxy.url(scheme))"), "\(looked.output)")
    }
  }

  @Test func `A password in the proxy's address goes to the secrets, and goes with the feed`()
    async throws
  {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      let added = try await sandbox.telex(
        "add", address, "--proxy", proxy.url(as: "ada:" + password))
      #expect(added.status == 0, "\(added.testDescription)")
      #expect(try files(with: password, in: sandbox) == [credentials])
      #expect(try await sandbox.telex("refresh").status == 0)
      let removed = try await sandbox.telex("remove", "1", "--erase")
      #expect(removed.status == 0, "\(removed.testDescription)")
      #expect(try files(with: password, in: sandbox).isEmpty)
    }
  }

  @Test func `The password of a removed feed's proxy goes when that cannot come back`() async throws
  {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      try await sandbox.succeed("add", address, "--proxy", proxy.url(as: "ada:" + password))
      try await sandbox.succeed("remove", "1")
      #expect(try files(with: password, in: sandbox) == [credentials])
      let cleared = try await sandbox.telex("journal", "--clear")
      #expect(cleared.status == 0, "\(cleared.testDescription)")
      #expect(try files(with: password, in: sandbox).isEmpty)
    }
  }

  @Test func `A proxy is taken back with its address, and no password of one stays behind`()
    async throws
  {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      let way = proxy.url(as: "ada:" + password)
      try await sandbox.succeed("add", address, "--proxy", way)
      try await sandbox.succeed("set", "1", "--proxy", "direct")
      #expect(try files(with: password, in: sandbox).isEmpty)
      let undone = try await sandbox.telex("undo")
      #expect(undone.status == 0 && undone.output.contains("undone: set the proxy direct for"))
      #expect(
        undone.output.contains("telex set 1 --proxy ADDRESS asks for it"), "\(undone.output)")
      #expect(try await self.proxy(of: sandbox) == proxy.url())
      #expect(try await sandbox.telex("refresh").status == 1)
      // The password is given anew, goes with the proxy that is taken back, and is not there when it comes again.
      try await sandbox.succeed("set", "1", "--proxy", "direct")
      try await sandbox.succeed("set", "1", "--proxy", way)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try files(with: password, in: sandbox) == [credentials])
      #expect(try await sandbox.telex("undo").output.contains("set the proxy"))
      #expect(try await self.proxy(of: sandbox) == "direct")
      #expect(try files(with: password, in: sandbox).isEmpty)
      let redone = try await sandbox.telex("redo", "--json").json()["done"] as? [String: Any]
      #expect((redone?["remark"] as? String)?.contains("is not kept") == true)
      #expect(try await self.proxy(of: sandbox) == proxy.url())
    }
  }

  @Test(arguments: [true, false])
  func `Nothing is added where the password of its proxy cannot be kept`(isKnown: Bool) async throws
  {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      let way = ["add", address, "--proxy", proxy.url(as: "ada:" + password)]
      if isKnown {
        #expect(try await sandbox.telex(way).status == 0)
        #expect(try await sandbox.telex("set", "1", "--proxy", "direct").status == 0)
      }
      #expect(try await sandbox.telex("list").status == 0)
      let secrets = sandbox.folder + "/.local/share/telex/secrets"
      try? FileManager.default.removeItem(atPath: secrets)
      try sandbox.file(".local/share/telex/secrets", "no folder")
      for verb in isKnown ? [way, ["set", "1"] + way.dropFirst(2)] : [way] {
        let refused = try await sandbox.telex(verb)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("telex: config: "), "\(refused.testDescription)")
      }
      if isKnown {
        #expect(try await self.proxy(of: sandbox) == "direct")
      } else {
        #expect(try await sandbox.telex("list").output == "")
      }
    }
  }

  @Test func `A password whose feed was not stored is forgotten`() async throws {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      #expect(try await sandbox.telex("list").status == 0)
      // A disk that takes the credentials, and no page of a feed.
      let refused = try await sandbox.shell(
        "trap '' XFSZ; ulimit -f 64; telex add \(address) --proxy \(proxy.url(as: "ada:" + password))"
      )
      #expect(refused.status == 1 && refused.errors.contains("telex: store: "), "\(refused.errors)")
      #expect(proxy.visits.count > 0)
      #expect(try files(with: password, in: sandbox).isEmpty)
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test func `A feed finds the password that was kept before it had a number`() async throws {
    try await withProxy(credentials: "ada:" + password) { proxy, sandbox in
      let added = try await sandbox.telex(
        "add", address, "--proxy", proxy.url(as: "ada:" + password))
      #expect(added.status == 0, "\(added.testDescription)")
      let kept = try #require(sandbox.contents(of: credentials))
      #expect(!kept.contains("of feed at "))
      // As a kill right after the subscription leaves it.
      let early = kept.replacing("of feed 1:", with: "of feed at \(address):")
      try sandbox.file(credentials, early, permissions: 0o600)
      #expect(early != kept)
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(sandbox.contents(of: credentials) == kept)
      try sandbox.file(credentials, early, permissions: 0o600)
      #expect(try await sandbox.telex("remove", "1", "--erase").status == 0)
      #expect(try files(with: password, in: sandbox).isEmpty)
    }
  }

  @Test func `The proxy of a feed is set, changed and taken back`() async throws {
    try await withProxy { proxy, sandbox in
      let added = try await sandbox.telex("add", address, "--proxy", proxy.url())
      #expect(added.status == 0, "\(added.testDescription)")
      func set(_ way: String, stdin: String = "") async throws -> TelexCommand.Outcome {
        let arguments =
          ["set", "1", "--proxy", way] + (stdin.isEmpty ? [] : ["--proxy-password-stdin"])
        let outcome = try await sandbox.telex(arguments, stdin: stdin)
        #expect(outcome.status == 0, "\(outcome.testDescription)")
        return outcome
      }
      #expect(try await set("direct").output.contains("fetched without a proxy"))
      #expect(try await self.proxy(of: sandbox) == "direct")
      let visits = proxy.visits.count
      #expect(try await sandbox.telex("refresh", "--timeout", "5").status == 1)
      #expect(proxy.visits.count == visits)

      #expect(try await set("default").output.contains("proxy default: none"))
      #expect(try await self.proxy(of: sandbox) == nil)
      let environment = ["http_proxy": proxy.url()]
      let refreshed = try await sandbox.telex(["refresh"], environment: environment)
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(proxy.visits.count > visits)

      _ = try await set(proxy.url("socks5h", as: "ada"), stdin: password + "\n")
      #expect(try files(with: password, in: sandbox) == [credentials])
      #expect(try await self.proxy(of: sandbox) == proxy.url("socks5h"))
      // Another proxy does not get the password of the one before.
      _ = try await set(proxy.url(as: "ada"))
      #expect(try files(with: password, in: sandbox).isEmpty)
    }
  }

  @Test(arguments: ["ftp://p:1", "http://p:99999", "p:1/x"])
  func `What is no proxy is refused, and nothing is added`(proxy: String) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex("add", address, "--proxy", proxy)
    #expect(outcome.status == 2, "\(outcome.testDescription)")
    #expect(outcome.errors.contains("proxy"))
  }

  @Test func `A set without anything to set says what there is`() async throws {
    let outcome = try await Sandbox().telex("set", "1")
    #expect(outcome.status == 2 && outcome.errors.contains("--title TITLE"))
  }

  @Test func `A proxy that nobody runs is told by refresh and doctor, without its password`()
    async throws
  {
    try await withProxy { proxy, sandbox in
      let added = try await sandbox.telex("add", address, "--proxy", proxy.url())
      #expect(added.status == 0, "\(added.testDescription)")
      #expect(try await sandbox.telex("set", "1", "--proxy", "default").status == 0)
      try await withRefusedPort { port in
        let environment = ["http_proxy": "http://ada:\(password)@127.0.0.1:\(port)"]
        let name = "http://127.0.0.1:\(port)"
        let refreshed = try await sandbox.telex(
          ["refresh", "--json", "--timeout", "5"], environment: environment)
        #expect(refreshed.status == 1)
        let failed = try #require((try refreshed.json()["failed"] as? [[String: Any]])?.first)
        let error = try #require(failed["error"] as? [String: Any])
        #expect(error["stage"] as? String == "connect")
        #expect(error["message"] as? String == "The proxy \(name) does not accept connections.")
        let looked = try await sandbox.telex(["doctor", "1"], environment: environment)
        #expect(looked.status == 1)
        #expect(looked.output.contains("✗ Proxy"), "\(looked.output)")
        #expect(looked.output.contains(name))
        #expect(try files(with: password, in: sandbox).isEmpty)
        #expect(!(refreshed.output + refreshed.errors + looked.output).contains(password))
      }
    }
  }

  @Test func `A token is renewed on the way of the feed that needs it`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.addUser("ada", password: password)
      let login = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: password + "\n")
      #expect(login.status == 0, "\(login.testDescription)")
      let port = try #require(server.baseURL.split(separator: ":").last.flatMap { UInt16($0) })
      let proxy = try LoopbackProxy(to: port)
      let added = try await sandbox.telex("add", server.apiURL, "--proxy", proxy.url())
      #expect(added.status == 0, "\(added.testDescription)")
      let (asked, visits) = (server.requests.count, proxy.visits.count)
      server.expireAccessTokens()
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      let fresh = server.requests.dropFirst(asked)
      #expect(fresh.contains { $0.path == "/api/session/refresh" })
      #expect(proxy.visits.count - visits == fresh.count)
    }
  }
}
