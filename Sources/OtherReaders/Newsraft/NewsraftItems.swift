package import News
internal import Text

/// Newsraft's database of articles: which of its rows are wanted, and what they come to.
package enum NewsraftItems {
  /// What a row has to tell. A column that a version does not have is nil in all its rows.
  static let columns = [
    "guid", "title", "link", "content", "attachments", "persons", "extras", "publication_date",
    "update_date", "unread", "important",
  ]

  /// The articles of a feed with row numbers below one, the newest first.
  ///
  /// - Parameter known: the columns of `items` in this database.
  /// - Returns: a query with the feed's address in both of its spellings, the row and the number of rows wanted as its
  ///   arguments.
  package static func query(columns known: Set<String>) -> String {
    let names = columns.map { known.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    return """
      SELECT rowid, \(names) FROM items WHERE feed_url IN (?, ?) AND rowid < ?
      ORDER BY rowid DESC LIMIT ?
      """
  }

  /// How many articles each address has.
  package static let counts = "SELECT feed_url, count(*) FROM items GROUP BY feed_url"
  /// What each feed calls itself, and its page.
  package static let feeds = "SELECT feed_url, title, link FROM feeds"

  /// An address as the database has it: without slashes at its end.
  package static func address(_ url: String) -> String {
    var url = url[...]
    while url.last == "/" { url.removeLast() }
    return String(url)
  }

  /// The article of a row.
  ///
  /// - Parameter feed: the feed's address.
  /// - Returns: nil where there is no number of a row.
  package static func article(
    _ row: [ForeignValue], of feed: String
  ) -> (row: Int64, article: ImportedArticle)? {
    guard row.count == columns.count + 1, let id = row[0].integer else { return nil }
    func text(_ column: Int) -> String? {
      row[column].text.flatMap { $0.isEmpty ? nil : $0 }
    }
    let link = text(3)
    let url = link.flatMap {
      WebAddress.isBlank($0) ? nil : WebAddress.resolve($0, against: feed)
    }
    var entry = Entry(
      id: "", url: url, title: ForeignText.line(text(2)),
      published: row[8].integer.flatMap(ForeignText.date),
      updated: row[9].integer.flatMap(ForeignText.date))
    let bodies = FieldGroups(text(4)).groups
    if let body = bodies.max(by: { ($0["text"] ?? "").utf8.count < ($1["text"] ?? "").utf8.count }),
      let content = body["text"]
    {
      let isHTML = body["type"]?.lowercased().contains("html") ?? false
      entry.contentHTML = ForeignText.body(
        isHTML ? content : ForeignText.paragraphs(of: content), base: url ?? feed)
    }
    for file in FieldGroups(text(5)).groups {
      // A link of another kind has neither a type nor a size.
      guard let address = file["url"].flatMap({ WebAddress.resolve($0, against: url ?? feed) }),
        file["content"] == nil, file["type"] != nil || file["size"] != nil
      else { continue }
      entry.enclosures.append(
        Enclosure(
          url: address, type: ForeignText.line(file["type"]),
          length: file["size"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil },
          duration: file["duration"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }))
    }
    entry.authors = FieldGroups(text(6)).groups.compactMap { person in
      guard person["type"] ?? "author" == "author" else { return nil }
      let email = ForeignText.line(person["email"])
      return (ForeignText.line(person["name"]) ?? email).map {
        Author(
          $0, email: email, url: person["url"].flatMap { WebAddress.resolve($0, against: feed) })
      }
    }
    entry.categories = FieldGroups(text(7)).groups.compactMap { group in
      ForeignText.line(group["category"]).map { Category($0) }
    }
    entry.id = identity(text(1), link: link, entry)
    return (
      id, ImportedArticle(entry, isRead: row[10].integer == 0, isStarred: row[11].integer == 1)
    )
  }

  /// The id that Telex gives the entry when it fetches the feed. Newsraft takes the address, else the title, where an
  /// entry has no id.
  private static func identity(_ guid: String?, link: String?, _ entry: Entry) -> String {
    guard let guid, guid != link else { return entry.url ?? EntryIdentity.derived(from: entry) }
    let id = PlainText.sanitized(guid)
    if entry.url == nil, id == entry.title { return EntryIdentity.derived(from: entry) }
    return id.isEmpty ? entry.url ?? EntryIdentity.derived(from: entry) : id
  }
}

/// Values that newsraft keeps in one text: its first sign stands before each of them, `^` begins a group, and the others
/// are a name and a value with `=` between them.
private struct FieldGroups {
  private(set) var groups: [[String: String]] = []

  init(_ text: String?) {
    guard let text, let sign = text.first else { return }
    for field in text.split(separator: sign) {
      if field == "^" {
        groups.append([:])
      } else if let end = field.firstIndex(of: "="), !groups.isEmpty {
        groups[groups.count - 1][String(field[..<end])] = String(
          field[field.index(after: end)...])
      }
    }
  }
}
