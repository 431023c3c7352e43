package import News

/// Walk over the pages of comments on one article. Ends at the last page, or earlier where pages
/// repeat or bring nothing new.
package struct CommentWalk {
  /// Pages in a row that bring nothing new, after which no more are asked for.
  static let patience = 3
  /// More pages than a sane server has.
  static let mostPages = 1_000

  /// Where the next page begins; nil before the first one.
  package private(set) var cursor: Cursor?
  package private(set) var isOver = false
  private(set) var isCut = false
  package private(set) var known: Set<String> = []

  private let mostComments: Int
  private var walked: Set<Cursor> = []
  private var pages = 0
  private var fruitless = 0

  /// - Parameter mostComments: how many comments are enough.
  package init(mostComments: Int = .max) { self.mostComments = mostComments }

  /// Handles the page that begins at `cursor`, and moves on to the next.
  ///
  /// - Returns: its comments that were on no page before.
  package mutating func take(_ page: CommentPage) -> [Comment] {
    let new = page.comments.filter { known.insert($0.id).inserted }
    pages += 1
    fruitless = new.isEmpty ? fruitless + 1 : 0
    // A cursor that repeats would lead round for ever.
    cursor = page.nextCursor.flatMap { walked.insert($0).inserted ? $0 : nil }
    isCut =
      cursor != nil
      && (fruitless >= Self.patience || pages >= Self.mostPages || known.count >= mostComments)
    isOver = cursor == nil || isCut
    return new
  }
}
