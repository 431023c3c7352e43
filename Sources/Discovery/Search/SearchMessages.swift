package import News
internal import Text

/// A document that the search for feeds wants to see.
package struct SearchRequest: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// At the address itself, over https, where the same over http may be meant: all of it or none.
    case secureAddress
    /// A page as it is for browsers, at the address or where the site leads to. One that was cut is
    /// better than nothing.
    case page
    /// What a page names, or what may be a feed. The same holds for one that was cut.
    case document
    /// At an address that nobody has named. The text of a page there is of no use.
    case guess

    /// Whether the number of requests does not stop it: whoever asks has looked.
    var isOfSearchedAddress: Bool { self == .secureAddress || self == .page }
  }

  package var url: String
  package var kind: Kind
  /// The host that the user typed, which may be a private one; nil where nobody did.
  package var typedHost: String?

  /// Whether an address is at the host that the user typed.
  package func isUserEnteredHost(of address: String) -> Bool {
    typedHost != nil && WebAddress.host(of: address) == typedHost
  }
}

/// A document that came, as far as the search for feeds looks at it.
package struct SearchDocument: Sendable {
  package enum Content: Sendable {
    case feed(Page)
    /// No feed, for the reason given. The text is that of a page, in UTF-8.
    case page(SourceError, text: [UInt8])
    /// Something that cannot be looked through.
    case unusable(SourceError)
  }

  /// Where it lies, redirects followed.
  package var url: String
  /// Where it is to be asked for from now on; nil for the address that was asked.
  package var permanentURL: String?
  package var digest: Int64
  /// The values of the answer's `Link` fields (RFC 8288).
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

  /// The feeds that a page names.
  package var links: FeedLinks.Found {
    guard case .page(_, let text) = content else { return FeedLinks.Found() }
    return FeedLinks.named(in: text, at: url, linkFields: linkFields)
  }
}

/// What came of a request.
package enum SearchAnswer: Sendable {
  case document(SearchDocument)
  /// - Parameter isUnanswered: whether nothing has answered over TLS, so that plain http may be meant.
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
