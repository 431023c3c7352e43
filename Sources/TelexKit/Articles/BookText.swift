internal import Foundation
internal import Markup
internal import News
internal import Pictures
internal import Syndication
internal import Text

/// The texts of a book in each of its formats.
struct BookText {
  typealias Section = ArticleBook.Section
  /// Reads articles with their texts, in the order of their rows.
  typealias Reading = ([ArticleRow]) throws -> [ListedArticle]

  private let sections: [Section]
  private let title: String
  /// Nil where pictures are links.
  private let pictures: PictureFiles?
  private let updated: Date

  init(_ sections: [Section], titled title: String, pictures: PictureFiles?) {
    self.sections = sections.filter { !$0.articles.isEmpty }
    self.title = title
    self.pictures = pictures
    updated = sections.flatMap(\.articles).map(\.changed).max() ?? Date(timeIntervalSince1970: 0)
  }

  private var list: WrittenList { WrittenList(title: title, updated: updated) }
  private var hasSections: Bool { sections.count > 1 }
  private var isAlone: Bool { sections.count == 1 && sections[0].articles.count == 1 }
  private var level: Int { isAlone ? 1 : hasSections ? 3 : 2 }

  // MARK: EPUB

  func writeEPUB(_ read: Reading, _ output: ([UInt8]) throws -> Void) throws {
    let all = sections.flatMap(\.articles)
    // An article is in the language of its feed where it says nothing else.
    let languages = Set(
      sections.flatMap { section in section.articles.map { $0.entry.language ?? section.language } }
    )
    let authors =
      all.count == 1 ? all[0].entry.authors.map(\.name).filter { !$0.isEmpty } : ["Telex"]
    var book = EPUBWriter(
      EPUBWriter.Details(
        title: title, updated: updated, authors: authors,
        language: languages.count == 1 ? languages.first ?? nil : nil))
    // Articles that link to each other do so within the book.
    var files: [String: String] = [:]
    for (index, article) in all.enumerated() {
      if let key = article.entry.url.flatMap(LinkIdentity.key), files[key] == nil {
        files[key] = EPUBWriter.file(ofChapter: index + 1)
      }
    }
    var images: [PictureKey: String] = [:]
    try output(book.beginning())
    for section in sections {
      book.beginSection(section.title)
      for page in section.pages {
        for article in try articles(of: page, in: section, read) {
          let document = Self.document(of: article)
          for url in document.pictureAddresses {
            let key = PictureKey(feed: article.row.feedID, url: url)
            guard images[key] == nil, let (bytes, kind) = pictures?.picture(at: url, in: key.feed),
              kind.isInBooks
            else { continue }
            let (file, piece) = try book.addPicture(
              bytes, type: kind.mediaType, ending: kind.rawValue)
            images[key] = file
            try output(piece)
          }
          var form = HTMLForm(headingsFrom: 2)
          form.isXML = true
          form.places = "place"
          form.picture = { [images, feed = article.row.feedID] image in
            image.source.flatMap { images[PictureKey(feed: feed, url: $0)] }
          }
          form.page = { [files] in LinkIdentity.key(of: $0).flatMap { files[$0] } }
          try output(book.add(WrittenArticle(article, html: document.html(form))))
        }
      }
    }
    try output(book.end())
  }

  private struct PictureKey: Hashable {
    var feed: FeedID
    var url: String
  }

  // MARK: HTML

  func writePage(_ read: Reading, _ output: (String) throws -> Void) throws {
    try writePage(read, form: { embedding($0, of: $1) }, output)
  }

  /// - Parameter form: how an article is written.
  private func writePage(
    _ read: Reading, form: (Document, ArticleRow) -> HTMLForm, _ output: (String) throws -> Void
  ) throws {
    let writer = PageWriter(level: level)
    if isAlone {
      try output(writer.beginningOfOne(list))
    } else {
      try output(writer.beginning(of: list))
      for section in sections {
        if hasSections { try output(writer.contentsSection(section.title)) }
        for article in section.articles {
          let article = WrittenArticle(article)
          try output(
            hasSections ? writer.contentsLine(of: article) : writer.contents(of: article))
        }
        if hasSections { try output(writer.endOfContentsSection) }
      }
      try output(writer.endOfContents)
    }
    for section in sections {
      if hasSections { try output(writer.section(section.title)) }
      for page in section.pages {
        for article in try articles(of: page, in: section, read) {
          let document = Self.document(of: article)
          let html = document.html(form(document, article.row))
          try output(writer.text(of: WrittenArticle(article, html: html)))
        }
      }
    }
    try output(writer.end)
  }

  private func embedding(_ document: Document, of row: ArticleRow) -> HTMLForm {
    Self.form(for: document, of: row, headingsFrom: level + 1, pictures: pictures)
  }

  /// Bytes of pictures that stand in the text of one article, at most; the others are links.
  private static let mostEmbedded = 32 << 20

