internal import News

/// The older pages of a feed, each stored by the time it is an element.
package struct OlderPages: AsyncSequence, Sendable {
  package struct Element: Hashable, Sendable {
    /// From 1 on.
    package var number: Int
    /// Why no page follows although the source has more; nil for any other page.
    package var stop: Stop?

    package init(number: Int, stop: Stop? = nil) {
      self.number = number
      self.stop = stop
    }
  }

  /// Why a walk ends before the source does.
  package enum Stop: Hashable, Sendable {
    /// So many pages in a row had nothing new.
    case nothingNew(pages: Int)
    /// The bound for one walk (`RefreshSettings.maxOlderPages`).
    case bound(pages: Int)
  }

  /// So many pages in a row without anything new end a walk: some servers have no last page.
  package static let patience = 3

  let loader: OlderPageLoader
  let feed: Feed
  /// The bound for one walk.
  let maxCount: Int

  package func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  package struct Iterator: AsyncIteratorProtocol {
    let pages: OlderPages
    var count = 0
    var countWithoutNews = 0
    var isAtEnd = false

    package mutating func next() async throws -> Element? {
      guard !isAtEnd else { return nil }
      try Task.checkCancellation()
      guard let page = try await pages.loader.olderPage(of: pages.feed) else { return nil }
      count += 1
      countWithoutNews = page.isNews ? 0 : countWithoutNews + 1
      var element = Element(number: count)
      let most = pages.maxCount
      if page.hasMore, countWithoutNews >= OlderPages.patience {
        element.stop = .nothingNew(pages: countWithoutNews)
      } else if page.hasMore, count >= most {
        element.stop = .bound(pages: count)
      }
      isAtEnd = !page.hasMore || element.stop != nil
      return element
    }
  }
}
