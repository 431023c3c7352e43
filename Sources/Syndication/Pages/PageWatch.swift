package import Markup
package import News
internal import Text

package import struct Foundation.Date

/// A page whose changes are articles with the added and removed lines.
package struct PageWatch: Hashable, Sendable, Codable {
  /// Selects the watched parts; nil for the whole page.
  package var selector: Selector?
  /// Lines of the last look; nil before the first.
  package private(set) var lines: [String]?
  /// Date of the last change in seconds since 1970; nil before the first look.
  private var changed: Int64?

  package init(selector: Selector? = nil) { self.selector = selector }

  package init(selecting text: String) throws(PageMapping.Mistake) {
    selector = try PageMapping.selector(text, of: nil)
  }

  package struct Look: Sendable {
    package var feed: ParsedFeed
    /// Kept for the next look.
    package var watch: PageWatch
  }

  /// Compares the page with its previous state.
  ///
  /// - Parameters:
  ///   - bytes: the page in its own encoding.
  ///   - date: the time in the user's format, for the title of the article.
  /// - Returns: nil without changes.
  /// - Throws: `.decoding` if the selector finds nothing, or there is no text.
  package func look(
    at bytes: [UInt8], contentType: String?, url: String?, now: Date, date: String
  ) throws(SourceError) -> Look? {
    let subject = url.map(WebAddress.redacted) ?? "the page"
    let text = PageText.utf8(bytes, contentType: contentType)
    let page = HTMLPage(text)
    var (current, isCut) = try lines(of: page, text, contentType, subject)
    current = current.map(PlainText.sanitized).filter { !$0.isEmpty }
    guard !current.isEmpty else {
      throw SourceError(
        .decoding, stage: .parse, subject: subject,
        message: "there is no text on the page: it may have changed",
        next: "look at the page; one that is made by scripts cannot be watched")
    }
    guard current != lines else { return nil }
    var watch = self
    watch.lines = current
    // Articles with the same link and date would be duplicates.
    var moment = Int64(now.timeIntervalSince1970)
    if let changed, (0..<60).contains(changed - moment) { moment = changed + 1 }
    watch.changed = moment
    let title = page.title.map(PlainText.sanitized) ?? url.map(WebAddress.withoutScheme) ?? "Page"
    var feed = ParsedFeed(description: FeedDescription(format: .page))
    feed.description.title = title
    feed.description.link = url.flatMap(AddressText.web)
    if isCut { feed.warnings.append("The page is long; only the beginning of it is watched.") }
    var digest = StableDigest()
    for line in current { digest.add(line) }
    feed.entries = [
      Entry(
        id: "change-\(moment)-\(String(digest.value, radix: 16))",
        url: feed.description.link,
        title: lines == nil ? "\(title): watching begins, \(date)" : "\(title), \(date)",
        published: Date(timeIntervalSince1970: Double(moment)),
        contentHTML: lines.map { TextChanges.html(from: $0, to: current) }
          ?? current.map { "<p>\(TextChanges.escaped($0))</p>" }.joined())
    ]
    return Look(feed: feed, watch: watch)
  }

  private func lines(
    of page: HTMLPage, _ text: [UInt8], _ contentType: String?, _ subject: String
  ) throws(SourceError) -> (lines: [String], isCut: Bool) {
    var all: [String] = []
    if let selector {
      let found = try page.find(selector, subject: subject)
      guard !found.isEmpty else { throw .nothingFound(by: selector, in: page, subject: subject) }
      for element in found where all.count <= TextChanges.mostLines {
        all += page.lines(of: element)
      }
    } else if ["text/plain", "application/json"].contains(MediaType(contentType ?? "").name) {
      all = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map(String.init)
    } else {
      all = page.lines(of: page.root)
    }
    return TextChanges.beginning(of: all)
  }
}
