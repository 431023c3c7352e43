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
            published: noon.addingTimeInterval(Double(Int.random(in: 0..<2_000, using: &dice))),
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

  @Test(arguments: [false, true], [ListOrder.newest, .oldest])
  func `Looking words up row by row finds what collecting all that match finds`(
    _ isUnread: Bool, _ order: ListOrder
  ) async throws {
    var dice = SplitMix(seed: 11)
    let test = try TestStore()
    // One in sixteen lacks the word.
    try await fill(test, &dice) { $0 % 16 == 3 ? "other" : "common" }
    var places = [(SliceReader.Direction.older(than: nil), 40), (.newer(than: nil), 40)]
    for _ in 0..<20 {
      let place = TimelinePosition(
        date: 1_700_000_000 + Int64.random(in: 0..<2_000, using: &dice),
        id: Int64.random(in: 1...3_600, using: &dice))
      let position = order == .oldest ? place.mirrored : place
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

  @Test func `Words of a few thousand articles are collected`() async throws {
    var dice = SplitMix(seed: 13)
    let test = try TestStore()
    try await fill(test, &dice) { _ in "common" }
    try await test.store.view { view in
      let selection = try #require(
        try ArticleSelection(ArticlePredicate(words: "common"), in: view))
      #expect(selection.singly == nil)
    }
  }
}
