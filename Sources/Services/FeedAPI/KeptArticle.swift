internal import Foundation
internal import News
internal import Text

/// Members of a line of `telex export --articles` beyond those of the Feed API.
struct KeptArticle: Decodable, Sendable {
  struct File: Decodable, Sendable {
    var url: String
    var type: String?
    var length: Int64?
    var title: String?
    var duration: Int?
    var role: String?
  }

  /// Another name than that in the store.
  struct Source: Decodable, Sendable { var feed_url: String? }

  var feedURL: String?
  var account: String?
  var read: Bool?
  var starred: Bool?
  var tags: [String]?
  var date: Date?
  var arrived: Date?
  var score: Int?
  var people: [Author]?
  var terms: [Category]?
  var enclosures: [File]?
  var source: Source?

  /// Adds the members that the Feed API lacks.
  ///
  /// - Parameter html: the body in the line, with absolute addresses.
  func complete(_ entry: inout Entry, html: String?, _ extras: EntryExtras, base: String) {
    func address(_ reference: String?) -> String? { WebAddress.absolute(reference, against: base) }
    func line(_ text: String?) -> String? { text.map(PlainText.sanitized) }
    entry.contentHTML = html.map {
      MarkupLinks.absolutized(PlainText.sanitizedMarkup($0), base: nil)
    }
    if let people {
      entry.authors = people.map {
        Author(PlainText.sanitized($0.name), email: line($0.email), url: address($0.url))
      }
    }
    if let terms {
      entry.categories = terms.map {
        Category(PlainText.sanitized($0.term), label: line($0.label), scheme: line($0.scheme))
      }
    }
    entry.enclosures = (enclosures ?? []).compactMap { file in
      address(file.url).map {
        Enclosure(
          url: $0, type: line(file.type), length: file.length.flatMap { $0 >= 0 ? $0 : nil },
          title: line(file.title), duration: file.duration.flatMap { $0 >= 0 ? $0 : nil },
          role: file.role.flatMap(Enclosure.Role.init) ?? .media)
      }
    }
    entry.extras = extras.sanitized(line: line, address: address)
  }
}

extension FeedAPICatalogue.ExportLine {
  /// - Parameter base: the address of the feed, where the line names none.
  func line(base: String) -> ArticleLine {
    var entry = Entry(item, base: kept.feedURL ?? base)
    if let feed = kept.feedURL { kept.complete(&entry, html: item.contentHTML, extras, base: feed) }
    let article = ImportedArticle(
      entry, isRead: kept.read ?? false, isStarred: kept.starred ?? false,
      tags: (kept.tags ?? []).map(PlainText.sanitizedName), place: kept.date,
      arrived: kept.arrived, score: kept.score ?? 0)
    return ArticleLine(article: article, feedURL: kept.feedURL, account: kept.account)
  }
}
