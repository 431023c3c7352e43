internal import Foundation
internal import HTTP
internal import News
internal import Text

struct FeedAPIDiscussion: DiscussionSource {
  private static let pageSize = 100

  let api: FeedAPIServer
  private var base: String { api.base }

  /// Pages have cursors of their own: each is requested anew.
  func comments(
    on entry: String, after cursor: Cursor?, known: KnownPage
  ) async throws -> CommentPage? {
    let page = try await api.value(
      of: FeedAPICatalogue.comments(on: entry, cursor: cursor?.rawValue, limit: Self.pageSize))
    return CommentPage(
      comments: page.items.map { Comment($0) }, nextCursor: page.nextCursor.map { Cursor($0) })
  }

  func comment(_ id: String, on entry: String) async throws -> Comment {
    Comment(try await api.value(of: FeedAPICatalogue.comment(id, on: entry)))
  }

  func post(
    _ text: String, answering parent: String?, on entry: String, key: String
  ) async throws -> CommentAnswer {
    let endpoint = try FeedAPICatalogue.post(
      FeedAPICatalogue.NewComment(text: text, author: nil, parentID: parent), on: entry, key: key)
    do {
      return try await send(text, to: endpoint)
    } catch let error as HTTPError {
      guard let current = error.current else { throw SourceError(error, url: base) }
      return Self.answer(current, to: text)
    }
  }

  func edit(
    _ id: String, on entry: String, to text: String, from version: String
  ) async throws -> CommentAnswer {
    let endpoint = try FeedAPICatalogue.edit(id, on: entry, to: text, from: version)
    do {
      return try await send(text, to: endpoint)
    } catch let error as HTTPError where error.status == 410 {
      return .conflict(.deleted)
    } catch let error as HTTPError where error.isConflict {
      if let current = error.current { return Self.answer(current, to: text) }
      do {
        return Self.answer(
          try await api.value(of: FeedAPICatalogue.comment(id, on: entry)), to: text)
      } catch let error as SourceError where error.status == 410 {
        return .conflict(.deleted)
      }
    } catch let error as HTTPError {
      throw SourceError(error, url: base)
    }
  }

  /// Sends a comment or an edit. Only the API itself can accept it: a page from in between (a
  /// sign-in of the network, a maintenance page) has a status of success, too, and the text would
  /// be lost.
  ///
  /// - Throws: `HTTPError`; `SourceError` where it is unknown whether the server has the text.
  private func send(
    _ text: String, to endpoint: Endpoint<FeedAPICatalogue.Comment>
  ) async throws -> CommentAnswer {
    var request = try api.request(endpoint)
    request.staysAtOrigin = true
    let response = try await api.fetcher.answer(to: request)
    do {
      let comment = try api.fetcher.value(of: endpoint, in: response, to: request)
      // After most redirects the request was no longer a POST.
      if response.head.redirectCount == 0 || comment.text == text { return .kept(Comment(comment)) }
    } catch let error as HTTPError where error.kind == .decoding {
      if response.isAcceptance { return .accepted }
    }
    throw SourceError(
      .decoding, stage: .parse, subject: WebAddress.redacted(base),
      message: "\(WebAddress.host(of: base) ?? base) does not say that it has taken the comment",
      next: "it is sent again; if the network or the server asks for a sign-in, sign in there first"
    )
  }

  /// The result of a conflict. Where the server has the same text, the answer to an earlier attempt
  /// was lost.
  private static func answer(
    _ current: FeedAPICatalogue.Comment, to text: String
  ) -> CommentAnswer {
    current.text == text ? .kept(Comment(current)) : .conflict(.changed(Comment(current)))
  }
}

extension HTTPResponse {
  /// Whether the API reports success without a comment: an empty body, or JSON without an error.
  fileprivate var isAcceptance: Bool {
    guard head.redirectCount == 0 else { return false }
    guard !body.isEmpty else { return true }
    let type = (head.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased()
      .trimmingCharacters(in: .whitespaces)
    return (type == "application/json" || type.hasSuffix("+json"))
      && ServerError(body: body)?.code.isEmpty != false
  }
}

extension HTTPError {
  fileprivate var isConflict: Bool { status == 409 || status == 412 }

  /// The comment at the server, from the body of a conflict.
  fileprivate var current: FeedAPICatalogue.Comment? {
    guard isConflict, let body = partial?.body else { return nil }
    return try? HTTPCoding.decoder.decode(FeedAPICatalogue.CommentConflict.self, from: Data(body))
      .current
  }
}

extension Comment {
  init(_ wire: FeedAPICatalogue.Comment) {
    self.init(
      id: wire.id, parent: wire.parentID, author: wire.author.map(PlainText.sanitized),
      published: wire.published, updated: wire.updated, text: PlainText.sanitizedBlock(wire.text),
      version: wire.version,
      attachments: wire.attachments?.map { file in
        Attachment(
          id: file.id, name: PlainText.sanitized(file.name),
          type: file.type.map(PlainText.sanitized), length: file.length)
      })
  }
}
