package import News
internal import Text

/// Request of the search for feeds.
package struct SearchRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The address over https, where http may be meant. A response that was cut counts as a failure.
    case secureAddress
    /// A page for browsers. One that was cut is used as far as it goes.
    case page
    /// A link of a page, or another possible feed. One that was cut is used as far as it goes.
    case document
    /// A guessed address. The text of a page there is not searched.
    case guess

    /// Whether it is exempt from the limit on requests.
    var isOfSearchedAddress: Bool { self == .secureAddress || self == .page }
  }

  package var url: String
  package var kind: Kind
  /// The host of the address that the user entered, which may be private; nil where it was not entered.
  package var typedHost: String?

  /// Whether an address is at the host that the user entered.
  package func isUserEnteredHost(of address: String) -> Bool {
    typedHost != nil && WebAddress.host(of: address) == typedHost
  }
}

/// Response as the search for feeds needs it.
package struct SearchDocument: Sendable {
  package enum Content: Sendable {
    case feed(Page)
    /// No feed, for this reason; with the text of the page in UTF-8.
    case page(SourceError, text: [UInt8])
    /// A document that cannot be searched.
    case unusable(SourceError)
  }

  /// The address after redirects.
  package var url: String
  /// The address after permanent redirects; nil for none.
  package var permanentURL: String?
  package var digest: Int64
  /// The values of the response's `Link` fields (RFC 8288).
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

  /// The feeds that the page links to.
  package var links: FeedLinks.Found {
    guard case .page(_, let text) = content else { return FeedLinks.Found() }
    return FeedLinks.named(in: text, at: url, linkFields: linkFields)
  }
}

/// Result of a request.
package enum SearchAnswer: Sendable {
  case document(SearchDocument)
  /// - Parameter isUnanswered: whether no server answered over TLS, so that plain http may be meant.
  case failure(SourceError, isUnanswered: Bool = false)
}

extension SourceError {
  /// None of the feeds of a page was named.
  package static func noFeedNamed(at address: String) -> SourceError {
    SourceError(
      .notAFeed, stage: .parse, subject: WebAddress.redacted(address),
      message: "The page names no feed.", next: "look for the address of the feed on the site")
  }
}

extension FeedLinks {
  /// All that a page says of feeds, with what is known of its site.
  package static func named(
    in text: [UInt8], at url: String, linkFields: [String]
  ) -> Found {
    var found = look(in: text, base: url, linkFields: linkFields)
    found.declared = SiteFeeds.feeds(in: text, ofPage: url) + found.declared
    return found.secured(at: url)
  }
}
