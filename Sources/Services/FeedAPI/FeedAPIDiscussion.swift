internal import HTTP
internal import News
internal import Text

/// The comments of the Feed API.
struct FeedAPIDiscussion: DiscussionSource {
  private static let pageSize = 50

  let base: String
  let fetcher: Fetcher
  let connections: ConnectionPolicy

  func comments(on entry: String, after cursor: Cursor?) async throws -> CommentPage {
    let page = try await value(
      of: FeedAPICatalogue.comments(
        on: entry, cursor: cursor?.rawValue, limit: Self.pageSize))
    return CommentPage(
      comments: page.items.map { Comment($0) }, nextCursor: page.nextCursor.map { Cursor($0) })
  }

  func post(_ text: String, on entry: String, key: String) async throws -> Comment {
    Comment(
      try await value(
        of: try FeedAPICatalogue.post(
          FeedAPICatalogue.NewComment(text: text, author: nil), on: entry, key: key)))
  }

  private func value<Response: Sendable>(
    of endpoint: Endpoint<Response>
  ) async throws -> Response {
    do {
      var request = try endpoint.request(base: base)
      request.limits = fetcher.limits
      request.connections = connections
      let response = try await fetcher.response(to: request)
      return try fetcher.value(of: endpoint, in: response, to: request)
    } catch let error as HTTPError {
      throw SourceError(error, url: base)
    }
  }
}

extension Comment {
  fileprivate init(_ wire: FeedAPICatalogue.Comment) {
    self.init(
      id: wire.id, author: wire.author.map(PlainText.sanitized), published: wire.published,
      text: PlainText.sanitized(wire.text))
  }
}
