import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import TestSupport
import Testing

/// Names and passwords in addresses that are typed or imported.
@Suite(.timeLimit(.minutes(10)))
struct AddressPasswordTests {
  private static let password = "pa55-w0rd"
  private let credentials = ".local/share/telex/secrets/credentials.json"

  private func withLockedFeeds(
    _ body: nonisolated(nonsending) (FeedServer, Sandbox) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      server.protect("/rss.xml", with: .basic(user: "ada", password: Self.password))
      server.protect("/atom.xml", with: .basic(user: "bob", password: "b0b's: own"))
      try await body(server, sandbox)
    }
  }

  private func address(_ server: FeedServer, _ path: String, user: String = "ada:pa55-w0rd")
    -> String
  {
    "http://\(user)@127.0.0.1:\(server.port)\(path)"
  }

  /// Everything in the sandbox's files, but the credentials themselves.
  private func files(_ sandbox: Sandbox, with text: String) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.folder))
    return names.compactMap { $0 as? String }.filter { name in
      !name.hasSuffix("credentials.json")
        && FileManager.default.contents(atPath: sandbox.folder + "/" + name)?
          .range(of: Data(text.utf8)) != nil
    }
  }

  private func storedAddresses(_ sandbox: Sandbox) throws -> [String] {
    try database(sandbox).read { try String.fetchAll($0, sql: "SELECT url FROM feed ORDER BY id") }
  }

  private func database(_ sandbox: Sandbox) throws -> DatabaseQueue {
    try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
  }

  @Test func `A password in a typed address signs in, and lies with the secrets only`()
    async throws
  {
    try await withLockedFeeds { server, sandbox in
      let wrong = try await sandbox.telex("add", address(server, "/rss.xml", user: "ada:no"))
      #expect(wrong.status == 1 && sandbox.contents(of: credentials) == nil)
      let typed = address(server, "/rss.xml")
      var said = ""
      for verb in [
        ["add", typed], ["refresh"], ["fetch", typed], ["fetch", "1", "--json"], ["list"],
        ["list", "--json"], ["export"], ["export", "--json"], ["doctor", typed],
        ["doctor", "1", "--json"], ["add", typed, "--json"],
      ] {
        let outcome = try await sandbox.telex(verb)
        #expect(outcome.status == 0, "\(verb) \(outcome.testDescription)")
        said += outcome.output + outcome.errors
      }
      #expect(!said.contains(Self.password) && !said.contains("ada@"))
      #expect(said.contains(#"telex:needsSignIn="true""#))
      #expect(try storedAddresses(sandbox) == [server.baseURL + "/rss.xml"])
      #expect(try files(sandbox, with: Self.password) == [])
      #expect(sandbox.contents(of: credentials)?.contains(Self.password) == true)

      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("H")
      try await reader.wait(for: "Address")
      #expect(try await reader.quit() == .exited(0))
      #expect(!String(decoding: reader.output, as: UTF8.self).contains(Self.password))
    }
  }

  @Test func `Two feeds of one server have each their own name and password`() async throws {
    try await withLockedFeeds { server, sandbox in
      try await sandbox.add(address(server, "/rss.xml"))
      try await sandbox.add(address(server, "/atom.xml", user: "bob:b0b%27s%3A%20own"))
      let outcome = try await sandbox.telex("refresh")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let moved = try await sandbox.telex("remove", server.baseURL + "/rss.xml", "--erase")
      #expect(moved.status == 0)
      #expect(sandbox.contents(of: credentials)?.contains(Self.password) == false)
      #expect(sandbox.contents(of: credentials)?.contains("b0b's") == true)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try await sandbox.telex("remove", "2", "--erase").status == 0)
      #expect(sandbox.contents(of: credentials) == nil)
    }
  }

  @Test func `A feed that moves to another server leaves its password behind`() async throws {
    try await withNewspaper(newspaper(5)) { other, _ in
      let server = RawServer { request in
        let isSigned = request.header("Authorization") != nil
        if request.path == "/moved" {
          return .reply(
            WireReply(status: 301, headers: [("Location", other.baseURL + "/rss.xml")]))
        }
        let feed = """
          <rss version="2.0"><channel><title>Locked</title><item><guid>1</guid><title>One</title>\
          </item></channel></rss>
          """
        return .reply(
          WireReply(status: isSigned ? 200 : 401, type: "application/rss+xml", text: feed))
      }
      let port = try server.start()
      let sandbox = try Sandbox()
      try await sandbox.add("http://ada:pa55-w0rd@127.0.0.1:\(port)/feed")
      #expect(sandbox.contents(of: credentials) != nil)
      try await database(sandbox).write {
        try $0.execute(sql: "UPDATE feed SET url = replace(url, '/feed', '/moved')")
      }
      let outcome = try await sandbox.telex("refresh")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(try storedAddresses(sandbox) == [other.baseURL + "/rss.xml"])
      #expect(sandbox.contents(of: credentials) == nil)
      #expect(!other.requests.isEmpty)
      #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
      await server.stop()
    }
  }

  @Test func `A page that a feed names at another server is asked for without the password`()
    async throws
  {
    try await withNewspaper(newspaper(5)) { other, sandbox in
      let server = RawServer { request in
        let feed = """
          <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Locked</title>\
          <atom:link rel="next" href="\(other.baseURL)/rss.xml"/>\
          <item><guid>1</guid><title>One</title></item></channel></rss>
          """
        let isSigned = request.header("Authorization") != nil
        return .reply(
          WireReply(status: isSigned ? 200 : 401, type: "application/rss+xml", text: feed))
      }
      let port = try server.start()
      try await sandbox.add("http://ada:pa55-w0rd@127.0.0.1:\(port)/feed")
      let outcome = try await sandbox.telex("refresh", "--all-pages")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(!other.requests.isEmpty)
      #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
      await server.stop()
    }
  }

  @Test func `Names and passwords in addresses that documents name are neither stored nor printed`()
    async throws
  {
    let server = RawServer { request in
      let base = "http://\(request.header("Host") ?? "")"
      let other = base.replacing("http://", with: "http://mallory:pa55-w0rd@")
      let type = request.path == "/page" ? "text/html" : "application/rss+xml"
      let next =
        request.path.hasPrefix("/older")
        ? "" : "<atom:link rel='next' href='\(other)/older\(request.path)'/>"
      let text =
        request.path == "/page"
        ? "<html><link rel=alternate type=application/rss+xml href='\(other)/feed'></html>"
        : """
        <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"
          xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xml:base="\(other)/base/"><channel><title>T</title><link>\(other)/</link>
        \(next)
        <itunes:new-feed-url>\(other)/new</itunes:new-feed-url>
        <image><url>\(other)/image.png</url></image>
        <item><guid>\(other)\(request.path)/1</guid><link>relative</link><title>One</title>
        <comments>\(other)/comments</comments><source url="\(other)/source">S</source>
        <category domain="\(other)/categories">C</category>
        <enclosure url="\(other)/file.mp3" type="audio/mpeg" length="1"/>
        <description>&lt;a href="\(other)/a"&gt;a&lt;/a&gt; &lt;a href='b'&gt;b&lt;/a&gt;
        &lt;img src="\(other)/c.png" srcset="\(other)/d.png 2x"&gt;</description></item>
        </channel></rss>
        """
      return .reply(WireReply(type: type, text: text))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try sandbox.file(
      "list.opml",
      """
      <opml version="2.0" xmlns:x="urn:x"><body><outline text="F" x:icon="http://mallory:pa55-w0rd@e.org/i">
      <outline text="L" xmlUrl="\(base)/listed" htmlUrl="http://mallory:pa55-w0rd@e.org/"
        x:icon="http://mallory:pa55-w0rd@e.org/i"/></outline></body></opml>
      """)
    var printed = ""
    for arguments in [
      ["opml", "list.opml", "--json"], ["fetch", base + "/feed", "--json"],
      ["add", base + "/page"],
      ["import", "list.opml", "--trust"], ["refresh", "--all-pages"], ["list", "--json"],
      ["articles", "--json"], ["show", "1", "--json"], ["show", "1"], ["export"],
      ["export", "--articles"], ["doctor", "1"],
    ] {
      let outcome = try await sandbox.telex(arguments)
      if arguments[0] != "doctor" { #expect(outcome.status == 0, "\(outcome.testDescription)") }
      printed += outcome.output + outcome.errors
    }
    #expect(!printed.contains(Self.password) && !printed.contains("mallory"), "\(printed)")
    #expect(printed.contains("\(base)/base/b") || printed.contains("\\/base\\/b"), "\(printed)")
    #expect(server.requests.contains { $0.path.hasPrefix("/older") })
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
    try FileManager.default.removeItem(atPath: sandbox.folder + "/list.opml")
    #expect(try files(sandbox, with: Self.password) == [])
    #expect(sandbox.contents(of: credentials) == nil)
    await server.stop()
  }

  @Test func `Addresses of a list are stored without their passwords`() async throws {
    try await withLockedFeeds { server, sandbox in
      let list = """
        <opml version="2.0"><body>
        <outline text="\(address(server, "/rss.xml"))" title="\(address(server, "/rss.xml"))"
          xmlUrl="\(address(server, "/rss.xml"))" htmlUrl="\(address(server, "/"))"
          x="\(address(server, "/rss.xml"))"/>
        <outline text="plain" xmlUrl="http://ada:pa55-w0rd@192.0.2.1/feed"/>
        </body></opml>
        """
      try sandbox.file("list.opml", list)
      let outcome = try await sandbox.telex("import", "--trust", "list.opml")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      try FileManager.default.removeItem(atPath: sandbox.folder + "/list.opml")
      #expect(try files(sandbox, with: Self.password) == [])
      let refreshed = try await sandbox.telex("refresh", "1")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      // Not even over plain http is it sent, and the user is told what helps.
      let plain = try await sandbox.telex("refresh", "2")
      #expect(plain.status == 1)
      #expect(plain.errors.contains("plain http") && plain.errors.contains("https address"))
      #expect(try storedAddresses(sandbox).count == 2)
    }
  }

  @Test func `login takes name and password from an address`() async throws {
    try await withLockedFeeds { server, sandbox in
      let outcome = try await sandbox.telex("login", address(server, "/rss.xml"), "--basic")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(!outcome.output.contains(Self.password))
      #expect(try files(sandbox, with: Self.password) == [])
      try await sandbox.add(server.baseURL + "/rss.xml")
    }
  }

  @Test func `c in the reader takes a new password for the same address`() async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      server.protect("/rss.xml", with: .basic(user: "ada", password: Self.password))
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("Hc")
      try await reader.wait(for: server.baseURL + "/rss.xml")
      try reader.send("\u{15}" + address(server, "/rss.xml") + "\r")
      #expect(
        try await eventually {
          try database(sandbox).read { db in
            try String.fetchOne(db, sql: "SELECT signIn FROM feed") != nil
          }
        })
      #expect(try await reader.quit() == .exited(0))
      #expect(try files(sandbox, with: Self.password) == [])
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test func `Removed and signed-out text is in no file`() async throws {
    try await withNewspaper(newspaper(20)) { server, sandbox in
      server.addUser("ada", password: Self.password)
      for leave in [["remove", "1", "--erase"], ["logout", server.baseURL, "--yes"]] {
        let login = try await sandbox.telex(
          "login", server.apiURL, "--user", "ada", "--password-stdin",
          stdin: Self.password + "\n")
        #expect(login.status == 0)
        try await sandbox.add(server.apiURL)
        // The index leaves out what a word has in common with the one before it.
        #expect(try files(sandbox, with: "uokka") != [])
        let number = try await sandbox.telex("list", "--json").jsonLines()[0]["id"] as? Int
        let verb = leave.map { $0 == "1" ? "\(number ?? 0)" : $0 }
        let outcome = try await sandbox.telex(verb)
        #expect(outcome.status == 0, "\(outcome.testDescription)")
        #expect(try files(sandbox, with: "uokka") == [])
        #expect(try files(sandbox, with: "Story 007") == [])
      }
    }
  }
}
