internal import Markup
package import News
internal import Text

internal import struct Foundation.Date

/// Reader of the articles of a web page by selectors. A page without matches is an error.
package struct PageFeedReader {
  private let mapping: PageMapping
  private let page: HTMLPage
  private let base: String?
  private let subject: String
  private var collector = FeedCollector(format: .page)

  /// Maximum number of characters of a title made of text.
  private static let longestTitle = 120

  /// - Parameters:
  ///   - bytes: the page in its own encoding.
  ///   - url: its address; nil for none.
  /// - Throws: `.decoding` if no element matches.
  package static func read(
    _ bytes: [UInt8], by mapping: PageMapping, contentType: String?, url: String?
  ) throws(SourceError) -> ParsedFeed {
    let page = HTMLPage(PageText.utf8(bytes, contentType: contentType))
    return try PageFeedReader(mapping, page, url: url).feed()
  }

  private init(_ mapping: PageMapping, _ page: HTMLPage, url: String?) {
    self.mapping = mapping
    self.page = page
    base = page.address(against: url)
    subject = url.map(WebAddress.redacted) ?? "the page"
    collector.feed.description.title = page.title.map(PlainText.sanitized)
    collector.feed.description.link = url.flatMap(AddressText.web)
  }

  private consuming func feed() throws(SourceError) -> ParsedFeed {
    let found = try page.find(mapping.entries, subject: subject)
    guard !found.isEmpty else {
      throw .nothingFound(by: mapping.entries, in: page, subject: subject)
    }
    for element in found {
      if collector.isFull { break }
      collector.add(try entry(of: element), line: nil)
    }
    let count = found.count
    for field in PageMapping.Field.allCases where missing[field] == count {
      let selector = mapping.fields[field]?.text ?? ""
      collector.warnings.add("No article has a \(field.rawValue) at “\(selector)”.")
    }
    return collector.finished(authors: [])
  }

  /// Number of articles without the element of a selector.
  private var missing: [PageMapping.Field: Int] = [:]

  private mutating func entry(of element: HTMLPage.Element) throws(SourceError) -> Entry? {
    var draft = EntryDraft()
    draft.content.base = base
    let link = try part(.link, of: element, or: Self.links)
    let linked = link.flatMap { page.attribute("href", of: $0) ?? page.attribute("src", of: $0) }
    draft.fields.url.offer((linked ?? link.map(page.text)).flatMap(address), 0)
    var title = try part(.title, of: element, or: Self.headings).map(page.text)
    if title?.isEmpty ?? true { title = link.map(page.text) }
    if title?.isEmpty ?? true {
      let text = page.text(of: element)
      title = text.count > Self.longestTitle ? text.prefix(Self.longestTitle) + "…" : text
    }
    draft.fields.title.offer(PlainText.line(title), 0)
    if let date = try part(.date, of: element, or: Self.times) {
      let text =
        page.attribute("datetime", of: date) ?? page.attribute("content", of: date)
        ?? page.text(of: date)
      draft.fields.published.offer(text.withBytes { collector.date($0, line: nil) }, 0)
    }
    let text = try mapping.fields[.text] == nil ? element : part(.text, of: element, or: nil)
    if let text { draft.content.set(html: page.html(of: text)) }
    return draft.entry()
  }

  /// The first match of the user's selector, or else of the default.
  private mutating func part(
    _ field: PageMapping.Field, of element: HTMLPage.Element, or usual: Selector?
  ) throws(SourceError) -> HTMLPage.Element? {
    guard let own = mapping.fields[field] else {
      guard let usual else { return nil }
      return try page.find(usual, in: element, limit: 1, subject: subject).first
    }
    let found = try page.find(own, in: element, limit: 1, subject: subject).first
    if found == nil { missing[field, default: 0] += 1 }
    return found
  }

  private static let headings = try? Selector("h1, h2, h3, h4, h5, h6")
  private static let links = try? Selector("a[href]")
  private static let times = try? Selector("time[datetime]")

  private func address(_ reference: String) -> String? {
    AddressText.resolved(reference, against: base)
  }
}

extension HTMLPage {
  /// The base of relative addresses, for a page from this address.
  func address(against url: String?) -> String? {
    base.flatMap { WebAddress.resolve($0, against: url) }.flatMap(AddressText.web) ?? url
  }

  func find(
    _ selector: Selector, in element: Element? = nil, limit: Int = .max, subject: String
  ) throws(SourceError) -> [Element] {
    do { return try elements(matching: selector, in: element, limit: limit) } catch {
      throw SourceError(
        .decoding, stage: .parse, subject: subject,
        message: "“\(selector.text)” takes too long on this page", next: "name fewer steps in it")
    }
  }
}

extension SourceError {
  static func nothingFound(
    by selector: Selector, in page: HTMLPage, subject: String
  ) -> SourceError {
    let title = page.title.map { " (“\(PlainText.sanitized($0).prefix(60))”)" } ?? ""
    return SourceError(
      .decoding, stage: .parse, subject: subject,
      message: "nothing on the page\(title) matches “\(selector.text)”: it may have changed",
      next: "look at the page, and correct the selector: telex set FEED --select")
  }
}
