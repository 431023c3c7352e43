internal import FeedServer
internal import Foundation
internal import TestSupport
internal import Testing

/// `prefetch`: what is fetched ahead, within which bounds, and that it is whole without a server.
@Suite(.timeLimit(.minutes(10)))
struct PrefetchVerbTests {
  /// A GIF of one pixel and of so many bytes.
  private static func picture(_ size: Int) -> [UInt8] {
    Array("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0] + Array(repeating: 0, count: size - 13)
  }

  private static func shelf(_ bodies: [String]) throws -> FileShelf {
    let shelf = try FileShelf(
      bodies.enumerated().map { index, body in
        FileShelf.item(bodies.count - index)
          + "<description>\(body.replacing("<", with: "&lt;"))</description>"
      })
    for name in ["a", "b", "c"] { shelf.set("/\(name).gif") { $0.bytes = picture(10_000) } }
    return shelf
  }

  private static func words(_ count: Int) -> String {
    "<p>" + Array(repeating: "word", count: count).joined(separator: " ") + "</p>"
  }

  private static func image(_ name: String) -> String { "<p><img src=\"$/\(name).gif\"></p>" }

  @Test func `Pictures of unread articles are fetched once, and those that are gone do no harm`()
    async throws
  {
    let shelf = try Self.shelf([
      Self.image("a") + Self.words(460), Self.image("gone"), Self.image("b"), Self.image("c"),
    ])
    shelf.set("/gone.gif") { $0.status = 404 }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let ids = try await sandbox.numbers()
    let last = try #require(ids["Episode 1"])
    #expect(try await sandbox.telex("read", last).status == 0)
    let first = try await sandbox.telex("prefetch", "--metered")
    #expect(first.output.hasPrefix("3 articles, 2"))
    #expect(
      first.output.hasSuffix(
        " kB, readable offline, about 3 min to read, fetched 20 kB now, 1 picture gone\n"),
      "\(first.testDescription)")
    #expect(Set(shelf.requests.map(\.path)) == ["/a.gif", "/gone.gif", "/b.gif"])
    let again = try await sandbox.telex("prefetch", "--metered", "--json").json()
    #expect(again["whole"] as? Int == 3 && again["bytes"] as? Int == 0)
    #expect(shelf.requests.count { $0.path == "/a.gif" } == 1)
    await shelf.stop()
    let offline = try await sandbox.telex("prefetch", "--metered", "--json").json()
    #expect(offline["articles"] as? Int == 3)
    #expect(try await sandbox.telex("prefetch", "--metered", "read").output.contains("0 articles"))
  }

  @Test func `The time of reading and the budget are bounds, and the next run goes on`()
    async throws
  {
    let shelf = try Self.shelf([
      Self.image("a") + Self.words(230), Self.image("b") + Self.words(230),
      Self.image("c") + Self.words(230),
    ])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    // A minute and five seconds each.
    let short = try await sandbox.telex("prefetch", "--metered", "--for", "2min", "--json").json()
    #expect(short["articles"] as? Int == 2 && short["seconds"] as? Int == 130)
    #expect(Set(shelf.requests.map(\.path)) == ["/a.gif", "/b.gif"])
    #expect(try await sandbox.telex("cache", "--clear-pictures").status == 0)
    let full = try await sandbox.telex("prefetch", "--metered", "--budget", "15kB", "--json").json()
    #expect(full["full"] as? Bool == true && full["whole"] as? Int == 1)
    #expect(full["bytes"] as? Int == 10_000)
    let rest = try await sandbox.telex("prefetch", "--metered", "--json").json()
    #expect(rest["full"] as? Bool == false && rest["whole"] as? Int == 3)
    #expect(rest["bytes"] as? Int == 20_000)
    for wrong in [["--for", "3"], ["--budget", "lots"], ["--for", "-1h"]] {
      #expect(try await sandbox.telex(["prefetch"] + wrong).status != 0)
    }
  }

