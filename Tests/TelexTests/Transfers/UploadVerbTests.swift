import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// `transfers --upload`, with the process that sends.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct UploadVerbTests {
  private static let piece = 5 << 20

  private func withArticle(
    _ body: (FeedServer, Sandbox, _ number: String) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      defer { sandbox.killHelper() }
      try await sandbox.add(server.apiURL)
      let first = try #require(try await sandbox.articles().first)
      try await body(server, sandbox, "\(try #require(first["id"] as? Int))")
    }
  }

  /// Bytes of which no piece is like another one.
  private func contents(_ size: Int, first: UInt8 = 0) -> [UInt8] {
    let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) })
    var data = Data()
    while data.count < size { data += block }
    return [first] + data.prefix(size - 1)
  }

  private func file(_ name: String, _ bytes: [UInt8], in sandbox: Sandbox) throws -> String {
    let path = sandbox.folder + "/" + name
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  private func ranges(_ server: FeedServer) -> [String] {
    server.requests.compactMap { $0.header("Content-Range") }
      .map { String($0.dropFirst(6).prefix { $0 != "-" }) }
  }

  @Test func `A file is sent, and shown with its comment`() async throws {
    try await withArticle { server, sandbox, article in
      let path = try file("a \"b\".png", contents(200_000), in: sandbox)
      let outcome = try await sandbox.telex(
        "transfers", "--upload", path, "--to", article, "--text", "look")
      #expect(outcome.status == 0 && outcome.output == "sent\n", "\(outcome.testDescription)")
      let comment = try #require(server.comments(on: "story-001").last)
      #expect(comment.text == "look" && comment.attachments.first?.bytes == contents(200_000))
      let listed = try await sandbox.telex("comments", article)
      #expect(listed.output.hasSuffix("look\n  + a \"b\".png (image/png, 200 kB)\n"))
      let json = try await sandbox.telex("comments", article, "--json").jsonLines().last
      let files = json?["attachments"] as? [[String: Any]]
      #expect(files?.first?["name"] as? String == "a \"b\".png")
      #expect(files?.first?["length"] as? Int == 200_000)
      let transfer = try #require(try await sandbox.transfers().first)
      #expect(transfer["direction"] as? String == "up" && transfer["state"] as? String == "done")
      #expect(transfer["percent"] as? Int == 100 && transfer["target"] as? String == path)
      // The path of a file is as good from the folder that it is in, and the name is its text.
      #expect(
        try await sandbox.telex("transfers", "--upload", "a \"b\".png", "--to", article).status == 0
      )
      #expect(server.comments(on: "story-001").last?.text == "a \"b\".png")
    }
  }

  @Test func `A kill after the second piece does not send the first again`() async throws {
    try await withArticle { server, sandbox, article in
      let bytes = contents(3 * Self.piece + 7)
      let path = try file("a.bin", bytes, in: sandbox)
      // The answer to the third piece is held back.
      server.inject(.delay(milliseconds: 60_000), on: "/api/uploads/", skipping: 2)
      let outcome = try await sandbox.telex(
        "transfers", "--upload", path, "--to", article, "--background")
      #expect(outcome.status == 0)
      #expect(await eventually { ranges(server).count == 3 })
      let shown = try #require(try await sandbox.transfers().first)
      #expect(shown["state"] as? String == "running" && shown["total"] as? Int == bytes.count)
      sandbox.killHelper()
      #expect(await eventually { sandbox.helper == nil })
      let book = try #require(sandbox.contents(of: ".local/share/telex/transfers/jobs.json"))
      #expect(book.contains("\"sent\" : \(2 * Self.piece),"))
      #expect(try await sandbox.telex("transfers", "--resume", "all").status == 0)
      #expect(
        await eventually { server.comments(on: "story-001").last?.attachments.isEmpty == false })
      #expect(ranges(server) == [0, 1, 2, 3].map { "\($0 * Self.piece)" })
      let file = try #require(server.comments(on: "story-001").last?.attachments.first)
      #expect(file.bytes == bytes && server.uploads.count == 1)
    }
  }

  @Test func `A piece that was cut goes on from the byte that the server names`() async throws {
    try await withArticle { server, sandbox, article in
      let bytes = contents(2 * Self.piece)
      let path = try file("a.bin", bytes, in: sandbox)
      server.inject(.cutUpload(afterBytes: 1_000), on: "/api/uploads/")
      server.inject(.reset, on: "/api/uploads/upload-1/finalize")
      let outcome = try await sandbox.telex("transfers", "--upload", path, "--to", article)
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      // The repetition meets a 416, which says where the server is.
      #expect(ranges(server) == ["0", "0", "1000", "\(Self.piece + 1_000)"])
      #expect(server.comments(on: "story-001").last?.attachments.first?.bytes == bytes)
      #expect(server.uploads.count == 1)
    }
  }

  @Test func `A file that is changed while it waits is sent as it is then`() async throws {
    try await withArticle { server, sandbox, article in
      let path = try file("a.bin", contents(2 * Self.piece + 7), in: sandbox)
      server.inject(.delay(milliseconds: 60_000), on: "/api/uploads/", skipping: 1)
      #expect(
        try await sandbox.telex("transfers", "--upload", path, "--to", article, "--background")
          .status == 0)
      #expect(await eventually { ranges(server).count == 2 })
      sandbox.killHelper()
      #expect(await eventually { sandbox.helper == nil })
      let changed = contents(2 * Self.piece + 7, first: 1)
      try Data(changed).write(to: URL(filePath: path))
      let outcome = try await sandbox.telex("transfers", "--upload", path, "--to", article)
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      let comments = server.comments(on: "story-001").filter { !$0.attachments.isEmpty }
      #expect(comments.map { $0.attachments.first?.bytes } == [changed])
      // It was the same upload, which has begun anew.
      #expect(try await sandbox.transfers().count == 1)
    }
  }

  @Test func `What cannot be sent is told`() async throws {
    try await withArticle { server, sandbox, article in
      let none = try await sandbox.telex("transfers", "--upload", "/nothing", "--to", article)
      #expect(none.status == 2 && none.errors.contains("No such file"))
      let folder = try await sandbox.telex("transfers", "--upload", "/tmp", "--to", article)
      #expect(folder.status == 2 && folder.errors.contains("is not a file"))
      let path = try file("a.png", contents(10), in: sandbox)
      #expect(try await sandbox.telex("transfers", "--upload", path, "--to", "4711").status == 2)
      server.inject(.status(507), on: "/api/uploads")
      let full = try await sandbox.telex("transfers", "--upload", path, "--to", article)
      #expect(full.status == 1 && full.errors.contains("no room"), "\(full.testDescription)")
      #expect(server.requests.filter { $0.path == "/api/uploads" }.count == 1)
      #expect(try await sandbox.telex("transfers", "--resume", "all").status == 0)
      #expect(await eventually { server.comments(on: "story-001").last?.text == "a.png" })
      try await sandbox.add(server.baseURL + "/rss.xml")
      let plain = try await sandbox.articles().compactMap { $0["id"] as? Int }.max() ?? 0
      let refused = try await sandbox.telex("transfers", "--upload", path, "--to", "\(plain)")
      #expect(refused.status == 2 && refused.errors.contains("takes no files"))
    }
  }
}
