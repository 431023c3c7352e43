internal import News
internal import Text

/// Cursor to an older page of a connection: the server's own, with the state for detecting a circle
/// of pages.
///
/// By Brent's method: the digest of one earlier cursor is kept, and replaced at every page whose
/// number is a power of two. So a circle of any length is noticed after a bounded number of rounds
/// without a list of all cursors, even if the pages are fetched days apart.
struct GraphQLCursor: Hashable {
  private static let mark = "graphql/1"
  /// A server may never end.
  static let mostPages = 10_000

  /// As the server gave it.
  let endCursor: String
  /// The number of pages before this one.
  let page: Int
  /// The digest of an earlier cursor, to be compared.
  let earlier: UInt64
  /// The digest of the previous page: a server that ignores cursors sends the same again.
  let entries: UInt64

  /// Reason against a further page.
  enum Stop: Error {
    /// The cursor was there before.
    case circle
    case tooMany
  }

  /// - Parameter place: the cursor that the page was requested with; nil for the newest.
  init(_ endCursor: String, after place: GraphQLCursor?, entries: UInt64) throws(Stop) {
    let digest = StableDigest(of: endCursor).value
    let page = (place?.page ?? 0) + 1
    if let place {
      guard digest != place.earlier, endCursor != place.endCursor else { throw .circle }
      guard page <= Self.mostPages else { throw .tooMany }
    }
    self.endCursor = endCursor
    self.page = page
    self.entries = entries
    earlier = page & (page - 1) == 0 ? digest : place?.earlier ?? digest
  }

  // MARK: As a cursor

  /// Nil for another kind of cursor.
  init?(_ cursor: Cursor) {
    let words = cursor.rawValue.split(
      separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, words[0] == Self.mark, let page = Int(words[1]),
      (1...Self.mostPages).contains(page), let earlier = UInt64(words[2], radix: 16),
      let entries = UInt64(words[3], radix: 16), !words[4].isEmpty
    else { return nil }
    self.page = page
    self.earlier = earlier
    self.entries = entries
    endCursor = String(words[4])
  }

  var cursor: Cursor {
    Cursor(
      [Self.mark, "\(page)", String(earlier, radix: 16), String(entries, radix: 16), endCursor]
        .joined(separator: " "))
  }
}

extension StableDigest {
  init(of text: String) {
    self.init()
    add(text)
  }

  init(of bytes: [UInt8]) {
    self.init()
    add(bytes)
  }

  /// Independent of the order of the entries.
  init(of entries: [Entry]) {
    self.init()
    for id in entries.map(\.id).sorted() { add(id) }
  }
}
