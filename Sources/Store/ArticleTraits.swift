internal import Foundation
internal import GRDB
internal import News

/// What an article is recognised by, of an entry that has come or of a row.
struct ArticleTraits {
  var id: String
  var url: String?
  /// As in `PreparedPage.Article`.
  var linkKey: Int64?
  var title: String?
  /// Seconds since 1970, as `updated`.
  var published: Int64?
  var updated: Int64?

  var moment: Int64? { published ?? updated }

  /// The id that its feed gave it: without what tells entries of one id apart.
  var givenID: String { EntryIdentity.shared(in: id) ?? id }

  /// Whether its id was made, wholly or in part, of what it says.
  var hasMadeID: Bool { EntryIdentity.isDerived(id) || EntryIdentity.shared(in: id) != nil }

  /// Whether its id says no more than an address does: that of the article, or of a site.
  var hasLinkForID: Bool {
    let id = givenID
    if id == url { return true }
    guard let key = PreparedPage.key(ofLink: id) else { return WebAddress.isWeb(id) }
    return key == linkKey
  }

  /// Whether its feed gave it an id that says more than an address.
  var hasOwnID: Bool { !hasMadeID && !hasLinkForID }

  /// Whether its feed has not said what it is to be known by.
  var hasNoID: Bool { EntryIdentity.isDerived(id) || hasLinkForID }

  func isTitled(like other: ArticleTraits) -> Bool {
    guard let title, let theirs = other.title else { return false }
    return title == theirs || title.lowercased() == theirs.lowercased()
  }

  /// Whether both ids are one, in whatever spelling.
  func hasGivenID(of other: ArticleTraits) -> Bool {
    let (one, two) = (givenID, other.givenID)
    if one == two { return true }
    guard let key = LinkIdentity.key(of: one) else { return false }
    return key == LinkIdentity.key(of: two)
  }

  /// Whether both ids differ in nothing but the number of a version: `…#0` and `…#1`, as the BBC
  /// writes them.
  func isVersion(of other: ArticleTraits) -> Bool {
    func parts(_ id: String) -> (Substring, Substring)? {
      guard let hash = id.lastIndex(of: "#") else { return nil }
      let number = id[id.index(after: hash)...]
      guard (1...4).contains(number.utf8.count), number.utf8.allSatisfy(\.isASCIIDigit) else {
        return nil
      }
      return (id[..<hash], number)
    }
    guard let (mine, _) = parts(id), let (theirs, _) = parts(other.id) else { return false }
    return mine == theirs
  }
}

extension PreparedPage.Article {
  var traits: ArticleTraits {
    ArticleTraits(
      id: entry.id, url: entry.url, linkKey: linkKey, title: entry.title,
      published: seconds(entry.published), updated: seconds(entry.updated))
  }

  var body: ArticleBody {
    ArticleBody(
      content: content.flatMap(BodyCodec.decode), summary: summary.flatMap(BodyCodec.decode))
  }

  var hasBody: Bool { content != nil || summary != nil }

  /// The same under the id that it gets where its feed gives one to several.
  var distinct: PreparedPage.Article {
    guard !traits.hasMadeID else { return self }
    var whole = entry
    if EntryIdentity.isToldByText(entry) {
      let body = body
      whole.contentHTML = body.content
      whole.summary = body.summary
    }
    var article = self
    article.entry.id = EntryIdentity.distinct(whole)
    article.key = PreparedPage.key(ofEntry: article.entry.id)
    return article
  }
}

/// A row, without its body.
struct StoredArticle {
  var id: Int64
  var feed: FeedID
  var key: Int64
  var digest: Int64
  var traits: ArticleTraits

  static let columns = """
    article.id, article.feedID, article.entryKey, article.digest, article.entryID, article.url,
      article.linkKey, article.title, article.published, article.updated
    """

  init(_ row: Row) {
    id = row[0]
    feed = FeedID(row[1])
    key = row[2]
    digest = row[3]
    traits = ArticleTraits(
      id: row[4], url: row[5], linkKey: row[6], title: row[7], published: row[8], updated: row[9])
  }

  func body(_ db: Database) throws -> ArticleBody {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT content, summary FROM articleBody WHERE articleID = ?"),
      arguments: [id])
    return ArticleBody(
      content: (row?[0] as Data?).flatMap(BodyCodec.decode),
      summary: (row?[1] as Data?).flatMap(BodyCodec.decode))
  }

  func files(_ db: Database) throws -> [Enclosure] {
    let details = try String?.fetchOne(
      db.cachedStatement(sql: "SELECT attachments FROM articleBody WHERE articleID = ?"),
      arguments: [id])
    var entry = Entry(id: "")
    EntryDetails.decode(details ?? nil).add(to: &entry)
    return entry.enclosures
  }
}

/// The text of an article, which is read only where the rest leaves it open.
struct ArticleBody {
  var content: String?
  var summary: String?

  private var markup: String? { content ?? summary }
  private var text: String { ArticleText.make(content: content, summary: summary) }

  func says(theSameAs other: ArticleBody) -> Bool { markup == other.markup }

  /// Whether the texts are the same, wherever their links lead. Two without a text are not.
  func reads(like other: ArticleBody) -> Bool {
    let text = text
    return !text.isEmpty && text == other.text
  }

  /// Whether both show pictures, and none in common, under the same text or none: as a comic does.
  func showsOtherPictures(than other: ArticleBody) -> Bool {
    let (mine, theirs) = (pictures, other.pictures)
    return !mine.isEmpty && !theirs.isEmpty && mine.isDisjoint(with: theirs) && text == other.text
  }

  /// The first pictures of the body, by the path they lie at.
  private var pictures: Set<String> {
    (content ?? "").withBytes { bytes in
      var found: Set<String> = []
      var tokenizer = MarkupTokenizer(bytes)
      while found.count < 32, let tag = tokenizer.nextTag() {
        guard tag.kind == .open, bytes.isWord("img", in: tag.name) else { continue }
        for attribute in MarkupAttributes(bytes, of: tag)
        where bytes.isWord("src", in: attribute.name) {
          found.insert(Enclosure.picturePath(bytes.string(attribute.value)))
        }
      }
      return found
    }
  }
}

/// Which files make an article another one.
enum FileKinds {
  case all
  /// A picture that goes with a text is replaced at times, and of several sizes.
  case notPictures
}

extension [Enclosure] {
  /// Whether both lists name files, and none in common. They may move to another host.
  func areOther(than others: @autoclosure () throws -> [Enclosure], counting kinds: FileKinds)
    rethrows -> Bool
  {
    func places(_ files: [Enclosure]) -> Set<String> {
      Set(files.compactMap { kinds == .all || !$0.isPicture ? $0.place : nil })
    }
    let mine = places(self)
    if mine.isEmpty { return false }
    let theirs = places(try others())
    return !theirs.isEmpty && mine.isDisjoint(with: theirs)
  }
}

extension Enclosure {
  fileprivate var isPicture: Bool { type?.lowercased().hasPrefix("image/") ?? false }

  /// Where it lies on its server.
  fileprivate var place: String {
    isPicture ? Self.picturePath(url) : LinkIdentity.parts(of: url)?.page ?? url
  }

  /// What stands behind a picture's path says in which size.
  fileprivate static func picturePath(_ url: String) -> String {
    String((LinkIdentity.parts(of: url)?.page ?? url).prefix { $0 != "?" })
  }
}
