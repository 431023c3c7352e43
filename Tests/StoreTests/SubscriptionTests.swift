internal import Foundation
internal import News
internal import Testing

@testable internal import Store

@Suite struct SubscriptionTests {
  @Test func `A feed is subscribed once; the user's title and folders stay`() async throws {
    let test = try TestStore()
    let (first, second, feed) = try await test.store.edit { edit in
      let a = try edit.feeds.subscribe(
        url: "http://e.org/", title: "Mine", folders: ["x"], isUserEntered: false, now: noon)
      let b = try edit.feeds.subscribe(
        url: "http://e.org/", folders: ["y", ""], isUserEntered: true, now: noon)
      let page = PreparedPage(
        Page(description: FeedDescription(format: .atom, title: "Theirs"), entries: []))
      try edit.articles.merge(page, into: a.feed, at: .newest, now: noon)
      return (a.isNew, b.isNew, try edit.view.feeds.feed(a.feed))
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
      try await test.store.edit { try $0.feeds.subscribe(url: url, isUserEntered: true, now: noon) }
    }
    let old = try await subscribe("https://bücher.example/f")
    let same = try await subscribe("https://xn--bcher-kva.example/f")
    #expect(same.feed == old.feed && !same.isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew == false)
  }

  @Test func `What waits to be sent about a feed goes with the feed, and nothing else does`()
    async throws
  {
    let test = try TestStore()
    let going = try await test.subscribe("a")
    let staying = try await test.subscribe("b")
    try await test.merge([entry("a"), entry("b")], into: going)
    try await test.merge([entry("c"), entry("d")], into: staying)
    try await test.takeMarks(of: "http://example.org")
    let (gone, kept) = (try await test.articles(going), try await test.articles(staying))
    try await test.store.edit { edit in
      // Of one feed, of the other, and of both.
      try edit.marks.markAllRead(.feed(going), notNewerThan: nil, now: noon)
      try edit.marks.set(.starred(true), of: [gone[0].id, kept[0].id], now: noon)
      try edit.outbox.queueComment("mine", on: gone[1].id, now: noon)
      try edit.marks.set(.read(false), of: gone.map(\.id), now: noon)
      try edit.marks.markAllRead(.all, notNewerThan: nil, now: noon)
      #expect(try edit.view.outbox.items().count == 5)
    }
    // A transaction that fails leaves the feed with all that waits.
    await #expect(throws: CancellationError.self) {
      try await test.store.edit { edit in
        try edit.feeds.unsubscribe(going)
        throw CancellationError()
      }
    }
    #expect(try await test.store.view { try $0.outbox.items().count } == 5)
    try await test.store.edit { edit in
      try edit.feeds.unsubscribe(going)
      let left = try edit.view.outbox.items()
      #expect(left.map(\.change) == [.mark(kept[0].id, .starred(true)), .readBatch(2, true)])
      #expect(
        Set(try edit.view.outbox.outboxMarks(of: left[1]).map(\.sent.entry.id)) == ["c", "d"])
      try edit.feeds.unsubscribe(staying)
      #expect(try edit.view.outbox.items() == [])
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }
}
