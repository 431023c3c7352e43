internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of the Google Reader API against the reference server, in each of its dialects.
@Suite struct GoogleReaderClientTests {
  @Test(arguments: ReaderCase.all)
  func `The lists are those of the server`(_ item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      let name = try await client.user()
      #expect(name == "ada")
      let feeds = try await client.subscriptions()
      #expect(feeds.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
      #expect(feeds.map(\.folders) == [["News"], []])
      #expect(feeds.first?.id == "feed/1")
      let folders = try await client.tags().values.map(\.name)
      #expect(folders == ["News"])
      let count = try await client.unreadCount()
      if item.product.hasUnreadCounts {
        #expect(count == 25)
      } else {
        #expect(count == nil && server.count("unread-count") == 0)
      }
      // One sign-in for all of it, and nothing was written.
      #expect(server.count("ClientLogin") == 1)
      #expect(server.count("/token") == 0)
    }
  }

  @Test(arguments: ReaderCase.all)
  func `Sets of ids are walked to their end`(_ item: ReaderCase) async throws {
    // BazQux gives its ids in the order of the crawl, and The Old Reader numbers nothing.
    try await withReader(item) { server, client in
      let all = try await client.ids(of: .all)
      server.forgetRequests()
      let unread = try await client.ids(of: .unread, pageSize: 7)
      #expect(server.count("items/ids") > 3)
      let starred = try await client.ids(of: .starred)
      let model = server.model
      #expect(Set(all.ids.map(\.text)) == readerIDs(model.states.keys, item.quirks))
      #expect(Set(starred.ids.map(\.text)) == readerIDs(model.starred, item.quirks))
      #expect(all.isWhole && starred.isWhole)
      if item.product != .commaFeed {
        #expect(Set(unread.ids.map(\.text)) == readerIDs(model.unread, item.quirks))
      }
      // A set that may lack something is told from one that does not.
      #expect(unread.isWhole == (item.product != .commaFeed))
    }
  }

  @Test(arguments: ReaderCase.all)
  func `Items come by their ids, with what they hold and how they are marked`(
    _ item: ReaderCase
  ) async throws {
    try await withReader(item, items: 12) { server, client in
      let set = try await client.ids(of: .all)
      let contents = try await client.items(set.ids)
      #expect(contents.warnings.isEmpty)
      #expect(contents.items.count == 12)
      let model = server.model
      #expect(Set(contents.items.map(\.entry.id)) == Set(set.ids.map(\.text)))
      let read = contents.items.filter { $0.isRead == true }.map(\.entry.id)
      #expect(
        Set(read)
          == readerIDs(model.states.filter { $0.value.isRead }.keys, item.quirks))
      let starred = contents.items.filter { $0.isStarred == true }.map(\.entry.id)
      #expect(Set(starred) == readerIDs(model.starred, item.quirks))
      let first = try #require(contents.items.first { $0.entry.url == "https://a.example/1" })
      #expect(first.feed == "feed/1")
      #expect(first.entry.title == "Item <1>")
      #expect(first.entry.authors == [Author("Ada")])
      #expect(first.entry.categories == [Category("swift")])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_773_000_000 - 12 + 1))
      #expect(
        first.entry.contentHTML == "<p>Text 1 <a href=\"https://a.example/x\">x</a></p>"
          || first.entry.contentHTML == "<p>Text 1 <a href='https://a.example/x'>x</a></p>")
      #expect(
        first.entry.enclosures == [
          Enclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 9)
        ])
    }
  }

  @Test(arguments: ReaderCase.all)
  func `Marks reach the server, and are what the next look finds`(_ item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      let before = try await client.ids(of: .unread)
      let some = Array(before.ids.prefix(10))
      try await client.mark(some, .read, true)
      try await client.mark(Array(some.prefix(3)), .starred, true)
      try await client.mark(Array(some.prefix(2)), .read, false)
      let unread = try await client.ids(of: .unread)
      #expect(Set(unread.ids) == Set(before.ids.filter { !some.contains($0) } + some.prefix(2)))
      #expect(server.model.unread.count == before.ids.count - 8)
      #expect(server.model.starred.count == 8)
      // The token was fetched once.
      #expect(server.count("/token") == 1)
      let body = String(
        decoding: server.requests.last { $0.path.hasSuffix("edit-tag") }?.body ?? [], as: UTF8.self)
      #expect(body.hasPrefix("r=user%2F-%2Fstate") && body.contains("&T="))
      // Nothing that comes in any number stands before what is only once.
      let (token, first) = (body.firstRange(of: "&T="), body.firstRange(of: "&i="))
      let (place, start) = (try #require(token), try #require(first))
      #expect(place.lowerBound < start.lowerBound)
    }
  }

  @Test func `Two thousand marks of FreshRSS are kept, though PHP reads a thousand pairs`()
    async throws
  {
    let item = ReaderCase(product: .freshRSS, quirks: .freshRSS)
    try await withReader(item, items: 3_000) { server, client in
      let ids = try await client.ids(of: .unread).ids
      #expect(ids.count == 1_500)
      try await client.mark(ids, .read, true)
      #expect(server.model.unread.isEmpty)
    }
  }

  @Test(arguments: ReaderCase.all)
  func `Labels go to servers that keep them, and to no other`(_ item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      let ids = Array(try await client.ids(of: .all).ids.prefix(2))
      server.forgetRequests()
      do {
        try await client.mark(ids, .label("Später & mehr"), true)
        #expect(item.product.keepsItemLabels)
        #expect(server.model.labels == ["Später & mehr"])
        let labelled = try await client.ids(of: GoogleReaderIDQuery(.label("Später & mehr")))
        #expect(Set(labelled.ids) == Set(ids))
        let tags = try await client.tags().values
        #expect(tags.contains(GoogleReaderTag(name: "Später & mehr", isFolder: false)))
      } catch let error as SourceError {
        #expect(!item.product.keepsItemLabels)
        #expect(error.next == "nothing was sent")
        #expect(server.requests.isEmpty && server.model.labels.isEmpty)
      }
    }
  }

  @Test(arguments: ReaderCase.all)
  func `Subscriptions change on the server`(_ item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      try await client.change(.subscribe(url: "https://c.example/feed?a=1&b=2"))
      let added = try #require(try await client.subscriptions().last)
      #expect(added.url == "https://c.example/feed?a=1&b=2")
      #expect(added.folders == [])
      try await client.change(.rename(id: added.id, title: "D"))
      try await client.change(.move(id: added.id, to: "Neu", from: nil))
      #expect(server.model.feeds.last?.title == "D")
      #expect(server.model.feeds.last?.folders == ["Neu"])
      try await client.change(.move(id: added.id, to: "News", from: "Neu"))
      #expect(server.model.feeds.last?.folders == ["News"])
      try await client.change(.move(id: added.id, to: nil, from: "News"))
      #expect(server.model.feeds.last?.folders == [])
      try await client.change(.unsubscribe(id: added.id))
      #expect(server.model.feeds.count == 2)
    }
  }

  @Test
  func `New ids are those that a server has taken in since, where it tells that by its clock`()
    async throws
  {
    // Miniflux would leave out what was published before.
    let since = Date(timeIntervalSince1970: 1_773_000_000 - 3)
    for item in ReaderCase.all {
      try await withReader(item) { server, client in
        let set = try await client.ids(of: GoogleReaderIDQuery(.readingList, since: since))
        #expect(set.ids.count == 50)
        let asks = server.requests.contains { $0.query("ot") != nil }
        #expect(asks == (item.product.time == .crawled))
      }
    }
  }

  @Test func `Ten thousand marks take few calls`() async throws {
    let item = ReaderCase(product: .freshRSS, quirks: .freshRSS)
    try await withReader(item, items: 20_000) { server, client in
      var ids = try await client.ids(of: .unread).ids[...]
      #expect(ids.count == 10_000)
      server.forgetRequests()
      while !ids.isEmpty {
        let batch = Array(ids.prefix(client.marksPerCall))
        try await client.mark(batch, .read, true)
        ids = ids.dropFirst(batch.count)
      }
      #expect(server.model.unread.isEmpty)
      #expect(server.requests.count <= 20)
    }
  }
}
