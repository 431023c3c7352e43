package import struct Foundation.Date

/// The article of a web page, as it was found in the page.
package struct PageArticle: Hashable, Sendable {
  /// What kind of page it was.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case article
    /// For subscribers: at most the beginning is there.
    case paywall
    /// A question for consent to cookies or the use of data stands in its place.
    case consent
    case login
    /// A list of links.
    case links
    /// There is nothing to read; what shows the article is a program in the page, perhaps.
    case empty
  }

  package var kind: Kind
  /// Where the page came from; nil for a file.
  package var url: String?
  package var title: String?
  package var byline: String?
  package var published: Date?
  /// A language tag (BCP 47).
  package var language: String?
  /// The address of the lead picture.
  package var picture: String?
  package var siteName: String?
  package var excerpt: String?
  /// Its addresses are absolute; empty for nothing.
  package var html: String
  /// Letters of its text.
  package var length: Int
  /// The address of the page that goes on with the article.
  package var nextPage: String?
  /// The address that the page sends its readers to at once, where it has no article itself.
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
  /// Why a page of this kind has no whole article, as a sentence; nil for one that has.
  package var complaint: String? {
    switch self {
    case .article: nil
    case .paywall: "The page shows the whole article to subscribers only."
    case .consent: "The page asks for consent to cookies before it shows the article."
    case .login: "The page shows the article to those who are signed in."
    case .links: "The page is a list of links."
    case .empty: "There is no article on the page that can be read without its programs."
    }
  }
}
