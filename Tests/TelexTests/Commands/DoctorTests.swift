import ChildProcess
import FeedServer
import Foundation
import LoopbackTLS
import PseudoTerminal
import Requirements
import TestSupport
import Testing

/// `telex doctor`, of an address and of the machine.
@Suite(.timeLimit(.minutes(10)))
struct DoctorTests {
  // MARK: An address

  static let addressKeys: Set<String> = [
    "ok", "url", "addresses", "proxy", "hops", "movedTo", "tls", "bytes", "etag", "lastModified",
    "revalidation", "clockSkew", "document", "signIn", "feed", "findings", "error",
  ]

  @Test(arguments: [0, 100, 65_536])
  func `A database file that was emptied is told, also as the first thing`(
    zeros: Int
  ) async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/store", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try sandbox.file(
      "store/telex.sqlite", String(repeating: "\0", count: zeros), permissions: 0o600)
    let outcome = try await sandbox.telex("doctor", "--store", "store")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(zeros == 0 ? "telex.sqlite is empty" : "The database is damaged"),
      "\(outcome.testDescription)")
  }

  @Test(.needs(.nghttpd))
  func `The version of HTTP that served a request is told`() async throws {
    let identity = try await TLSIdentity()
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/pages", withIntermediateDirectories: true)
    try sandbox.file(
      "pages/feed.json",
      #"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{"id": "1"}]}"#)
    let executable = try #require(Program.path(of: "nghttpd"))
    // It takes no port of the system's choice; one that is taken ends it.
    var server: ChildProcess?
    var port = 0
    while server == nil {
      port = .random(in: 20_000..<30_000)
      let started = try ChildProcess(
        executable,
        [
          "-v", "-a", "127.0.0.1", "-d", sandbox.folder + "/pages", "\(port)", identity.key,
          identity.certificate,
        ])
      #expect(await eventually { started.output.contains("listen ") || !started.isRunning })
      if started.isRunning { server = started }
    }
    defer { withExtendedLifetime(server) {} }
    try sandbox.file("config.toml", "[network]\nca_file = \"\(identity.certificate)\"\n")
    let outcome = try await sandbox.telex(
      "doctor", "https://localhost:\(port)/feed.json", "--config", "config.toml")
    #expect(outcome.output.contains("200 over HTTP/2"), "\(outcome.testDescription)")
    let machine = try await sandbox.telex("doctor", "--config", "config.toml")
    #expect(machine.output.contains("https is asked over HTTP/"), "\(machine.output)")
  }

  @Test func `A feed that is well has every step, and the exit status is 0`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let url = server.baseURL + "/rss.xml"
      let outcome = try await sandbox.telex("doctor", url, "--json")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let object = try outcome.json()
      #expect(Set(object.keys) == Self.addressKeys)
      #expect(object["ok"] as? Bool == true && object["error"] is NSNull)
      #expect(object["revalidation"] as? String == "notModified")
      let hop = try #require((object["hops"] as? [[String: Any]])?.first)
      #expect(hop["protocol"] as? String == "HTTP/1.1" && hop["status"] as? Int == 200)
      let times = try #require(hop["microseconds"] as? [String: Int])
      #expect(Set(times.keys) == ["dns", "connect", "tls", "firstByte", "total"])
      let document = try #require(object["document"] as? [String: Any])
      #expect(document["kind"] as? String == "feed" && document["entries"] as? Int == 3)
      let findings = try Self.findings(object)
      #expect(
        findings.map(\.name) == [
          "name", "connection", "tls", "answer", "time", "document", "clock", "sign-in",
          "redirects", "body", "validators", "freshness", "limits",
        ])
      // Nothing was asked but the document, and the store was not made for it.
      #expect(server.requests.map(\.target) == ["/rss.xml", "/rss.xml"])
      #expect(sandbox.contents(of: ".local/share/telex/telex.sqlite") == nil)

      let text = try await sandbox.telex("doctor", url)
      #expect(text.status == 0 && text.lines.last == "Everything works.")
      #expect(text.lines.allSatisfy { $0.count <= 80 }, "\(text.output)")
      #expect(text.output.contains("✓ Unchanged?   asked again, it says so (304)"))
    }
  }

  @Test func `A subscription is named by its number, with what the store knows`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      await server.stop()
      _ = try await sandbox.telex("refresh", "--timeout", "5")
      let outcome = try await sandbox.telex("doctor", "1", "--json")
      #expect(outcome.status == 1)
      let object = try outcome.json()
      let feed = try #require(object["feed"] as? [String: Any])
      #expect(feed["total"] as? Int == 3 && feed["failures"] as? Int == 1)
      let findings = try Self.findings(object)
      #expect(findings.map(\.name) == ["name", "connection", "sign-in", "feed"])
      #expect(findings[1].state == "failed" && findings[3].state == "attention")
      try server.start()
      let again = try await sandbox.telex("doctor", server.apiURL)
      #expect(again.status == 1, "the store still knows of the failure")
      #expect(again.output.contains("→ telex refresh 1"))
    }
    let nothing = try await Sandbox().telex("doctor", "4711", "--json")
    #expect(nothing.status == 2)
    try expectError(nothing, stage: "arguments")
  }

  @Test func `Redirects are told one by one`() async throws {
    let server = RawServer { request in
      switch request.path {
      case "/old": .reply(WireReply(status: 301, headers: [(name: "Location", value: "/new")]))
      case "/new":
        .reply(WireReply(status: 302, headers: [(name: "Location", value: "/now?key=sesame")]))
      default: .reply(Self.rss())
      }
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let object = try await sandbox.telex("doctor", base + "/old?key=sesame", "--json").json()
    #expect(object["movedTo"] as? String == base + "/new")
    let hops = try #require(object["hops"] as? [[String: Any]])
    #expect(hops.map { $0["status"] as? Int } == [301, 302, 200])
    #expect(hops.map { $0["permanent"] as? Bool } == [true, false, false])
    #expect(hops.map { $0["reused"] as? Bool } == [false, true, true])
    let text = try await sandbox.telex("doctor", base + "/old?key=sesame")
    #expect(text.output.contains("2 redirects; the stored address becomes"))
    #expect(text.output.contains("301 to \(base)/new for good"))
    #expect(text.output.contains("302 to \(base)/now for now"))
    #expect(!text.output.contains("sesame") && !"\(object)".contains("sesame"))
    await server.stop()
  }

  @Test func `A server that gives validators and forgets them is found out`() async throws {
    let server = RawServer { _ in .reply(Self.rss([(name: "ETag", value: "\"one\"")])) }
    let base = "http://127.0.0.1:\(try server.start())"
    let outcome = try await Sandbox().telex("doctor", base)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("! Unchanged?   asked again, it sends the same bytes"))
    #expect(outcome.lines.last == "One thing needs attention.")
    await server.stop()
  }

  @Test func `The report ends with the manners of both sides`() async throws {
    let server = RawServer { _ in
      .reply(
        Self.rss([
          (name: "Cache-Control", value: "max-age=600"), (name: "Retry-After", value: "90"),
          (name: "RateLimit", value: "\"hour\";r=3;t=1800"),
        ]))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try sandbox.file(
      "config.toml", "[refresh]\ninterval_minutes = 30\n[network]\nmax_body_bytes = 2000000\n")
    let outcome = try await sandbox.telex("doctor", base, "--json", "--config", "config.toml")
    let object = try outcome.json()
    let findings = try #require(object["findings"] as? [[String: Any]])
    func told(_ name: String) -> [String] {
      findings.filter { $0["name"] as? String == name }.flatMap {
        [$0["finding"] as? String ?? ""] + ($0["details"] as? [String] ?? [])
      }
    }
    #expect(told("redirects") == ["none"])
    #expect(told("body").last == "Telex reads up to 2.0 MB")
    #expect(told("validators") == ["neither ETag nor Last-Modified: a refresh takes all of it"])
    #expect(told("freshness") == ["max-age 10 min", "a refresh by itself waits 30 min"])
    #expect(told("limits") == ["Retry-After 90 s, a quota, renewed in 30 min"])
    let hop = try #require((object["hops"] as? [[String: Any]])?.first)
    #expect(hop["retryAfter"] as? String == "90")
    #expect(hop["rateLimit"] as? String == "\"hour\";r=3;t=1800")
    await server.stop()
  }

  @Test func `A page leads to its feed, in the usual places too`() async throws {
    let server = RawServer { request in
      switch request.path {
      case "/": .reply(WireReply(type: "text/html", text: "<!doctype html><p>Hello</p>"))
      case "/feed": .reply(Self.rss())
      default: .reply(WireReply(status: 404))
      }
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let object = try await sandbox.telex("doctor", base + "/", "--json").json()
    let document = try #require(object["document"] as? [String: Any])
    #expect(document["kind"] as? String == "page")
    #expect(document["feeds"] as? [String] == [base + "/feed"])
    let text = try await sandbox.telex("doctor", base + "/")
    #expect(text.status == 1)
    #expect(text.output.contains("! Document     a page that leads to 1 feed"))
    #expect(text.output.contains("→ telex add \(base)/"))
    await server.stop()
  }

  @Test func `Where nothing is at the address, the page that leads to a feed is named`()
    async throws
  {
    let server = RawServer { request in
      switch request.path {
      case "/":
        .reply(
          WireReply(
            type: "text/html", text: "<html><link rel=alternate type=text/rss href=/feed></html>"))
      case "/feed": .reply(Self.rss())
      default: .reply(WireReply(status: 404))
      }
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let text = try await Sandbox().telex("doctor", base + "/gone")
    #expect(text.status == 1)
    #expect(text.output.contains("there is none, but \(base)/ leads to 1 feed"))
    await server.stop()
  }

  struct Failure: Sendable, CustomTestStringConvertible {
    var what: String
    var finding: String
    var says: String
    var next: String
    var respond: @Sendable () -> Script
    var testDescription: String { what }
  }

  static let failures = [
    Failure(what: "404", finding: "answer", says: "(404)", next: "check the address") {
      .reply(WireReply(status: 404))
    },
    Failure(what: "401", finding: "answer", says: "(401)", next: "telex login http://127.0.0.1") {
      .reply(WireReply(status: 401))
    },
    Failure(what: "cut short", finding: "answer", says: "ended the connection", next: "try again") {
      .reset
    },
    Failure(what: "silence", finding: "answer", says: "longer than allowed", next: "later") {
      .hang
    },
    Failure(what: "no HTTP", finding: "answer", says: "not proper HTTP", next: "web server") {
      Script([.send(Array("220 mail ESMTP\r\n".utf8)), .close])
    },
    Failure(what: "a circle", finding: "redirects", says: "in a circle", next: "user-agent") {
      .reply(WireReply(status: 302, headers: [(name: "Location", value: "/")]))
    },
    Failure(
      what: "no feed", finding: "document", says: "names no feed", next: "address of the feed"
    ) {
      .reply(WireReply(type: "text/plain", text: "hello"))
    },
  ]

  @Test(arguments: failures)
  func `What fails is told at its step, with what helps`(item: Failure) async throws {
    let server = RawServer { _ in item.respond() }
    let base = "http://127.0.0.1:\(try server.start())/"
    let outcome = try await Sandbox().telex("doctor", base, "--json", "--timeout", "3")
    #expect(outcome.status == 1)
    let findings = try Self.findings(try outcome.json())
    let failed = findings.filter { $0.state == "failed" }
    #expect(failed.map(\.name) == [item.finding], "\(outcome.testDescription)")
    #expect(failed.first?.finding.contains(item.says) == true, "\(failed)")
    #expect(failed.first?.next.contains(item.next) == true, "\(failed)")
    await server.stop()
  }

  @Test func `A port on which nothing listens is refused`() async throws {
    let outcome = try await Sandbox().telex("doctor", "http://127.0.0.1:1/", "--json")
    #expect(outcome.status == 1)
    let object = try outcome.json()
    #expect(Set(object.keys) == Self.addressKeys)
    let findings = try Self.findings(object)
    #expect(findings.map(\.name) == ["name", "connection", "sign-in"])
    #expect(findings[1].state == "failed")
  }

  @Test func `A clock that is wrong is told`() async throws {
    let long = Date(timeIntervalSince1970: 1_000_000_000)
    let server = try FeedServer(archive: newspaper(1), clock: { long })
    try await server.whileServing { base in
      let outcome = try await Sandbox().telex("doctor", base + "/rss.xml")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("ahead of 127.0.0.1"))
    }
  }

  @Test func `A sign-in is named by its scheme, and its secret by nobody`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.addUser("zoe", password: "sesame")
      let login = try await sandbox.telex(
        "login", server.apiURL, "--user", "zoe", "--password-stdin", stdin: "sesame\n")
      try #require(login.status == 0, "\(login.testDescription)")
      let outcome = try await sandbox.telex("doctor", server.apiURL, "--json")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let object = try outcome.json()
      #expect(object["signIn"] as? String == "feed-api")
      #expect((object["document"] as? [String: Any])?["kind"] as? String == "api")
      #expect(!outcome.output.contains("sesame") && !outcome.output.contains("zoe"))
      let machine = try await sandbox.telex("doctor", "--json").json()
      let accounts = try Self.findings(machine).first { $0.name == "accounts" }
      #expect(accounts?.state == "ok")
      // It may be in a keyring that cannot be reached, where the machine has libsecret.
      try FileManager.default.removeItem(
        atPath: sandbox.folder + "/.local/share/telex/secrets/credentials.json")
      let poor = try await sandbox.telex("doctor")
      let words = poor.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(poor.status == 1 && words.contains("telex login http://127.0.0.1"), "\(words)")
    }
  }

  @Test(arguments: ["ftp://example.org/", "http://", "./feed.xml", ""])
  func `What is no address on the web is an error`(address: String) async throws {
    let outcome = try await Sandbox().telex("doctor", "--json", "--", address)
    #expect(outcome.status == 1 || outcome.status == 2)
    try expectError(outcome)
  }

  // MARK: The machine

  @Test func `A new machine is well, and nothing is made on it`() async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex("doctor", "--json")
    let object = try outcome.json()
    #expect(Set(object.keys) == ["ok", "version", "findings", "error"])
    let findings = try Self.findings(object)
    #expect(
      findings.map(\.name) == [
        "store", "config", "secrets", "network", "library", "proxy", "clock", "pictures", "feeds",
        "terminal", "direction",
      ])
    // Whether there is a network is the machine's business.
    let others = findings.filter { $0.name != "network" }
    #expect(others.allSatisfy { $0.state == "ok" || $0.state == "skipped" }, "\(others)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder) == [])
  }

  @Test(arguments: [
    (#"printf '3.1c\nexternal\n'"#, true), (#"printf '3.3a\noff\n'"#, false), ("exit 1", false),
  ])
  func `A tmux that keeps what is copied from its terminal is told of`(
    script: String, isToldOf: Bool
  ) async throws {
    let sandbox = try Sandbox()
    let programs = sandbox.folder + "/programs"
    try FileManager.default.createDirectory(
      atPath: programs, withIntermediateDirectories: true)
    try sandbox.file("programs/tmux", "#!/bin/sh\n\(script)\n", permissions: 0o755)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let outcome = try await sandbox.telex(
      "doctor", "--json",
      environment: ["PATH": "\(programs):\(path)", "TMUX": "/nowhere,1,0", "TMUX_PANE": "%0"])
    let found = try Self.findings(try outcome.json()).first { $0.name == "clipboard" }
    #expect((found?.state == "attention") == isToldOf, "\(outcome.testDescription)")
  }

  @Test func `Permissions, settings and what was set aside are looked at`() async throws {
    let sandbox = try Sandbox()
    let store = sandbox.folder + "/store"
    _ = try await sandbox.telex("list", "--store", store)
    func found(_ name: String) async throws -> Finding? {
      try Self.findings(try await sandbox.telex("doctor", "--store", store, "--json").json())
        .first { $0.name == name }
    }
    #expect(try await found("store")?.state == "ok")
    #expect(try await found("database")?.finding.hasPrefix("sound") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store)
    #expect(try await found("store")?.next == "chmod 700 \(store)")
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: store)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: store + "/telex.sqlite")
    #expect(try await found("store")?.next.hasPrefix("chmod 600") == true)
    try FileManager.default.createDirectory(
      atPath: store + "/secrets", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    #expect(try await found("secrets")?.state == "failed")
    try sandbox.file("store/telex.sqlite.damaged-1700000000", "")
    #expect(try await found("setAside")?.state == "attention")
    let settings = try sandbox.file("config.toml", "[network]\nproxy = 7\n")
    let outcome = try await sandbox.telex("doctor", "--config", settings)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("✗ Settings     network.proxy: this must be a string"))
    #expect(outcome.output.contains("~/config.toml:2:1"))
  }

  @Test func `A store of an earlier version is left as it is`() async throws {
    let sandbox = try Sandbox()
    let archive = fixtures.appending(path: "stores/schema-27.tar.gz").path
    let unpacked = try await sandbox.shell("mkdir store && tar -xzf '\(archive)' -C store")
    try #require(unpacked.status == 0, "\(unpacked.testDescription)")
    let before = FileManager.default.contents(atPath: sandbox.folder + "/store/telex.sqlite")
    for _ in 0..<2 {
      let outcome = try await sandbox.telex("doctor", "--store", sandbox.folder + "/store")
      #expect(
        outcome.output.contains("before the first release (schema 27)")
          && outcome.output.contains("built from commit"),
        "\(outcome.output)")
    }
    #expect(FileManager.default.contents(atPath: sandbox.folder + "/store/telex.sqlite") == before)
  }

  @Test func `A damaged database is a finding, and is left alone`() async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/store", withIntermediateDirectories: false)
    let noise = String(repeating: "this is no database. ", count: 2_000)
    try sandbox.file("store/telex.sqlite", noise)
    for arguments in [["doctor"], ["doctor", "http://127.0.0.1:1/"]] {
      let outcome = try await sandbox.telex(
        arguments + ["--store", sandbox.folder + "/store", "--json"])
      #expect(outcome.status == 1)
      #expect(sandbox.contents(of: "store/telex.sqlite") == noise)
      let states = try Self.findings(try outcome.json()).filter { $0.state != "ok" }
      #expect(states.contains { $0.name == "database" || $0.name == "machine" })
    }
    let store = try sandbox.file("file", "not a folder")
    let outcome = try await sandbox.telex("doctor", "--store", store, "--json")
    #expect(outcome.status == 1, "\(outcome.testDescription)")
    #expect(try Self.findings(try outcome.json()).contains { $0.state == "failed" })
  }

  @Test func `Feeds that fail are counted, and the worst are named`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for path in ["/rss.xml", "/atom.xml", "/feed.json"] {
        try await sandbox.add(server.baseURL + path)
      }
      server.inject(.status(404), on: "/atom.xml", times: nil)
      _ = try await sandbox.telex("refresh")
      let outcome = try await sandbox.telex("doctor")
      #expect(outcome.status == 1)
      #expect(outcome.output.contains("! Feeds        1 of 3 fails"))
      #expect(outcome.output.contains("→ telex doctor 2"))
      // One that is gone for good fails no longer.
      server.inject(.status(410), on: "/feed.json", times: nil)
      _ = try await sandbox.telex("refresh")
      let later = try await sandbox.telex("doctor").output
      #expect(later.contains("! Feeds        1 of 3 fails, 1 of 3 is gone"))
    }
  }

  @Test func `Proxies are named without their passwords`() async throws {
    let sandbox = try Sandbox()
    let settings = try sandbox.file(
      "config.toml",
      "[network.proxies]\n'example.com' = 'http://ada:sesame@127.0.0.1:2'\n'b.example' = 'direct'\n"
    )
    let outcome = try await sandbox.telex(
      "doctor", "--config", settings,
      environment: [
        "https_proxy": "http://ada:sesame@127.0.0.1:1", "no_proxy": "example.org",
      ])
    #expect(outcome.output.contains("https by http://127.0.0.1:1"))
    #expect(outcome.output.contains("not for example.org"))
    #expect(outcome.output.contains("example.com by http://127.0.0.1:2"))
    #expect(outcome.output.contains("b.example directly"))
    #expect(outcome.output.contains("others may read the proxy's password"))
    #expect(!outcome.output.contains("sesame"))
  }

  @Test(arguments: [
    ("xterm-256color", "C.UTF-8", "✓", "256 colours, UTF-8"),
    ("xterm-256color", "C", "!", "not one of UTF-8"), ("dumb", "C.UTF-8", "!", "TERM is dumb"),
  ])
  func `The terminal is looked at from within`(
    type: String, language: String, mark: String, says: String
  ) async throws {
    let sandbox = try Sandbox()
    let terminal = try sandbox.reader(
      "doctor", environment: ["TERM": type, "LANG": language],
      size: (width: 100, height: 40))
    let screen = try await terminal.wait(for: says)
    #expect(screen.contains("\(mark) Terminal"))
  }

  // MARK: Support

  struct Finding {
    var name: String
    var state: String
    var finding: String
    var next: String
  }

  static func findings(_ object: [String: Any]) throws -> [Finding] {
    let list = try #require(object["findings"] as? [[String: Any]])
    return try list.map { item in
      #expect(Set(item.keys) == ["name", "state", "finding", "details", "next"])
      return Finding(
        name: try #require(item["name"] as? String), state: try #require(item["state"] as? String),
        finding: try #require(item["finding"] as? String), next: item["next"] as? String ?? "")
    }
  }

  static func rss(_ headers: [(name: String, value: String)] = []) -> WireReply {
    WireReply(
      type: "application/rss+xml", headers: headers,
      text: "<rss version='2.0'><channel><title>T</title>"
        + "<item><guid>a</guid><title>A</title></item></channel></rss>")
  }
}
