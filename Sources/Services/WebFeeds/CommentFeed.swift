internal import Foundation
internal import HTTP
package import News
internal import Text

/// Comments on an article as a feed: RSS (`wfw:commentRss`), or Atom (RFC 4685) with answers.
struct CommentFeed: DiscussionSource {
  private let document: WebFeed

  var takesComments: Bool { false }

  init(_ document: WebFeed) { self.document = document }

  /// Pages begin with the newest comments, but each page is returned oldest first.
  func comments(
    on entry: String, after cursor: Cursor?, known: KnownPage
  ) async throws -> CommentPage? {
    guard case .page(let page) = try await document.page(after: cursor, known: known).body else {
      return nil
    }
    // Some feeds name the answered comment by its page.
    var ids: [String: String] = [:]
    for comment in page.entries { if let url = comment.url { ids[url] = comment.id } }
    let comments = page.entries.map { Comment($0, ids: ids) }
      .sorted { ($0.published ?? .distantPast) < ($1.published ?? .distantPast) }
    // The address of validators is not stored with comments.
    let validators = page.validators.address == nil ? page.validators : Validators()
    return CommentPage(
      comments: comments, nextCursor: page.nextCursor, isExcerpt: true,
      known: KnownPage(validators: validators, bodyDigest: page.bodyDigest))
  }

  func comment(_ id: String, on entry: String) async throws -> Comment { throw unchangeable }

  func post(
    _ text: String, answering parent: String?, on entry: String, key: String
  ) async throws -> CommentAnswer { throw unchangeable }

  func edit(
    _ id: String, on entry: String, to text: String, from version: String
  ) async throws -> CommentAnswer { throw unchangeable }

  private var unchangeable: SourceError {
    SourceError(
      .address, stage: .arguments, subject: WebAddress.redacted(document.url),
      message: "a feed of comments takes none", next: "write it on the page of the comments")
  }
}

extension Comment {
  /// - Parameter ids: of comments, by their pages.
  fileprivate init(_ entry: Entry, ids: [String: String]) {
    self.init(
      id: entry.id, parent: entry.inReplyTo.map { ids[$0] ?? $0 },
      author: entry.authors.first?.name ?? entry.title, published: entry.published,
      updated: entry.updated == entry.published ? nil : entry.updated,
      text: entry.contentHTML == nil ? entry.summary ?? entry.title ?? "" : "",
      html: entry.contentHTML, url: entry.url)
  }
}

extension Sources {
  /// Fetched as its feed is, with its proxy and, at its server, its sign-in. The feed has chosen
  /// the address: it reaches no host that the feed may not.
  package func comments(at url: String, of feed: Feed) -> (any DiscussionSource)? {
    guard WebAddress.isWeb(url) else { return nil }
    return CommentFeed(
      WebFeed(
        url: WebAddress.secured(url, namedAt: feed.url) ?? url, fetcher: fetcher(for: feed),
        connections: connections(of: feed)))
  }
}
