internal import Foundation
internal import News
internal import Text

/// Traits by which an entry or a stored article is recognised.
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

  /// Whether only place, key and marks outlived a damaged database. No feed gives an empty id.
  var isUnreadable: Bool { id.isEmpty }

  /// The id of its feed, without what tells entries of one id apart.
  var givenID: String { EntryIdentity.shared(in: id) ?? id }

  /// Whether the id was derived from the contents, wholly or in part.
  var hasMadeID: Bool { EntryIdentity.isDerived(id) || EntryIdentity.shared(in: id) != nil }

  /// Whether the id is only an address: of the article, or of a site.
  var hasLinkForID: Bool {
    let id = givenID
    if id == url { return true }
    guard let key = PreparedPage.key(ofLink: id) else { return WebAddress.isWeb(id) }
    return key == linkKey
  }

  /// Whether the feed gave it an id other than an address.
  var hasOwnID: Bool { !hasMadeID && !hasLinkForID }

  /// Whether the feed gave it no usable id.
  var hasNoID: Bool { EntryIdentity.isDerived(id) || hasLinkForID }

  func isTitled(like other: ArticleTraits) -> Bool {
    guard let title, let theirs = other.title else { return false }
    return title == theirs || title.lowercased() == theirs.lowercased()
  }

  /// Whether both ids are equal in some spelling.
  func hasGivenID(of other: ArticleTraits) -> Bool {
    let (one, two) = (givenID, other.givenID)
    if one == two { return true }
    guard let key = LinkIdentity.key(of: one) else { return false }
    return key == LinkIdentity.key(of: two)
  }

  /// Whether both ids differ only in the number of a version: `…#0` and `…#1`, as of the BBC.
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
    ArticleBody(content: BodyCodec.decode(content), summary: BodyCodec.decode(summary))
  }

  var hasBody: Bool { content != nil || summary != nil }

  /// With the id for feeds that give one to several entries.
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
