internal import News
internal import Syndication

extension FuzzTarget {
  private static let contentTypes: [String?] = [
    nil, "application/rss+xml", "application/atom+xml; charset=utf-8", "text/xml; charset=latin1",
    "application/feed+json", "text/html", "application/xml; charset=windows-1251", "\u{FFFD};;=",
  ]

  func checkFeed(_ input: [UInt8]) throws(Violation) {
    var plan = InputPlan(input)
    let contentType = Self.contentTypes[plan.choice & 7]
    // The parser looks at a head of 4 KiB, and reads on in pieces of 256 KiB.
    switch plan.choice >> 3 & 7 {
    case 1: plan.pad(with: [UInt8](repeating: 0x20, count: 4100))
    case 2:
      plan.pad(with: [UInt8](repeating: 0x20, count: 256 << 10 - (plan.choice >> 6)))
    default: break
    }
    try checkOutcome(plan, contentType: contentType)
  }

  func checkJSON(_ input: [UInt8]) throws(Violation) {
    try checkOutcome(InputPlan(input), contentType: "application/feed+json")
  }

  /// Text of any bytes in any encoding, in a feed whose head is already read.
  func checkEncoding(_ input: [UInt8]) throws(Violation) {
    let labels = [
      "utf-8", "iso-8859-1", "windows-1251", "koi8-r", "shift_jis", "euc-jp", "iso-2022-jp", "gbk",
      "gb18030", "big5", "euc-kr", "utf-7", "utf-16", "utf-32", "ibm037", "macintosh", "us-ascii",
      "iso-8859-8", "windows-874", "none", "", "utf-8//IGNORE", "hz", "unicode",
    ]
    var plan = InputPlan(input)
    // An index beyond the labels takes the label from the text.
    let index = plan.choice & 31
    let ownLabel = String(decoding: plan.document.prefix { $0 > 0x20 }.prefix(40), as: UTF8.self)
    let label = index < labels.count ? labels[index] : ownLabel
    let head =
      "<rss><channel><item>" + String(repeating: " ", count: 4100) + "<guid>1</guid><title>"
    switch plan.choice >> 5 {
    case 6: plan.document = [0xFF, 0xFE] + head.utf8.flatMap { [$0, 0] } + plan.document
    case 7: plan.document = [0xFE, 0xFF] + head.utf8.flatMap { [0, $0] } + plan.document
    default: plan.document = Array(head.utf8) + plan.document
    }
    plan.shiftCuts(by: plan.document.count - (input.count - min(input.count, 4)))
    try checkOutcome(plan, contentType: "text/xml; charset=\(label)")
  }
}

private func checkOutcome(_ plan: InputPlan, contentType: String?) throws(Violation) {
  let bases = [nil, "https://example.org/blog/feed.xml", "http://[::1]:80/?a=b#c", "javascript:x"]
  let base = bases[plan.choice >> 3 & 3]
  let whole = outcome(of: [plan.document[...]], contentType, base)
  let inPieces = outcome(of: plan.pieces, contentType, base)
  try require(whole == inPieces, "pieces make a difference:\n\(whole)\n\(inPieces)")
  switch whole {
  case .feed(let feed): try check(feed, bytes: plan.document.count)
  case .failure(let kind, let message):
    try checkLine(message, "the message of an error")
    try require(kind == .decoding || kind == .notAFeed, "an unexpected error: \(kind)")
  }
}

private enum Outcome: Equatable {
  case feed(ParsedFeed)
  case failure(SourceError.Kind, String)
}

private func outcome(
  of pieces: [ArraySlice<UInt8>], _ contentType: String?, _ base: String?
) -> Outcome {
  var parser = FeedParser(contentType: contentType, baseURL: base)
  for piece in pieces { parser.consume(piece) }
  do throws(SourceError) {
    return .feed(try parser.finish())
  } catch {
    return .failure(error.kind, error.message)
  }
}

private func check(_ feed: ParsedFeed, bytes: Int) throws(Violation) {
  let description = feed.description
  try checkLine(description.title, "the feed's title")
  try checkLine(description.description, "the feed's description")
  try checkLine(description.language, "the feed's language")
  try checkLine(description.generator, "the feed's generator")
  try checkWeb(description.link, "the feed's page")
  try checkWeb(description.nextURL, "the next page")
  try checkWeb(description.feedURL, "the feed's own address")
  try checkWeb(description.movedTo, "where the feed has moved to")
  try checkWeb(description.image, "the feed's picture")
  try checkWeb(description.icon, "the feed's icon")
  try checkLine(description.rights, "the feed's rights")
  for author in description.authors { try check(author) }
  for category in description.categories { try check(category) }
  if let minutes = description.minutesToLive {
    try require((1...60 * 24 * 366).contains(minutes), "a time to live of \(minutes)")
  }
  for warning in feed.warnings { try checkLine(warning, "a warning") }
  try require(feed.warnings.count <= 32, "\(feed.warnings.count) warnings")
  try require(feed.entries.count <= min(bytes, 20_000), "\(feed.entries.count) entries")
  try require(Set(feed.entries.map(\.id)).count == feed.entries.count, "an id is there twice")
  for entry in feed.entries { try check(entry) }
}

private func check(_ author: Author) throws(Violation) {
  try checkLine(author.name, "an author")
  try checkLine(author.email, "an author's mail address")
  try checkWeb(author.url, "an author's page")
}

private func check(_ category: News.Category) throws(Violation) {
  try checkLine(category.term, "a category")
  try checkLine(category.label, "a category's label")
  try checkLine(category.scheme, "a category's scheme")
}

private func check(_ entry: Entry) throws(Violation) {
  try checkLine(entry.id, "an id")
  try checkWeb(entry.url, "an entry's address")
  try checkLine(entry.title, "a title")
  try checkLine(entry.summary, "a summary")
  for author in entry.authors { try check(author) }
  for category in entry.categories { try check(category) }
  for enclosure in entry.enclosures {
    try checkWeb(enclosure.url, "an enclosure")
    try checkLine(enclosure.type, "an enclosure's type")
    try checkLine(enclosure.title, "an enclosure's title")
    try require(enclosure.length ?? 1 > 0, "an enclosure of no length")
    try require(enclosure.duration ?? 1 > 0, "an enclosure of no duration")
  }
  try checkLine(entry.language, "an entry's language")
  try checkLine(entry.rights, "an entry's rights")
  try checkWeb(entry.image, "an entry's picture")
  try checkWeb(entry.comments?.page, "the page of the comments")
  try checkWeb(entry.comments?.feed, "the feed of the comments")
  try require(entry.comments?.count ?? 0 >= 0, "a negative number of comments")
  try checkLine(entry.source?.title, "the title of a source")
  try checkWeb(entry.source?.url, "the page of a source")
  try checkWeb(entry.source?.feedURL, "the feed of a source")
  let counts = [entry.authors.count, entry.categories.count, entry.enclosures.count]
  try require(counts.allSatisfy { $0 <= 256 }, "lists of \(counts)")
  if let html = entry.contentHTML {
    try require(!html.isEmpty, "a body is empty, not absent")
    try checkPlain(html, "a body", isBlock: true)
  }
}
