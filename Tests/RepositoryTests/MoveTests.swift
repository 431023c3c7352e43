internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

/// A feed that the user moves to another address.
@Suite struct MoveTests {
  @Test func `Articles, marks, title and folders stay, and the new address is asked next`()
    async throws
  {
    try await withAnswers({ request in
      request.path == "/old"
        ? .reply(WireReply(status: 302, headers: [("Location", "/new")]))
        : .reply(.rss(["a", "b"], headers: [("ETag", "\"one\"")]))
    }) { base, server in
      let reader = try TestReader()
      let now = reader.clock.now
      let feed = try await reader.store.edit { edit in
        let id = try edit.feeds.subscribe(
          url: base + "/old", title: "Mine", folders: ["Work"], isUserEntered: true, now: now
        ).feed
        return try #require(try edit.view.feeds.feed(id))
      }
      _ = try await reader.repository.refresh(.all)
      let rows = try await reader.store.view { try $0.timeline.slice(TimelineQuery(.all)).rows }
      let article = ArticleID(rows[0].position.id)
      try await reader.repository.apply(.mark([article], .read(true)))
      try await reader.repository.apply(.mark([article], .starred(true)))
      let target = try #require(try await reader.feed(feed).state.exchange?.redirectedTo)
      #expect(target == base + "/new")

      try await reader.repository.move(feed.id, to: target)
      let moved = try await reader.feed(feed)
      #expect(moved.url == base + "/new")
      #expect(moved.title == "Mine" && moved.folders == ["Work"] && moved.isUserEntered)
      #expect(moved.counts == ArticleCounts(total: 2, unread: 1, starred: 1))
      #expect(moved.state.exchange == nil)
      // Should the refresh that follows never come, the next one is due.
      #expect(moved.isDue(at: now, interval: .fixed(3_600)))

      server.forgetRequests()
      _ = try await reader.repository.refresh(.feeds([feed.id]))
      #expect(server.requests.map(\.target) == ["/new"])
      // What the old address said of its page is no question for the new one.
      #expect(server.requests.first?.header("If-None-Match") == nil)
      let asked = try await reader.feed(feed)
      #expect(asked.counts == moved.counts)
      #expect(asked.state.exchange == ExchangeSummary(status: 200))
    }
  }

  @Test(arguments: [false, true])
  func `The target of a temporary redirect alone gets its validators after the feed was added`(
    isKept: Bool
  ) async throws {
    try await withAnswers({ request in
      guard request.path == "/a" else {
        return .reply(
          request.header("If-None-Match") == "\"B\""
            ? WireReply(status: 304) : .rss(["a"], headers: [("ETag", "\"B\"")]))
      }
      // It would say for ever that nothing has changed.
      return .reply(
        request.header("If-None-Match") == nil
          ? WireReply(status: 302, headers: [("Location", "/b")]) : WireReply(status: 304))
    }) { base, server in
      let reader = try TestReader()
      if isKept {
        let offline = SourceError(
          .offline, stage: .connect, subject: "site.example", message: "no network")
        _ = try await reader.repository.keep(base + "/a", after: offline)
        _ = try await reader.repository.refresh(.all)
      } else {
        _ = try await reader.repository.subscribe(base + "/a")
      }
      server.forgetRequests()
      _ = try await reader.repository.refresh(.all)
      #expect(server.requests.map(\.target) == ["/a", "/b"])
      #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"B\""])
    }
  }

