import News

/// A page of a walk through a source.
struct WalkedPage: Hashable, Sendable {
  /// Why a page is the last of its walk.
  enum Ending: Hashable, Sendable {
    /// The source has no more.
    case end
    /// The page leads to a cursor that was asked already; following it would never end.
    case circle(Cursor)
  }

  /// 1 for the first page of the walk.
  var number: Int
  /// What it was asked with; nil for the newest page.
  var cursor: Cursor?
  /// Its `nextCursor` is nil on the last page, whatever the source says.
  var page: Page
  /// Nil where another page follows.
  var ending: Ending?

  /// What to tell the user of a walk that ended before the source did.
  var warning: String? {
    guard case .circle = ending else { return nil }
    return "The pages begin to repeat after page \(number); what may be behind it is out of reach."
  }
}

/// The pages of a source from a place on, one after the other.
///
/// A page is asked for when the next element is: nothing is fetched ahead, and whoever stops asking
/// has stopped the walk. Each cursor is asked once. A page that cannot be had is thrown as what the
/// source says, and a cancelled task as `CancellationError`; either ends this walk, and another may
/// begin at the cursor that failed.
struct PagedWalk: AsyncSequence, Sendable {
  typealias Element = WalkedPage

  let source: any PageSource
  let start: Cursor?

  func makeAsyncIterator() -> Iterator { Iterator(source: source, next: .cursor(start)) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate enum Step {
      case cursor(Cursor?)
      case over
    }

    fileprivate let source: any PageSource
    fileprivate var next: Step
    private var asked: Set<Cursor> = []
    private var count = 0

    fileprivate init(source: any PageSource, next: Step) {
      self.source = source
      self.next = next
    }

    mutating func next() async throws -> WalkedPage? {
      guard case .cursor(let cursor) = next else { return nil }
      // Unless there is a page to the end of this, there is nothing after it.
      next = .over
      try Task.checkCancellation()
      if let cursor { asked.insert(cursor) }
      let answer = try await source.page(after: cursor, known: KnownPage())
      try Task.checkCancellation()
      guard case .page(let page) = answer.body else { return nil }
      count += 1
      return step(to: page, at: cursor)
    }

    private mutating func step(to page: Page, at cursor: Cursor?) -> WalkedPage {
      var walked = WalkedPage(number: count, cursor: cursor, page: page)
      guard let following = page.nextCursor else {
        walked.ending = .end
        return walked
      }
      if asked.contains(following) {
        walked.page.nextCursor = nil
        walked.ending = .circle(following)
      } else {
        next = .cursor(following)
      }
      return walked
    }
  }
}

extension PageSource {
  /// The pages from `cursor` on, or all of them for nil.
  func pages(from cursor: Cursor? = nil) -> PagedWalk {
    PagedWalk(source: self, start: cursor)
  }
}
