package import struct Foundation.Date

/// Article extracted from the page that an article of a feed links to.
package struct FullText: Hashable, Sendable {
  /// The address behind all redirects.
  package var url: String
  /// With absolute addresses.
  package var html: String
  package var title: String?
  package var byline: String?
  package var siteName: String?
  package var picture: String?
  package var language: String?
  package var published: Date?
  /// The number of pages it consists of.
  package var pages: Int
  package var fetched: Date
  /// Whether the user reads it instead of the feed's text.
  package var isShown: Bool

  package init(
    url: String, html: String, title: String? = nil, byline: String? = nil,
    siteName: String? = nil, picture: String? = nil, language: String? = nil,
    published: Date? = nil, pages: Int = 1, fetched: Date, isShown: Bool = true
  ) {
    self.url = url
    self.html = html
    self.title = title
    self.byline = byline
    self.siteName = siteName
    self.picture = picture
    self.language = language
    self.published = published
    self.pages = pages
    self.fetched = fetched
    self.isShown = isShown
  }
}

extension Article {
  package var shownFullText: FullText? { fullText.flatMap { $0.isShown ? $0 : nil } }

  /// The text that the user reads, as HTML.
  package var shownHTML: String? { shownFullText?.html ?? entry.contentHTML }
}

/// Version of an article that the user saw before its feed changed it.
package struct FormerText: Hashable, Sendable {
  package var title: String?
  package var contentHTML: String?
  package var summary: String?
  /// Whether the text was short enough to be kept; else only the title is here.
  package var isWhole: Bool
  /// When the first change since then was stored.
  package var changed: Date

  package init(
    title: String?, contentHTML: String?, summary: String?, isWhole: Bool, changed: Date
  ) {
    self.title = title
    self.contentHTML = contentHTML
    self.summary = summary
    self.isWhole = isWhole
    self.changed = changed
  }
}
