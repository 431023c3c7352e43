package import Text

package import struct Foundation.Date

/// Validators of a document for conditional requests (RFC 9110 §8.8).
///
/// Only values that can be sent are kept: no control characters or bytes over 0x7F, at most
/// `longest` bytes, and not `*`, which every document matches.
package struct Validators: Hashable, Sendable, Codable {
  /// In bytes. Servers refuse longer requests.
  package static let longest = 1_024

  package let etag: String?
  /// Byte for byte as the server sent it.
  package let lastModified: String?
  /// The address that gave them, after a redirect that does not change that of the document.
  package let address: String?

  package init(etag: String? = nil, lastModified: String? = nil, address: String? = nil) {
    self.etag = etag.flatMap { Self.isSendable($0) ? $0 : nil }
    self.lastModified = lastModified.flatMap { Self.isSendable($0) ? $0 : nil }
    self.address = self.etag == nil && self.lastModified == nil ? nil : address
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      etag: try container.decodeIfPresent(String.self, forKey: .etag),
      lastModified: try container.decodeIfPresent(String.self, forKey: .lastModified),
      address: try container.decodeIfPresent(String.self, forKey: .address))
  }

  private enum CodingKeys: CodingKey { case etag, lastModified, address }

  package var isEmpty: Bool { etag == nil && lastModified == nil }

  private static func isSendable(_ value: String) -> Bool {
    let bytes = value.utf8
    guard !bytes.isEmpty, bytes.count <= longest,
      bytes.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return false }
    // `*` as a member of a list matches every document, too (RFC 9110 §13.1.2).
    return !value.split(separator: ",").contains { part in
      part.filter { $0 != " " } == "*"
    }
  }
}

/// Validators and digest of a stored page, by which an unchanged one is recognised.
package struct KnownPage: Hashable, Sendable {
  package var validators: Validators
  /// Of the last stored body; nil for none.
  package var bodyDigest: Int64?

  package init(validators: Validators = Validators(), bodyDigest: Int64? = nil) {
    self.validators = validators
    self.bodyDigest = bodyDigest
  }
}

/// Page of a feed: entries, newest first as far as the source orders them, and the next cursor.
package struct Page: Hashable, Sendable {
  package var description: FeedDescription?
  package var entries: [Entry]
  /// Nil at the end of the source.
  package var nextCursor: Cursor?
  package var validators: Validators
  package var bodyDigest: Int64?
  package var warnings: [String]
  /// Whether the end of its document is missing. Then it has neither validators nor a digest, so
  /// that the next request fetches all of it.
  package var isCut = false
  /// Whether the source names an earlier page as the next one, so that none follows.
  package var beginsToRepeat = false
  /// The server's remark beside the articles, in one line.
  package var remark: String?
  /// Why the end is missing.
  package var problem: SourceError?
  /// The recipe for the next page; nil for no change.
  package var recipe: FeedRecipe?
  /// The service at an address that is no feed: the subscription then belongs to an account there.
  package var service: AccountService?

  package init(
    description: FeedDescription? = nil, entries: [Entry] = [], nextCursor: Cursor? = nil,
    validators: Validators = Validators(), bodyDigest: Int64? = nil, warnings: [String] = []
  ) {
    self.description = description
    self.entries = entries
    self.nextCursor = nextCursor
    self.validators = validators
    self.bodyDigest = bodyDigest
    self.warnings = warnings
  }
}

package struct PageAnswer: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    /// A 304, or the same bytes. The validators are the newest.
    case unchanged(Validators)
    case page(Page)
  }

  package var body: Body
  /// The new address after a permanent redirect (301, 308).
  package var movedTo: String?

  package init(_ body: Body, movedTo: String? = nil) {
    self.body = body
    self.movedTo = movedTo
  }
}

/// Feed found by a search, with its newest page.
package struct LocatedFeed: Sendable {
  /// The address to subscribe to: the entered one, the target of its permanent redirects, or the
  /// feed that the page there links to.
  package var url: String
  package var page: Page
  /// Whether `url` is the entered address, or that of a feed on the same host.
  package var isUserEntered: Bool
  /// The name and password of the request, to be kept with the secrets.
  package var user: AddressUser?
  /// The header with the password of `user`, for a key or a token (`FeedSignIn.header`).
  package var secretHeader: String?
  /// Kept with the subscription, to fetch it.
  package var recipe: FeedRecipe?
  /// The first page of the site, where the feed was found there because the entered address had
  /// nothing.
  package var foundAt: String?
  /// The sign-in that opened it at a service: it belongs to that account.
  package var signIn: SignIn?

  package init(url: String, page: Page, isUserEntered: Bool) {
    self.url = url
    self.page = page
    self.isUserEntered = isUserEntered
  }
}

