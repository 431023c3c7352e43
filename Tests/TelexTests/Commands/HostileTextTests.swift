import ChildProcess
import FeedServer
import Foundation
import GRDB
import LoopbackTLS
import PseudoTerminal
import Requirements
import Synchronization
import Testing

/// Nothing from outside reaches a terminal raw: whoever wrote it, whatever verb tells it, and however
/// often it was stored and read before.
@Suite(.timeLimit(.minutes(10)))
struct HostileTextTests {
  // MARK: Servers

  @Test(arguments: [
    ["add", "BASE/error"], ["fetch", "BASE/error"], ["doctor", "BASE/error"],
    ["add", "BASE/away"], ["doctor", "BASE/away"], ["add", "BASE/moved"], ["doctor", "BASE/moved"],
    ["add", "BASE/page", "--dry-run"], ["add", "BASE/page", "--all"], ["doctor", "BASE/page"],
    ["add", "BASE/feed"], ["fetch", "BASE/feed"], ["doctor", "BASE/feed"],
    ["login", "BASE/api", "--user", "ada", "--password-stdin"],
    ["login", "BASE/api", "--user", "ada", "--password-stdin", "--basic"],
  ])
  func `What a server says is harmless`(arguments: [String]) async throws {
    try await withHostileServer { base, _ in
      for form in [[], ["--json"]] {
        let sandbox = try Sandbox()
        let words = arguments.map { $0.replacing("BASE", with: base) } + form
        let outcome = try await sandbox.telex(words, stdin: "sesame\n")
        outcome.expectHarmless("\(words)")
        #expect(!(outcome.output + outcome.errors).isEmpty)
        // What the first run has stored is told by the second.
        for verb in [["list"], ["articles"], ["export"], ["accounts"]] {
          try await sandbox.telex(verb).expectHarmless("\(verb) after \(words)")
          try await sandbox.telex(verb + ["--json"]).expectHarmless("\(verb) after \(words)")
        }
      }
    }
  }

  @Test func `A server's refusal is harmless when it comes, and when it is told again`()
    async throws
  {
    try await withHostileServer { base, isFailing in
      let sandbox = try Sandbox()
      try await sandbox.add(base + "/quiet")
      isFailing.withLock { $0 = true }
      for form in [[], ["--json"]] {
        for verb in ["refresh", "list", "fetch"] {
          let outcome = try await sandbox.telex([verb] + (verb == "fetch" ? ["1"] : []) + form)
          outcome.expectHarmless(verb)
          let said = outcome.output + outcome.errors
          #expect(said.contains("before]0;owned"), "the words are there: \(said)")
        }
      }
      let doctor = try await sandbox.telex("doctor", "1")
      doctor.expectHarmless("doctor")
      #expect(doctor.output.contains("before]0;owned"))
    }
  }

  @Test func `JSON has the exact headers, in escapes`() async throws {
    try await withHostileServer { base, _ in
      let outcome = try await Sandbox().telex("doctor", base + "/feed", "--json")
      outcome.expectHarmless("doctor")
      let object = try outcome.json()
      // One that cannot be sent back is no validator.
      #expect(object["etag"] is NSNull)
      let hops = try #require(object["hops"] as? [[String: Any]])
      #expect(hops.first?["cacheControl"] as? String == HostileText.words)
      for escape in [#"\u001b"#, #"\u009b"#, #"\u202e"#, #"\u2066"#, #"\u007f"#, #"\u0007"#] {
        #expect(outcome.output.contains(escape), "\(escape)")
      }
    }
  }

  @Test(.needs(.openssl), arguments: [true, false])
  func `The names in a certificate are harmless`(isTrusted: Bool) async throws {
    let peer = try await TLSServer(
      subject: "/O=org\(HostileText.words)/CN=\(HostileText.words)",
      names: "DNS:localhost,DNS:evil\u{1B}[31m\u{7F}.example")
    let sandbox = try Sandbox()
    let settings = try sandbox.file(
      "config.toml", isTrusted ? "[network]\nca_file = \"\(peer.certificate)\"\n" : "")
    for form in [[], ["--json"]] {
      let outcome = try await sandbox.telex(["doctor", peer.url, "--config", settings] + form)
      outcome.expectHarmless("doctor")
      #expect(outcome.output.contains("before"), "\(outcome.testDescription)")
      guard isTrusted, form == ["--json"] else { continue }
      let tls = try #require(try outcome.json()["tls"] as? [String: Any])
      #expect(tls["subject"] as? String == HostileText.words)
      #expect((tls["names"] as? [String])?.last == "evil\u{1B}[31m\u{7F}.example")
    }
  }

  // MARK: Files and arguments

