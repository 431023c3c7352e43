#if GRPC
  internal import Foundation
  internal import News
  internal import SwiftProtobuf
  internal import Text

  /// A page so far: its text and addresses pass the filters of any feed.
  struct GRPCPageReading: Sendable {
    /// The address of the feed.
    let base: String
    /// Bytes of all parts together.
    let limit: Int
    private(set) var description: FeedDescription?
    private(set) var entries: [Entry] = []
    private(set) var warnings: [String] = []
    /// Of the parts before the end.
    private(set) var digest = StableDigest()
    /// The start of the next page, empty for none; nil until the end has come.
    private(set) var next: String?
    private var bytes = 0
    private var nameless = 0

    init(base: String, limit: Int) {
      self.base = base
      self.limit = limit
    }

    /// - Throws: `SourceError` where the page is larger than it may be.
    mutating func take(_ part: Telex_Feed_V1_ListArticlesResponse) throws {
      guard next == nil else { return }
      let data: [UInt8] = try part.serializedBytes()
      bytes += data.count
      guard bytes <= limit, entries.count < GRPCFeedSource.mostArticles else {
        throw SourceError(
          .tooLarge, stage: .fetch, subject: WebAddress.redacted(base),
          message:
            "one page has more than \(limit) bytes or \(GRPCFeedSource.mostArticles) articles",
          next: "raise max_body_bytes in the settings")
      }
      digest.add(data)
      switch part.part {
      case .feed(let feed): if description == nil { description = read(feed) }
      case .article(let article): take(article)
      case .end(let end): next = end.nextCursor
      case nil: break
      }
    }

    func page(isNewest: Bool) -> Page {
      var page = Page(
        description: isNewest ? description ?? FeedDescription(format: .grpc) : nil,
        entries: entries, warnings: warnings)
      if nameless > 0 { page.warnings.append("\(nameless) articles have no id and were left out.") }
      return page
    }

    private mutating func take(_ article: Telex_Feed_V1_Article) {
      guard !article.id.isEmpty else {
        nameless += 1
        return
      }
      entries.append(entry(article))
    }

    private func read(_ feed: Telex_Feed_V1_Feed) -> FeedDescription {
      var description = FeedDescription(format: .grpc)
      description.title = line(feed.title)
      description.link = address(feed.link)
      description.description = line(feed.description_p)
      description.language = line(feed.language)
      if feed.minutesToLive > 0 {
        description.minutesToLive = min(
          Int(feed.minutesToLive), FeedDescription.longestMinutesToLive)
      }
      return description
    }

    private func entry(_ article: Telex_Feed_V1_Article) -> Entry {
      let page = address(article.url)
      var entry = Entry(id: article.id, url: page, title: line(article.title))
      entry.authors = article.authors.compactMap { author in
        let email = line(author.email)
        return (line(author.name) ?? email).map {
          Author($0, email: email, url: address(author.url))
        }
      }
      if article.hasPublished { entry.published = date(article.published) }
      if article.hasUpdated { entry.updated = date(article.updated) }
      if !article.contentHtml.isEmpty {
        let html = PlainText.sanitizedMarkup(article.contentHtml)
        entry.contentHTML = MarkupLinks.absolutized(html, base: page)
      }
      entry.summary = line(article.summary)
      entry.categories = article.categories.compactMap(line).map { Category($0) }
      entry.enclosures = article.enclosures.compactMap { file in
        address(file.url).map { url in
          var enclosure = Enclosure(
            url: url, type: line(file.type), length: file.length > 0 ? file.length : nil)
          enclosure.title = line(file.title)
          return enclosure
        }
      }
      entry.comments = address(article.commentsURL).map { CommentLinks(page: $0) }
      entry.language = line(article.language)
      entry.image = address(article.image)
      return entry
    }

    private func line(_ text: String) -> String? {
      let text = PlainText.sanitized(text)
      return text.isEmpty ? nil : text
    }

    /// Web addresses only: nothing else is opened from an article.
    private func address(_ text: String) -> String? {
      guard let address = WebAddress.resolve(text, against: nil), WebAddress.isWeb(address) else {
        return nil
      }
      return address
    }

    /// Nil before 1970 and after 9999.
    private func date(_ time: Google_Protobuf_Timestamp) -> Date? {
      let seconds = Double(time.seconds) + Double(time.nanos) / 1_000_000_000
      return (1..<253_402_300_799).contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }
  }
#endif
