package import News
internal import Text

package enum NewsboatCache {
  /// Columns that a version lacks are nil.
  static let columns = [
    "id", "guid", "title", "author", "url", "pubDate", "content", "unread", "enclosure_url",
    "enclosure_type", "flags", "deleted", "base", "content_mime_type",
  ]

  /// Selects articles of a feed below an id, newest first.
  ///
  /// - Parameter known: columns of `rss_item` in this cache.
  /// - Returns: a query with the arguments feed address, id, and number of rows.
  package static func query(columns known: Set<String>) -> String {
    let names = columns.map { known.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    return """
      SELECT \(names) FROM rss_item WHERE feedurl = ? AND id < ? ORDER BY id DESC LIMIT ?
      """
  }

  /// Number of articles by feed address.
  package static let counts = "SELECT feedurl, count(*) FROM rss_item GROUP BY feedurl"
  /// Title and page of each feed.
  package static let feeds = "SELECT rssurl, title, url FROM rss_feed"

  /// - Parameters:
  ///   - feed: the feed's address.
  ///   - star: the flag that becomes a star; others become tags.
  /// - Returns: nil without an id.
  package static func article(
    _ row: [ForeignValue], of feed: String, star: Character? = nil
  ) -> (row: Int64, article: ImportedArticle)? {
    guard row.count == columns.count, let id = row[0].integer else { return nil }
    func text(_ column: Int) -> String? { row[column].text.flatMap { $0.isEmpty ? nil : $0 } }
    let base = text(12) ?? text(4) ?? feed
    let url = text(4).flatMap {
      WebAddress.isBlank($0) ? nil : WebAddress.resolve($0, against: feed)
    }
    var entry = Entry(
      id: "", url: url, title: ForeignText.line(text(2)),
      authors: ForeignText.line(text(3)).map { [Author($0)] } ?? [],
      published: row[5].integer.flatMap(ForeignText.date))
    if let content = text(6) {
      let markup = text(13) == "text/plain" ? ForeignText.paragraphs(of: content) : content
      entry.contentHTML = ForeignText.body(markup, base: base)
    }
    if let file = text(8), let address = WebAddress.resolve(file, against: base) {
      entry.enclosures = [Enclosure(url: address, type: text(9).map(PlainText.sanitized))]
    }
    entry.id = identity(text(1), entry)
    let flags = text(10) ?? ""
    return (
      id,
      ImportedArticle(
        entry, isRead: row[7].integer == 0, isStarred: star.map(flags.contains) ?? false,
        tags: flags.filter { $0.isASCII && $0.isLetter && $0 != star }.map(NewsboatFlags.tag),
        isDeleted: row[11].integer == 1)
    )
  }

  /// The id that Telex gives the entry. Newsboat's substitute is the address with the date, or the
  /// title.
  private static func identity(_ guid: String?, _ entry: Entry) -> String {
    guard let guid = guid.map(PlainText.sanitized), !guid.isEmpty else {
      return entry.url ?? EntryIdentity.derived(from: entry)
    }
    if let url = entry.url, guid.hasPrefix(url) {
      // A raw date begins with a weekday or year, and ends with a time or zone.
      let rest = guid.dropFirst(url.count)
      let date = #/\s*(?:[A-Za-z]{3,9},? ?)?\d{1,4}[- ].{0,40}[\dA-Za-z)]\s*/#
      let isDate = rest.wholeMatch(of: date) != nil
      return rest.isEmpty || isDate ? url : guid
    }
    guard entry.url == nil, guid == entry.title else { return guid }
    var entry = entry
    // Newsboat invents missing dates. An entry with a title only has hardly a date of its own.
    if entry.contentHTML == nil, entry.enclosures.isEmpty { entry.published = nil }
    return EntryIdentity.derived(from: entry)
  }

}

/// Flags of articles, `A` to `Z` and `a` to `z`.
package enum NewsboatFlags {
  /// Names of tags are case-insensitive.
  package static func tag(of flag: Character) -> String {
    flag.isUppercase ? "flag-upper-\(flag.lowercased())" : "flag-\(flag)"
  }
}