  @Test(arguments: [
    ["parse", "X"], ["opml", "X"], ["import", "X"], ["render", "X"], ["add", "X"], ["add", "./X"],
    ["extract", "X"], ["later", "X"], ["fetch", "X"], ["doctor", "X"], ["remove", "X"],
    ["articles", "--feed", "X"],
    ["articles", "--folder", "X"], ["refresh", "X"], ["login", "X"], ["logout", "X"],
    ["login", "http://127.0.0.1:1/", "--user", "X", "--password-stdin"], ["search", "X"],
    ["list", "--store", "X/telex"], ["list", "--config", "X"],
    ["import", "--articles", "--feed", "X", "X"],
    ["show", "X"], ["X"], ["list", "--X"], ["outbox", "--drop", "X"], ["help", "X"],
    ["articles", "--cursor", "X"], ["refresh", "--timeout", "X"], ["list", "--help", "X"],
    ["--version", "X"], ["--generate-completion-script", "X"],
  ])
  func `Arguments and names of files are harmless in errors`(arguments: [String]) async throws {
    let sandbox = try Sandbox()
    let words = arguments.map { $0.replacing("X", with: HostileText.words) }
    try await sandbox.telex(words).expectHarmless("\(words)")
    try await sandbox.telex(words + ["--json"]).expectHarmless("\(words)")
    // And where there is such a file, unless a store was made there.
    _ = try? sandbox.file(HostileText.words, HostileText.words)
    try await sandbox.telex(words).expectHarmless("\(words) with a file")
    try await sandbox.telex(words + ["--json"]).expectHarmless("\(words) with a file")
  }

  @Test(arguments: [
    ("parse", rss),
    ("render", "<p>before\u{9B}31m&#x1b;[2J&#x202e;after<a href='https://e\u{9D}'>x"),
    ("extract", "<article><h1>A</h1><p>before\u{9B}31m&#x1b;[2J&#x202e;after</p></article>"),
    ("opml", outlines), ("import", outlines),
  ])
  func `Documents are harmless`(verb: String, document: String) async throws {
    let sandbox = try Sandbox()
    let file = try sandbox.file(
      "document\u{1B}[31m", document.replacing("<title>", with: "<title>before\u{9B}31m\u{202E}"))
    try await sandbox.telex(verb, file).expectHarmless(verb)
    try await sandbox.telex(verb, file, "--json").expectHarmless(verb)
  }

  private static let outlines = """
    <opml version="2.0"><body>
    <outline text="before\u{9B}31m\u{202E}" xmlUrl="ftp://e\u{9D}\u{202E}.org/"/>
    <outline text="a\u{9B}31m" xmlUrl="https://e\u{9D}xample.org/\u{202E}" own="\u{9B}\u{202E}"/>
    </body></opml>
    """

  // MARK: Stores

  @Test(arguments: [
    ["list"], ["articles"], ["articles", "--unread"], ["search", "body"], ["show", "1"], ["export"],
    ["accounts"], ["outbox"], ["fetch", "1"], ["refresh"], ["doctor", "1"], ["doctor"],
    ["comments", "1"], ["remove", "1"], ["logout", "http://127.0.0.1:1"],
  ])
  func `What lies in a store is harmless when it is read`(arguments: [String]) async throws {
    try await withPoisonedStore { sandbox in
      for form in [["--json"], []] {
        let outcome = try await sandbox.telex(arguments + form)
        outcome.expectHarmless("\(arguments + form)")
        #expect(!(outcome.output + outcome.errors).isEmpty)
      }
    }
  }

  @Test func `The reader draws what lies in a store without a word to the terminal`() async throws {
    try await withPoisonedStore { sandbox in
      let reader = try sandbox.reader(size: (width: 120, height: 30))
      try await reader.wait(for: "before")
      try reader.send(.enter)
      try await reader.wait(for: "Ada")
      try reader.send("qH")
      try await reader.wait(for: "owned")
      #expect(try await reader.quit() == .exited(0))
      let written = reader.output
      for bytes in ["\u{1B}]0;", "\u{9B}", "\u{9D}", "\u{202E}", "\u{2066}"] {
        #expect(!written.contains(Array(bytes.utf8)), "\(bytes.debugDescription)")
      }
    }
  }

  // MARK: Support