  @Test(arguments: [301, 308], [false, true])
  func `Two that a permanent redirect has made one stay two until they are merged`(
    _ status: Int, isUnchanged: Bool
  ) async throws {
    try await withAnswers({ request in
      if request.path == "/old" {
        return .reply(WireReply(status: status, headers: [("Location", "/new")]))
      }
      if isUnchanged, request.header("If-None-Match") != nil {
        return .reply(WireReply(status: 304))
      }
      return .reply(.rss(["a", "b"], headers: [("ETag", "\"one\"")]))
    }) { base, _ in
      let reader = try TestReader()
      let now = reader.clock.now
      let feeds = try await reader.add(base + "/old", base + "/new")
      let (old, new) = (feeds[0], feeds[1])
      for _ in 0...1 { _ = try await reader.repository.refresh(.all) }
      let refused = try await reader.feed(old)
      #expect(refused.url == base + "/old" && refused.state.error == nil)
      #expect(refused.state.exchange?.redirectedTo == base + "/new")
      #expect(try await reader.feed(new).state.exchange?.redirectedTo == nil)

      let article = try await reader.store.edit { edit in
        try edit.feeds.setTitle("Mine", of: old.id)
        try edit.subscriptions.setFolders(["Work"], of: old.id)
        let rows = try edit.view.timeline.slice(TimelineQuery(.feed(old.id))).rows
        let id = ArticleID(try #require(rows.first).position.id)
        try edit.marks.set(.starred(true), of: [id], now: now)
        return try #require(try edit.view.articles.article(id)).entry.id
      }
      try await reader.repository.merge(old.id, into: new.id)
      let left = try #require(try await reader.store.view { try $0.feeds.all() }.first)
      #expect(try await reader.store.view { try $0.feeds.all() }.count == 1)
      #expect(left.id == new.id && left.url == base + "/new")
      #expect(left.title == "Mine" && left.folders == ["Work"] && left.counts.total == 2)
      #expect(left.settings.otherURLs.contains(base + "/old"))
      let starred = try await reader.store.view { view in
        try view.timeline.slice(TimelineQuery(.starred)).rows.compactMap { row in
          try view.articles.article(ArticleID(row.position.id))?.entry.id
        }
      }
      #expect(starred == [article])
      await #expect(throws: SourceError.self) {
        try await reader.repository.merge(old.id, into: new.id)
      }
    }
  }

  @Test func `A feed that was gone is polled again at its new address`() async throws {
    try await withAnswers({ request in
      .reply(request.path == "/old" ? WireReply(status: 410) : WireReply(status: 503))
    }) { base, _ in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/old")[0]
      _ = try await reader.repository.refresh(.all)
      #expect(try await reader.feed(feed).state.isGone)
      try await reader.repository.move(feed.id, to: base + "/new", isUserEntered: true)
      #expect(try await reader.feed(feed).state.error == nil)
      let report = try await reader.repository.refresh(.all)
      #expect(report.failed.map(\.feed.url) == [base + "/new"])
      let state = try await reader.feed(feed).state
      #expect(!state.isGone)
      #expect(state.failing?.count == 1)
    }
  }

  @Test(arguments: [
    ("http://example.org/taken", "The Taken is already subscribed there"),
    ("http://example.org/own", "The feed has that address already"),
    ("http://EXAMPLE.org:80/own#part", "The feed has that address already"),
    ("ftp://example.org/own", "http and https only"), ("two words", "holds a space"),
  ])
  func `What cannot be moved there stays as it is`(_ address: String, _ message: String)
    async throws
  {
    let reader = try TestReader()
    let now = reader.clock.now
    let feed = try await reader.add("http://example.org/own")[0]
    try await reader.store.edit { edit in
      _ = try edit.feeds.subscribe(
        url: "http://example.org/taken", title: "The Taken", isUserEntered: true, now: now)
      try edit.fetches.recordFailure(
        feed.id, SourceError(.timeout, stage: .connect, subject: "", message: "late"), now: now)
    }
    let before = try await reader.store.view { try $0.feeds.all() }
    let error = await #expect(throws: SourceError.self) {
      try await reader.repository.move(feed.id, to: address, isUserEntered: true)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(try await reader.store.view { try $0.feeds.all() } == before)
  }

