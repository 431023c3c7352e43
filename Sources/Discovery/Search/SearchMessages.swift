package import News
internal import Text

package struct SearchRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// https where http may be meant. A truncated response is a failure.
    case secureAddress
    /// For browsers. A truncated response is used.
    case page
    /// A link. A truncated response is used.
    case document
    /// A guess, whose page is not searched.
    case guess

    /// Whether it is exempt from the limit of requests.
    var isOfSearchedAddress: Bool { self == .secureAddress || self == .page }
  }

  package var url: String
  package var kind: Kind
  /// Host that the user entered, which may be private.
  package var typedHost: String?

  package func isUserEnteredHost(of address: String) -> Bool {
    typedHost != nil && WebAddress.host(of: address) == typedHost
  }
}

package struct SearchDocument: Sendable {
  package enum Content: Sendable {
    case feed(Page)
    /// No feed, and why; with the page in UTF-8.
    case page(SourceError, text: [UInt8])
    case unusable(SourceError)
  }

  /// After redirects.
  package var url: String
  /// After permanent redirects; nil for none.
  package var permanentURL: String?
  package var digest: Int64
  /// RFC 8288.
  package var linkFields: [String]
  package var content: Content

  package init(
    url: String, permanentURL: String? = nil, digest: Int64 = 0, linkFields: [String] = [],
    content: Content
  ) {
    self.url = url
    self.permanentURL = permanentURL
    self.digest = digest
    self.linkFields = linkFields
    self.content = content
  }

  package var links: FeedLinks.Found {
    guard case .page(_, let text) = content else { return FeedLinks.Found() }
    return FeedLinks.named(in: text, at: url, linkFields: linkFields)
  }
}

package enum SearchAnswer: Sendable {
  case document(SearchDocument)
  /// - Parameter isUnanswered: whether no server answered over TLS, so that http may be meant.
  case failure(SourceError, isUnanswered: Bool = false)
}

extension SourceError {
  package static func noFeedNamed(at address: String) -> SourceError {
    SourceError(
      .notAFeed, stage: .parse, subject: WebAddress.redacted(address),
      message: "The page names no feed.", next: "look for the address of the feed on the site")
  }
}

extension FeedLinks {
  /// Links of a page with those that its site is known for.
  package static func named(
    in text: [UInt8], at url: String, linkFields: [String]
  ) -> Found {
    var found = look(in: text, base: url, linkFields: linkFields)
    found.declared = SiteFeeds.feeds(in: text, ofPage: url) + found.declared
    return found.secured(at: url)
  }
}
