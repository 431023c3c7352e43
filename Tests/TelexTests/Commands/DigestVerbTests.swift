import ChildProcess
import Foundation
import TestSupport
import Testing

/// `digest`: the news of some time as one file, for reading without Telex.
@Suite(.timeLimit(.minutes(10)))
struct DigestVerbTests {
  /// A feed with an article of each hour before now.
  private static func feed(_ name: String, hours: [Int]) -> String {
    let items = hours.map { hour in
      let date = Date.now.addingTimeInterval(Double(-hour) * 3600 - 60)
      return "<item><guid>\(name)-\(hour)</guid><title>\(name) \(hour)</title>"
        + "<link>https://\(name).example/\(hour)</link>"
        + "<pubDate>\(date.formatted(.iso8601))</pubDate>"
        + "<description>Text of \(name) \(hour)</description></item>"
    }
    return "<rss version=\"2.0\"><channel><title>The \(name)</title>\(items.joined())"
      + "</channel></rss>"
  }

  private static func sandbox() async throws -> Sandbox {
    let sandbox = try Sandbox()
    for (name, hours) in [("zebra", [1, 30]), ("Apple", [0, 2, 3])] {
      try await sandbox.add(try sandbox.file("\(name).xml", feed(name, hours: hours)))
    }
    return sandbox
  }

  @Test func `A digest has what is unread of a day by feeds, and can mark it as read`()
    async throws
  {
    let sandbox = try await Self.sandbox()
    try await sandbox.succeed("read", "title:\"Apple 2\"")
    let first = try await sandbox.telex("digest", "--output", "d.epub", "--json").json()
    #expect(first["articles"] as? Int == 3 && first["feeds"] as? Int == 2)
    #expect(first["file"] as? String == "d.epub")
    let book = try await BookReader("d.epub", in: sandbox)
    #expect(book.faults == [])
    let titles = try #require(book.texts["EPUB/nav.xhtml"]).matches(of: />([^<\n]+)<\/(a|span)>/)
      .map { String($0.1) }
    #expect(titles == ["The Apple", "Apple 0", "Apple 3", "The zebra", "zebra 1"])

    let all = try await sandbox.telex(
      "digest", "--since", "1w", "--all", "--format", "html", "-o", "-")
    #expect(all.output.hasPrefix("<!DOCTYPE html>"))
    #expect(all.output.ranges(of: "<article id=").count == 5)
    #expect(try await sandbox.articles("--unread").count == 4)
    let some = try await sandbox.telex(
      "digest", "feed:zebra", "--format", "markdown", "--mark-read", "-o", "z.md")
    let size = try #require(sandbox.contents(of: "z.md")).utf8.count
    #expect(some.output == "z.md: 1 article of 1 feed, \(size) bytes\n")
    #expect(sandbox.contents(of: "z.md")?.hasPrefix("# [zebra 1](https://zebra.example/1)") == true)
    #expect(try await sandbox.articles("--unread").count == 3)
  }

