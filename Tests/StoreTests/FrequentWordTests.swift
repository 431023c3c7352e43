internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// Lists of words that very many articles have, which are looked up for one article after the other.
@Suite struct FrequentWordTests {
  /// 3,600 articles in the order of their ids, with dates in another order; every fifth is read.
  ///
  /// - Parameter text: of an article by its number.
  private func fill(
    _ test: borrowing TestStore, _ dice: inout SplitMix, _ text: (Int) -> String
  ) async throws {
    let feed = try await test.subscribe()
    for part in 0..<4 {
      try await test.merge(
        (part * 900..<(part + 1) * 900).map { number in
          Entry(
            id: "\(number)", title: "T\(number)",
            published: noon.addingTimeInterval(-Double(Int.random(in: 1..<2_000, using: &dice))),
            contentHTML: "<p>\(text(number))</p>")
        }, into: feed)
    }
    try RawDatabase(test.folder).execute(
      "UPDATE articleStatus SET isRead = 1 WHERE articleID % 5 = 0")
  }

  private func rows(
    _ direction: SliceReader.Direction, _ order: ListOrder, limit: Int, in view: StoreView,
    isUnread: Bool, lookingUp: Double
  ) throws -> ([ArticleID], hasMore: Bool, looksUp: Bool) {
    let predicate = ArticlePredicate(isUnread: isUnread, words: "common")
    let selection = try #require(
      try ArticleSelection(predicate, in: view, lookingUp: lookingUp))
    let reader = SliceReader(view: view, selection: selection, order: order)
    let (rows, hasMore) = try reader.rows(direction, limit: limit)
    return (rows.map(\.id), hasMore, selection.singly != nil)
  }

  /// Lists of unread articles or of all, in both orders.
  private static let lists: [(isUnread: Bool, order: ListOrder)] = [
    (false, .newest), (false, .oldest), (true, .newest), (true, .oldest),
  ]

  @Test func `Looking words up row by row finds what collecting all that match finds`()
    async throws
  {
    var dice = SplitMix(seed: 11)
    let test = try TestStore()
    // One in sixteen lacks the word.
    try await fill(test, &dice) { $0 % 16 == 3 ? "other" : "common" }
    for (isUnread, order) in Self.lists {
      var places = [(SliceReader.Direction.older(than: nil), 40), (.newer(than: nil), 40)]
      for _ in 0..<10 {
        let position = position(in: order, &dice)
        let limit = Int.random(in: 1...300, using: &dice)
        places += [(.older(than: position), limit), (.newer(than: position), limit)]
      }
      try await test.store.view { [places] view in
        for (direction, limit) in places {
          let found = try rows(
            direction, order, limit: limit, in: view, isUnread: isUnread, lookingUp: 0)
          let expected = try rows(
            direction, order, limit: limit, in: view, isUnread: isUnread, lookingUp: 1e9)
          #expect(found.looksUp && !expected.looksUp)
          #expect(found.0 == expected.0 && found.hasMore == expected.hasMore, "\(direction)")
        }
      }
    }
  }

  @Test func `Starred articles and those of one feed that have a frequent word are collected`()
    async throws
  {
    var dice = SplitMix(seed: 12)
    let test = try TestStore()
    try await fill(test, &dice) { _ in "common" }
    try RawDatabase(test.folder).execute(
      "UPDATE articleStatus SET isStarred = 1 WHERE articleID % 50 = 0")
    let feed = try #require(try await test.store.view { try $0.feeds.all().first?.id })
    for predicate in [
      ArticlePredicate(isStarred: true, words: "common"),
      ArticlePredicate(.feed(feed), words: "common"),
    ] {
      let count = try await test.store.view { view in
        let selection = try #require(
          try ArticleSelection(predicate, in: view, lookingUp: 0))
        let reader = SliceReader(view: view, selection: selection, order: .newest)
        return try reader.rows(.older(than: nil), limit: 5_000).rows.count
      }
      #expect(count == (predicate.isStarred ? 72 : 3_600))
    }
  }

  /// One in the list, or between two that are.
  private func position(in order: ListOrder, _ dice: inout SplitMix) -> TimelinePosition {
    let place = TimelinePosition(
      date: 1_700_000_000 - Int64.random(in: 0..<2_000, using: &dice),
      id: Int64.random(in: 1...3_600, using: &dice))
    return order == .oldest ? place.mirrored : place
  }

  @Test func `A word that the articles nearby lack is found farther away`() async throws {
    var dice = SplitMix(seed: 12)
    let test = try TestStore()
    try await fill(test, &dice) { $0 % 1_200 < 1_100 ? "common" : "other" }
    // The newest ones have it not.
    try RawDatabase(test.folder).execute(
      "UPDATE articleStatus SET sortDate = sortDate + 10000 WHERE (articleID - 1) % 1200 >= 1100")
    try await test.store.view { view in
      let found = try rows(
        .older(than: nil), .newest, limit: 50, in: view, isUnread: false, lookingUp: 0)
      let expected = try rows(
        .older(than: nil), .newest, limit: 50, in: view, isUnread: false, lookingUp: 1e9)
      #expect(found.looksUp && found.0 == expected.0 && found.0.count == 50)
    }
  }

  @Test func `The beginning of a word is asked for once, and finds what it found`() async throws {
    var dice = SplitMix(seed: 14)
    let test = try TestStore()
    try await fill(test, &dice) { $0 % 16 == 3 ? "other" : "common\($0 % 7)" }
    // Stories of three, and duplicates: of a hit, of what is no hit, and of the first article of a story.
    try RawDatabase(test.folder).execute(
      """
      UPDATE articleStatus SET storyOf = articleID - articleID % 60
        WHERE articleID > 60 AND articleID % 60 IN (4, 8, 15);
      UPDATE articleStatus SET duplicateOf = articleID - articleID % 60 + 16
        WHERE articleID % 60 IN (0, 17, 18) AND articleID > 600;
      """)
    var queries: [TimelineQuery] = []
    for (isUnread, order) in Self.lists {
      var query = TimelineQuery(.search("comm"), unreadOnly: isUnread, mergesDuplicates: true)
      query.order = order
      queries.append(query)
      query.anchor = .oldest
      queries.append(query)
      for _ in 0..<8 {
        query.anchor = .around(position(in: order, &dice))
        query.newerCount = Int.random(in: 0...200, using: &dice)
        query.olderCount = Int.random(in: 1...300, using: &dice)
        queries.append(query)
      }
    }
    // In a transaction that may write, no hits are kept.
    let former = try await test.store.edit { [queries] edit in
      try queries.map { try edit.view.timeline.slice($0) }
    }
    let found = try await test.store.view { [queries] view in
      try queries.map { try view.timeline.slice($0) }
    }
    #expect(found == former)
    let rowCount = try await test.rows(
      TimelineQuery(.search("comm"), mergesDuplicates: true, olderCount: 4_000)
    ).count
    #expect(rowCount < 3_200)
    for limit in [10, 3_000, 10_000, Int.max] {
      let former = try await test.store.edit {
        try $0.view.timeline.counts(of: .search("comm"), isMerged: true, limit: limit)
      }
      let counts = try await test.store.view { view in
        let selection = try ArticleSelection(ArticlePredicate(words: "comm"), in: view)
        #expect(selection?.hits?.all.count == 3_375)
        return try view.timeline.counts(of: .search("comm"), isMerged: true, limit: limit)
      }
      #expect(counts == former && counts.total == min(limit, rowCount))
    }
  }

  @Test func `Articles that come and go after the first question are found and gone`() async throws
  {
    var dice = SplitMix(seed: 15)
    let test = try TestStore()
    try await fill(test, &dice) { _ in "common" }
    func newest() async throws -> [String] {
      try await test.rows(TimelineQuery(.search("comm"), olderCount: 2)).compactMap {
        if case .article(let row) = $0 { row.title } else { nil }
      }
    }
    try await test.store.view { view in
      let selection = try #require(
        try ArticleSelection(ArticlePredicate(words: "common"), in: view))
      #expect(selection.singly == nil, "a few thousand are collected")
    }
    let before = try await newest()
    let feed = try await test.subscribe("b")
    try await test.merge([entry("new", at: 1, content: "<p>commonplace</p>")], into: feed)
    #expect(try await newest().last == before.first)
    #expect(
      try await test.store.view { try $0.timeline.counts(of: .search("comm")).total } == 3_601)
    try await test.store.edit { try $0.feeds.unsubscribe(feed) }
    #expect(try await newest() == before)
    #expect(
      try await test.store.view { try $0.timeline.counts(of: .search("comm")).total } == 3_600)
  }
}
