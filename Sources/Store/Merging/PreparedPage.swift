internal import Foundation
package import News
internal import Text

/// A page made ready to be written: bodies compressed, index text extracted, digests computed.
/// Pages are prepared in parallel, without the database.
package struct PreparedPage: Sendable {
  struct Article: Sendable {
    var entry: Entry
    var key: Int64
    /// Key of the link; nil where it tells nothing apart.
    var linkKey: Int64?
    var digest: Int64
    var content: Data?
    var summary: Data?
    /// Text of the body, without markup.
    var text: String
    var indexed: IndexedText
    var excerpt: String?
  }

  let description: FeedDescription?
  let nextCursor: Cursor?
  let validators: Validators
  let bodyDigest: Int64?
  let isCut: Bool
  let problem: SourceError?
  let remark: String?
  let recipe: FeedRecipe?
  let service: AccountService?
  let articles: [Article]
  /// Bytes of bodies and of text for the index.
  package let weight: Int

  package init(_ page: Page) {
    description = page.description
    nextCursor = page.nextCursor
    validators = page.validators
    bodyDigest = page.bodyDigest
    isCut = page.isCut
    problem = page.problem
    remark = page.remark
    recipe = page.recipe
    service = page.service
    let encoder = BodyEncoder()
    articles = page.entries.map { Self.prepare($0, encoder) }
    weight = articles.reduce(0) { sum, article in
      sum + article.indexed.text.utf8.count + (article.content?.count ?? 0)
        + (article.summary?.count ?? 0)
    }
  }

  private static func prepare(_ entry: Entry, _ encoder: BodyEncoder) -> Article {
    var entry = entry
    // A blank title would be a blank row.
    if entry.title?.allSatisfy(\.isWhitespace) == true { entry.title = nil }
    let digest = digest(of: entry)
    let text = ArticleText.make(content: entry.contentHTML, summary: entry.summary)
    // The bodies are dropped from the entry: only their compressed form waits for the writer.
    var rest = entry
    rest.contentHTML = nil
    rest.summary = nil
    return Article(
      entry: rest, key: key(ofEntry: entry.id), linkKey: entry.url.flatMap(key(ofLink:)),
      digest: digest, content: entry.contentHTML.map(encoder.encode),
      summary: entry.summary.map(encoder.encode), text: text,
      indexed: IndexedText(
        title: SearchText.indexed(entry.title ?? ""),
        authors: SearchText.indexed(
          AuthorList.encode(entry.authors).map(AuthorList.names) ?? ""),
        text: SearchText.indexed(text)),
      excerpt: entry.title == nil ? excerpt(of: text) : nil)
  }

  /// Digest for changes. Rare fields are added only where they are there, so that other entries
  /// keep their stored digests.
  private static func digest(of entry: Entry) -> Int64 {
    var digest = StableDigest()
    for text in [entry.url, entry.title, entry.contentHTML, entry.summary] { digest.add(text) }
    // With its count, a list cannot be taken for the beginning of the next.
    for list in [entry.authors.map(\.name), entry.categories.map(\.name)] {
      digest.add(Int64(list.count))
      for text in list { digest.add(text) }
    }
    for enclosure in entry.enclosures {
      digest.add(enclosure.url)
      digest.add(enclosure.type)
      digest.add(enclosure.length)
    }
    digest.add(seconds(entry.published))
    digest.add(seconds(entry.updated))
    if let details = EntryDetails.beyondFilesAndNames(of: entry) { digest.add(details) }
    return digest.stored
  }

  /// Key of an entry in the store.
  static func key(ofEntry id: String) -> Int64 {
    var key = StableDigest()
    key.add(id)
    return key.stored
  }

  /// Key of a link in the store; nil for one that tells nothing apart.
  static func key(ofLink url: String) -> Int64? { LinkIdentity.parts(of: url).map(key(of:)) }

  static func key(of link: LinkIdentity.Parts) -> Int64 {
    var key = StableDigest()
    key.add(link.host + link.page)
    return key.stored
  }

  /// Replacement of a missing title in lists.
  private static func excerpt(of text: String) -> String? {
    let beginning = text.prefix(140)
    let line = beginning.prefix { !$0.isNewline }
    return line.isEmpty ? nil : String(line)
  }
}

/// Text of an article for the search index.
///
/// An article is removed from the index by the very text that was added: a change here needs a
/// migration that rebuilds the index.
enum ArticleText {
  /// Characters beyond this many bytes of a body are not searched.
  static let limit = 256 << 10

  /// - Parameter page: the article of its page, as HTML; nil for none.
  static func make(content: String?, summary: String?, page: String?) -> String {
    let text = make(content: content, summary: summary)
    guard let page = page.map({ wholeWords(PlainText.stripped(html: $0, limit: limit)) }),
      !page.isEmpty
    else { return text }
    return text.isEmpty ? page : text + "\n" + page
  }

  static func make(content: String?, summary: String?) -> String {
    let body = content.map { PlainText.stripped(html: $0, limit: limit) } ?? ""
    guard let summary, !summary.isEmpty else { return wholeWords(body) }
    return wholeWords(body.isEmpty ? summary : body + "\n" + summary)
  }

  /// Without soft hyphens, which would split words in the index.
  private static func wholeWords(_ text: String) -> String {
    let mark: Unicode.Scalar = "\u{AD}"
    guard text.withBytes({ $0.firstIndex(of: 0xAD, from: 0) }) != nil,
      text.unicodeScalars.contains(mark)
    else { return text }
    var whole = String.UnicodeScalarView()
    whole.append(contentsOf: text.unicodeScalars.lazy.filter { $0 != mark })
    return String(whole)
  }
}