  private func withHostileServer(
    _ body: (_ base: String, _ isFailing: borrowing Mutex<Bool>) async throws -> Void
  ) async throws {
    final class Switch: Sendable { let isFailing = Mutex(false) }
    let state = Switch()
    let hostile = HostileText.words
    let refusal = WireReply(
      status: 403, headers: [("Content-Type", "application/json"), ("X-Reason", hostile)],
      body: Array(try JSONEncoder().encode(["code": hostile, "message": hostile])))
    let feed = WireReply(
      type: "application/rss+xml",
      headers: [
        ("ETag", "\"\(hostile)\""), ("Last-Modified", hostile), ("Cache-Control", hostile),
        ("Link", "</feed>; rel=alternate; title=\"\(hostile)\""),
      ],
      text: """
        <rss version="2.0"><channel><title>before\u{9B}31m\u{202E}&#x9d;after</title>
        <link>https://e\u{9D}xample.org/\u{202E}</link><description>d\u{9D}</description>
        <item><guid>a\u{9D}</guid><title>before&#x202e;\u{9B}</title>
        <link>https://example.org/\u{9D}\u{202E}</link><author>a\u{9D}@example.org</author>
        <enclosure url="https://e\u{9D}xample.org/\u{202E}" type="audio/\u{9D}" length="1"/>
        <description>x\u{9B}&lt;a href="https://e&amp;#157;x.org/"&gt;y</description></item>
        </channel></rss>
        """)
    let page = WireReply(
      type: "text/html",
      text: """
        <title>p\u{9B}</title><link rel="alternate" type="application/rss+xml"
        title="before\u{9B}31m&#x202e;&#x9d;" href="/feed?\u{9D}&#x202e;">
        <link rel="alternate" type="application/atom+xml" href="https://e\u{9D}xample.org/feed">
        <link rel="alternate" type="application/atom+xml" href="https://e&#157;xample.org/feed">
        <link rel="alternate" type="application/atom+xml" href="//u\u{9D}@127.0.0.1:1/feed">
        <a href="feed:https://e\u{9D}xample.org/feed">RSS\u{9B}</a>
        """)
    let server = RawServer { request in
      switch request.path {
      case "/feed" where !state.isFailing.withLock { $0 }: .reply(feed)
      case "/quiet" where !state.isFailing.withLock { $0 }: .reply(DoctorTests.rss())
      case "/page": .reply(page)
      case "/moved":
        .reply(WireReply(status: 301, headers: [("Location", "/feed?\u{9D}\u{202E}#\u{9B}")]))
      case "/away":
        .reply(WireReply(status: 301, headers: [("Location", "http://e\u{9D}\u{202E}x.org/")]))
      case "/api":
        .reply(
          WireReply(
            type: "application/json",
            text: #"{"api": "telex-feed", "version": 1, "title": "t\u009b31m\u202e"}"#))
      default: .reply(refusal)
      }
    }
    try await body("http://127.0.0.1:\(try server.start())", state.isFailing)
    await server.stop()
  }

  /// A store of the newspaper, with everything in it that is text made hostile by another program.
  private func withPoisonedStore(_ body: (Sandbox) async throws -> Void) async throws {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let database = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      let hostile = HostileText.words
      let json = { (value: any Encodable) in
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
      }
      let error = """
        {"kind": "status", "stage": "fetch", "subject": \(try json(hostile)), "status": 403,
         "message": \(try json(hostile)), "next": \(try json(hostile)),
         "feedURL": \(try json("https://e\u{9D}x.org/"))}
        """
      let texts = try json([hostile])
      let people = try json([["name": hostile, "email": hostile, "url": hostile]])
      let details =
        """
        {"files": [{"url": \(try json(hostile)), "type": \(try json(hostile))}],
         "names": \(texts), "rights": \(try json(hostile)), "image": \(try json(hostile)),
         "language": \(try json(hostile)), "comments": {"page": \(try json(hostile))},
         "source": {"title": \(try json(hostile)), "url": \(try json(hostile))}}
        """
      let outline = try json([["name": "own", "value": hostile]])
      try await database.write { db in
        let body = Data([0]) + Data("<p>Ada \(hostile)</p>".utf8)
        try db.execute(
          sql: """
            UPDATE feed SET url = url || '?' || :text, title = :text, ownTitle = :text, link = :text,
              description = :text, language = :text, image = :text, icon = :text, rights = :text,
              authors = :people, movedTo = :text, outline = :outline;
            INSERT INTO feedFolder SELECT id, :text, 1 FROM feed;
            INSERT INTO folderOutline (folder, outline, isKept) VALUES (:text, :outline, 1);
            """,
          arguments: ["text": hostile, "people": people, "outline": outline])
        try db.execute(
          sql: """
            UPDATE feedState SET error = ?, etag = ?, lastModified = ?, redirectedTo = ?,
              failingSince = 1, failures = 3, lastStatus = 403, lastAttempts = 3
            """, arguments: [error, hostile, hostile, "http://e\u{9D}x/" + hostile])
        try db.execute(
          sql: "UPDATE article SET title = ?, excerpt = ?, url = ?, authors = ?",
          arguments: [hostile, hostile, "https://e\u{9D}/" + hostile, people])
        try db.execute(
          sql: "UPDATE articleBody SET content = ?, summary = ?, details = ?",
          arguments: [body, Data([0]) + Data(hostile.utf8), details])
        try db.execute(
          sql: """
            INSERT INTO signIn (origin, kind, user, detail, createdAt)
              VALUES ('http://127.0.0.1:1', 'apiKey', :text, :text, 1),
                ('http://e' || :text, 'basic', :text, NULL, 1);
            INSERT INTO account (kind, base, user, name, capabilities, createdAt)
              VALUES ('feedAPI', 'http://127.0.0.1:2/' || :text, :text, :text, 391, 1);
            INSERT INTO outbox (key, kind, value, articleID, createdAt, attempts, text, error)
              SELECT 'k', 'comment', 1, min(id), 1, 1, :text, :error FROM article;
            """,
          arguments: ["text": hostile, "error": error])
      }
      try database.close()
      try await body(sandbox)
    }
  }
}

extension [UInt8] {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
