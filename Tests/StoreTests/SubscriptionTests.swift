internal import Foundation
internal import News
internal import Store
internal import Testing

@Suite struct SubscriptionTests {
  @Test func `A feed is subscribed once; the user's title and folders stay`() async throws {
    let test = try TestStore()
    let (first, second, feed) = try await test.store.edit { edit in
      let a = try edit.subscribe(
        url: "http://e.org/", title: "Mine", folders: ["x"], isUserEntered: false, now: noon)
      let b = try edit.subscribe(
        url: "http://e.org/", folders: ["y", ""], isUserEntered: true, now: noon)
      let page = PreparedPage(
        Page(description: FeedDescription(format: .atom, title: "Theirs"), entries: []))
      try edit.merge(page, into: a.feed, at: .newest, now: noon)
      return (a.isNew, b.isNew, try edit.view.feed(a.feed))
    }
    #expect((first, second) == (true, false))
    #expect(feed?.title == "Mine")
    #expect(feed?.folders == ["x", "y"])
    #expect(feed?.isUserEntered == true)
    #expect(feed?.format == .atom)
  }

  @Test func `A feed that is stored with a host outside ASCII is the one with its ASCII form`()
    async throws
  {
    let test = try TestStore()
    func subscribe(_ url: String) async throws -> (feed: FeedID, isNew: Bool) {
      try await test.store.edit { try $0.subscribe(url: url, isUserEntered: true, now: noon) }
    }
    let old = try await subscribe("https://bücher.example/f")
    let same = try await subscribe("https://xn--bcher-kva.example/f")
    #expect(same.feed == old.feed && !same.isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew == false)
  }
}
