package import News
internal import Text

/// Liferea's database of articles: which of its rows are wanted, and what they come to.
package enum LifereaItems {
  static let columns = [
    "item_id", "title", "read", "marked", "source", "source_id", "description", "date",
  ]
  /// Signs that stand between the values of a list, and between a name and its value.
  private static let (between, within): (Character, Character) = ("\u{1E}", "\u{1F}")

  /// The articles of a feed with ids below one, the newest first; comments on them are left out.
  ///
  /// - Parameter known: the columns of `items` in this database.
  /// - Returns: a query with the feed's id, the id and the number of rows wanted as its arguments.
  package static func query(columns known: Set<String>) -> String {
    let names = columns.map { known.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
    let comments = known.contains("comment") ? "AND coalesce(comment, 0) = 0" : ""
    return """
      SELECT \(names), (
        SELECT group_concat(key || char(31) || value, char(30)) FROM
          (SELECT key, value FROM metadata WHERE metadata.item_id = items.item_id ORDER BY nr))
      FROM items WHERE node_id = ? AND item_id < ? \(comments)
      ORDER BY item_id DESC LIMIT ?
      """
  }

  /// How many articles each feed has, by its id.
  package static func counts(columns known: Set<String>) -> String {
    let comments = known.contains("comment") ? "WHERE coalesce(comment, 0) = 0" : ""
    return "SELECT node_id, count(*) FROM items \(comments) GROUP BY node_id"
  }

  /// The article of a row.
  ///
  /// - Parameter feed: the feed's address.
  /// - Returns: nil where there is no id.
  package static func article(
    _ row: [ForeignValue], of feed: String
  ) -> (row: Int64, article: ImportedArticle)? {
    guard row.count == columns.count + 1, let id = row[0].integer else { return nil }
    func text(_ column: Int) -> String? {
      row[column].text.flatMap { $0.isEmpty ? nil : $0 }
    }
    let url = text(4).flatMap {
      WebAddress.isBlank($0) ? nil : WebAddress.resolve($0, against: feed)
    }
    var entry = Entry(
      id: "", url: url, title: ForeignText.line(text(1)),
      published: row[7].integer.flatMap(ForeignText.date))
    if let html = text(6) {
      let base = html.prefixMatch(of: #/<div[^>]*\sxml:base="([^"]*)"/#)
      entry.contentHTML = ForeignText.body(
        html,
        base: base.flatMap {
          WebAddress.resolve(CharacterReference.decoded(String($0.1)), against: feed)
        }
          ?? url ?? feed)
    }
    for field in text(8)?.split(separator: between) ?? [] {
      guard let end = field.firstIndex(of: within) else { continue }
      let value = String(field[field.index(after: end)...])
      switch field[..<end] {
      case "author", "creator":
        guard let name = ForeignText.line(value) else { continue }
        entry.authors.append(Author(name))
      case "category":
        if let term = ForeignText.line(value) { entry.categories.append(Category(term)) }
      case "enclosure":
        if let file = file(value, of: feed) { entry.enclosures.append(file) }
      default: break
      }
    }
    entry.id =
      ForeignText.line(text(5)) ?? entry.url ?? EntryIdentity.derived(from: entry)
    return (
      id, ImportedArticle(entry, isRead: row[2].integer == 1, isStarred: row[3].integer == 1)
    )
  }

  /// A file: `enc:0:audio/mpeg:10:https://…`, with its type and its size, either of which may be empty; versions before
  /// 1.8 wrote the address alone.
  private static func file(_ text: String, of feed: String) -> Enclosure? {
    guard let match = text.wholeMatch(of: #/enc:[^:]*:([^:]*):([^:]*):(.*)/#) else {
      return WebAddress.resolve(text, against: feed).map { Enclosure(url: $0) }
    }
    return WebAddress.resolve(String(match.3), against: feed).map { url in
      Enclosure(
        url: url, type: ForeignText.line(String(match.1)),
        length: Int64(match.2).flatMap { $0 > 0 ? $0 : nil })
    }
  }
}