  @Test func `A link is followed, the rights of a file stay, and what is no file is written to`()
    async throws
  {
    let sandbox = try await Self.sandbox()
    let path = try sandbox.file("real.md", "before", permissions: 0o600)
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.folder + "/latest.md", withDestinationPath: path)
    try await sandbox.succeed("digest", "--format", "markdown", "-o", "latest.md")
    #expect(sandbox.contents(of: "real.md")?.contains("Apple 0") == true)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let link = try FileManager.default.attributesOfItem(atPath: sandbox.folder + "/latest.md")
    #expect(link[.type] as? FileAttributeType == .typeSymbolicLink)
    let pipe = sandbox.folder + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reading = try ChildProcess("cat", [pipe])
    try await sandbox.succeed("digest", "--format", "markdown", "-o", "pipe")
    #expect(await eventually { !reading.isRunning })
    #expect(reading.output.contains("Apple 0"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
        .allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test func `Where there is nothing, the exit status says so and no file is touched`()
    async throws
  {
    let sandbox = try await Self.sandbox()
    try sandbox.file("d.epub", "the one before")
    let none = try await sandbox.telex("digest", "feed:none", "-o", "d.epub")
    #expect(none.status == 3 && none.output.isEmpty)
    #expect(none.errors == "no unread articles since 1d: nothing was written\n")
    #expect(sandbox.contents(of: "d.epub") == "the one before")
    let quiet = try await sandbox.telex("digest", "feed:none", "-o", "e.epub", "--quiet")
    #expect(quiet.status == 3 && quiet.errors.isEmpty && quiet.output.isEmpty)
    #expect(sandbox.contents(of: "e.epub") == nil)
    let object = try await sandbox.telex("digest", "feed:none", "-o", "e.epub", "--json")
    #expect(object.status == 3)
    #expect(try object.json()["articles"] as? Int == 0)
    for wrong in [
      ["--since", "soon"], ["--since", "1d OR read"], ["--format", "pdf"], ["--to", "a@b.example"],
      ["--format", "mail", "--to", "a@b.example, c@d.example"],
      ["--format", "mail", "-o", "-", "--json"],
      ["--json", "--quiet"], ["feed:"],
    ] {
      #expect(try await sandbox.telex(["digest", "-o", "w"] + wrong).status != 0, "\(wrong)")
      #expect(sandbox.contents(of: "w") == nil, "\(wrong)")
    }
  }

  @Test func `The file is named after the day where nobody names it`() async throws {
    let sandbox = try await Self.sandbox()
    let written = try await sandbox.telex("digest")
    #expect(written.output.contains(#/^telex-\d{4}-\d\d-\d\d\.epub: 4 articles of 2 feeds, /#))
    let name = try #require(written.output.split(separator: ":").first.map(String.init))
    #expect(try await BookReader(name, in: sandbox).faults == [])
  }

  @Test func `A mail is what Python reads of it`() async throws {
    let sandbox = try await Self.sandbox()
    let mail = try await sandbox.telex(
      "digest", "--format", "mail", "--to", "me@example.org", "--from", "telex@example.org",
      "--title", "Früh\r\nBcc: x@example.org")
    #expect(mail.status == 0 && mail.output.utf8.allSatisfy { $0 < 0x80 })
    try sandbox.file("mail.eml", mail.output)
    let script = try sandbox.file(
      "mail.py",
      """
      import email, json
      from email.header import decode_header, make_header
      data = open('mail.eml', 'rb').read()
      message = email.message_from_bytes(data)
      parts = message.get_payload()
      print(json.dumps({
          'subject': str(make_header(decode_header(message['Subject']))),
          'to': message['To'], 'from': message['From'], 'bcc': message['Bcc'],
          'types': [part.get_content_type() for part in parts],
          'texts': [part.get_payload(decode=True).decode('utf-8') for part in parts],
          'longest': max(len(line) for line in data.split(b'\\n')),
          'defects': len(message.defects) + sum(len(part.defects) for part in parts)}))
      """)
    let read = try await TelexCommand.run(
      [script], executable: try #require(BookReader.python), environment: sandbox.home,
      in: sandbox.folder
    ).json()
    #expect(read["defects"] as? Int == 0 && read["bcc"] is NSNull)
    #expect((read["subject"] as? String)?.hasPrefix("Früh") == true)
    #expect(read["to"] as? String == "me@example.org")
    #expect(read["from"] as? String == "Telex <telex@example.org>")
    #expect(read["types"] as? [String] == ["text/plain", "text/html"])
    #expect((read["longest"] as? Int).map { $0 <= 79 } == true)
    let texts = try #require(read["texts"] as? [String])
    #expect(texts[0].contains("## The Apple") && texts[0].contains("Text of zebra 1"))
    #expect(texts[1].contains("<h2>The zebra</h2>"))
  }
}
