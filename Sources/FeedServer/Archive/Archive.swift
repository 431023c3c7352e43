package import News
internal import Text

package import struct Foundation.Date

/// The articles that a `FeedServer` serves, newest first: a value, the same for the same input.
///
/// Addresses in it that begin with `/` are the server's own; it makes them absolute when it answers.
package struct Archive: Sendable {
  /// One article. Its `entry.published` is never nil.
  package struct Article: Hashable, Sendable {
    package var entry: Entry
    /// The slug of the section it stands in.
    package var section: String
    package var published: Date

    package init(entry: Entry, section: String, published: Date) {
      self.entry = entry
      self.section = section
      self.published = published.wholeSeconds
      self.entry.published = self.published
    }

    /// The article as it stood then: a change that is still to come is not told.
    func withoutChanges(after date: Date) -> Article {
      var article = self
      if let updated = entry.updated, updated > date { article.entry.updated = nil }
      return article
    }

    var position: Position { Position(published: published, id: entry.id) }
  }

  /// A part of the archive that is a feed of its own as well.
  package struct Section: Hashable, Sendable {
    package let slug: String
    package let title: String
    package let description: String
  }

  package let title: String
  package let description: String
  /// A BCP 47 tag.
  package let language: String
  package let sections: [Section]
  /// What users say in the comments on articles.
  let remarks: [Remark]
  /// Newest first by (published, id).
  package private(set) var articles: [Article]
  private let generator: ArticleGenerator?
  private var freshCount = 0

  /// An archive of just these articles, in any order.
  package init(title: String, articles: [Article]) {
    self.init(
      title: title, description: "", language: "en", sections: [], remarks: [],
      articles: articles, generator: nil)
  }

  init(
    title: String, description: String, language: String, sections: [Section],
    remarks: [Remark], articles: [Article], generator: ArticleGenerator?
  ) {
    self.title = title
    self.description = description
    self.language = language
    self.sections = sections
    self.remarks = remarks
    self.articles = articles.sorted { $0.position > $1.position }
    self.generator = generator
  }

  package func article(_ id: String) -> Article? { articles.first { $0.entry.id == id } }

  /// Puts an article at its place; one of the same id is replaced.
  package mutating func insert(_ article: Article) {
    articles.removeAll { $0.entry.id == article.entry.id }
    articles.insert(article, at: firstIndex(notNewerThan: article.position))
  }

  /// The article that is no longer there; nil if it never was.
  @discardableResult
  package mutating func remove(_ id: String) -> Article? {
    articles.firstIndex { $0.entry.id == id }.map { articles.remove(at: $0) }
  }

  /// Adds `count` new articles above all others, the last of them newest, a second apart.
  ///
  /// - Parameter now: the date of the first, if that is above what is there.
  ///
  /// - Returns: the new articles, the newest last.
  @discardableResult
  package mutating func insertFresh(_ count: Int, now: Date) -> [Article] {
    (0..<count).map { _ in
      freshCount += 1
      let above = articles.first.map { $0.published.addingTimeInterval(1) } ?? now
      let date = max(now.wholeSeconds, above)
      let article =
        generator?.article(number: freshCount, idPrefix: "new-", published: date)
        ?? Article(
          entry: Entry(id: "new-\(freshCount)", title: "New article \(freshCount)"),
          section: "", published: date)
      let fresh = article.withoutChanges(after: date)
      insert(fresh)
      return fresh
    }
  }

  /// The articles that follow `position`, or the newest for nil; and whether there are more.
  ///
  /// Keyset paging: what is inserted above the position does not move it.
  func page(
    after position: Position?, limit: Int, section: String? = nil
  ) -> (articles: [Article], hasMore: Bool) {
    var index = position.map { firstIndex(notNewerThan: $0) } ?? 0
    if let position, index < articles.count, articles[index].position == position { index += 1 }
    let rest = articles[index...].lazy.filter { section == nil || $0.section == section }
    let found = Array(rest.prefix(limit + 1))
    return (Array(found.prefix(limit)), found.count > limit)
  }

  private func firstIndex(notNewerThan position: Position) -> Int {
    var (low, high) = (0, articles.count)
    while low < high {
      let middle = (low + high) / 2
      if articles[middle].position > position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Where an article or a comment stands: dates to the second, ids among equal dates.
struct Position: Hashable, Comparable, Sendable {
  let published: Date
  let id: String

  static func < (a: Position, b: Position) -> Bool {
    // Ids compare by their bytes: an order that does not depend on Unicode's tables.
    a.published != b.published
      ? a.published < b.published : a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
  }

  /// What a client sees as the cursor: URL-safe, and nothing a client could want to read.
  var cursor: String {
    let text = "\(Int(published.timeIntervalSince1970)) \(id)"
    return text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  init(published: Date, id: String) {
    self.published = published
    self.id = id
  }

  /// Nil for what no server of this kind has handed out.
  init?(cursor: String) {
    guard cursor.utf8.count.isMultiple(of: 2) else { return nil }
    var escaped = ""
    for (index, character) in cursor.enumerated() {
      if index.isMultiple(of: 2) { escaped += "%" }
      escaped.append(character)
    }
    guard let text = escaped.percentDecoded(),
      let space = text.firstIndex(of: " "), let seconds = Int(text[..<space])
    else { return nil }
    published = Date(timeIntervalSince1970: Double(seconds))
    id = String(text[text.index(after: space)...])
  }
}

/// A canned comment.
struct Remark: Hashable, Sendable, Decodable {
  let author: String
  let text: String
}
