internal import News
internal import Text

/// Cursor to an older page by its number, or by the offset of its first entry, for feeds without a
/// link to the next page.
///
/// For WordPress, whose feeds accept `paged=N`, and OpenSearch listings that state their position
/// and have the offset in their own address. As a `Cursor` it is a text with spaces, which no
/// address contains.
///
/// Positions shift: a new entry moves the rest down, so that some arrive twice (the store
/// recognises them); a deleted one moves them up, and some are missed.
struct NumberedPage: Hashable {
  private static let mark = "numbered/1"
  private static let pageParameter = "paged"
  /// Query parameters for an offset: of arXiv, Blogger and other OpenSearch listings.
  private static let offsetParameters = ["start", "start-index", "startIndex", "offset"]
  /// Valid numbers; no feed is longer.
  private static let numbers = 0...1_000_000_000

  let parameter: String
  /// The number of the page or the offset, within `numbers`.
  let number: Int
  /// The digest of the previous page: a server that ignores numbers sends the same again.
  let before: UInt64

  private init(parameter: String, number: Int, before: UInt64) {
    self.parameter = parameter
    self.number = number
    self.before = before
  }

  // MARK: As a cursor

  /// Nil for another kind of cursor.
  init?(_ cursor: Cursor) {
    let words = cursor.rawValue.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == Self.mark,
      words[1] == Self.pageParameter || Self.offsetParameters.contains(String(words[1])),
      let number = Int(words[2]), Self.numbers.contains(number),
      let before = UInt64(words[3], radix: 16)
    else { return nil }
    self.init(parameter: String(words[1]), number: number, before: before)
  }

  var cursor: Cursor {
    Cursor("\(Self.mark) \(parameter) \(number) \(String(before, radix: 16))")
  }

  /// The address of the page.
  func url(of feed: String) -> String {
    Query.setting(parameter, to: String(number), in: feed)
  }

  // MARK: Going on

  /// Whether these entries are those of the previous page.
  func repeats(_ entries: [Entry]) -> Bool { StableDigest(of: entries).value == before }

  /// The next page; nil after the last, or where the server does not number its pages.
  ///
  /// - Parameters:
  ///   - url: the feed's own address.
  ///   - place: the cursor that the page was requested with; nil for the newest.
  static func following(
    _ description: FeedDescription, _ entries: [Entry], of url: String, at place: NumberedPage?
  ) -> NumberedPage? {
    guard !entries.isEmpty, !description.isComplete, !description.isArchive else { return nil }
    let before = StableDigest(of: entries).value
    if let place {
      let isPage = place.parameter == pageParameter
      let number = place.number + (isPage ? 1 : entries.count)
      if !isPage, let total = description.listTotal, number > total { return nil }
      guard numbers.contains(number) else { return nil }
      return NumberedPage(parameter: place.parameter, number: number, before: before)
    }
    if description.generator?.lowercased().contains("wordpress") == true {
      let page = Query.number(of: pageParameter, in: url) ?? 1
      guard numbers.contains(page) else { return nil }
      return NumberedPage(parameter: pageParameter, number: page + 1, before: before)
    }
    guard let total = description.listTotal,
      let (parameter, offset) = offsetParameters.lazy.compactMap({ name in
        Query.number(of: name, in: url).map { (name, $0) }
      }).first, numbers.contains(offset), total > entries.count, offset + entries.count <= total
    else { return nil }
    return NumberedPage(parameter: parameter, number: offset + entries.count, before: before)
  }

}

/// Query of an address.
private enum Query {
  static func number(of name: String, in url: String) -> Int? {
    pairs(of: parts(of: url).query).first { $0.name == name }.flatMap { Int($0.value) }
  }

  /// The address with the parameter set, its other parameters as they are, and without a fragment.
  static func setting(_ name: String, to value: String, in url: String) -> String {
    let (head, query) = parts(of: url)
    let kept = query.split(separator: "&").filter { pair in
      pair.prefix { $0 != "=" } != name
    }
    return head + "?" + (kept.map(String.init) + ["\(name)=\(value)"]).joined(separator: "&")
  }

  private static func parts(of url: String) -> (head: String, query: Substring) {
    let address = url.prefix { $0 != "#" }
    guard let mark = address.firstIndex(of: "?") else { return (String(address), "") }
    return (String(address[..<mark]), address[address.index(after: mark)...])
  }

  private static func pairs(of query: Substring) -> [(name: Substring, value: Substring)] {
    query.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (name, pair.dropFirst(name.count + 1))
    }
  }
}
