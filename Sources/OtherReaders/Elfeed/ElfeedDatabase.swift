internal import Foundation
package import News
internal import Text

/// Elfeed's index of feeds and articles (`index`), an expression of Emacs Lisp.
package struct ElfeedDatabase: Sendable {
  package struct Feed: Hashable, Sendable {
    package var url: String
    /// What the feed calls itself.
    package var title: String?
    /// The user's name for it.
    package var ownTitle: String?
  }

  /// Where the text of an article is.
  package enum Content: Hashable, Sendable {
    case text(String)
    /// The name of its file: 40 hexadecimal digits.
    case reference(String)
  }

  package struct Article: Hashable, Sendable {
    var entry: Entry
    /// As elfeed has it.
    var id: String
    var isHTML: Bool
    var tags: [String]
    package var content: Content?
  }

  package private(set) var feeds: [Feed] = []
  /// By the addresses of feeds, the newest first.
  package private(set) var articles: [String: [Article]] = [:]

  /// - Throws: `LeftOut` where it cannot be read.
  package init(_ text: String, file: String) throws(LeftOut) {
    let forms: [LispForm]
    do { forms = try LispReader.read(text) } catch {
      throw LeftOut(
        "the database", at: LibraryPlace(file, line: error.line),
        because: "it is no index of elfeed: \(error.message)")
    }
    // An empty index for older versions stands before the real one.
    guard let index = forms.last, index.property(":version") != nil else {
      throw LeftOut("the database", at: LibraryPlace(file), because: "it is no index of elfeed")
    }
    for (key, value) in index.property(":feeds")?.table ?? [] {
      guard let url = key.string, let slots = value.slots(of: "elfeed-feed") else { continue }
      func slot(_ number: Int) -> LispForm? { slots.count > number ? slots[number] : nil }
      feeds.append(
        Feed(
          url: url, title: ForeignText.line(slot(3)?.string),
          ownTitle: ForeignText.line(slot(5)?.property(":title")?.string)))
    }
    for (_, value) in index.property(":entries")?.table ?? [] {
      guard let (feed, article) = Self.article(value) else { continue }
      articles[feed, default: []].append(article)
    }
    for feed in articles.keys {
      articles[feed]?.sort {
        ($0.entry.published ?? .distantPast) > ($1.entry.published ?? .distantPast)
      }
    }
  }

  private static func article(_ form: LispForm) -> (feed: String, Article)? {
    // The slots: id, title, link, date, content, type of the content, files, tags, feed, more.
    guard let slots = form.slots(of: "elfeed-entry"), slots.count >= 10,
      let feed = slots[9].string, slots[1].elements.count == 2, let id = slots[1].elements[1].string
    else { return nil }
    let url = slots[3].string.flatMap {
      WebAddress.isBlank($0) ? nil : WebAddress.resolve($0, against: feed)
    }
    var entry = Entry(
      id: "", url: url, title: ForeignText.line(slots[2].string),
      published: slots[4].number.flatMap { Int64(exactly: $0.rounded()) }
        .flatMap(ForeignText.date))
    for file in slots[7].elements.map(\.elements) {
      guard let address = file.first?.string.flatMap({ WebAddress.resolve($0, against: feed) })
      else { continue }
      entry.enclosures.append(
        Enclosure(
          url: address, type: file.count > 1 ? ForeignText.line(file[1].string) : nil,
          length: file.count > 2
            ? file[2].string.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil } : nil))
    }
    let more = slots.count > 10 ? slots[10] : nil
    entry.authors = (more?.property(":authors")?.elements ?? []).compactMap { author in
      let email = ForeignText.line(author.property(":email")?.string)
      return (ForeignText.line(author.property(":name")?.string) ?? email).map {
        Author(
          $0, email: email,
          url: author.property(":uri")?.string.flatMap { WebAddress.resolve($0, against: feed) })
      }
    }
    entry.categories = (more?.property(":categories")?.elements ?? []).compactMap {
      ForeignText.line($0.string).map { Category($0) }
    }
    var content: Content?
    if let reference = slots[5].slots(of: "elfeed-ref"), reference.count > 1 {
      content = reference[1].string.flatMap { name in
        // It becomes a part of a path.
        name.utf8.count == 40 && name.utf8.allSatisfy { $0.hexValue != nil }
          ? .reference(name) : nil
      }
    } else {
      content = slots[5].string.map { .text($0) }
    }
    return (
      feed,
      Article(
        entry: entry, id: id, isHTML: slots[6].symbol == "html",
        tags: slots[8].elements.compactMap(\.symbol), content: content)
    )
  }

  /// The article as it is imported.
  ///
  /// - Parameters:
  ///   - content: its text, where there is one.
  ///   - feed: the feed's address.
  ///   - tags: those that all articles of the feed get, which are its folders here.
  package static func imported(
    _ article: Article, content: String?, of feed: String, except tags: Set<String>
  ) -> ImportedArticle {
    var entry = article.entry
    if let content {
      entry.contentHTML = ForeignText.body(
        article.isHTML ? content : ForeignText.paragraphs(of: content), base: entry.url ?? feed)
    }
    // Elfeed makes an id of this form where an entry has neither an id nor an address.
    let id = article.id.hasPrefix("urn:sha1:") ? nil : ForeignText.line(article.id)
    let isAddress = id == nil || id == entry.url
    entry.id =
      isAddress ? entry.url ?? EntryIdentity.derived(from: entry) : id ?? ""
    return ImportedArticle(
      entry, isRead: !article.tags.contains("unread"), isStarred: article.tags.contains("star"),
      tags: article.tags.filter { $0 != "unread" && $0 != "star" && !tags.contains($0) }
        .map(PlainText.sanitizedName))
  }

  /// Where packed texts begin and end in `archive.gz`, in characters, by their names.
  ///
  /// - Parameter text: that of `archive.index`.
  package static func archive(_ text: String) -> [String: Range<Int>] {
    let table = (try? LispReader.read(text))?.last?.table ?? []
    return table.reduce(into: [:]) { places, row in
      let ends = row.value.elements.compactMap(\.number).compactMap { Int(exactly: $0) }
      guard let name = row.key.string, ends.count == 2, 0 <= ends[0], ends[0] <= ends[1] else {
        return
      }
      places[name] = ends[0]..<ends[1]
    }
  }
}
