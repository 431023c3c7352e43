internal import Discovery
internal import Foundation
internal import HTTP
package import News
internal import Syndication
internal import Text

extension Sources {
  /// Searches at an address for the document there if it is a feed, the Feed API, a file, or the
  /// feeds that the page links to (`FeedSearch`).
  package func discover(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds {
    if let file = Self.fileAddress(address) { return .feed(try await locateFile(file)) }
    if Self.wireScheme(of: address) != nil { return .feed(try await locateWire(address)) }
    let (typed, user) = try Self.parts(of: address)
    let plain = WebAddress.plainForm(of: address)
    fetcher.client.gate.reopen([typed, plain].compactMap { $0 })
    var sources = self
    sources.fetcher = user.map { fetcher(signing: $0) } ?? fetcher(signing: signIn)
    // The user has to be known before anything is sent.
    _ = try await signIns?.signIn(at: typed, for: Signer(.user(self.user)))
    let found = try await sources.feeds(foundBy: FeedSearch(typed, plain: plain))
    guard case .feed(let feed) = found else { return found }
    return .feed(try await sources.settled(feed).signed(by: user))
  }

  package func locate(
    oneOf links: [FeedLink], namedBy address: String
  ) async throws -> LocatedFeed {
    let (typed, user) = try Self.parts(of: address)
    var sources = self
    if let user { sources.fetcher = fetcher(signing: user) }
    let found = try await sources.feeds(foundBy: FeedSearch(typed, from: .links(links)))
    guard case .feed(let feed) = found else { throw SourceError.noFeedNamed(at: typed) }
    return try await sources.settled(feed).signed(by: user)
  }

  /// The feed with the sign-in that opens it from now on: at a service that of its account; a
  /// document is fetched again as a refresh will fetch it, where the search used another sign-in.
  ///
  /// - Throws: `SourceError` where a refresh would fail.
  private func settled(_ located: LocatedFeed) async throws -> LocatedFeed {
    guard let signIns else { return located }
    var located = located
    if located.page.service != nil {
      located.signIn = try await signIns.signIn(
        at: located.url, for: Signer(.user(user), asking: .api))
      return located
    }
    let local = Signer(.account(.local))
    guard fetcher.signature == nil,
      let used = try await signIns.signIn(at: located.url, for: Signer(.user(user))),
      try await signIns.signIn(at: located.url, for: local) != used
    else { return located }
    var fetcher = fetcher
    fetcher.client.authorizer = signIns.authorizer(for: local)
    do {
      located.page = try await page(
        try await fetcher.document(
          at: located.url, accept: WebFeed.accept,
          connections: connections(to: located.url, isUserEntered: located.isUserEntered)))
    } catch var error as SourceError where error.kind != .cancelled {
      error.next =
        "it opens for \(used.user) only, whose sign-in is for feeds of the account: sign in with --basic"
      throw error
    }
    return located
  }

  private static func parts(
    of address: String
  ) throws(SourceError) -> (typed: String, user: AddressUser?) {
    let typed = try WebAddress.entered(address)
    return (WebAddress.withoutUser(typed), WebAddress.user(in: typed))
  }

  private func fetcher(signing user: AddressUser) -> Fetcher {
    var fetcher = fetcher
    fetcher.signature = .typed(user)
    return fetcher
  }

  /// The address of an entered file or path; nil for any other.
  static func fileAddress(_ typed: String) -> String? {
    let text = typed.trimmingCharacters(in: .whitespaces)
    if text.lowercased().hasPrefix("file:") { return text }
    guard ["/", "./", "../", "~/"].contains(where: text.hasPrefix) else { return nil }
    let path = NSString(string: text).expandingTildeInPath
    return URL(filePath: path).absoluteURL.standardizedFileURL.absoluteString
  }

  private func locateFile(_ url: String) async throws -> LocatedFeed {
    guard let page = try await FileFeed(url: url, limit: fetcher.limit).newestPage() else {
      throw SourceError(.file, stage: .fetch, subject: url, message: "the file cannot be read")
    }
    return LocatedFeed(url: url, page: page, isUserEntered: true)
  }

  func page(_ response: HTTPResponse) async throws -> Page {
    var page = try await parse(response)
    if !page.isCut { page.bodyDigest = response.bodyDigest }
    return page
  }
}

extension LocatedFeed {
  /// The feed with the name and password of its request, where it is at their origin.
  fileprivate func signed(by user: AddressUser?) -> LocatedFeed {
    guard let user, WebAddress.isAt(url, origin: user.origin) else { return self }
    var feed = self
    feed.user = user
    return feed
  }
}

extension PageSource {
  /// Nil where the source returns none, as for an unchanged one.
  func newestPage() async throws -> Page? {
    let answer = try await page(after: nil, known: KnownPage())
    return if case .page(let page) = answer.body { page } else { nil }
  }
}