package enum FoundFeeds: Sendable {
  /// The address is that of a feed, or leads to a single one.
  case feed(LocatedFeed)
  /// The page links to several feeds, best first, which may not have been fetched.
  case choice([FeedLink])

  /// The first page of the site, where the feeds were found there instead of at the address.
  package var foundAt: String? {
    switch self {
    case .feed(let feed): feed.foundAt
    case .choice(let links): links.first?.foundAt
    }
  }
}

/// Progress of a source. Snapshots show waits; the last response is stored in the feed's state, in
/// the transaction of the page or the failure.
package enum SourceEvent: Hashable, Sendable {
  /// An attempt has failed, and another follows after a wait.
  case waiting(RetryWait)
  /// - Parameters:
  ///   - redirectedTo: the target of a redirect that does not change the feed's address by itself.
  ///   - isForGood: whether that redirect is permanent. Then headers of the feed stay at its own
  ///     server.
  case answered(status: Int, redirectedTo: String?, isForGood: Bool)
  /// The host at an address says that it gets too many requests, or will with the next one.
  ///
  /// - Parameter until: the end of the pause that it wants; nil where it names none.
  case limited(at: String, until: Date?)
}

/// Wait between two attempts.
package struct RetryWait: Hashable, Sendable {
  /// The number of the coming attempt, from 2.
  package var attempt: Int
  package var maxAttempts: Int
  package var until: Date

  package init(attempt: Int, maxAttempts: Int, until: Date) {
    self.attempt = attempt
    self.maxAttempts = maxAttempts
    self.until = until
  }
}

package protocol NewsSources: FeedFinder, FeedPasswords {
  func source(of account: Account) -> any AccountSource

  /// The comments at the address that the feed names for an article.
  func comments(at url: String, of feed: Feed) -> (any DiscussionSource)?

  /// Ends the pauses of servers after failures: the user asks for these addresses.
  func reopen(_ addresses: [String])

  /// Ends the pauses of all servers: the network is back.
  func reopenAll()

  /// These sources with the proxy of a feed, for a search of its new address.
  func onWay(of feed: Feed) -> any NewsSources
}

extension NewsSources {
  package func comments(at url: String, of feed: Feed) -> (any DiscussionSource)? { nil }
  package func onWay(of feed: Feed) -> any NewsSources { self }
}

package protocol FeedFinder: Sendable {
  /// Searches for feeds at an entered address: that of a feed, a page or a file. A name and
  /// password in it are used for requests to its origin, and are not part of returned addresses.
  ///
  /// - Parameter signIn: used where the address has no name and password.
  /// - Throws: `SourceError` or `CancellationError`.
  func discover(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds

  /// The first of several links that is a feed. Those on the host of the entered address count as
  /// entered.
  ///
  /// - Parameter address: the entered address, whose page has these links.
  /// - Throws: `SourceError` or `CancellationError`.
  func locate(oneOf links: [FeedLink], namedBy address: String) async throws -> LocatedFeed
}

/// Storage of the passwords of single feeds.
package protocol FeedPasswords: Sendable {
  /// Stores a password under a new name. It can be read when this returns.
  ///
  /// - Parameter header: the header for it; nil for Basic credentials (`FeedSignIn.header`).
  /// - Throws: `SourceError`.
  func keep(_ user: AddressUser, header: String?) async throws -> FeedSignIn

  /// - Throws: `SourceError`.
  func forget(_ signIn: FeedSignIn) async throws
}

extension FeedPasswords {
  package func keep(_ user: AddressUser) async throws -> FeedSignIn {
    try await keep(user, header: nil)
  }
}

extension FeedFinder {
  /// The best feed at an address. Not one of the first page of the site instead, since the user
  /// could not be told.
  package func locate(_ address: String) async throws -> LocatedFeed {
    switch try await discoverThere(address, signIn: nil) {
    case .feed(let feed): feed
    case .choice(let links): try await locate(oneOf: links, namedBy: address)
    }
  }

  /// The only feed at an address, while the user cannot choose among several.
  package func locateOnly(_ address: String, signIn: FeedSignIn?) async throws -> LocatedFeed {
    switch try await discoverThere(address, signIn: signIn) {
    case .feed(let feed): return feed
    case .choice(let links):
      throw SourceError(
        .notAFeed, stage: .parse, subject: WebAddress.redacted(address),
        message: "the page names \(links.count) feeds",
        next: "choose with r on the feed in the reader, or with telex add and this address")
    }
  }

  /// - Throws: `SourceError` where only the first page of the site has feeds.
  private func discoverThere(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds {
    let found = try await discover(address, signIn: signIn)
    guard let page = found.foundAt else { return found }
    throw SourceError(
      .status, stage: .fetch, subject: WebAddress.redacted(address),
      message: "nothing is at this address",
      next: "\(WebAddress.redacted(page)) leads to a feed, which telex add takes", status: 404)
  }
}
