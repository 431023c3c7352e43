internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import Testing

@testable import Repository

/// Addresses that were added without a network: the feed is found when there is one.
@Suite struct KeptAddressTests {
  private static let offline = SourceError(
    .offline, stage: .connect, subject: "site.example", message: "the network is not reachable")

  /// Runs the body where a page names feeds, at the address that is kept.
  private func withSite(
    _ links: [String] = ["/feed"],
    _ body: (borrowing TestReader, _ base: String, Mutexed<Bool>) async throws -> Void
  ) async throws {
    let isUp = Mutexed(false)
    try await withAnswers({ request in
      guard isUp.value else { return .init([.reset]) }
      guard request.path != "/" else {
        let links = links.map {
          "<link rel=alternate type=application/rss+xml href='\($0)' title='F'>"
        }
        return .reply(
          WireReply(type: "text/html", text: "<html><head>\(links.joined())</head></html>"))
      }
      return .reply(.rss(["a", "b"]))
    }) { base, _ in try await body(TestReader(), base, isUp) }
  }

  @Test func `A kept address becomes the feed of its page with the next refresh that reaches it`()
    async throws
  {
    try await withSite { reader, base, isUp in
      let repository = reader.repository
      let kept = try await repository.keep(
        base + "/", folders: ["Work"], title: "Mine", after: Self.offline)
      #expect(kept.isNew && kept.feed.awaitsNetwork && !kept.feed.showsFailure)
      #expect(kept.feed.state.error?.next == "Telex looks for the feed when there is a network")
      let again = try await repository.keep(base + "/", after: Self.offline)
      #expect(!again.isNew && again.feed.id == kept.feed.id && again.feed.awaitsNetwork)
      // Without a network it stays as it is.
      #expect(try await repository.refresh(.all).failed.count == 1)
      #expect(try await reader.feed(kept.feed).settings.isSought)

      isUp.value = true
      let report = try await repository.refresh(.recovered)
      #expect(report.failed.isEmpty && report.inserted == 2)
      let found = try await reader.feed(kept.feed)
      #expect(found.url == base + "/feed" && found.isUserEntered && !found.settings.isSought)
      #expect(found.title == "Mine" && found.folders == ["Work"])
      #expect(found.state.error == nil && found.counts.total == 2)
      // A list that names the page means this feed.
      #expect(found.settings.otherURLs == [base + "/"])
      #expect(try await repository.refresh(.all).failed.isEmpty)
    }
  }

  @Test func `A kept address of a feed becomes that feed`() async throws {
    try await withSite { reader, base, isUp in
      let kept = try await reader.repository.keep(base + "/feed", after: Self.offline).feed
      isUp.value = true
      _ = try await reader.repository.refresh(.feeds([kept.id]))
      let found = try await reader.feed(kept)
      #expect(found.url == kept.url && found.title == "T" && !found.settings.isSought)
    }
  }

  @Test func `Of several feeds the user chooses, and what was kept becomes that one`() async throws
  {
    try await withSite(["/1", "/2"]) { reader, base, isUp in
      let repository = reader.repository
      let kept = try await repository.keep(base + "/", folders: ["Work"], after: Self.offline).feed
      isUp.value = true
      let error = try await repository.refresh(.all).failed.first?.error
      #expect(error?.kind == .notAFeed && error?.message == "The page names 2 feeds.")
      let several = try await reader.feed(kept)
      #expect(several.settings.isSought && several.showsFailure)
      guard
        case .choice(let links) = try await repository.context.sources.discover(
          base + "/", signIn: nil)
      else {
        Issue.record("there is no choice")
        return
      }
      let added = try await repository.subscribe(oneOf: [links[1]], namedBy: base + "/")
      #expect(!added.isNew && added.feed.id == kept.id && added.feed.url == base + "/2")
      #expect(added.feed.folders == ["Work"] && added.feed.counts.total == 2)
      #expect(!added.feed.settings.isSought)
    }
  }

  @Test func `Where its feed is subscribed already, that one gets its folders`() async throws {
    try await withSite { reader, base, isUp in
      let repository = reader.repository
      let known = try await reader.add(base + "/feed")[0]
      _ = try await repository.keep(base + "/", folders: ["Work"], after: Self.offline)
      isUp.value = true
      _ = try await repository.refresh(.all)
      let feeds = try await reader.store.view { try $0.feeds.all() }
      #expect(feeds.map(\.id) == [known.id] && feeds.first?.folders == ["Work"])
      #expect(feeds.first?.counts.total == 2)
    }
  }

  @Test func `An address that is subscribed already is not looked for`() async throws {
    let reader = try TestReader()
    let known = try await reader.add("http://site.example/feed")[0]
    let kept = try await reader.repository.keep("http://site.example/feed", after: Self.offline)
    #expect(!kept.isNew && kept.feed.id == known.id && !kept.feed.settings.isSought)
  }
}