  static func form(
    for document: Document, of row: ArticleRow, headingsFrom level: Int, pictures: PictureFiles?
  ) -> HTMLForm {
    var form = HTMLForm(headingsFrom: level)
    form.places = places(of: row)
    guard let pictures else { return form }
    var images: [String: String] = [:]
    var room = mostEmbedded
    for (url, count) in document.pictureCounts {
      guard let (bytes, kind) = pictures.picture(at: url, in: row.feedID),
        bytes.count <= room / count
      else { continue }
      room -= bytes.count * count
      images[url] = "data:\(kind.mediaType);base64,\(Data(bytes).base64EncodedString())"
    }
    form.picture = { [images] in $0.source.flatMap { images[$0] } }
    return form
  }

  // MARK: Markdown

  func writeMarkdown(_ read: Reading, _ output: (String) throws -> Void) throws {
    let writer = MarkdownWriter(level: level, escaped: Markdown.escaped, link: Markdown.link)
    if !isAlone { try output(writer.beginning(of: list)) }
    if hasSections {
      for section in sections {
        try output(writer.contentsSection(section.title))
        for article in section.articles {
          try output(writer.contentsLine(of: WrittenArticle(article)))
        }
      }
    }
    for section in sections {
      if hasSections { try output(writer.section(section.title)) }
      for page in section.pages {
        for article in try articles(of: page, in: section, read) {
          let text = Self.document(of: article).markdown(
            headingsFrom: level + 1, places: Self.places(of: article.row))
          let written = writer.text(of: WrittenArticle(article, markdown: text))
          try output(isAlone ? String(written.drop { $0 == "\n" }) : written)
        }
      }
    }
  }

  // MARK: Mail

  /// Bytes of pictures in a mail, at most; the others are links. Many servers take 25 MB at most,
  /// and base64 adds a third.
  private static let mostMailed = 12 << 20

  func mail(_ head: ArticleBook.MailHead, _ read: Reading) throws -> String {
    let mail = DigestMail(
      from: head.sender, to: head.recipient, subject: title, date: head.date,
      articles: sections.flatMap(\.articles).map { WrittenArticle($0) })
    var (plain, page) = ("", "")
    // A mail that is read as text has its pictures as links.
    try BookText(sections, titled: title, pictures: nil).writeMarkdown(read) { plain += $0 }
    var found: [PictureKey: MailPicture] = [:]
    var room = Self.mostMailed
    try writePage(
      read,
      form: { document, row in
        for url in document.pictureAddresses {
          let key = PictureKey(feed: row.feedID, url: url)
          guard found[key] == nil, let (bytes, kind) = pictures?.picture(at: url, in: row.feedID),
            kind.isInBooks, bytes.count <= room
          else { continue }
          room -= bytes.count
          found[key] = MailPicture(
            number: found.count + 1, of: mail, type: kind.mediaType, bytes: bytes)
        }
        var form = HTMLForm(headingsFrom: level + 1)
        form.places = Self.places(of: row)
        form.picture = { [found] image in
          image.source.flatMap { found[PictureKey(feed: row.feedID, url: $0)]?.address }
        }
        return form
      }
    ) { page += $0 }
    return mail.text(
      plain: plain, html: page,
      pictures: found.values.sorted {
        $0.id.utf8.count == $1.id.utf8.count ? $0.id < $1.id : $0.id.utf8.count < $1.id.utf8.count
      })
  }

  // MARK: Articles

  /// The prefix of places in an article, where several stand in one page.
  static func places(of row: ArticleRow) -> String { "a\(row.id.rawValue)-" }

  /// The articles of rows with their texts, each in its place: one that was removed meanwhile says so.
  private func articles(
    of page: [ArticleRow], in section: Section, _ read: Reading
  ) throws -> [ListedArticle] {
    let found = try read(page)
    guard found.count < page.count else { return found }
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return page.compactMap { row in
      if let article = known[row.id] { return article }
      var gone = section.articles.first { $0.id == row.id }
      gone?.entry.contentHTML =
        "<p><em>This article was removed while this was being written.</em></p>"
      return gone
    }
  }

  static func document(of article: ListedArticle) -> Document {
    let entry = article.entry
    return entry.contentHTML.map { html in
      Markup.document(html: html) { WebAddress.resolve($0, against: entry.url) }
    } ?? Markup.document(plainText: entry.summary ?? "")
  }
}

extension ArticleBook.Section {
  /// Its rows in parts that are read with their texts at once.
  fileprivate var pages: [[ArticleRow]] {
    stride(from: 0, to: articles.count, by: 50).map { start in
      articles[start..<min(start + 50, articles.count)].map(\.row)
    }
  }
}

extension ListedArticle {
  /// When it was changed last, as far as its feed says so.
  fileprivate var changed: Date { entry.updated ?? entry.published ?? arrived }
}

extension PictureFiles {
  /// A picture that is here, and small enough for Telex to show.
  fileprivate func picture(at url: String, in feed: FeedID) -> (bytes: [UInt8], kind: PictureKind)?
  {
    guard let bytes = bytes(of: url, in: feed), let kind = PictureKind.of(bytes),
      let size = PictureSize.of(bytes), size.isDecodable
    else { return nil }
    return (bytes, kind)
  }
}

extension PictureKind {
  fileprivate var mediaType: String { "image/\(rawValue)" }

  /// Whether it is a core media type of EPUB 3.3, which needs nothing beside it.
  fileprivate var isInBooks: Bool { ![.avif, .ico].contains(self) }
}
