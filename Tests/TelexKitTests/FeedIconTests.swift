import FeedServer
import Foundation
import News
import Synchronization
import TestSupport
import Testing

@testable import TelexKit

/// Where the icon of a feed is from, and how often its servers are asked.
@Suite struct FeedIconTests {
  /// A server whose files a test sets, beside a feed.
  private final class Site: Sendable {
    private let files: Mutex<[String: [UInt8]]>
    private let server: Mutex<RawServer?> = Mutex(nil)
    let port: UInt16

    init(_ head: String, _ files: [String: [UInt8]]) throws {
      self.files = Mutex(files)
      let box = Mutex<(@Sendable (WireRequest) -> Script)?>(nil)
      let server = RawServer { request in box.withLock { $0 }?(request) ?? .reset }
      port = try server.start()
      let port = port
      let feed = """
        <rss version="2.0"><channel><title>A</title><link>http://127.0.0.1:\(port)/page</link>\
        \(head.replacing("$", with: "http://127.0.0.1:\(port)"))\
        <item><guid>1</guid><title>One</title></item></channel></rss>
        """
      box.withLock { answer in
        answer = { [weak self] request in
          let path = String(request.path)
          if path == "/feed" { return .reply(WireReply(body: Array(feed.utf8))) }
          guard let body = self?.files.withLock({ $0[path] }) else {
            return .reply(WireReply(status: 404, body: []))
          }
          let tag = "\"\(body.count)\""
          if request.header("If-None-Match") == tag {
            return .reply(WireReply(status: 304, headers: [("ETag", tag)], body: []))
          }
          return .reply(WireReply(headers: [("ETag", tag)], body: body))
        }
      }
      self.server.withLock { $0 = server }
    }

    func set(_ path: String, _ file: [UInt8]?) { files.withLock { $0[path] = file } }

    /// What was asked for since the last time, without the feed.
    func takeRequests(_ seen: inout Int) -> [WireRequest] {
      let all = (server.withLock { $0 }?.requests ?? []).filter { $0.path != "/feed" }
      defer { seen = all.count }
      return Array(all[seen...])
    }
  }

  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: fixtures.appending(path: "pictures/\(name)")))
  }

  /// The feed of a site in a store of its own, and its icons at a time.
  private func withFeed(
    _ site: Site, _ body: (Feed, (TimeInterval) -> FeedIcons) async throws -> Void
  ) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let config = folder + "/keyring.toml"
    try Data("[secrets]\nkeyring = false\n".utf8).write(to: URL(filePath: config))
    let composition = try Composition(
      folder: folder, settings: try Settings.load(named: config)
    ) { _ in }
    let addition = try FeedAddition(composition, at: "http://127.0.0.1:\(site.port)/feed")
    guard case .feed(let found) = try await addition.find() else { return }
    _ = try await addition.add(found)
    let stored = try #require(try Subscriptions(composition).feeds().first)
    let pictures = ArticlePictures(composition)
    try await body(stored) { days in
      FeedIcons(composition, pictures) {
        Date(timeIntervalSince1970: 1_800_000_000 + days * 86_400)
      }
    }
  }

  @Test func `The page's icon is fetched once, and asked for again with its validator`()
    async throws
  {
    let page = "<link rel=icon href=/banner.png><link rel=icon href=/icon.ico><body>"
    let site = try Site(
      "",
      [
        "/page": Array(page.utf8), "/banner.png": try file("wide.png"),
        "/icon.ico": try file("bitmaps.ico"),
      ])
    var seen = 0
    try await withFeed(site) { feed, icons in
      _ = site.takeRequests(&seen)
      #expect(try await icons(0).icon(of: feed, mayFetch: false) == nil)
      #expect(site.takeRequests(&seen).isEmpty)
      let first = try #require(try await icons(0).icon(of: feed, mayFetch: true))
      #expect(try first.bytes == file("bitmaps.ico") && first.url.hasSuffix("/icon.ico"))
      // A banner is no icon.
      let requests = site.takeRequests(&seen)
      #expect(requests.map { String($0.path) } == ["/page", "/banner.png", "/icon.ico"])
      #expect(requests.allSatisfy { $0.header("Referer") == nil })
      #expect(try await icons(20).icon(of: feed, mayFetch: true)?.url == first.url)
      #expect(site.takeRequests(&seen).isEmpty)
      #expect(try await icons(22).icon(of: feed, mayFetch: true)?.bytes == first.bytes)
      let again = site.takeRequests(&seen)
      #expect(again.map { String($0.path) } == ["/icon.ico"])
      #expect(again.first?.header("If-None-Match") == "\"\(first.bytes.count)\"")
      #expect(try await icons(23).icon(of: feed, mayFetch: true) != nil)
      #expect(site.takeRequests(&seen).isEmpty)
      // It has moved.
      site.set("/icon.ico", nil)
      site.set("/favicon.ico", try file("png.ico"))
      #expect(
        try await icons(44).icon(of: feed, mayFetch: true)?.url.hasSuffix("/favicon.ico") == true)
    }
  }

  @Test func `The feed's picture is its icon where its site has none, and only where it is square`()
    async throws
  {
    let site = try Site(
      "<image><url>$/logo.png</url><title>A</title><link>$/</link></image>",
      ["/logo.png": try file("wide.png"), "/favicon.ico": Array("<html>".utf8)])
    var seen = 0
    try await withFeed(site) { feed, icons in
      _ = site.takeRequests(&seen)
      #expect(try await icons(0).icon(of: feed, mayFetch: true) == nil)
      #expect(
        site.takeRequests(&seen).map { String($0.path) } == ["/page", "/favicon.ico", "/logo.png"])
      site.set("/logo.png", try file("quarters.png"))
      // It is not looked for at each start.
      #expect(try await icons(10).icon(of: feed, mayFetch: true) == nil)
      #expect(site.takeRequests(&seen).isEmpty)
      let found = try await icons(15).icon(of: feed, mayFetch: true)
      #expect(found?.url.hasSuffix("/logo.png") == true)
    }
  }
}
