package import Text

package import struct Foundation.Date

/// What a server said about a document that lets the next request ask "has it changed?"
/// (RFC 9110 §8.8).
///
/// Holds only what can be sent again: a value with control characters or bytes over 0x7F, a longer
/// one than `longest`, and `*`, which every document matches, are left out, wherever they come from.
package struct Validators: Hashable, Sendable, Codable {
  /// Bytes of the longest value that is kept. Servers refuse longer requests.
  package static let longest = 1_024

  package let etag: String?
  /// The `Last-Modified` value, byte for byte as the server sent it.
  package let lastModified: String?

  package init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag.flatMap { Self.isSendable($0) ? $0 : nil }
    self.lastModified = lastModified.flatMap { Self.isSendable($0) ? $0 : nil }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      etag: try container.decodeIfPresent(String.self, forKey: .etag),
      lastModified: try container.decodeIfPresent(String.self, forKey: .lastModified))
  }

  private enum CodingKeys: CodingKey { case etag, lastModified }

  package var isEmpty: Bool { etag == nil && lastModified == nil }

  private static func isSendable(_ value: String) -> Bool {
    let bytes = value.utf8
    guard !bytes.isEmpty, bytes.count <= longest,
      bytes.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return false }
    // As a member of a list it stands for every document too (RFC 9110 §13.1.2).
    return !value.split(separator: ",").contains { part in
      part.filter { $0 != " " } == "*"
    }
  }
}

/// What is already known of a page, so that an unchanged one costs nothing.
package struct KnownPage: Hashable, Sendable {
  package var validators: Validators
  /// The digest of the body that was stored last; nil if none was.
  package var bodyDigest: Int64?

  package init(validators: Validators = Validators(), bodyDigest: Int64? = nil) {
    self.validators = validators
    self.bodyDigest = bodyDigest
  }
}

/// A page of a feed: some entries, newest first as far as the source orders them, and where to go on.
package struct Page: Hashable, Sendable {
  package var description: FeedDescription?
  package var entries: [Entry]
  /// Where the source continues; nil at its end.
  package var nextCursor: Cursor?
  package var validators: Validators
  package var bodyDigest: Int64?
  package var warnings: [String]
  /// Whether its document ended before its end. It has neither validators nor a digest then, so that
  /// it is asked for in full the next time.
  package var isCut = false
  /// What kept the end of it from coming, for the feed's state.
  package var problem: SourceError?
  /// The service that the page came from, where its address is not a feed's but a service's: the feed
  /// belongs to an account there.
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

/// What asking a source for a page came to.
package struct PageAnswer: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    /// The same as what is known already (a 304, or the same bytes). The validators are the newest.
    case unchanged(Validators)
    case page(Page)
  }

  package var body: Body
  /// Set when the source has moved for good (301, 308): the address to ask from now on.
  package var movedTo: String?

  package init(_ body: Body, movedTo: String? = nil) {
    self.body = body
    self.movedTo = movedTo
  }
}

/// A feed that was found at an address, with its first page.
package struct LocatedFeed: Sendable {
  /// The address to subscribe to: the one that was given, where it has moved to for good, or the
  /// feed that the page there names.
  package var url: String
  /// Its newest page, which had to be fetched to find out.
  package var page: Page
  /// Whether `url` is what was typed, or a page's feed on the same host.
  package var isUserEntered: Bool
  /// The name and password that it was asked for with, to be kept with the secrets.
  package var user: AddressUser?
  /// The first page of the site, where that leads to it and nothing was at the address that was typed.
  package var foundAt: String?
  /// Whose sign-in has opened it, where it comes from a service: it belongs to that account.
  package var signIn: SignIn?

  package init(url: String, page: Page, isUserEntered: Bool) {
    self.url = url
    self.page = page
    self.isUserEntered = isUserEntered
  }
}

/// What looking for a feed at an address has come to.
package enum FoundFeeds: Sendable {
  /// The address is that of a feed, or leads to this one only.
  case feed(LocatedFeed)
  /// The page there has several, best first. None of them need have been fetched.
  case choice([FeedLink])

  /// The first page of the site, where that has led to them and nothing was at the address.
  package var foundAt: String? {
    switch self {
    case .feed(let feed): feed.foundAt
    case .choice(let links): links.first?.foundAt
    }
  }
}

/// What a source tells while it works. Waits go to the snapshots as they are. The last answer goes
/// into the feed's state, in the transaction that stores the page or the failure.
package enum SourceEvent: Hashable, Sendable {
  /// An attempt has failed; the next one follows.
  case waiting(RetryWait)
  /// The server has answered.
  ///
  /// - Parameter redirectedTo: where the answer came from, if not from the address that was asked
  ///   and not for good.
  case answered(status: Int, redirectedTo: String?)
}

/// A wait between two attempts.
package struct RetryWait: Hashable, Sendable {
  /// The one to come, from 2 on.
  package var attempt: Int
  package var maxAttempts: Int
  package var until: Date

  package init(attempt: Int, maxAttempts: Int, until: Date) {
    self.attempt = attempt
    self.maxAttempts = maxAttempts
    self.until = until
  }
}

/// All services there are, behind the one question of which serves an account.
package protocol NewsSources: FeedFinder, FeedPasswords {
  /// What serves an account, by its kind.
  func source(of account: Account) -> any AccountSource

  /// Servers that are left alone after failures are asked again: the user wants these feeds now.
  func reopen(_ feeds: [Feed])

  /// The same for all of them: the network is back.
  func reopenAll()

  /// These sources on the way that goes to a feed, for what is looked for in its stead.
  func onWay(of feed: Feed) -> any NewsSources
}

/// Finds the feeds at an address.
package protocol FeedFinder: Sendable {
  /// Looks for feeds at an address as a person types it: a feed's own, a page's, a file's. A name and
  /// password in it sign what is asked of its origin, and are in no address that comes back.
  ///
  /// - Parameter signIn: what signs it otherwise.
  /// - Throws: `SourceError`, or `CancellationError`.
  func discover(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds

  /// The first of several feeds that is one. Those on the host that was typed are as good as typed.
  ///
  /// - Parameter address: what was typed, and led to them.
  /// - Throws: `SourceError`, or `CancellationError`.
  func locate(oneOf links: [FeedLink], namedBy address: String) async throws -> LocatedFeed
}

/// Keeps the passwords of single feeds with the secrets.
package protocol FeedPasswords: Sendable {
  /// Keeps a password under a name of its own. It can be read there when this returns.
  ///
  /// - Throws: `SourceError`.
  func keep(_ user: AddressUser) async throws -> FeedSignIn

  /// Takes away a password that no feed needs any more.
  ///
  /// - Throws: `SourceError`.
  func forget(_ signIn: FeedSignIn) async throws
}

extension NewsSources {
  package func onWay(of feed: Feed) -> any NewsSources { self }
}

extension FeedFinder {
  package func discover(_ address: String) async throws -> FoundFeeds {
    try await discover(address, signIn: nil)
  }

  /// The feed at an address, and the best one where there are several. Not one that another page of the
  /// site leads to, because nothing is at the address: nobody is there to be told.
  package func locate(_ address: String) async throws -> LocatedFeed {
    let found = try await discover(address)
    if let page = found.foundAt {
      throw SourceError(
        .status, stage: .fetch, subject: WebAddress.redacted(address),
        message: "nothing is at this address",
        next: "\(WebAddress.redacted(page)) leads to a feed, which telex add takes", status: 404)
    }
    return switch found {
    case .feed(let feed): feed
    case .choice(let links): try await locate(oneOf: links, namedBy: address)
    }
  }
}