  @Test(arguments: [
    ("/gone", "404", "leads to no feed either; the feed keeps its address"),
    ("/locked", "401", "sign in with: telex login URL; the feed keeps its address"),
    ("/page", "names no feed", "; the feed keeps its address"),
    ("/several", "names several feeds", "type the address of one of them; the feed keeps"),
    ("/taken", "is already subscribed there", "nothing has changed"),
  ])
  func `What is no feed takes nobody's place`(_ path: String, _ message: String, _ next: String)
    async throws
  {
    try await withAnswers({ request in
      switch request.path {
      case "/own", "/taken": .reply(.rss(["a"]))
      case "/page": .reply(WireReply(type: "text/html", text: "<html><p>Hello</p></html>"))
      case "/several":
        .reply(
          WireReply(
            type: "text/html",
            text: """
              <html><link rel=alternate type=application/rss+xml href=/1>
              <link rel=alternate type=application/rss+xml href=/2></html>
              """))
      case "/locked": .reply(WireReply(status: 401))
      default: .reply(WireReply(status: 404))
      }
    }) { base, _ in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/own", base + "/taken")[0]
      let before = try await reader.store.view { try $0.feeds.all() }
      let error = await #expect(throws: SourceError.self) {
        let place = try await reader.repository.newPlace(of: feed.id, at: base + path)
        try await reader.repository.move(feed.id, to: place)
      }
      #expect((error.map { "\($0.status ?? 0) \($0.message)" } ?? "").contains(message))
      #expect(error?.next?.contains(next) == true, "\(error?.next ?? "")")
      #expect(try await reader.store.view { try $0.feeds.all() } == before)
    }
  }

  @Test(arguments: ["/new", "/page"])
  func `A feed goes where the address that is typed leads`(_ path: String) async throws {
    try await withAnswers({ request in
      request.path == "/page"
        ? .reply(
          WireReply(
            type: "text/html",
            text: "<html><link rel=alternate type=application/rss+xml href=/new></html>"))
        : .reply(.rss(["a"]))
    }) { base, _ in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/own")[0]
      let before = try await reader.feed(feed)
      let place = try await reader.repository.newPlace(of: feed.id, at: base + path)
      #expect(try await reader.feed(feed) == before)
      try await reader.repository.move(feed.id, to: place)
      let moved = try await reader.feed(feed)
      #expect(moved.url == base + "/new" && moved.isUserEntered)
    }
  }

  @Test func `A feed that was removed meanwhile does not come back`() async throws {
    let reader = try TestReader()
    let feed = try await reader.add("http://example.org/own")[0]
    try await reader.repository.unsubscribe(feed.id)
    let error = await #expect(throws: SourceError.self) {
      try await reader.repository.move(feed.id, to: "http://example.org/new")
    }
    #expect(error?.message == "The feed was removed meanwhile.")
    #expect(try await reader.store.view { try $0.feeds.all() }.isEmpty)
  }

  @Test(arguments: [
    ("http://example.com/new", false, false), ("http://example.com/new", true, true),
    ("http://example.org/new", false, true),
  ])
  func `Only an address that the user wrote may lead to a private host`(
    _ address: String, _ isUserEntered: Bool, _ remainsUserEntered: Bool
  ) async throws {
    let reader = try TestReader()
    let feed = try await reader.add("http://example.org/own")[0]
    try await reader.repository.move(feed.id, to: address, isUserEntered: isUserEntered)
    #expect(try await reader.feed(feed).isUserEntered == remainsUserEntered)
  }

  @Test(arguments: [200, 301, 503])
  func `What is still on its way from the old address is dropped`(_ status: Int) async throws {
    let gate = Gate()
    try await withAnswers({ request in
      if request.path == "/new" { return .reply(.rss(["new"])) }
      if request.path == "/old" { gate.wait() }
      if status == 200 || request.path != "/old" { return .reply(.rss(["old"])) }
      return .reply(WireReply(status: status, headers: [("Location", "/elsewhere")]))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/old")[0]
      let repository = reader.repository
      async let first = repository.refresh(.all)
      #expect(await eventually { !server.requests.isEmpty })
      try await repository.move(feed.id, to: base + "/new", isUserEntered: true)
      // The refresh under way takes the new address in.
      async let second = repository.refresh(.feeds([feed.id]))
      #expect(await eventually { server.requests.contains { $0.target == "/new" } })
      gate.open()
      _ = try await (first, second)
      let moved = try await reader.feed(feed)
      #expect(moved.url == base + "/new")
      #expect(moved.state.error == nil && moved.state.exchange?.status == 200)
      #expect(try await reader.titles() == ["new"])
    }
  }
}
