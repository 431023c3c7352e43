internal import FeedServer
internal import Testing

/// The library that the reference server of the Google Reader API speaks for.
@Suite struct GoogleReaderModelTests {
  private static func library(_ count: Int64 = 6) -> GoogleReaderModel {
    var library = GoogleReaderModel()
    let news = library.subscribe(to: "https://a.example/feed", title: "A", folders: ["News"])
    let tech = library.subscribe(to: "https://b.example/feed", title: "B")
    library.insert(
      (1...count).map { number in
        GoogleReaderModel.Item(
          id: number, feed: number.isMultiple(of: 2) ? tech.stream : news.stream,
          title: "Item \(number)", published: number, crawled: number * 1_000_000)
      })
    return library
  }

  @Test func `Streams are in the order of the crawl, newest first`() {
    var library = Self.library()
    library.mark([2, 3], adding: [.starred])
    library.mark([3], adding: [.label("Later")])
    #expect(library.items(in: .all).map(\.id) == [6, 5, 4, 3, 2, 1])
    #expect(library.items(in: .starred).map(\.id) == [3, 2])
    #expect(library.items(in: .feed("feed/1")).map(\.id) == [5, 3, 1])
    #expect(library.items(in: .label("News")).map(\.id) == [5, 3, 1])
    #expect(library.items(in: .label("Later")).map(\.id) == [3])
  }

  @Test func `A mark that is sent twice is there once`() {
    var library = Self.library()
    library.mark([1, 99], adding: [.read, .label("x")])
    let once = library
    library.mark([1, 99], adding: [.read, .label("x")])
    #expect(library == once)
    #expect(library.unread == [2, 3, 4, 5, 6])
    library.mark([1], adding: [], removing: [.read, .label("x")])
    #expect(library.unread.count == 6 && library.states[1]?.labels == [])
  }

  @Test func `All read up to a moment spares what came later`() {
    var library = Self.library()
    library.markAllAsRead(in: .feed("feed/1"), until: 3_000_000)
    #expect(library.unread == [2, 4, 5, 6])
    library.markAllAsRead(in: .all, until: nil)
    #expect(library.unread.isEmpty)
  }

  @Test func `An end of a subscription takes the items along, and another has a new id`() {
    var library = Self.library()
    library.mark([1], adding: [.starred])
    library.unsubscribe(from: "feed/1")
    #expect(library.items(in: .all).map(\.id) == [6, 4, 2])
    #expect(library.starred.isEmpty && library[1] == nil)
    #expect(library.subscribe(to: "https://a.example/feed").stream == "feed/3")
  }

  @Test func `A folder is renamed everywhere, and its feeds outlive it`() {
    var library = Self.library()
    library.mark([1], adding: [.label("News")])
    library.renameLabel("News", to: "Papers")
    #expect(library.feeds.map(\.folders) == [["Papers"], []])
    #expect(library.labels == ["Papers"] && library.states[1]?.labels == ["Papers"])
    library.disableLabel("Papers")
    #expect(library.feeds.count == 2 && library.folders.isEmpty && library.labels.isEmpty)
  }
}
