internal import Foundation
internal import News

extension FeedDesk {
  /// `GET` and `POST` of `/api/articles/{id}/comments`.
  mutating func answerComments(
    _ request: WireRequest, on article: Archive.Article, now: Date
  ) throws -> WireReply {
    switch request.method {
    case "GET", "HEAD": return json(try commentPage(on: article, for: request))
    case "POST":
      let user = sessions.user(of: request)
      let uploads = uploads
      let (comment, isNew) = try changeComments(on: article, now: now) { book in
        try book.post(request, by: user, on: article, now: now) { ids in
          try uploads.attachments(ids, of: user)
        }
      }
      return reply(with: comment, status: isNew ? 201 : 200)
    default: throw APIError.methodNotAllowed("GET, HEAD, POST")
    }
  }

  /// `GET` and `PUT` of one comment.
  mutating func answerComment(
    _ request: WireRequest, _ id: String, on article: Archive.Article, faults: [Fault], now: Date
  ) throws -> WireReply {
    switch request.method {
    case "GET", "HEAD":
      return reply(with: try comments.comment(id, on: article.entry.id), status: 200)
    case "PUT":
      if faults.contains(.editComment) {
        editComment(id, on: article, to: "This was changed elsewhere.", now: now)
      }
      let user = sessions.user(of: request)
      let (comment, _) = try changeComments(on: article, now: now) {
        let comment = try $0.edit(
          request, by: user, id, on: article.entry.id, isBare: faults.contains(.bareConflict),
          now: now)
        return (comment, false)
      }
      return reply(with: comment, status: 200)
    default: throw APIError.methodNotAllowed("GET, HEAD, PUT")
    }
  }

  /// Changes a comment as another client of its author would. False without such a comment.
  @discardableResult
  mutating func editComment(
    _ id: String, on article: Archive.Article, to text: String, now: Date
  ) -> Bool {
    guard (try? comments.comment(id, on: article.entry.id)) != nil else { return false }
    _ = try? changeComments(on: article, now: now) { book in
      book.rewrite(id, on: article.entry.id, text, now: now)
      return (try book.comment(id, on: article.entry.id), false)
    }
    return true
  }

  /// Comments on an article as another client would.
  mutating func addComment(_ text: String, on article: Archive.Article, now: Date) {
    _ = changeComments(on: article, now: now) { book in
      (book.append(text, answering: nil, on: article, now: now), true)
    }
  }

  /// Answers a comment as another client would. False without such a comment.
  mutating func answerComment(
    _ id: String, on article: Archive.Article, with text: String, now: Date
  ) -> Bool {
    guard (try? comments.comment(id, on: article.entry.id)) != nil else { return false }
    _ = changeComments(on: article, now: now) { book in
      (book.append(text, answering: id, on: article, now: now), true)
    }
    return true
  }

  private func reply(with comment: Comment, status: Int) -> WireReply {
    var reply = WireReply(
      status: status, headers: [("Content-Type", Self.jsonType)], body: comment.json.bytes)
    reply[header: "ETag"] = comment.tag
    return reply
  }

  private func commentPage(
    on article: Archive.Article, for request: WireRequest
  ) throws -> JSONText {
    let position = try self.position(of: request)
    let limit = try self.limit(of: request, Self.pageSize)
    let rest = comments(on: article.entry.id).filter { comment in
      position.map { comment.position > $0 } ?? true
    }
    let next = rest.count > limit ? rest[limit - 1].position.cursor : nil
    return .object([
      ("items", .array(rest.prefix(limit).map(\.json))), ("nextCursor", .optional(next)),
    ])
  }
}
