package import struct Foundation.Date

/// Article found in a web page.
package struct PageArticle: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case article
    /// For subscribers: at most the beginning is there.
    case paywall
    /// A request for consent to cookies or the use of data.
    case consent
    case login
    case links
    /// Nothing to read; scripts may show the article.
    case empty
  }

  package var kind: Kind
  /// The address of the page; nil for a file.
  package var url: String?
  package var title: String?
  package var byline: String?
  package var published: Date?
  /// BCP 47.
  package var language: String?
  package var picture: String?
  package var siteName: String?
  package var excerpt: String?
  /// With absolute addresses; may be empty.
  package var html: String
  /// Letters of the text.
  package var length: Int
  /// The next page of the article.
  package var nextPage: String?
  /// The redirect of a page without an article (`http-equiv="refresh"`).
  package var refresh: String?

  package init(kind: Kind, url: String?, html: String, length: Int, nextPage: String?) {
    self.kind = kind
    self.url = url
    self.html = html
    self.length = length
    self.nextPage = nextPage
  }
}

extension PageArticle.Kind {
  /// The reason for a missing article, as a sentence; nil for an article.
  package var complaint: String? {
    switch self {
    case .article: nil
    case .paywall: "The page shows the whole article to subscribers only."
    case .consent: "The page asks for consent to cookies before it shows the article."
    case .login: "The page shows the article to signed-in users only."
    case .links: "The page is a list of links."
    case .empty: "The page has no article that can be read without JavaScript."
    }
  }
}