  @Test func `What fails is told and tried again, and files are downloaded where they are wanted`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(1, files: "$/1.mp3")
        + "<description>\(Self.image("a").replacing("<", with: "&lt;"))</description>"
    ])
    shelf.set("/a.gif") { $0.status = 500 }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let failed = try await sandbox.telex("prefetch", "--metered", "--quiet")
    #expect(failed.status == 1 && failed.errors.contains("500") && failed.output.isEmpty)
    #expect(sandbox.downloads.isEmpty)
    shelf.set("/a.gif") {
      $0.status = 200
      $0.bytes = Self.picture(500)
    }
    let done = try await sandbox.telex("prefetch", "--metered", "--files", "--json").json()
    #expect(done["whole"] as? Int == 1 && done["files"] as? Int == 1)
    #expect(try await sandbox.transfers().count == 1)
    sandbox.killHelper()
  }

  @Test func `The pages of articles that are a beginning are fetched for their full texts, once`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(2) + "<link>$/page</link><description>The beginning …</description>",
      FileShelf.item(1) + "<link>$/none</link><description>Another one …</description>",
    ])
    let text = (1...8).map {
      "<p>Paragraph \($0), with words, and more words about it. \(Self.words(40))"
    }
    shelf.set("/page") {
      $0.text =
        "<html><head><title>T</title></head><body><article><h1>T</h1>\(text.joined())"
        + "<p><img src=\"/a.gif\"></p></article></body></html>"
      $0.headers["Content-Type"] = "text/html"
    }
    shelf.set("/a.gif") { $0.bytes = Self.picture(600) }
    shelf.set("/none") { $0.status = 404 }
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let first = try await sandbox.telex("prefetch", "--metered", "--full-text", "--json").json()
    #expect(first["fullTexts"] as? Int == 1 && first["pictures"] as? Int == 1)
    #expect(first["whole"] as? Int == 2 && first["failed"] as? Int == 0)
    await shelf.stop()
    let id = try #require(try await sandbox.numbers()["Episode 2"])
    #expect(try await sandbox.telex("show", id).output.contains("Paragraph 8"))
    let again = try await sandbox.telex("prefetch", "--metered", "--full-text", "--json").json()
    #expect(again["fullTexts"] as? Int == 0 && again["bytes"] as? Int == 0)
  }

  @Test func `What is packed is told of each article, as long as its text and pictures are there`()
    async throws
  {
    let shelf = try Self.shelf([
      Self.image("a") + Self.words(30), Self.image("b") + Self.words(30), Self.words(30),
    ])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    func packed() async throws -> Set<String> {
      Set(
        try await sandbox.telex("articles", "--json").jsonLines().compactMap {
          $0["packed"] as? Bool == true ? $0["title"] as? String : nil
        })
    }
    #expect(try await packed() == [])
    #expect(try await sandbox.telex("prefetch", "--metered").status == 0)
    #expect(try await packed() == ["Episode 1", "Episode 2", "Episode 3"])
    let text = try await sandbox.telex("search", "word", "--format", "{id}{packed}")
    #expect(text.output == "1packed\n2packed\n3packed\n" || text.output.contains("packed\n"))
    // Read or unread: it is there all the same.
    #expect(try await sandbox.telex("read", "1").status == 0)
    #expect(try await packed().count == 3)
    #expect(try await sandbox.telex("list", "--json").json()["packed"] as? Int == 3)

    shelf.replaceLast(
      with: FileShelf.item(1)
        + "<description>Another text, longer than the one before it.</description>")
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(try await packed() == ["Episode 2", "Episode 3"])
    #expect(try await sandbox.telex("cache", "--clear-pictures").status == 0)
    #expect(try await packed() == [])
    await shelf.stop()
    #expect(try await sandbox.telex("prefetch", "--metered").status == 1)
    #expect(try await packed() == [])
  }

  @Test func `An article of hardly a word is not readable offline before its page is there`()
    async throws
  {
    let shelf = try FileShelf([
      FileShelf.item(2) + "<link>$/page</link><description>Comments</description>",
      FileShelf.item(1) + "<description>Comments</description>",
    ])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let run = try await sandbox.telex("prefetch", "--metered")
    #expect(run.output.contains("1 without a text (--full-text fetches them)"))
    #expect(run.output.hasPrefix("1 article, "))
    // Its server fails: it is tried again the next time.
    shelf.set("/page") { $0.status = 503 }
    let failed = try await sandbox.telex("prefetch", "--metered", "--full-text")
    #expect(failed.status == 1 && failed.output.hasPrefix("1 article, "))
    // There is no page: the feed's words are all there is.
    shelf.set("/page") { $0.status = 404 }
    let gone = try await sandbox.telex("prefetch", "--metered", "--full-text")
    #expect(gone.status == 0 && gone.output.hasPrefix("2 articles, "), "\(gone.testDescription)")
  }

  @Test func `Where each byte costs nothing is fetched, and nothing is said`() async throws {
    let shelf = try Self.shelf([Self.image("a")])
    let sandbox = try Sandbox()
    try await sandbox.add(shelf.feed)
    let config = try sandbox.file("config.toml", "[network]\nlow_data = true\n")
    let run = try await sandbox.telex("prefetch", "--config", config)
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    #expect(shelf.requests.isEmpty)
  }
}
