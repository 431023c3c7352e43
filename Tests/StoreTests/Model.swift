internal import Foundation
internal import News
internal import Store
internal import TestSupport

/// What a store should hold, kept beside it in plain arrays.
struct Model {
  struct Item: Hashable {
    var feed: Int
    var position: TimelinePosition
    var isRead = false
    var isStarred = false
    var hasNeedle: Bool
  }

  private(set) var feeds: [FeedID] = []
  private(set) var items: [Item] = []
  private var random: SplitMix
  private var time = noon

  /// Fifty feeds of a few articles each, many of them in the same second. The first five lie in the
  /// folder `few`, the first of them in one inside it; from the third on all lie in `many`.
  init(_ store: Store, seed: UInt64) async throws {
    random = SplitMix(seed: seed)
    for number in 0..<50 {
      var folders = number == 0 ? ["few/inner"] : number < 5 ? ["few"] : []
      if number >= 2 { folders.append("many") }
      let all = folders
      feeds.append(
        try await store.edit {
          try $0.feeds.subscribe(
            url: "http://example.org/\(number)", folders: all, isUserEntered: true, now: noon
          ).feed
        })
      let count = number == 3 ? 20 : Int.random(in: 0...3, using: &random)
      let dates = (0..<count).map { _ in Int.random(in: -40...0, using: &random) }
      try await insert(dates, feed: number, store)
    }
  }

  mutating func insertOnTop(_ store: Store, _ count: Int) async throws {
    time = time + 100
    for _ in 0..<count {
      let feed = Int.random(in: 0..<feeds.count, using: &random)
      try await insert([Int(time.timeIntervalSince(noon))], feed: feed, store)
    }
  }

  private mutating func insert(_ dates: [Int], feed number: Int, _ store: Store) async throws {
    let entries = dates.map { date in
      let needle = Bool.random(using: &random) ? "needle" : "hay"
      return entry(
        "\(UInt64.random(in: 0...UInt64.max, using: &random))", at: date, content: needle)
    }
    let page = PreparedPage(Page(entries: entries))
    let (feed, now) = (feeds[number], time)
    let articles = try await store.edit { edit in
      try edit.articles.merge(page, into: feed, at: .newest, now: now)
      var articles: [Article] = []
      try edit.view.articles.forEach(of: feed) { articles.append($0) }
      return articles
    }
    let known = Set(items.map(\.position))
    for article in articles where !known.contains(article.position) {
      items.append(
        Item(
          feed: number, position: article.position,
          hasNeedle: article.entry.contentHTML == "needle"))
    }
  }

  mutating func markSome(_ store: Store) async throws {
    let read = items.filter { _ in Bool.random(using: &random) }.map(\.position)
    try await setRead(Set(read), true, store)
    let starred = Set(items.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    for index in items.indices where starred.contains(items[index]) {
      items[index].isStarred = true
    }
    let ids = starred.map { ArticleID($0.position.id) }
    try await store.edit { try $0.marks.set(.starred(true), of: ids, now: noon) }
  }

  mutating func setRead(
    _ positions: Set<TimelinePosition>, _ isRead: Bool, _ store: Store
  ) async throws {
    for index in items.indices where positions.contains(items[index].position) {
      items[index].isRead = isRead
    }
    let ids = positions.map { ArticleID($0.id) }
    try await store.edit { try $0.marks.set(.read(isRead), of: ids, now: noon) }
  }
}
