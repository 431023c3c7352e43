import Foundation
import TestSupport
import Testing

/// `articles --as`.
@Suite(.timeLimit(.minutes(10)))
struct ArticleDocumentTests {
  @Test func `Articles as Atom are a feed that is read as what it was made of`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    let document = try await sandbox.telex("articles", "feed:rich", "--as", "atom", "--limit", "60")
    let parsed = try await sandbox.telex(
      "parse", try sandbox.file("out.atom", document.output), "--json"
    ).json()
    #expect(
      parsed["format"] as? String == "atom" && (parsed["warnings"] as? [Any])?.isEmpty == true)
    let entries = try #require(parsed["entries"] as? [[String: Any]])
    #expect(entries.count == 60 && Set(entries.map { $0["id"] as? String }).count == 60)
    let first = try #require(
      entries.first { ($0["title"] as? String)?.contains("first") == true })
    #expect(first["url"] as? String == "https://rich.example/first")
    #expect((first["contentHTML"] as? String)?.contains("\\ \"quoted\"</p>") == true)
    #expect(first["published"] as? String == "2026-11-24T10:00:00Z")
    let file = try #require((first["enclosures"] as? [[String: Any]])?.first)
    #expect(file["length"] as? Int == 42)
  }

  @Test func `Articles as a page load nothing, and each is in the list of contents`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    let page = try await sandbox.telex("articles", "--as", "html").output
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.count(of: "<article id=") == 122 && page.count(of: "<li><a href=\"#a") == 122)
    for hostile in ["<script", "<img", "<iframe", "<link", "javascript:", " src=", "alert"] {
      #expect(!page.contains(hostile), "\(hostile)")
    }
    #expect(page.contains("<a href=\"https://rich.example/x\">there</a>"))
    let markdown = try await sandbox.telex("articles", "\"first\"", "--as", "md").output
    #expect(markdown.contains("\n## [世界 first 🎉 rich](https://rich.example/first)\n"))
    #expect(markdown.contains(#"Hello [there](https://rich.example/x) \\ "quoted""#))
    #expect(try await sandbox.telex("articles", "--as", "pdf").status == 2)
    #expect(try await sandbox.telex("articles", "--as", "html", "--json").status == 2)
    let nothing = try await sandbox.telex("articles", "tag:none", "--as", "atom")
    #expect(nothing.output.hasSuffix("</feed>\n"))
  }

  @Test func `Articles as a mailbox are what Python reads of it`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    try await sandbox.succeed("read", "\"Item 7\"")
    try await sandbox.succeed("tag", "näher", "\"first\"")
    let document = try await sandbox.telex("articles", "--as", "mbox")
    #expect(document.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(document.output.split(separator: "\n").allSatisfy { $0.utf8.count <= 78 })
    try sandbox.file("out.mbox", document.output)
    let script = try sandbox.file(
      "read.py",
      """
      import json, mailbox, email
      from email import policy
      from email.header import decode_header, make_header
      box = mailbox.mbox('out.mbox', factory=lambda f: email.message_from_binary_file(
          f, policy=policy.compat32))
      for key in box.keys():
          message = box[key]
          parts = message.get_payload()
          print(json.dumps({
              'subject': str(make_header(decode_header(message['Subject']))),
              'from': str(make_header(decode_header(message['From']))),
              'id': message['Message-ID'], 'date': message['Date'], 'status': message['Status'],
              'tags': str(make_header(decode_header(message['Keywords'] or ''))),
              'types': [part.get_content_type() for part in parts],
              'texts': [part.get_payload(decode=True).decode('utf-8') for part in parts],
              'defects': len(message.defects) + sum(len(part.defects) for part in parts)}))
      """)
    let read = try await TelexCommand.run(
      [script], executable: try #require(BookReader.python), environment: sandbox.home,
      in: sandbox.folder)
    let messages = try read.jsonLines()
    #expect(messages.count == 122, "\(read.errors)")
    #expect(Set(messages.map { $0["id"] as? String }).count == 122)
    #expect(messages.allSatisfy { $0["defects"] as? Int == 0 })
    #expect(messages.count { $0["status"] as? String == "RO" } >= 1)
    let first = try #require(messages.first { $0["tags"] as? String == "näher" })
    #expect(first["subject"] as? String == "世界 first 🎉 rich")
    #expect((first["from"] as? String)?.contains("Ada L. (The rich feed)") == true)
    #expect((first["from"] as? String)?.hasSuffix("<ada@example.org>") == true)
    #expect(first["date"] as? String == "Tue, 24 Nov 2026 10:00:00 +0000")
    #expect(first["types"] as? [String] == ["text/plain", "text/html"])
    let texts = try #require(first["texts"] as? [String])
    #expect(texts[0].contains("From the start") && !texts[1].contains("<script"))
    // The same articles are the same messages.
    let again = try await sandbox.telex("articles", "--as", "mbox")
    #expect(again.output == document.output)
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
