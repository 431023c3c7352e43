package import News

/// The walk over the pages of the comments on one article. It ends at the last page, and before it where the server
/// leads round in a circle, or further and further without anything new.
package struct CommentWalk {
  /// Pages in a row that bring nothing new, after which no more are asked for.
  static let patience = 3
  /// More pages than a server can have that means it seriously.
  static let mostPages = 1_000

  /// Where the next page begins; nil before the first one.
  package private(set) var cursor: Cursor?
  /// Whether no page is to be asked for any more.
  package private(set) var isOver = false
  /// Whether the walk has ended before the last page.
  private(set) var isCut = false
  /// The ids of the comments that have come.
  package private(set) var known: Set<String> = []

  private let mostComments: Int
  private var walked: Set<Cursor> = []
  private var pages = 0
  private var fruitless = 0

  /// - Parameter mostComments: how many comments are enough.
  package init(mostComments: Int = .max) { self.mostComments = mostComments }

  /// Takes the page that begins at `cursor`, and goes on to the next.
  ///
  /// - Returns: the comments of it that were on none before.
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
